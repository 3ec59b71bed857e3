/* SPDX-License-Identifier: BSD-3-Clause */
/* test_ring_stats.c - what a ring counts: refused calls, and what a capture is shown. */
#include "ring_calls.h"
#include "test.h"

#include <errno.h>

static char buf[8 * 128];
static const struct mode *pm, *cm;

static struct corral_ring_stats stats(const struct corral_ring *r)
{
	struct corral_ring_stats s;

	CHECK_EQ_INT(corral_ring_get_stats(r, &s), 0);
	return s;
}

static struct corral_ring *make(unsigned int flags, unsigned int esize)
{
	return ring_make(pm->prod_flag | cm->cons_flag | flags, esize, 2, (UINT64_C(1) << 48) - 1);
}

static unsigned int refuse_all(struct corral_ring *r, enum side side)
{
	const struct mode *m = side == PROD ? pm : cm;
	unsigned int times = 0;

	for (const struct call *c = calls; c < calls + call_count; c++)
		if (call_fits(c, side, m, sizeof(void *))) {
			CHECK_LE_INT(c->move(r, buf, sizeof(void *), 1, NULL), 0);
			times++;
			if (r->flags & CORRAL_RING_F_STATS)
				CHECK_EQ_INT(side == PROD ? stats(r).full : stats(r).empty, times);
		}
	CHECK_GE_INT(times, 6);
	return times;
}

static void counted(void)
{
	struct corral_ring *r = make(CORRAL_RING_F_STATS, sizeof(void *));
	unsigned int full, empty;

	CHECK_EQ_INT(stats(r).full, 0);
	CHECK_EQ_INT(stats(r).empty, 0);
	empty = refuse_all(r, CONS);
	CHECK_EQ_INT(put(r, 0, 2), 2);
	full = refuse_all(r, PROD);
	CHECK_EQ_INT(stats(r).full, full);
	CHECK_EQ_INT(stats(r).empty, empty);
	CHECK(get_is(r, 0, 2));
	CHECK_EQ_INT(corral_ring_reset(r), 0);
	CHECK_EQ_INT(stats(r).full, 0);
	CHECK_EQ_INT(stats(r).empty, 0);
	ring_unmake(r);
}

static void not_counted_without_the_flag(void)
{
	struct corral_ring *r = make(0, sizeof(void *));

	refuse_all(r, CONS);
	CHECK_EQ_INT(put(r, 0, 2), 2);
	refuse_all(r, PROD);
	CHECK_EQ_INT(stats(r).full, 0);
	CHECK_EQ_INT(stats(r).empty, 0);
	ring_unmake(r);
}

static void what_moves_or_asks_for_nothing_is_not_counted(void)
{
	struct corral_ring *r = make(CORRAL_RING_F_STATS, 8);
	unsigned int left;

	CHECK_EQ_INT(corral_ring_dequeue_bulk_elem(r, buf, 8, 0, NULL), 0);
	CHECK_EQ_INT(corral_ring_dequeue_burst_elem(r, buf, 8, 0, &left), 0);
	CHECK_EQ_INT(put(r, 0, 1), 1);
	CHECK_EQ_INT(corral_ring_enqueue_burst_elem(r, buf, 8, 5, NULL), 1); /* a part is no refusal */
	CHECK_EQ_INT(corral_ring_enqueue_bulk_elem(r, buf, 8, 0, &left), 0);
	CHECK_EQ_INT(corral_ring_enqueue_burst_elem(r, buf, 8, 0, NULL), 0);
	CHECK_EQ_INT(corral_ring_dequeue_burst_elem(r, buf, 8, 5, NULL), 2);
	CHECK_EQ_INT(stats(r).full, 0);
	CHECK_EQ_INT(stats(r).empty, 0);
	CHECK_EQ_INT(put(r, 0, 1), 1);
	CHECK_EQ_INT(put(r, 0, 2), 0); /* there is room, but not for all */
	CHECK_EQ_INT(corral_ring_dequeue_bulk_elem(r, buf, 8, 2, NULL), 0);
	CHECK_EQ_INT(stats(r).full, 1);
	CHECK_EQ_INT(stats(r).empty, 1);
	ring_unmake(r);
}

