/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_ring_wait.c - who waits for whom, and for how long: calls that stand still between claim and publication, and
 * threads that come upon them. No test depends on how long anything takes.
 */
#include "ring_calls.h"
#include "test.h"

#include <errno.h>
#include <sched.h>

/* A thread in a call, and what came of it. */
struct waiter {
	struct corral_ring *r;
	pthread_t thread;
	enum side side;
	uint32_t number;
	unsigned int n;
	int rc;
	struct corral_a32 done;
};

static void *in_call(void *arg)
{
	struct waiter *w = arg;

	if (w->n == 0)
		w->rc = corral_ring_flush(w->r);
	else if (w->side == PROD)
		w->rc = put(w->r, w->number, w->n);
	else
		w->rc = get_is(w->r, w->number, w->n);
	corral_store(&w->done, 1, CORRAL_RELEASE);
	return NULL;
}

static struct corral_ring_stats stats(const struct corral_ring *r)
{
	struct corral_ring_stats s;

	CHECK_EQ_INT(corral_ring_get_stats(r, &s), 0);
	return s;
}

static uint64_t yields(const struct corral_ring *r, enum side side)
{
	struct corral_ring_stats s = stats(r);

	return side == PROD ? s.prod_yields : s.cons_yields;
}

/* Each wait counts once, however long it lasts: so this tells of the thread that came last, whoever waits already. */
static uint64_t waits_begun(const struct corral_ring *r, enum side side)
{
	struct corral_ring_stats s = stats(r);

	return side == PROD ? s.prod_waits : s.cons_waits;
}

static int is_done(struct waiter *w)
{
	return (int)corral_load(&w->done, CORRAL_ACQUIRE);
}

/* n objects from number on; n = 0: a flush. Returns once the thread waits. */
static void start(struct waiter *w, struct corral_ring *r, enum side side, uint32_t number, unsigned int n)
{
	uint64_t before = waits_begun(r, side);

	w->r = r;
	w->side = side;
	w->number = number;
	w->n = n;
	corral_store(&w->done, 0, CORRAL_RELAXED);
	CHECK_EQ_INT(pthread_create(&w->thread, NULL, in_call, w), 0);
	while (waits_begun(r, side) == before && !is_done(w))
		sched_yield();
	CHECK(!is_done(w));
}

static void end(struct waiter *w, int rc)
{
	pthread_join(w->thread, NULL);
	CHECK_EQ_INT(w->rc, rc);
}

/* Fill the slots of a held enqueue, as its call would have. */
static void copy_in(struct held *h, uint32_t first)
{
	uint64_t v[8];

	for (uint32_t i = 0; i < h->n; i++)
		elem_make(&v[i], 8, first + i);
	corral_ring_copy_(h->ring, CORRAL_RING_PROD_, h->claim.pos, v, 8, h->n);
}

#define RTS (CORRAL_RING_F_MP_RTS_ENQ | CORRAL_RING_F_MC_RTS_DEQ)
#define MT (CORRAL_RING_F_MP_STRICT_ENQ | CORRAL_RING_F_MC_STRICT_DEQ)
#define HTS (CORRAL_RING_F_MP_HTS_ENQ | CORRAL_RING_F_MC_HTS_DEQ)

/* The same from every start position. */
#define EACH_START(r, flags, count) \
	for (unsigned int s_ = 0; s_ < start_count; s_++) \
		for (struct corral_ring *r = ring_make(flags, 8, count, starts[s_]); r != NULL; \
		     ring_unmake(r), r = NULL)

static void rts_enqueue_returns_but_is_visible_when_the_gap_closes(void)
{
	EACH_START(r, RTS, 8)
	{
		struct held h;

		CHECK_EQ_INT(corral_ring_set_prod_htd_max(r, 8), 0);
		h = ring_hold(r, PROD, 2);
		CHECK_EQ_INT(put(r, 3, 2), 2); /* returns */
		CHECK_EQ_INT(corral_ring_count(r), 0);
		CHECK(!get_is(r, 1, 1));
		copy_in(&h, 1);
		ring_let_go(&h, 2);
		CHECK_EQ_INT(corral_ring_count(r), 4);
		CHECK(get_is(r, 1, 4));
	}
}

