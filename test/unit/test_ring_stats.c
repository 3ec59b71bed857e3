/* SPDX-License-Identifier: BSD-3-Clause */
/* test_ring_stats.c - what a ring counts: refused calls, and what a capture is shown. */
#include "ring_calls.h"
#include "test.h"

#include <errno.h>

static char buf[8 * 128];

static struct corral_ring_stats stats(const struct corral_ring *r)
{
	struct corral_ring_stats s;

	CHECK_EQ_INT(corral_ring_get_stats(r, &s), 0);
	return s;
}

static void full_and_empty_are_counted(void)
{
	for (unsigned int p = 0; p < mode_count; p++)
		for (unsigned int c = 0; c < mode_count; c++) {
			unsigned int flags = modes[p].prod_flag | modes[c].cons_flag;
			struct corral_ring *r = ring_make(flags | CORRAL_RING_F_STATS, sizeof(void *), 2, 0);
			unsigned int full = 0, empty = 0;

			for (const struct call *k = calls; k < calls + call_count; k++)
				if (call_fits(k, CONS, &modes[c], sizeof(void *))) {
					CHECK_LE_INT(k->move(r, buf, sizeof(void *), 1, NULL), 0);
					CHECK_EQ_INT(stats(r).empty, ++empty);
				}
			CHECK_EQ_INT(put(r, 0, 2), 2);
			for (const struct call *k = calls; k < calls + call_count; k++)
				if (call_fits(k, PROD, &modes[p], sizeof(void *))) {
					CHECK_LE_INT(k->move(r, buf, sizeof(void *), 1, NULL), 0);
					CHECK_EQ_INT(stats(r).full, ++full);
				}
			CHECK_EQ_INT(stats(r).empty, empty);
			CHECK_GE_INT(full, 6);
			CHECK_GE_INT(empty, 6);
			CHECK_EQ_INT(corral_ring_reset(r), 0);
			CHECK_EQ_INT(stats(r).full, 0);
			CHECK_EQ_INT(stats(r).empty, 0);
			ring_unmake(r);
		}
}

static void what_moves_and_what_asks_for_nothing_is_not_counted(void)
{
	struct corral_ring *r = ring_make(CORRAL_RING_F_STATS, 8, 2, 0);

	CHECK_EQ_INT(corral_ring_dequeue_bulk_elem(r, buf, 8, 0, NULL), 0);
	CHECK_EQ_INT(put(r, 0, 2), 2);
	CHECK_EQ_INT(corral_ring_enqueue_burst_elem(r, buf, 8, 0, NULL), 0);
	CHECK_EQ_INT(corral_ring_dequeue_burst_elem(r, buf, 8, 5, NULL), 2); /* a part is no refusal */
	CHECK_EQ_INT(stats(r).full, 0);
	CHECK_EQ_INT(stats(r).empty, 0);
	ring_unmake(r);
}

static void without_the_flag_nothing_is_counted(void)
{
	struct corral_ring *r = ring_make(0, 8, 2, 0);

	CHECK_EQ_INT(corral_ring_dequeue_bulk_elem(r, buf, 8, 1, NULL), 0);
	CHECK_EQ_INT(put(r, 0, 3), 0);
	CHECK_EQ_INT(stats(r).full, 0);
	CHECK_EQ_INT(stats(r).empty, 0);
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

static void peeks_that_get_nothing_are_counted(void)
{
	for (unsigned int m = 0; m < mode_count; m++) {
		struct corral_ring_zc_data z;
		struct corral_ring *r;

		if (!modes[m].peeks)
			continue;
		r = ring_make(modes[m].prod_flag | modes[m].cons_flag | CORRAL_RING_F_STATS, 8, 2, 0);
		CHECK_EQ_INT(corral_ring_dequeue_bulk_elem_start(r, buf, 8, 1, NULL), 0);
		CHECK_EQ_INT(corral_ring_dequeue_zc_burst_elem_start(r, 8, 1, &z, NULL), 0);
		CHECK_EQ_INT(stats(r).empty, 2);
		CHECK_EQ_INT(put(r, 0, 2), 2);
		CHECK_EQ_INT(corral_ring_enqueue_burst_elem_start(r, 1, NULL), 0);
		CHECK_EQ_INT(corral_ring_enqueue_zc_bulk_elem_start(r, 8, 1, &z, NULL), 0);
		CHECK_EQ_INT(stats(r).full, 2);
		ring_unmake(r);
	}
}

static struct corral_ring *shared;

static void *find_it_empty(void *arg)
{
	unsigned int i, n = scaled(20000);
	char own[8];

	(void)arg;
	for (i = 0; i < n; i++)
		CHECK_EQ_INT(corral_ring_dequeue_elem(shared, own, 8), -ENOENT);
	return NULL;
}

static void counts_are_exact_under_threads(void)
{
	pthread_t t[4];

	shared = ring_make(CORRAL_RING_F_STATS, 8, 2, 0);
	for (int i = 0; i < 4; i++)
		CHECK_EQ_INT(pthread_create(&t[i], NULL, find_it_empty, NULL), 0);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	CHECK_EQ_INT(stats(shared).empty, 4 * scaled(20000));
	ring_unmake(shared);
}

static uint64_t tapped(const struct corral_ring_counts *c)
{
	return corral_load(&c->tapped, CORRAL_RELAXED);
}

static void a_tap_is_shown_what_is_published(void)
{
	for (unsigned int p = 0; p < mode_count; p++)
		for (unsigned int c = 0; c < mode_count; c++) {
			struct corral_ring *r = ring_make(modes[p].prod_flag | modes[c].cons_flag, 8, 8, 0);

			CHECK_EQ_INT(put(r, 0, 2), 2);
			CHECK(get_is(r, 0, 1));
			CHECK_EQ_INT(tapped(&r->prod_count), 0);
			corral_store(&r->tap, 1, CORRAL_RELAXED);
			CHECK_EQ_INT(put(r, 2, 3), 3);
			CHECK_EQ_INT(tapped(&r->prod_count), 1);
			CHECK_EQ_INT(tapped(&r->cons_count), 0);
			CHECK(get_is(r, 1, 4));
			CHECK_EQ_INT(tapped(&r->cons_count), 1);
			CHECK(!get_is(r, 1, 1)); /* empty: nothing to show */
			CHECK_EQ_INT(tapped(&r->cons_count), 1);
			corral_store(&r->tap, 0, CORRAL_RELAXED);
			CHECK_EQ_INT(put(r, 2, 3), 3);
			CHECK_EQ_INT(tapped(&r->prod_count), 1);
			ring_unmake(r);
		}
}

static void a_tap_sees_peeks(void)
{
	for (unsigned int m = 0; m < mode_count; m++) {
		struct corral_ring_zc_data z;
		struct corral_ring *r;

		if (!modes[m].peeks)
			continue;
		r = ring_make(modes[m].prod_flag | modes[m].cons_flag, 8, 8, 0);
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
}

int main(void)
{
	TEST(full_and_empty_are_counted);
	TEST(what_moves_and_what_asks_for_nothing_is_not_counted);
	TEST(without_the_flag_nothing_is_counted);
	TEST(errors_are_not_counted);
	TEST(peeks_that_get_nothing_are_counted);
	TEST(counts_are_exact_under_threads);
	TEST(a_tap_is_shown_what_is_published);
	TEST(a_tap_sees_peeks);
	return test_end();
}