static void what_is_counted_by_others_begins_at_nothing(void)
{
	struct corral_ring *r = make(CORRAL_RING_F_STATS, 8);
	struct corral_ring_stats s, none;

	memset(&none, 0, sizeof(none));
	for (int i = 0; i < 2; i++) {
		s = stats(r);
		CHECK(memcmp(&s, &none, sizeof(s)) == 0);
		corral_store(&r->prod_count.wait.waits, 1, CORRAL_RELAXED);
		corral_store(&r->prod_count.wait.yields, 2, CORRAL_RELAXED);
		corral_store(&r->prod_count.wait.sleeps, 3, CORRAL_RELAXED);
		corral_store(&r->prod.slips, 4, CORRAL_RELAXED);
		corral_store(&r->cons_count.wait.waits, 5, CORRAL_RELAXED);
		corral_store(&r->cons_count.wait.yields, 6, CORRAL_RELAXED);
		corral_store(&r->cons_count.wait.sleeps, 7, CORRAL_RELAXED);
		corral_store(&r->cons.slips, UINT64_MAX, CORRAL_RELAXED);
		s = stats(r);
		CHECK_EQ_INT(s.prod_waits, 1);
		CHECK_EQ_INT(s.prod_yields, 2);
		CHECK_EQ_INT(s.prod_sleeps, 3);
		CHECK_EQ_INT(s.prod_slips, 4);
		CHECK_EQ_INT(s.cons_waits, 5);
		CHECK_EQ_INT(s.cons_yields, 6);
		CHECK_EQ_INT(s.cons_sleeps, 7);
		CHECK_EQ_HEX(s.cons_slips, UINT64_MAX);
		CHECK_EQ_INT(corral_ring_reset(r), 0);
	}
	ring_unmake(r);
}

static void errors_are_not_counted(void)
{
	struct corral_ring *r =
		ring_make(CORRAL_RING_F_MP_HTS_ENQ | CORRAL_RING_F_MC_HTS_DEQ | CORRAL_RING_F_STATS, 8, 4, 0);

	CHECK_EQ_INT(corral_ring_enqueue_bulk_elem_start(r, 2, NULL), 2);
	CHECK_EQ_INT(corral_ring_enqueue_bulk_elem(r, buf, 8, 1, NULL), -EDEADLK);
	CHECK_EQ_INT(corral_ring_sp_enqueue_bulk_elem(r, buf, 8, 1, NULL), -ENOTSUP);
	CHECK_EQ_INT(corral_ring_enqueue_bulk_elem(r, buf, 12, 1, NULL), -EINVAL);
	CHECK_EQ_INT(stats(r).full, 0);
	CHECK_EQ_INT(corral_ring_enqueue_elem_finish(r, buf, 8, 0), 0);
	ring_unmake(r);
}

/* Of the modes that have peeks; the others refuse, and count nothing either. */
static void peeks_are_counted(void)
{
	struct corral_ring *r = make(CORRAL_RING_F_STATS, 8);
	struct corral_ring_zc_data z;

	CHECK_LE_INT(corral_ring_dequeue_bulk_elem_start(r, buf, 8, 1, NULL), 0);
	CHECK_LE_INT(corral_ring_dequeue_zc_burst_elem_start(r, 8, 1, &z, NULL), 0);
	CHECK_LE_INT(corral_ring_dequeue_zc_burst_elem_start(r, 8, 0, &z, NULL), 0);
	CHECK_EQ_INT(stats(r).empty, cm->peeks ? 2 : 0);
	CHECK_EQ_INT(put(r, 0, 2), 2);
	CHECK_LE_INT(corral_ring_enqueue_burst_elem_start(r, 1, NULL), 0);
	CHECK_LE_INT(corral_ring_enqueue_zc_bulk_elem_start(r, 8, 1, &z, NULL), 0);
	CHECK_LE_INT(corral_ring_enqueue_bulk_elem_start(r, 0, NULL), 0);
	CHECK_EQ_INT(stats(r).full, pm->peeks ? 2 : 0);
	CHECK_EQ_INT(stats(r).empty, cm->peeks ? 2 : 0);
	ring_unmake(r);
}

static struct corral_ring *shared;
static pthread_barrier_t together;

static void *find_it_full_and_empty(void *arg)
{
	unsigned int i, n = scaled(300000);
	char own[8] = { 0 };

	pthread_barrier_wait(&together);
	for (i = 0; i < n; i++)
		if (arg != NULL)
			CHECK_EQ_INT(corral_ring_dequeue_elem(shared, own, 8), -ENOENT);
		else
			CHECK_EQ_INT(corral_ring_enqueue_elem(shared, own, 8), -ENOBUFS);
	return NULL;
}

/* All at once, on a side that many may use. */
static void exact_under_threads(void)
{
	pthread_t t[4];

	CHECK_EQ_INT(pthread_barrier_init(&together, NULL, 4), 0);
	for (int empty = 0; empty < 2; empty++) {
		shared = ring_make(pm->prod_flag | pm->cons_flag | CORRAL_RING_F_STATS, 8, 2, 0);
		if (!empty)
			CHECK_EQ_INT(put(shared, 1, 2), 2);
		for (int i = 0; i < 4; i++)
			CHECK_EQ_INT(pthread_create(&t[i], NULL, find_it_full_and_empty, empty ? shared : NULL), 0);
		for (int i = 0; i < 4; i++)
			CHECK_EQ_INT(pthread_join(t[i], NULL), 0);
		CHECK_EQ_INT(stats(shared).empty, empty ? 4 * scaled(300000) : 0);
		CHECK_EQ_INT(stats(shared).full, empty ? 0 : 4 * scaled(300000));
		ring_unmake(shared);
	}
	pthread_barrier_destroy(&together);
}