static void rts_last_to_finish_publishes_for_all(void)
{
	EACH_START(r, RTS, 8)
	{
		struct held a, b, c;

		CHECK_EQ_INT(corral_ring_set_prod_htd_max(r, 8), 0);
		a = ring_hold(r, PROD, 1);
		b = ring_hold(r, PROD, 2);
		c = ring_hold(r, PROD, 1);
		copy_in(&a, 1);
		copy_in(&b, 2);
		copy_in(&c, 4);
		ring_let_go(&b, 2);
		CHECK_EQ_INT(corral_ring_count(r), 0);
		ring_let_go(&a, 1);
		CHECK_EQ_INT(corral_ring_count(r), 0); /* c is open still */
		ring_let_go(&c, 1);
		CHECK_EQ_INT(corral_ring_count(r), 4);
		CHECK(get_is(r, 1, 4));
	}
}

static void rts_room_of_a_returned_dequeue_is_free_when_the_gap_closes(void)
{
	EACH_START(r, RTS, 4)
	{
		struct held h;

		CHECK_EQ_INT(corral_ring_set_cons_htd_max(r, 8), 0);
		CHECK_EQ_INT(put(r, 1, 4), 4);
		h = ring_hold(r, CONS, 1);
		CHECK(get_is(r, 2, 2));
		CHECK_EQ_INT(put(r, 9, 1), 0); /* no room yet */
		ring_let_go(&h, 1);
		CHECK_EQ_INT(corral_ring_free_count(r), 3);
		CHECK_EQ_INT(put(r, 5, 3), 3);
		CHECK(get_is(r, 4, 4));
	}
}

static void rts_flush_waits_until_all_is_visible(void)
{
	EACH_START(r, RTS, 8)
	{
		struct waiter w;
		struct held h;

		CHECK_EQ_INT(corral_ring_flush(r), 0); /* nothing to wait for */
		CHECK_EQ_INT(corral_ring_set_prod_htd_max(r, 8), 0);
		h = ring_hold(r, PROD, 1);
		CHECK_EQ_INT(put(r, 2, 1), 1);
		start(&w, r, PROD, 0, 0);
		copy_in(&h, 1);
		ring_let_go(&h, 1);
		end(&w, 0);
		CHECK(get_is(r, 1, 2));
	}
}

static void rts_htd_max_makes_producers_wait(void)
{
	EACH_START(r, RTS, 8)
	{
		struct waiter w;
		struct held h;

		CHECK_EQ_INT(corral_ring_set_prod_htd_max(r, 2), 0);
		h = ring_hold(r, PROD, 1);
		CHECK_EQ_INT(put(r, 2, 1), 1); /* 1 ahead */
		CHECK_EQ_INT(put(r, 3, 2), 2); /* 2 ahead; a bulk may exceed it once */
		start(&w, r, PROD, 5, 1);      /* 4 ahead */
		copy_in(&h, 1);
		ring_let_go(&h, 1);
		end(&w, 1);
		CHECK(get_is(r, 1, 5));
	}
}

static void rts_htd_max_makes_consumers_wait(void)
{
	EACH_START(r, RTS, 8)
	{
		struct waiter w;
		struct held h;

		CHECK_EQ_INT(put(r, 1, 5), 5);
		CHECK_EQ_INT(corral_ring_set_cons_htd_max(r, 1), 0);
		h = ring_hold(r, CONS, 1);
		CHECK(get_is(r, 2, 1)); /* 1 ahead */
		start(&w, r, CONS, 3, 2);
		ring_let_go(&h, 1);
		end(&w, 1);
		CHECK(get_is(r, 5, 1));
	}
}

