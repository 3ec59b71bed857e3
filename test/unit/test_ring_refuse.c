/* SPDX-License-Identifier: BSD-3-Clause */
/* test_ring_refuse.c - misuse of the data path gets an errno and changes nothing. */
#include "ring_calls.h"
#include "test.h"

#include <errno.h>

static const struct mode *pm, *cm;
static char buf[8 * 128];

/* The ring still has exactly the numbers 1 and 2, and works. */
static void check_untouched(struct corral_ring *r)
{
	CHECK_EQ_INT(corral_ring_count(r), 2);
	CHECK_EQ_INT(put(r, 3, 2), 2);
	CHECK_EQ_INT(put(r, 9, 1), 0);
	CHECK(get_is(r, 1, 4));
	CHECK_EQ_INT(corral_ring_count(r), 0);
}

static struct corral_ring *ring_of_two(unsigned int esize)
{
	struct corral_ring *r = ring_make(pm->prod_flag | cm->cons_flag, esize, 4, 0);

	CHECK_EQ_INT(put(r, 1, 2), 2);
	return r;
}

static void calls_by_the_name_of_another_mode(void)
{
	unsigned int tried = 0, left;

	for (const struct call *c = calls; c < calls + call_count; c++) {
		const struct mode *m = c->side == PROD ? pm : cm;

		for (unsigned int n = 0; n < 3; n++) {
			struct corral_ring *r;

			if (!c->by_name || c->sync == m->sync || (c->how == SINGLE && n != 1))
				continue;
			r = ring_of_two(sizeof(void *));
			left = 99;
			CHECK_EQ_INT(c->move(r, buf, sizeof(void *), n, c->how == SINGLE ? NULL : &left), -ENOTSUP);
			if (c->how != SINGLE)
				CHECK_EQ_INT(left, 0);
			CHECK_EQ_INT(c->move(r, buf, sizeof(void *), n, NULL), -ENOTSUP);
			check_untouched(r);
			ring_unmake(r);
			tried++;
		}
	}
	CHECK_GT_INT(tried, 60);
}

