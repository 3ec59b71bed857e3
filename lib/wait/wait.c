/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wait.c - the wait policy out of line: what a pause takes on this machine, policies in pauses, yield and sleep.
 */
#include <corral/wait.h>

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>

#define PAUSE_SAMPLES 5
#define PAUSES_A_SAMPLE 256u
#define PAUSE_PS_MIN 250u     /* a pause that costs nothing would make budgets endless */
#define PAUSE_PS_MAX 1000000u /* measured while the CPU was taken away: 1 us is more than any pause takes */

uint64_t corral_wait_self_(void)
{
	return (uint64_t)(uintptr_t)pthread_self();
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The best of a few short samples: the others were interrupted. */
static uint32_t measure_pause_ps(void)
{
	uint64_t best = UINT64_MAX, t;
	unsigned int s, i;

	for (s = 0; s < PAUSE_SAMPLES; s++) {
		t = now_ns();
		for (i = 0; i < PAUSES_A_SAMPLE; i++)
			corral_pause();
		t = now_ns() - t;
		if (t < best)
			best = t;
	}
	best = best * 1000 / PAUSES_A_SAMPLE;
	if (best < PAUSE_PS_MIN)
		return PAUSE_PS_MIN;
	return best > PAUSE_PS_MAX ? PAUSE_PS_MAX : (uint32_t)best;
}

uint32_t corral_wait_pause_ps(void)
{
	static struct corral_a32 cache; /* 0: not measured yet; several threads may measure at once, none is wrong */
	uint32_t ps = corral_load(&cache, CORRAL_RELAXED);

	if (ps == 0) {
		ps = measure_pause_ps();
		corral_store(&cache, ps, CORRAL_RELAXED);
	}
	return ps;
}

int corral_wait_policy_init(struct corral_wait_policy *p, enum corral_wait_kind kind)
{
	if (p == NULL || (int)kind < CORRAL_WAIT_DEFAULT || kind > CORRAL_WAIT_SLEEP)
		return -EINVAL;
	p->kind = kind == CORRAL_WAIT_DEFAULT ? CORRAL_WAIT_SLEEP : kind;
	p->first_ns = 600;
	p->max_ns = 2500;
	p->yield_ns = 4000;
	p->yields = 64;
	p->sleep_min_ns = 50 * 1000;
	p->sleep_max_ns = 1000 * 1000;
	p->slip_ns = 1200;
	return 0;
}

static uint32_t pauses(uint32_t ns, uint32_t pause_ps)
{
	uint64_t n = (uint64_t)ns * 1000 / pause_ps;

	return n == 0 ? 1 : (uint32_t)n;
}

int corral_wait_policy_tune(struct corral_wait_tune *t, const struct corral_wait_policy *p)
{
	uint32_t ps;

	if (t == NULL || p == NULL || (int)p->kind < CORRAL_WAIT_DEFAULT || p->kind > CORRAL_WAIT_SLEEP)
		return -EINVAL;
	if (p->max_ns > 1000000 || p->first_ns > p->max_ns || p->yield_ns > 10000000 || p->slip_ns > 1000000)
		return -EINVAL;
	if (p->yields < 1 || p->yields > 65535)
		return -EINVAL;
	if (p->sleep_min_ns < 1 || p->sleep_max_ns > 1000000000 || p->sleep_min_ns > p->sleep_max_ns)
		return -EINVAL;
	ps = corral_wait_pause_ps();
	t->kind = p->kind == CORRAL_WAIT_DEFAULT ? CORRAL_WAIT_SLEEP : p->kind;
	t->first = pauses(p->first_ns, ps);
	t->max = pauses(p->max_ns, ps);
	t->budget = t->kind == CORRAL_WAIT_PAUSE ? UINT32_MAX : pauses(p->yield_ns, ps);
	t->yields = p->yields;
	t->sleep_min_ns = p->sleep_min_ns;
	t->sleep_max_ns = p->sleep_max_ns;
	t->slip = p->slip_ns == 0 ? 0 : pauses(p->slip_ns, ps);
	return 0;
}

static void count(struct corral_a64 *counter)
{
	corral_fetch_add(counter, 1, CORRAL_RELAXED);
}

static void sleep_a_while(struct corral_wait *w, const struct corral_wait_tune *t)
{
	struct timespec ts;

	if (w->sleep_ns == 0)
		w->sleep_ns = t->sleep_min_ns;
	ts.tv_sec = w->sleep_ns / 1000000000u;
	ts.tv_nsec = (long)(w->sleep_ns % 1000000000u);
	/* Not resumed after a signal: the caller looks again anyway. */
	clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL);
	w->sleep_ns = w->sleep_ns < t->sleep_max_ns / 2 ? w->sleep_ns * 2 : t->sleep_max_ns;
}

void corral_wait_slow_(struct corral_wait *w, const struct corral_wait_tune *t, struct corral_wait_stats *s)
{
	int saved = errno;

	w->paused = 0;
	w->next = 0;
	if (t->kind == CORRAL_WAIT_PAUSE) /* four thousand million pauses: go on with them */
		return;
	if (w->yields == 0)
		count(&s->waits);
	if (t->kind == CORRAL_WAIT_SLEEP && w->yields >= t->yields) {
		count(&s->sleeps);
		sleep_a_while(w, t);
	} else {
		w->yields++;
		count(&s->yields);
		sched_yield();
	}
	errno = saved;
}