static void rts_htd_max_0_lets_one_in_at_a_time(void)
{
	EACH_START(r, RTS, 8)
	{
		struct waiter w;
		struct held h;

		CHECK_EQ_INT(corral_ring_set_prod_htd_max(r, 0), 0);
		h = ring_hold(r, PROD, 1);
		start(&w, r, PROD, 2, 1);
		copy_in(&h, 1);
		ring_let_go(&h, 1);
		end(&w, 1);
		CHECK(get_is(r, 1, 2));
	}
}

/* 65,535 claims are in flight, as many as the head can count. */
static void rts_more_claims_in_flight_than_can_be_counted_wait(void)
{
	struct corral_ring *r = ring_make(RTS, 8, 70000, 0);
	struct held h = ring_hold(r, PROD, 1);
	struct waiter w;
	uint32_t i;

	CHECK_EQ_INT(corral_ring_set_prod_htd_max(r, UINT32_MAX), 0);
	for (i = 1; i < 65535; i++)
		(void)ring_hold(r, PROD, 1);
	CHECK_EQ_INT(corral_load(&r->prod.head, CORRAL_RELAXED) & CORRAL_RTS_COUNT_, 65535);
	start(&w, r, PROD, 65536, 1);
	for (i = 0; i < 65535; i++)
		ring_let_go(&h, 1);
	end(&w, 1);
	CHECK_EQ_INT(corral_ring_count(r), 65536);
	ring_unmake(r);
}

static void mt_later_claimers_wait_for_the_earlier_one(void)
{
	EACH_START(r, MT, 8)
	{
		struct waiter w;
		struct held h = ring_hold(r, PROD, 2);

		start(&w, r, PROD, 3, 1);
		CHECK_EQ_INT(corral_ring_count(r), 0);
		copy_in(&h, 1);
		ring_let_go(&h, 2);
		end(&w, 1);
		CHECK(get_is(r, 1, 3));
		CHECK_EQ_INT(put(r, 1, 4), 4);
		h = ring_hold(r, CONS, 1);
		start(&w, r, CONS, 2, 2);
		ring_let_go(&h, 1);
		end(&w, 1);
		CHECK(get_is(r, 4, 1));
	}
}

static void mt_publishes_in_claim_order(void)
{
	EACH_START(r, MT, 8)
	{
		struct waiter w[2];
		struct held h = ring_hold(r, PROD, 1);

		start(&w[0], r, PROD, 2, 1);
		start(&w[1], r, PROD, 3, 1);
		CHECK_EQ_HEX(corral_load(&r->prod.head, CORRAL_RELAXED), (starts[s_] + 3) << 1);
		copy_in(&h, 1);
		ring_let_go(&h, 1);
		end(&w[0], 1);
		end(&w[1], 1);
		CHECK(get_is(r, 1, 3));
		CHECK_EQ_INT(put(r, 1, 3), 3);
		h = ring_hold(r, CONS, 1);
		start(&w[0], r, CONS, 2, 1);
		CHECK_EQ_INT(corral_ring_free_count(r), 5);
		ring_let_go(&h, 1);
		end(&w[0], 1);
		CHECK_EQ_INT(corral_ring_free_count(r), 7);
		CHECK(get_is(r, 3, 1));
	}
}

static void mt_flush_waits_for_earlier_claims_only(void)
{
	EACH_START(r, MT, 8)
	{
		struct waiter w;
		struct held a = ring_hold(r, PROD, 1), b;

		start(&w, r, PROD, 0, 0);
		b = ring_hold(r, PROD, 1); /* later than the flush began */
		copy_in(&a, 1);
		ring_let_go(&a, 1);
		end(&w, 0);
		CHECK_EQ_INT(corral_ring_count(r), 1);
		copy_in(&b, 2);
		ring_let_go(&b, 1);
		CHECK(get_is(r, 1, 2));
	}
}

