/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_ring_basic.c - one thread, every pair of modes, every call, several element sizes and capacities, from every
 * start position: order, all or nothing, as many as go, what is left, full, empty, nothing.
 */
#include "ring_calls.h"
#include "test.h"

#include <errno.h>

static const struct mode *pm, *cm;
static unsigned int esize;

static const unsigned int sizes[] = { 4, 8, 12, 16, 20, 64 };

/* Every start position, for a capacity. */
#define EACH_START(r, count) \
	for (unsigned int s_ = 0; s_ < start_count; s_++) \
		for (struct corral_ring *r = ring_make(pm->prod_flag | cm->cons_flag, esize, count, starts[s_]); \
		     r != NULL; ring_unmake(r), r = NULL)

#define EACH_CALL(c, which, m) \
	for (const struct call *c = calls; c < calls + call_count; c++) \
		if (call_fits(c, which, m, esize))

static unsigned char in[64 * ESIZE_MOST], out[64 * ESIZE_MOST];

static void fill_in(uint32_t first, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		elem_make(in + (size_t)i * esize, esize, first + i);
}

static void check_out(uint32_t first, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		if (!elem_is(out + (size_t)i * esize, esize, first + i))
			CHECK_EQ_INT(elem_number(out + (size_t)i * esize), first + i);
}

static void check_counts(struct corral_ring *r, unsigned int used, unsigned int capacity)
{
	CHECK_EQ_INT(corral_ring_count(r), used);
	CHECK_EQ_INT(corral_ring_free_count(r), capacity - used);
	CHECK_EQ_INT(corral_ring_empty(r), used == 0);
	CHECK_EQ_INT(corral_ring_full(r), used == capacity);
	CHECK_EQ_INT(corral_ring_get_capacity(r), capacity);
}

static void fifo_through_every_call(void)
{
	EACH_CALL(e, PROD, pm)
	EACH_CALL(d, CONS, cm)
	EACH_START(r, 5)
	{
		uint32_t first = 1;
		unsigned int ne = e->how == SINGLE ? 1 : 3, nd = d->how == SINGLE ? 1 : 3, lap;

		for (lap = 0; lap < 6; lap++) {
			for (unsigned int k = 0; k < 3; k += ne) {
				fill_in(first + k, ne);
				CHECK_EQ_INT(e->move(r, in, esize, ne, NULL), ne);
				check_counts(r, k + ne, 5);
			}
			for (unsigned int k = 0; k < 3; k += nd) {
				memset(out, 0xee, sizeof(out));
				CHECK_EQ_INT(d->move(r, out, esize, nd, NULL), nd);
				check_out(first + k, nd);
				CHECK_EQ_INT(out[nd * esize], 0xee); /* not a byte more than was asked */
				check_counts(r, 3 - k - nd, 5);
			}
			first += 3;
		}
	}
}

static void full_and_empty(void)
{
	EACH_CALL(e, PROD, pm)
	EACH_CALL(d, CONS, cm)
	EACH_START(r, 3)
	{
		memset(out, 0xee, sizeof(out));
		CHECK_EQ_INT(d->move(r, out, esize, 1, NULL), d->how == SINGLE ? -ENOENT : 0);
		CHECK_EQ_INT(out[0], 0xee);
		for (uint32_t i = 0; i < 3; i++) {
			fill_in(i, 1);
			CHECK_EQ_INT(e->move(r, in, esize, 1, NULL), 1);
		}
		check_counts(r, 3, 3);
		fill_in(99, 1);
		CHECK_EQ_INT(e->move(r, in, esize, 1, NULL), e->how == SINGLE ? -ENOBUFS : 0);
		for (uint32_t i = 0; i < 3; i++) {
			CHECK_EQ_INT(d->move(r, out, esize, 1, NULL), 1);
			check_out(i, 1);
		}
		CHECK_EQ_INT(d->move(r, out, esize, 1, NULL), d->how == SINGLE ? -ENOENT : 0);
		check_counts(r, 0, 3);
	}
}