static uint64_t tapped(const struct corral_ring_counts *c)
{
	return corral_load(&c->tapped, CORRAL_RELAXED);
}

static void tap(void)
{
	struct corral_ring *r = ring_make(pm->prod_flag | cm->cons_flag, 8, 8, (UINT64_C(1) << 62) - 3);

	CHECK_EQ_INT(put(r, 0, 2), 2);
	CHECK(get_is(r, 0, 1));
	CHECK_EQ_INT(tapped(&r->prod_count), 0);
	corral_store(&r->tap, 1, CORRAL_RELAXED);
	CHECK_EQ_INT(put(r, 2, 3), 3);
	CHECK_EQ_INT(tapped(&r->prod_count), 1); /* a call, not an object */
	CHECK_EQ_INT(tapped(&r->cons_count), 0);
	CHECK(get_is(r, 1, 4));
	CHECK_EQ_INT(tapped(&r->cons_count), 1);
	CHECK(!get_is(r, 1, 1)); /* empty: nothing to show */
	CHECK_EQ_INT(corral_ring_enqueue_bulk_elem(r, buf, 8, 0, NULL), 0);
	CHECK_EQ_INT(tapped(&r->cons_count), 1);
	CHECK_EQ_INT(tapped(&r->prod_count), 1);
	corral_store(&r->tap, 0, CORRAL_RELAXED);
	CHECK_EQ_INT(put(r, 2, 3), 3);
	CHECK_EQ_INT(tapped(&r->prod_count), 1);
	CHECK_EQ_INT(corral_ring_reset(r), 0);
	CHECK_EQ_INT(tapped(&r->prod_count), 0);
	CHECK_EQ_INT(tapped(&r->cons_count), 0);
	ring_unmake(r);
}

static void tap_of_a_peek(void)
{
	struct corral_ring *r = ring_make(pm->prod_flag | pm->cons_flag, 8, 8, 0);
	struct corral_ring_zc_data z;

	corral_store(&r->tap, 1, CORRAL_RELAXED);
	CHECK_EQ_INT(corral_ring_enqueue_bulk_elem_start(r, 3, NULL), 3);
	CHECK_EQ_INT(tapped(&r->prod_count), 0);
	CHECK_EQ_INT(corral_ring_enqueue_elem_finish(r, buf, 8, 2), 0);
	CHECK_EQ_INT(tapped(&r->prod_count), 1);
	CHECK_EQ_INT(corral_ring_dequeue_zc_bulk_elem_start(r, 8, 2, &z, NULL), 2);
	CHECK_EQ_INT(corral_ring_dequeue_zc_elem_finish(r, 0), 0); /* nothing taken, nothing shown */
	CHECK_EQ_INT(tapped(&r->cons_count), 0);
	CHECK_EQ_INT(corral_ring_dequeue_zc_bulk_elem_start(r, 8, 2, &z, NULL), 2);
	CHECK_EQ_INT(corral_ring_dequeue_zc_elem_finish(r, 2), 0);
	CHECK_EQ_INT(tapped(&r->cons_count), 1);
	ring_unmake(r);
}

int main(void)
{
	char name[100];

#define EACH(fn) \
	for (pm = modes; pm < modes + mode_count; pm++) \
		for (cm = modes; cm < modes + mode_count; cm++) { \
			snprintf(name, sizeof(name), #fn "_%s_to_%s", pm->name, cm->name); \
			TEST_AS(name, fn); \
		}
#define EACH_MODE(fn, cond) \
	for (pm = modes; pm < modes + mode_count; pm++) \
		if (cond) { \
			snprintf(name, sizeof(name), #fn "_%s", pm->name); \
			TEST_AS(name, fn); \
		}

	EACH(counted)
	EACH(not_counted_without_the_flag)
	EACH(what_moves_or_asks_for_nothing_is_not_counted)
	EACH(what_is_counted_by_others_begins_at_nothing)
	EACH(peeks_are_counted)
	EACH(tap)
	EACH_MODE(exact_under_threads, pm->sync != CORRAL_RING_SYNC_ST)
	EACH_MODE(tap_of_a_peek, pm->peeks)
	TEST(errors_are_not_counted);
	return test_end();
}