static void hts_producer_has_its_side_alone(void)
{
	EACH_START(r, HTS, 8)
	{
		struct waiter w;
		struct held h = ring_hold(r, PROD, 2);

		start(&w, r, PROD, 2, 1);
		copy_in(&h, 1);
		ring_let_go(&h, 1); /* one of two: the other is as if never claimed */
		end(&w, 1);
		CHECK(get_is(r, 1, 2));
		CHECK_EQ_INT(corral_ring_count(r), 0);
	}
}

static void hts_consumer_has_its_side_alone(void)
{
	EACH_START(r, HTS, 8)
	{
		struct waiter w;
		struct held h;

		CHECK_EQ_INT(put(r, 1, 3), 3);
		h = ring_hold(r, CONS, 3);
		start(&w, r, CONS, 2, 1);
		ring_let_go(&h, 1);
		end(&w, 1);
		CHECK(get_is(r, 3, 1));
	}
}

static void hts_flush_waits_for_the_one_inside(void)
{
	EACH_START(r, HTS, 8)
	{
		struct waiter w;
		struct held h = ring_hold(r, PROD, 1);

		start(&w, r, PROD, 0, 0);
		copy_in(&h, 1);
		ring_let_go(&h, 1);
		end(&w, 0);
		CHECK(get_is(r, 1, 1));
	}
}

/* ---- the ring's wait policy ---- */

static struct corral_ring *ring_that_waits(enum corral_wait_kind kind)
{
	struct corral_ring *r = ring_make(HTS, 8, 8, 0);
	struct corral_wait_policy p;

	CHECK_EQ_INT(corral_wait_policy_init(&p, kind), 0);
	p.yields = 3;
	p.sleep_min_ns = 1000;
	p.sleep_max_ns = 4000;
	CHECK_EQ_INT(corral_ring_set_wait(r, &p), 0);
	return r;
}

static void policy_yield_never_sleeps(void)
{
	struct corral_ring *r = ring_that_waits(CORRAL_WAIT_YIELD);
	struct held h = ring_hold(r, PROD, 1);
	struct waiter w;

	start(&w, r, PROD, 2, 1);
	while (yields(r, PROD) < 50)
		sched_yield();
	CHECK_EQ_INT(stats(r).prod_sleeps, 0);
	copy_in(&h, 1);
	ring_let_go(&h, 1);
	end(&w, 1);
	CHECK_EQ_INT(stats(r).prod_waits, 1);
	ring_unmake(r);
}

static void policy_sleep_sleeps_after_its_yields(void)
{
	struct corral_ring *r = ring_that_waits(CORRAL_WAIT_DEFAULT);
	struct held h = ring_hold(r, PROD, 1);
	struct waiter w;

	start(&w, r, PROD, 2, 1);
	while (stats(r).prod_sleeps < 3)
		sched_yield();
	CHECK_EQ_INT(yields(r, PROD), 3);
	copy_in(&h, 1);
	ring_let_go(&h, 1);
	end(&w, 1);
	ring_unmake(r);
}

static void policy_pause_counts_nothing(void)
{
	struct corral_ring *r = ring_that_waits(CORRAL_WAIT_PAUSE);
	struct held h = ring_hold(r, PROD, 1);
	struct waiter w = { .r = r, .side = PROD, .number = 2, .n = 1 };

	corral_store(&w.done, 0, CORRAL_RELAXED);
	CHECK_EQ_INT(pthread_create(&w.thread, NULL, in_call, &w), 0);
	for (int i = 0; i < 20; i++)
		sched_yield();
	CHECK(!is_done(&w));
	copy_in(&h, 1);
	ring_let_go(&h, 1);
	end(&w, 1);
	CHECK_EQ_INT(stats(r).prod_waits + stats(r).prod_yields + stats(r).prod_sleeps, 0);
	ring_unmake(r);
}

