/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_ring_fifo.c - real-time threads: a thread of high priority comes upon one of low priority that stands inside a
 * call, on the same CPU. It must sleep, not spin or yield, or the low one never runs again.
 */
#include "ring_calls.h"
#include "test.h"

#include <corral/lcore.h>

#include <errno.h>
#include <sched.h>
#include <semaphore.h>

static const struct mode *m;
static enum side side;
static struct corral_ring *ring;
static struct corral_cpuset one;
static sem_t high_is_pinned, low_is_inside;

static void sem_take(sem_t *s)
{
	while (sem_wait(s) != 0)
		CHECK_EQ_INT(errno, EINTR);
}

static uint64_t sleeps(void)
{
	struct corral_ring_stats s;

	CHECK_EQ_INT(corral_ring_get_stats(ring, &s), 0);
	return side == PROD ? s.prod_sleeps : s.cons_sleeps;
}

/* Sanitizers' runtimes spin and yield for each other when two real-time threads of one core end: leave first. */
static void leave_real_time(void)
{
	struct sched_param p = { .sched_priority = 0 };

	CHECK_EQ_INT(pthread_setschedparam(pthread_self(), SCHED_OTHER, &p), 0);
}

static void *low(void *arg)
{
	struct held h;
	uint64_t v;

	CHECK_EQ_INT(corral_lcore_pin(&one), 0);
	sem_take(&high_is_pinned);
	h = ring_hold(ring, side, 1);
	CHECK_EQ_INT(sem_post(&low_is_inside), 0);
	while (sleeps() == 0)
		sched_yield();
	elem_make(&v, 8, 1);
	if (side == PROD)
		corral_ring_copy_(ring, CORRAL_RING_PROD_, h.claim.pos, &v, 8, 1);
	ring_let_go(&h, 1);
	leave_real_time();
	return arg;
}

static void *high(void *arg)
{
	CHECK_EQ_INT(corral_lcore_pin(&one), 0);
	CHECK_EQ_INT(sem_post(&high_is_pinned), 0);
	sem_take(&low_is_inside);
	if (side == PROD)
		CHECK_EQ_INT(put(ring, 2, 1), 1);
	else
		CHECK(get_is(ring, 2, 1));
	leave_real_time();
	return arg;
}

/* 0, or why there is no such thread. */
static int start(pthread_t *t, int priority, void *(*fn)(void *))
{
	struct sched_param p = { .sched_priority = priority };
	pthread_attr_t a;
	int rc;

	pthread_attr_init(&a);
	pthread_attr_setinheritsched(&a, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&a, SCHED_FIFO);
	pthread_attr_setschedparam(&a, &p);
	rc = pthread_create(t, &a, fn, NULL);
	pthread_attr_destroy(&a);
	return rc;
}

static void low_priority_holder(void)
{
	pthread_t t[2];
	struct corral_cpuset allowed;
	int rc;

	CHECK_GE_INT(corral_lcore_allowed(&allowed), 1);
	corral_cpuset_zero(&one);
	CHECK_EQ_INT(corral_cpuset_add(&one, corral_cpuset_next(&allowed, 0)), 0);
	ring = ring_make(m->prod_flag | m->cons_flag, 8, 8, 0);
	if (m->sync == CORRAL_RING_SYNC_MT_RTS) {
		CHECK_EQ_INT(corral_ring_set_prod_htd_max(ring, 0), 0);
		CHECK_EQ_INT(corral_ring_set_cons_htd_max(ring, 0), 0);
	}
	if (side == CONS)
		CHECK_EQ_INT(put(ring, 1, 2), 2);
	CHECK_EQ_INT(sem_init(&high_is_pinned, 0, 0), 0);
	CHECK_EQ_INT(sem_init(&low_is_inside, 0, 0), 0);
	rc = start(&t[0], 1, low);
	if (rc == EPERM)
		SKIP("SCHED_FIFO is not allowed here: run as root, or raise RLIMIT_RTPRIO to 2");
	CHECK_EQ_INT(rc, 0);
	CHECK_EQ_INT(start(&t[1], 2, high), 0);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	CHECK_GE_INT(sleeps(), 1);
	if (side == PROD)
		CHECK(get_is(ring, 1, 2));
	CHECK_EQ_INT(corral_ring_count(ring), 0);
	ring_unmake(ring);
}

int main(void)
{
	char name[80];

	for (m = modes; m < modes + mode_count; m++)
		for (side = PROD; side <= CONS; side++) {
			if (m->sync == CORRAL_RING_SYNC_ST)
				continue;
			snprintf(name, sizeof(name), "low_priority_holder_%s_%s", m->name,
				 side == PROD ? "enqueue" : "dequeue");
			TEST_AS(name, low_priority_holder);
		}
	return test_end();
}