static void bulk_is_all_or_nothing(void)
{
	unsigned int left;

	EACH_CALL(e, PROD, pm)
	EACH_CALL(d, CONS, cm)
	if (e->how == BULK && d->how == BULK)
		EACH_START(r, 7)
		{
			fill_in(0, 8);
			left = 99;
			CHECK_EQ_INT(e->move(r, in, esize, 8, &left), 0);
			CHECK_EQ_INT(left, 7);
			CHECK_EQ_INT(e->move(r, in, esize, 5, &left), 5);
			CHECK_EQ_INT(left, 2);
			CHECK_EQ_INT(e->move(r, in, esize, 3, &left), 0);
			CHECK_EQ_INT(left, 2);
			CHECK_EQ_INT(e->move(r, in, esize, 3, NULL), 0);
			check_counts(r, 5, 7);
			left = 99;
			CHECK_EQ_INT(d->move(r, out, esize, 6, &left), 0);
			CHECK_EQ_INT(left, 5);
			CHECK_EQ_INT(d->move(r, out, esize, 4, &left), 4);
			CHECK_EQ_INT(left, 1);
			check_out(0, 4);
			CHECK_EQ_INT(d->move(r, out, esize, 2, NULL), 0);
			CHECK_EQ_INT(d->move(r, out, esize, 1, &left), 1);
			CHECK_EQ_INT(left, 0);
			check_out(4, 1);
		}
}

static void burst_is_as_many_as_go(void)
{
	unsigned int left;

	EACH_CALL(e, PROD, pm)
	EACH_CALL(d, CONS, cm)
	if (e->how == BURST && d->how == BURST)
		EACH_START(r, 7)
		{
			fill_in(0, 9);
			left = 99;
			CHECK_EQ_INT(e->move(r, in, esize, 5, &left), 5);
			CHECK_EQ_INT(left, 2);
			fill_in(5, 9);
			CHECK_EQ_INT(e->move(r, in, esize, 9, &left), 2);
			CHECK_EQ_INT(left, 0);
			left = 99;
			CHECK_EQ_INT(e->move(r, in, esize, 9, &left), 0);
			CHECK_EQ_INT(left, 0);
			CHECK_EQ_INT(e->move(r, in, esize, 9, NULL), 0);
			CHECK_EQ_INT(d->move(r, out, esize, 4, &left), 4);
			CHECK_EQ_INT(left, 3);
			check_out(0, 4);
			CHECK_EQ_INT(d->move(r, out, esize, 60, &left), 3);
			CHECK_EQ_INT(left, 0);
			check_out(4, 3);
			left = 99;
			CHECK_EQ_INT(d->move(r, out, esize, 60, &left), 0);
			CHECK_EQ_INT(left, 0);
			CHECK_EQ_INT(d->move(r, out, esize, UINT32_MAX, NULL), 0);
		}
}

static void nothing_is_allowed(void)
{
	unsigned int left;

	EACH_CALL(e, PROD, pm)
	EACH_CALL(d, CONS, cm)
	if (e->how != SINGLE && d->how != SINGLE)
		EACH_START(r, 4)
		{
			for (uint32_t used = 0; used <= 4; used++) {
				left = 99;
				CHECK_EQ_INT(e->move(r, in, esize, 0, &left), 0);
				CHECK_EQ_INT(left, 4 - used);
				CHECK_EQ_INT(e->move(r, in, esize, 0, NULL), 0);
				left = 99;
				CHECK_EQ_INT(d->move(r, out, esize, 0, &left), 0);
				CHECK_EQ_INT(left, used);
				CHECK_EQ_INT(d->move(r, out, esize, 0, NULL), 0);
				check_counts(r, used, 4);
				if (used < 4)
					CHECK_EQ_INT(put(r, used, 1), 1);
			}
			CHECK(get_is(r, 0, 4));
		}
}