static void set_wait_refuses(void)
{
	struct corral_ring *r = ring_make(0, 8, 4, 0);
	struct corral_wait_policy p;
	struct corral_wait_tune before = r->wait;

	CHECK_EQ_INT(corral_wait_policy_init(&p, CORRAL_WAIT_DEFAULT), 0);
	p.yields = 0;
	CHECK_EQ_INT(corral_ring_set_wait(r, &p), -EINVAL);
	CHECK(memcmp(&before, &r->wait, sizeof(before)) == 0);
	ring_unmake(r);
}

/* ---- every pair of modes ---- */

static const struct mode *pm, *cm;

static int waits(const struct corral_ring *r)
{
	struct corral_ring_stats s = stats(r);

	return s.prod_waits + s.prod_yields + s.prod_sleeps + s.cons_waits + s.cons_yields + s.cons_sleeps != 0;
}

/* Full, empty, and calls of nothing make no thread wait. */
static void alone(void)
{
	struct corral_ring *r = ring_make(pm->prod_flag | cm->cons_flag, 8, 3, 0);

	CHECK(!get_is(r, 0, 1));
	CHECK_EQ_INT(put(r, 1, 3), 3);
	CHECK_EQ_INT(put(r, 9, 1), 0);
	CHECK(get_is(r, 1, 3));
	CHECK_EQ_INT(corral_ring_flush(r), 0);
	CHECK(!waits(r));
	ring_unmake(r);
}

/* Whoever stands still on one side: the other side goes on, and calls of no objects return on both. */
static void sides_are_strangers(void)
{
	struct corral_ring *r = ring_make(pm->prod_flag | cm->cons_flag, 8, 8, 0);
	struct held h;
	unsigned int left;

	CHECK_EQ_INT(put(r, 1, 4), 4);
	h = ring_hold(r, PROD, 1);
	CHECK(get_is(r, 1, 2));
	CHECK_EQ_INT(corral_ring_enqueue_bulk_elem(r, &left, 8, 0, &left), 0);
	CHECK_EQ_INT(left, 6);
	copy_in(&h, 5);
	ring_let_go(&h, 1);
	h = ring_hold(r, CONS, 1);
	CHECK_EQ_INT(put(r, 6, 2), 2);
	CHECK_EQ_INT(corral_ring_dequeue_burst_elem(r, &left, 8, 0, &left), 0);
	CHECK_EQ_INT(left, 5);
	ring_let_go(&h, 1);
	CHECK(get_is(r, 4, 4));
	CHECK(!waits(r));
	ring_unmake(r);
}

int main(void)
{
	char name[80];

	TEST(rts_enqueue_returns_but_is_visible_when_the_gap_closes);
	TEST(rts_last_to_finish_publishes_for_all);
	TEST(rts_room_of_a_returned_dequeue_is_free_when_the_gap_closes);
	TEST(rts_flush_waits_until_all_is_visible);
	TEST(rts_htd_max_makes_producers_wait);
	TEST(rts_htd_max_makes_consumers_wait);
	TEST(rts_htd_max_0_lets_one_in_at_a_time);
	TEST(rts_more_claims_in_flight_than_can_be_counted_wait);
	TEST(mt_later_claimers_wait_for_the_earlier_one);
	TEST(mt_publishes_in_claim_order);
	TEST(mt_flush_waits_for_earlier_claims_only);
	TEST(hts_producer_has_its_side_alone);
	TEST(hts_consumer_has_its_side_alone);
	TEST(hts_flush_waits_for_the_one_inside);
	TEST(policy_yield_never_sleeps);
	TEST(policy_sleep_sleeps_after_its_yields);
	TEST(policy_pause_counts_nothing);
	TEST(set_wait_refuses);
	for (pm = modes; pm < modes + mode_count; pm++)
		for (cm = modes; cm < modes + mode_count; cm++) {
			snprintf(name, sizeof(name), "alone_%s_to_%s", pm->name, cm->name);
			TEST_AS(name, alone);
			snprintf(name, sizeof(name), "sides_are_strangers_%s_to_%s", pm->name, cm->name);
			TEST_AS(name, sides_are_strangers);
		}
	return test_end();
}