static void elements_of_another_size(void)
{
	static const unsigned int sizes[] = { 4, 8, 16, 12 }, wrong[] = { 0, 3, 4, 8, 12, 16, 20, 1u << 31 };
	unsigned int left;

	for (const struct call *c = calls; c < calls + call_count; c++)
		for (unsigned int i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
			for (unsigned int k = 0; k < sizeof(wrong) / sizeof(wrong[0]); k++) {
				unsigned int esize = c->elem ? wrong[k] : (unsigned int)sizeof(void *);
				struct corral_ring *r;

				if (!call_fits(c, c->side, c->side == PROD ? pm : cm, esize) || esize == sizes[i])
					continue;
				r = ring_of_two(sizes[i]);
				left = 99;
				CHECK_EQ_INT(c->move(r, buf, esize, 1, c->how == SINGLE ? NULL : &left), -EINVAL);
				if (c->how != SINGLE)
					CHECK_EQ_INT(left, 0);
				check_untouched(r);
				ring_unmake(r);
			}
}

static void peeks_of_a_mode_that_has_none(void)
{
	struct corral_ring *r = ring_of_two(8);
	struct corral_ring_zc_data z;
	unsigned int left = 99;

	if (!pm->peeks) {
		CHECK_EQ_INT(corral_ring_enqueue_bulk_elem_start(r, 1, &left), -ENOTSUP);
		CHECK_EQ_INT(left, 0);
		CHECK_EQ_INT(corral_ring_enqueue_burst_elem_start(r, 1, NULL), -ENOTSUP);
		CHECK_EQ_INT(corral_ring_enqueue_elem_finish(r, buf, 8, 1), -ENOTSUP);
		CHECK_EQ_INT(corral_ring_enqueue_zc_bulk_elem_start(r, 8, 1, &z, NULL), -ENOTSUP);
		CHECK_EQ_PTR(z.ptr1, NULL);
		CHECK_EQ_INT(corral_ring_enqueue_zc_elem_finish(r, 1), -ENOTSUP);
	}
	if (!cm->peeks) {
		left = 99;
		CHECK_EQ_INT(corral_ring_dequeue_bulk_elem_start(r, buf, 8, 1, &left), -ENOTSUP);
		CHECK_EQ_INT(left, 0);
		CHECK_EQ_INT(corral_ring_dequeue_burst_elem_start(r, buf, 8, 1, NULL), -ENOTSUP);
		CHECK_EQ_INT(corral_ring_dequeue_elem_finish(r, 1), -ENOTSUP);
		CHECK_EQ_INT(corral_ring_dequeue_zc_burst_elem_start(r, 8, 1, &z, NULL), -ENOTSUP);
		CHECK_EQ_PTR(z.ptr1, NULL);
		CHECK_EQ_INT(corral_ring_dequeue_zc_elem_finish(r, 0), -ENOTSUP);
	}
	check_untouched(r);
	ring_unmake(r);
}

static void peeks_of_another_size(void)
{
	struct corral_ring_zc_data z;
	struct corral_ring *r = ring_of_two(12);
	unsigned int left = 99;

	CHECK_EQ_INT(corral_ring_enqueue_bulk_start(r, 1, &left), -EINVAL);
	CHECK_EQ_INT(left, 0);
	CHECK_EQ_INT(corral_ring_enqueue_burst_start(r, 1, NULL), -EINVAL);
	CHECK_EQ_INT(corral_ring_enqueue_finish(r, (void **)(void *)buf, 0), -EINVAL);
	CHECK_EQ_INT(corral_ring_enqueue_elem_finish(r, buf, 8, 0), -EINVAL);
	CHECK_EQ_INT(corral_ring_dequeue_bulk_start(r, (void **)(void *)buf, 1, NULL), -EINVAL);
	CHECK_EQ_INT(corral_ring_dequeue_burst_elem_start(r, buf, 16, 1, &left), -EINVAL);
	CHECK_EQ_INT(corral_ring_dequeue_finish(r, 0), -EINVAL);
	CHECK_EQ_INT(corral_ring_enqueue_zc_bulk_start(r, 1, &z, NULL), -EINVAL);
	CHECK_EQ_PTR(z.ptr1, NULL);
	CHECK_EQ_INT(corral_ring_dequeue_zc_burst_elem_start(r, 4, 1, &z, NULL), -EINVAL);
	CHECK_EQ_INT(corral_ring_dequeue_zc_finish(r, 0), -EINVAL);
	check_untouched(r);
	ring_unmake(r);
}

/* A side of mode ST with an open peek refuses all that would move on it; the other side works. */
static void calls_beside_an_open_peek(void)
{
	struct corral_ring *r = ring_of_two(8);
	uint64_t v;

	if (pm->sync == CORRAL_RING_SYNC_ST) {
		CHECK_EQ_INT(corral_ring_enqueue_bulk_elem_start(r, 1, NULL), 1);
		for (const struct call *c = calls; c < calls + call_count; c++)
			if (call_fits(c, PROD, pm, 8))
				CHECK_EQ_INT(c->move(r, buf, 8, 1, NULL), -EBUSY);
		CHECK_EQ_INT(corral_ring_enqueue_burst_elem_start(r, 1, NULL), -EBUSY);
		CHECK_EQ_INT(corral_ring_flush(r), -EBUSY);
		CHECK(get_is(r, 1, 1));
		elem_make(&v, 8, 77);
		CHECK_EQ_INT(corral_ring_enqueue_elem_finish(r, &v, 8, 1), 0);
		CHECK_EQ_INT(corral_ring_flush(r), 0);
		CHECK(get_is(r, 2, 1));
		CHECK(get_is(r, 77, 1));
		CHECK_EQ_INT(put(r, 1, 2), 2);
	}
	if (cm->sync == CORRAL_RING_SYNC_ST) {
		CHECK_EQ_INT(corral_ring_dequeue_bulk_elem_start(r, &v, 8, 1, NULL), 1);
		for (const struct call *c = calls; c < calls + call_count; c++)
			if (call_fits(c, CONS, cm, 8))
				CHECK_EQ_INT(c->move(r, buf, 8, 1, NULL), -EBUSY);
		CHECK_EQ_INT(corral_ring_dequeue_burst_elem_start(r, buf, 8, 1, NULL), -EBUSY);
		CHECK_EQ_INT(put(r, 3, 2), 2);
		CHECK_EQ_INT(corral_ring_dequeue_elem_finish(r, 0), 0);
		CHECK(get_is(r, 1, 4));
		CHECK_EQ_INT(put(r, 1, 2), 2);
	}
	check_untouched(r);
	ring_unmake(r);
}

static void a_mode_that_no_version_has(void)
{
	struct corral_ring *r = ring_of_two(8);
	unsigned int left = 99;

	r->prod_sync = 77;
	r->cons_sync = 78;
	CHECK_EQ_INT(corral_ring_enqueue_bulk_elem(r, buf, 8, 1, &left), -ENOTSUP);
	CHECK_EQ_INT(left, 0);
	CHECK_EQ_INT(corral_ring_dequeue_burst_elem(r, buf, 8, 1, NULL), -ENOTSUP);
	CHECK_EQ_INT(corral_ring_enqueue_bulk_elem_start(r, 1, NULL), -ENOTSUP);
	r->prod_sync = pm->sync;
	r->cons_sync = cm->sync;
	check_untouched(r);
	ring_unmake(r);
}

int main(void)
{
	char name[100];

#define EACH(fn) \
	snprintf(name, sizeof(name), #fn "_%s_to_%s", pm->name, cm->name); \
	TEST_AS(name, fn)

	for (pm = modes; pm < modes + mode_count; pm++)
		for (cm = modes; cm < modes + mode_count; cm++) {
			EACH(calls_by_the_name_of_another_mode);
			EACH(elements_of_another_size);
			EACH(peeks_of_a_mode_that_has_none);
			EACH(peeks_of_another_size);
			EACH(calls_beside_an_open_peek);
			EACH(a_mode_that_no_version_has);
		}
	return test_end();
}