static void any_capacity_holds_exactly_that(void)
{
	static const unsigned int counts[] = { 1, 2, 3, 4, 5, 7, 8, 9, 31, 33 };

	for (unsigned int i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		EACH_START(r, counts[i])
		{
			unsigned int n = counts[i], size = 1;

			while (size < n)
				size *= 2;
			CHECK_EQ_INT(corral_ring_get_size(r), size);
			for (uint32_t lap = 0; lap < 3; lap++) {
				for (uint32_t k = 0; k < n; k++)
					CHECK_EQ_INT(put(r, 100 * lap + k, 1), 1);
				CHECK_EQ_INT(put(r, 99, 1), 0);
				check_counts(r, n, n);
				CHECK(get_is(r, 100 * lap, n));
				check_counts(r, 0, n);
				CHECK_EQ_INT(put(r, 100 * lap, n), n);
				CHECK_EQ_INT(put(r, 99, 1), 0);
				CHECK(get_is(r, 100 * lap, n));
			}
		}
}

/* Long copies, parted at the end of the table at each place that there is; the callers' memory is not aligned. */
static void every_wrap(void)
{
	EACH_START(r, 40)
	{
		for (uint32_t i = 0; i < 70; i++) {
			unsigned int n = 1 + i % 40;

			memset(in, 0, sizeof(in));
			for (unsigned int k = 0; k < n; k++)
				elem_make(in + 1 + (size_t)k * esize, esize, 1000 * i + k);
			CHECK_EQ_INT(corral_ring_enqueue_bulk_elem(r, in + 1, esize, n, NULL), n);
			memset(out, 0xee, sizeof(out));
			CHECK_EQ_INT(corral_ring_dequeue_bulk_elem(r, out + 1, esize, n, NULL), n);
			for (unsigned int k = 0; k < n; k++)
				CHECK(elem_is(out + 1 + (size_t)k * esize, esize, 1000 * i + k));
			CHECK_EQ_INT(out[0], 0xee);
			CHECK_EQ_INT(out[1 + n * esize], 0xee);
		}
	}
}

static void reset_drops_all(void)
{
	EACH_START(r, 5)
	{
		CHECK_EQ_INT(put(r, 1, 4), 4);
		CHECK(get_is(r, 1, 1));
		CHECK_EQ_INT(corral_ring_reset(r), 0);
		check_counts(r, 0, 5);
		CHECK_EQ_INT(corral_ring_get_prod_sync_type(r), pm->sync);
		CHECK_EQ_INT(corral_ring_get_cons_sync_type(r), cm->sync);
		CHECK_EQ_INT(put(r, 7, 5), 5);
		CHECK_EQ_INT(put(r, 7, 1), 0);
		CHECK(get_is(r, 7, 5));
	}
}

/* More slots than 16 bits count, filled in one call. */
static void large(void)
{
	enum { MANY = 70000 };
	static uint32_t a[MANY + 1], b[MANY + 1];
	static const uint64_t from[] = { 0, (UINT64_C(1) << 16) - 3, (UINT64_C(1) << 48) - 3 };

	for (unsigned int s = 0; s < sizeof(from) / sizeof(from[0]); s++) {
		struct corral_ring *r = ring_make(pm->prod_flag | cm->cons_flag, 4, MANY, from[s]);
		unsigned int left = 99;

		for (uint32_t i = 0; i <= MANY; i++)
			a[i] = 3 * i + s;
		memset(b, 0, sizeof(b));
		CHECK_EQ_INT(corral_ring_enqueue_bulk_elem(r, a, 4, MANY + 1, &left), 0);
		CHECK_EQ_INT(left, MANY);
		CHECK_EQ_INT(corral_ring_enqueue_burst_elem(r, a, 4, MANY + 1, &left), MANY);
		check_counts(r, MANY, MANY);
		CHECK_EQ_INT(corral_ring_dequeue_burst_elem(r, b, 4, MANY + 1, &left), MANY);
		CHECK_EQ_INT(left, 0);
		for (uint32_t i = 0; i < MANY; i++)
			if (b[i] != a[i])
				CHECK_EQ_INT(b[i], a[i]);
		CHECK_EQ_INT(b[MANY], 0);
		ring_unmake(r);
	}
}

static void more_than_there_can_be(void)
{
	static const unsigned int many[] = { 6, 64, 1u << 30, 1u << 31, UINT32_MAX };

	for (unsigned int i = 0; i < sizeof(many) / sizeof(many[0]); i++)
		EACH_START(r, 5)
		{
			unsigned int left = 99;

			fill_in(1, 5);
			CHECK_EQ_INT(corral_ring_enqueue_bulk_elem(r, in, esize, many[i], &left), 0);
			CHECK_EQ_INT(left, 5);
			CHECK_EQ_INT(corral_ring_enqueue_burst_elem(r, in, esize, many[i], &left), 5);
			CHECK_EQ_INT(left, 0);
			CHECK_EQ_INT(corral_ring_dequeue_bulk_elem(r, out, esize, many[i], &left), 0);
			CHECK_EQ_INT(left, 5);
			CHECK_EQ_INT(corral_ring_dequeue_burst_elem(r, out, esize, many[i], &left), 5);
			CHECK_EQ_INT(left, 0);
			check_out(1, 5);
		}
}

static void about(void)
{
	EACH_START(r, 5)
	{
		CHECK_EQ_INT(corral_ring_get_prod_sync_type(r), pm->sync);
		CHECK_EQ_INT(corral_ring_get_cons_sync_type(r), cm->sync);
		CHECK_EQ_INT(corral_ring_is_prod_single(r), pm->sync == CORRAL_RING_SYNC_ST);
		CHECK_EQ_INT(corral_ring_is_cons_single(r), cm->sync == CORRAL_RING_SYNC_ST);
		CHECK_EQ_INT(corral_ring_get_capacity(r), 5);
		CHECK_EQ_INT(corral_ring_get_size(r), 8);
		CHECK_EQ_INT(corral_ring_flush(r), 0);
		CHECK_EQ_INT(put(r, 1, 5), 5);
		CHECK_EQ_INT(corral_ring_flush(r), 0);
		check_counts(r, 5, 5);
	}
}

static void no_flag_is_mt_on_both_sides(void)
{
	struct corral_ring *r = ring_make(0, 8, 4, 0);

	CHECK_EQ_INT(corral_ring_get_prod_sync_type(r), CORRAL_RING_SYNC_MT);
	CHECK_EQ_INT(corral_ring_get_cons_sync_type(r), CORRAL_RING_SYNC_MT);
	ring_unmake(r);
	r = ring_make(CORRAL_RING_F_MP_STRICT_ENQ | CORRAL_RING_F_MC_STRICT_DEQ, 8, 4, 0);
	CHECK_EQ_INT(corral_ring_get_prod_sync_type(r), CORRAL_RING_SYNC_MT);
	CHECK_EQ_INT(corral_ring_get_cons_sync_type(r), CORRAL_RING_SYNC_MT);
	ring_unmake(r);
}

static void exact_size_changes_nothing(void)
{
	struct corral_ring *std = ring_make(0, 8, 16, 0), *exact = ring_make(CORRAL_RING_F_EXACT_SZ, 8, 16, 0);

	CHECK_EQ_INT(corral_ring_get_memsize_elem(8, 16), std->memsize);
	CHECK_EQ_INT(exact->memsize, std->memsize);
	CHECK_EQ_INT(corral_ring_get_size(std), 16);
	CHECK_EQ_INT(corral_ring_get_size(exact), 16);
	CHECK_EQ_INT(put(std, 1, 16), 16);
	CHECK_EQ_INT(put(exact, 1, 16), 16);
	CHECK_EQ_INT(put(std, 17, 1), 0);
	CHECK_EQ_INT(put(exact, 17, 1), 0);
	CHECK(get_is(std, 1, 16));
	CHECK(get_is(exact, 1, 16));
	ring_unmake(std);
	ring_unmake(exact);
}

static void elements_of_the_largest_size(void)
{
	struct corral_ring *r = ring_make(0, CORRAL_RING_ESIZE_MAX, 3, (UINT64_C(1) << 32) - 2);

	CHECK_EQ_INT(put(r, 1, 2), 2);
	CHECK(get_is(r, 1, 1));
	CHECK_EQ_INT(put(r, 3, 2), 2);
	CHECK_EQ_INT(put(r, 5, 1), 0);
	CHECK(get_is(r, 2, 3));
	ring_unmake(r);
}

/* htd_max is looked at before a claim, and does not cut what is claimed. */
static void rts_moves_a_full_ring_in_one_call_whatever_htd_max_is(void)
{
	static const uint32_t most[] = { 0, 1, 64, UINT32_MAX };

	for (unsigned int i = 0; i < sizeof(most) / sizeof(most[0]); i++)
		for (unsigned int s = 0; s < start_count; s++) {
			struct corral_ring *r =
				ring_make(CORRAL_RING_F_MP_RTS_ENQ | CORRAL_RING_F_MC_RTS_DEQ, 4, 64, starts[s]);

			CHECK_EQ_INT(corral_ring_set_prod_htd_max(r, most[i]), 0);
			CHECK_EQ_INT(corral_ring_set_cons_htd_max(r, most[i]), 0);
			CHECK_EQ_INT(put(r, 1, 64), 64);
			CHECK_EQ_INT(put(r, 1, 1), 0);
			CHECK(get_is(r, 1, 64));
			CHECK_EQ_INT(corral_ring_count(r), 0);
			ring_unmake(r);
		}
}

static void htd_max_has_its_default_and_its_mode(void)
{
	static const unsigned int counts[] = { 1, 7, 8, 9, 1000 }, want[] = { 1, 1, 1, 1, 125 };
	struct corral_ring *r;

	for (unsigned int i = 0; i < 5; i++) {
		r = ring_make(CORRAL_RING_F_MP_RTS_ENQ | CORRAL_RING_F_MC_HTS_DEQ, 8, counts[i], 0);
		CHECK_EQ_INT(corral_ring_get_prod_htd_max(r), want[i]);
		CHECK_EQ_INT(corral_ring_get_cons_htd_max(r), UINT32_MAX);
		CHECK_EQ_INT(corral_ring_set_cons_htd_max(r, 3), -ENOTSUP);
		CHECK_EQ_INT(corral_ring_set_prod_htd_max(r, 0), 0);
		CHECK_EQ_INT(corral_ring_get_prod_htd_max(r), 0);
		CHECK_EQ_INT(put(r, 0, 1), 1); /* one thread alone is never too far ahead */
		ring_unmake(r);
		r = ring_make(CORRAL_RING_F_SP_ENQ | CORRAL_RING_F_MC_RTS_DEQ, 8, counts[i], 0);
		CHECK_EQ_INT(corral_ring_get_cons_htd_max(r), want[i]);
		CHECK_EQ_INT(corral_ring_set_prod_htd_max(r, 3), -ENOTSUP);
		CHECK_EQ_INT(corral_ring_set_cons_htd_max(r, 77), 0);
		CHECK_EQ_INT(corral_ring_get_cons_htd_max(r), 77);
		ring_unmake(r);
	}
}

static void run_pair(void)
{
#define EACH_TEST(T) \
	T(fifo_through_every_call) \
	T(full_and_empty) \
	T(bulk_is_all_or_nothing) \
	T(burst_is_as_many_as_go) \
	T(nothing_is_allowed) \
	T(more_than_there_can_be) \
	T(any_capacity_holds_exactly_that) \
	T(every_wrap) \
	T(reset_drops_all) \
	T(about)
#define RUN(fn) \
	snprintf(name, sizeof(name), #fn "_%s_to_%s_of_%u", pm->name, cm->name, esize); \
	TEST_AS(name, fn);
	char name[100];

	EACH_TEST(RUN)
}

int main(void)
{
	char name[40];

	for (pm = modes; pm < modes + mode_count; pm++)
		for (cm = modes; cm < modes + mode_count; cm++) {
			for (unsigned int i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
				esize = sizes[i];
				run_pair();
			}
			snprintf(name, sizeof(name), "large_%s_to_%s", pm->name, cm->name);
			TEST_AS(name, large);
		}
	TEST(no_flag_is_mt_on_both_sides);
	TEST(exact_size_changes_nothing);
	TEST(elements_of_the_largest_size);
	TEST(htd_max_has_its_default_and_its_mode);
	TEST(rts_moves_a_full_ring_in_one_call_whatever_htd_max_is);
	return test_end();
}
