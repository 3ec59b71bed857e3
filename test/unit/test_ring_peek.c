/* SPDX-License-Identifier: BSD-3-Clause */
/* test_ring_peek.c - peek and zero copy: look, decide, and who may finish what. */
#include "ring_calls.h"
#include "test.h"

#include <errno.h>
#include <sched.h>

#define EACH_START(r, count) \
	for (unsigned int s_ = 0; s_ < start_count; s_++) \
		for (struct corral_ring *r = ring_make(m->prod_flag | m->cons_flag, 8, count, starts[s_]); r != NULL; \
		     ring_unmake(r), r = NULL)

static const struct mode *m;
static const struct mode *const st = &modes[1], *const hts = &modes[3];

static void fill(uint64_t *v, uint32_t first, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		elem_make(&v[i], 8, first + i);
}

static int all_are(const void *v, uint32_t first, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		if (!elem_is((const char *)v + 8 * (size_t)i, 8, first + i))
			return 0;
	return 1;
}

static void dequeue_looks_and_decides(void)
{
	uint64_t v[8];
	unsigned int left;

	EACH_START(r, 5)
	{
		CHECK_EQ_INT(put(r, 1, 4), 4);
		left = 99;
		CHECK_EQ_INT(corral_ring_dequeue_bulk_elem_start(r, v, 8, 5, &left), 0); /* all or nothing */
		CHECK_EQ_INT(left, 4);
		CHECK_EQ_INT(corral_ring_dequeue_burst_elem_start(r, v, 8, 8, &left), 4);
		CHECK_EQ_INT(left, 0);
		CHECK(all_are(v, 1, 4));
		CHECK_EQ_INT(corral_ring_count(r), 4); /* nothing is taken yet */
		CHECK_EQ_INT(corral_ring_dequeue_elem_finish(r, 0), 0);
		CHECK_EQ_INT(corral_ring_count(r), 4); /* nor is it now */
		CHECK_EQ_INT(corral_ring_dequeue_bulk_elem_start(r, v, 8, 3, &left), 3);
		CHECK_EQ_INT(left, 1);
		CHECK(all_are(v, 1, 3));
		CHECK_EQ_INT(corral_ring_dequeue_elem_finish(r, 4), -EINVAL); /* more than reserved: it stays open */
		CHECK_EQ_INT(corral_ring_dequeue_elem_finish(r, UINT32_MAX), -EINVAL);
		CHECK_EQ_INT(corral_ring_dequeue_elem_finish(r, 1u << 31), -EINVAL);
		CHECK_EQ_INT(corral_ring_dequeue_elem_finish(r, 2), 0);
		CHECK_EQ_INT(corral_ring_dequeue_elem_finish(r, 1), -EINVAL); /* no peek is open */
		CHECK(get_is(r, 3, 2));
		CHECK_EQ_INT(corral_ring_dequeue_burst_elem_start(r, v, 8, 8, &left), 0);
		CHECK_EQ_INT(left, 0);
		CHECK_EQ_INT(corral_ring_dequeue_elem_finish(r, 0), -EINVAL);
	}
}

static void enqueue_reserves_and_decides(void)
{
	uint64_t v[8];
	unsigned int left;

	EACH_START(r, 5)
	{
		CHECK_EQ_INT(corral_ring_enqueue_bulk_elem_start(r, 6, &left), 0);
		CHECK_EQ_INT(left, 5);
		CHECK_EQ_INT(corral_ring_enqueue_burst_elem_start(r, 6, &left), 5);
		CHECK_EQ_INT(left, 0);
		CHECK_EQ_INT(corral_ring_count(r), 0); /* nothing to be seen yet */
		fill(v, 1, 3);
		CHECK_EQ_INT(corral_ring_enqueue_elem_finish(r, v, 8, 6), -EINVAL);
		CHECK_EQ_INT(corral_ring_enqueue_elem_finish(r, v, 8, 3), 0);
		CHECK_EQ_INT(corral_ring_enqueue_elem_finish(r, v, 8, 1), -EINVAL);
		CHECK_EQ_INT(corral_ring_count(r), 3);
		CHECK_EQ_INT(corral_ring_enqueue_bulk_elem_start(r, 2, &left), 2);
		CHECK_EQ_INT(left, 0);
		CHECK_EQ_INT(corral_ring_enqueue_elem_finish(r, v, 8, 0), 0); /* the room is given back */
		CHECK_EQ_INT(put(r, 4, 2), 2);
		CHECK_EQ_INT(corral_ring_enqueue_burst_elem_start(r, 1, &left), 0);
		CHECK(get_is(r, 1, 5));
	}
}

static void zero(void)
{
	struct corral_ring_zc_data z;
	unsigned int left = 99;
	uint64_t v;

	EACH_START(r, 3)
	{
		CHECK_EQ_INT(put(r, 1, 1), 1);
		CHECK_EQ_INT(corral_ring_enqueue_bulk_elem_start(r, 0, &left), 0);
		CHECK_EQ_INT(left, 2);
		CHECK_EQ_INT(corral_ring_enqueue_elem_finish(r, &v, 8, 0), -EINVAL); /* nothing is open */
		CHECK_EQ_INT(corral_ring_dequeue_burst_elem_start(r, &v, 8, 0, &left), 0);
		CHECK_EQ_INT(left, 1);
		CHECK_EQ_INT(corral_ring_dequeue_elem_finish(r, 0), -EINVAL);
		CHECK_EQ_INT(corral_ring_dequeue_zc_burst_elem_start(r, 8, 0, &z, &left), 0);
		CHECK_EQ_PTR(z.ptr1, NULL);
		CHECK_EQ_PTR(z.ptr2, NULL);
		CHECK_EQ_INT(z.n1, 0);
		CHECK(get_is(r, 1, 1));
	}
}

static void both_sides_at_once(void)
{
	uint64_t in[2], out[2];

	EACH_START(r, 4)
	{
		CHECK_EQ_INT(put(r, 1, 2), 2);
		CHECK_EQ_INT(corral_ring_enqueue_bulk_elem_start(r, 2, NULL), 2);
		CHECK_EQ_INT(corral_ring_dequeue_bulk_elem_start(r, out, 8, 2, NULL), 2);
		fill(in, 3, 2);
		CHECK_EQ_INT(corral_ring_enqueue_elem_finish(r, in, 8, 2), 0);
		CHECK(all_are(out, 1, 2));
		CHECK_EQ_INT(corral_ring_dequeue_elem_finish(r, 1), 0);
		CHECK(get_is(r, 2, 3));
	}
}

/* The two segments are just the slots, in order, and what is written there comes out. */
static void zero_copy_at_the_wrap(void)
{
	struct corral_ring_zc_data z;

	EACH_START(r, 4)
	{
		char *table = (char *)r + r->table;

		for (unsigned int lap = 0; lap < 9; lap++) {
			unsigned int index = (unsigned int)((starts[s_] + 3u * lap) & 3),
				     first = 4 - index < 3 ? 4 - index : 3;

			CHECK_EQ_INT(corral_ring_enqueue_zc_bulk_elem_start(r, 8, 3, &z, NULL), 3);
			CHECK_EQ_INT(z.n1, first);
			CHECK_EQ_PTR(z.ptr1, table + 8 * index);
			CHECK_EQ_PTR(z.ptr2, first < 3 ? table : NULL);
			fill(z.ptr1, 10 * lap, first);
			if (first < 3)
				fill(z.ptr2, 10 * lap + first, 3 - first);
			CHECK_EQ_INT(corral_ring_enqueue_zc_elem_finish(r, 3), 0);
			CHECK_EQ_INT(corral_ring_dequeue_zc_burst_elem_start(r, 8, 9, &z, NULL), 3);
			CHECK_EQ_INT(z.n1, first);
			CHECK_EQ_PTR(z.ptr1, table + 8 * index);
			CHECK_EQ_PTR(z.ptr2, first < 3 ? table : NULL);
			CHECK(all_are(z.ptr1, 10 * lap, first));
			CHECK(first == 3 || all_are(z.ptr2, 10 * lap + first, 3 - first));
			CHECK_EQ_INT(corral_ring_dequeue_zc_elem_finish(r, 3), 0);
		}
	}
}

static void zero_copy_partial(void)
{
	struct corral_ring_zc_data z;

	EACH_START(r, 4)
	{
		for (uint32_t lap = 0; lap < 9; lap++) {
			CHECK_EQ_INT(corral_ring_enqueue_zc_burst_elem_start(r, 8, 9, &z, NULL), 4);
			fill(z.ptr1, 10 * lap, z.n1);
			if (z.n1 < 4)
				fill(z.ptr2, 10 * lap + z.n1, 4 - z.n1);
			CHECK_EQ_INT(corral_ring_enqueue_zc_elem_finish(r, 5), -EINVAL);
			CHECK_EQ_INT(corral_ring_enqueue_zc_elem_finish(r, 3), 0);
			CHECK_EQ_INT(corral_ring_dequeue_zc_bulk_elem_start(r, 8, 3, &z, NULL), 3);
			CHECK_EQ_INT(corral_ring_dequeue_zc_elem_finish(r, 0), 0);
			CHECK_EQ_INT(corral_ring_dequeue_zc_bulk_elem_start(r, 8, 2, &z, NULL), 2);
			CHECK_EQ_INT(corral_ring_dequeue_zc_elem_finish(r, 1), 0);
			CHECK(get_is(r, 10 * lap + 1, 2));
		}
	}
}

static void pointers(void)
{
	struct corral_ring *r = ring_make(m->prod_flag | m->cons_flag, sizeof(void *), 3, 0);
	struct corral_ring_zc_data z;
	void *in[3] = { r, &z, in }, *out[3];

	CHECK_EQ_INT(corral_ring_enqueue_bulk_start(r, 3, NULL), 3);
	CHECK_EQ_INT(corral_ring_enqueue_finish(r, in, 2), 0);
	CHECK_EQ_INT(corral_ring_enqueue_burst_start(r, 3, NULL), 1);
	CHECK_EQ_INT(corral_ring_enqueue_finish(r, in + 2, 1), 0);
	CHECK_EQ_INT(corral_ring_dequeue_bulk_start(r, out, 2, NULL), 2);
	CHECK(out[0] == in[0] && out[1] == in[1]);
	CHECK_EQ_INT(corral_ring_dequeue_finish(r, 1), 0);
	CHECK_EQ_INT(corral_ring_dequeue_burst_start(r, out, 3, NULL), 2);
	CHECK(out[0] == in[1] && out[1] == in[2]);
	CHECK_EQ_INT(corral_ring_dequeue_finish(r, 2), 0);
	CHECK_EQ_INT(corral_ring_enqueue_zc_burst_start(r, 1, &z, NULL), 1);
	*(void **)z.ptr1 = in;
	CHECK_EQ_INT(corral_ring_enqueue_zc_finish(r, 1), 0);
	CHECK_EQ_INT(corral_ring_enqueue_zc_bulk_start(r, 3, &z, NULL), 0);
	CHECK_EQ_INT(corral_ring_dequeue_zc_bulk_start(r, 1, &z, NULL), 1);
	CHECK_EQ_PTR(*(void **)z.ptr1, in);
	CHECK_EQ_INT(corral_ring_dequeue_zc_finish(r, 1), 0);
	CHECK_EQ_INT(corral_ring_dequeue_zc_burst_start(r, 3, &z, NULL), 0);
	ring_unmake(r);
}

static void st_side_with_an_open_peek_is_busy(void)
{
	struct corral_ring *r = ring_make(st->prod_flag | st->cons_flag, 8, 4, 0);
	unsigned int left = 99;
	uint64_t v;

	CHECK_EQ_INT(put(r, 1, 2), 2);
	CHECK_EQ_INT(corral_ring_dequeue_bulk_elem_start(r, &v, 8, 1, NULL), 1);
	CHECK_EQ_INT(corral_ring_dequeue_bulk_elem(r, &v, 8, 1, &left), -EBUSY);
	CHECK_EQ_INT(left, 0);
	CHECK_EQ_INT(corral_ring_dequeue_bulk_elem_start(r, &v, 8, 1, NULL), -EBUSY);
	CHECK_EQ_INT(corral_ring_dequeue_elem_finish(r, 1), 0);
	CHECK_EQ_INT(corral_ring_enqueue_bulk_elem_start(r, 1, NULL), 1);
	CHECK_EQ_INT(put(r, 3, 1), -EBUSY);
	CHECK_EQ_INT(corral_ring_enqueue_burst_elem_start(r, 1, NULL), -EBUSY);
	CHECK_EQ_INT(corral_ring_enqueue_elem_finish(r, &v, 8, 0), 0);
	CHECK(get_is(r, 2, 1));
	ring_unmake(r);
}

static void a_second_call_of_the_peeking_thread_on_hts_is_refused(void)
{
	struct corral_ring *r = ring_make(hts->prod_flag | hts->cons_flag, 8, 4, 0);
	unsigned int left = 99;
	uint64_t v;

	CHECK_EQ_INT(put(r, 1, 2), 2);
	CHECK_EQ_INT(corral_ring_dequeue_bulk_elem_start(r, &v, 8, 1, NULL), 1);
	CHECK_EQ_INT(corral_ring_dequeue_bulk_elem(r, &v, 8, 1, &left), -EDEADLK);
	CHECK_EQ_INT(left, 0);
	CHECK_EQ_INT(corral_ring_mc_hts_dequeue_elem(r, &v, 8), -EDEADLK);
	CHECK_EQ_INT(corral_ring_dequeue_burst_elem_start(r, &v, 8, 1, NULL), -EDEADLK);
	CHECK_EQ_INT(corral_ring_enqueue_bulk_elem_start(r, 1, NULL), 1);
	CHECK_EQ_INT(put(r, 3, 1), -EDEADLK);
	CHECK_EQ_INT(corral_ring_flush(r), -EDEADLK);
	CHECK_EQ_INT(corral_ring_enqueue_elem_finish(r, &v, 8, 0), 0);
	CHECK_EQ_INT(corral_ring_flush(r), 0);
	CHECK_EQ_INT(corral_ring_dequeue_elem_finish(r, 1), 0);
	CHECK(get_is(r, 2, 1));
	ring_unmake(r);
}

struct other {
	struct corral_ring *r;
	int rc[4];
};

static void *finish_both(void *arg)
{
	struct other *o = arg;
	uint64_t v = 0;

	o->rc[0] = corral_ring_enqueue_elem_finish(o->r, &v, 8, 1);
	o->rc[1] = corral_ring_dequeue_elem_finish(o->r, 1);
	o->rc[2] = corral_ring_enqueue_zc_elem_finish(o->r, 0);
	o->rc[3] = corral_ring_dequeue_zc_elem_finish(o->r, 0);
	return NULL;
}

static struct other elsewhere(struct corral_ring *r, void *(*fn)(void *))
{
	struct other o = { r, { 0 } };
	pthread_t t;

	CHECK_EQ_INT(pthread_create(&t, NULL, fn, &o), 0);
	pthread_join(t, NULL);
	return o;
}

static void hts_finish_by_another_thread_is_refused(void)
{
	struct corral_ring *r = ring_make(hts->prod_flag | hts->cons_flag, 8, 4, 0);
	struct other o;
	uint64_t v;

	CHECK_EQ_INT(put(r, 1, 1), 1);
	CHECK_EQ_INT(corral_ring_enqueue_bulk_elem_start(r, 1, NULL), 1);
	CHECK_EQ_INT(corral_ring_dequeue_bulk_elem_start(r, &v, 8, 1, NULL), 1);
	o = elsewhere(r, finish_both);
	for (int i = 0; i < 4; i++)
		CHECK_EQ_INT(o.rc[i], -EPERM);
	elem_make(&v, 8, 2);
	CHECK_EQ_INT(corral_ring_enqueue_elem_finish(r, &v, 8, 1), 0);
	CHECK_EQ_INT(corral_ring_dequeue_elem_finish(r, 1), 0);
	CHECK(get_is(r, 2, 1));
	ring_unmake(r);
}

static void *hand_over(void *arg)
{
	struct other *o = arg;
	uint64_t v;

	elem_make(&v, 8, 2);
	o->rc[0] = corral_ring_enqueue_elem_finish(o->r, &v, 8, 1);
	o->rc[1] = corral_ring_dequeue_elem_finish(o->r, 1);
	return NULL;
}

static void st_role_may_be_handed_over_between_start_and_finish(void)
{
	struct corral_ring *r = ring_make(st->prod_flag | st->cons_flag, 8, 4, 0);
	struct other o;
	uint64_t v;

	CHECK_EQ_INT(put(r, 1, 1), 1);
	CHECK_EQ_INT(corral_ring_enqueue_bulk_elem_start(r, 1, NULL), 1);
	CHECK_EQ_INT(corral_ring_dequeue_bulk_elem_start(r, &v, 8, 1, NULL), 1);
	o = elsewhere(r, hand_over);
	CHECK_EQ_INT(o.rc[0], 0);
	CHECK_EQ_INT(o.rc[1], 0);
	CHECK(get_is(r, 2, 1));
	ring_unmake(r);
}

static struct corral_a32 arrived;

static void *call_put(void *arg)
{
	corral_store(&arrived, 1, CORRAL_RELEASE);
	((struct other *)arg)->rc[0] = put(((struct other *)arg)->r, 9, 1);
	return NULL;
}

static void *call_get(void *arg)
{
	corral_store(&arrived, 1, CORRAL_RELEASE);
	((struct other *)arg)->rc[0] = get_is(((struct other *)arg)->r, 2, 1);
	return NULL;
}

/* Start fn in a thread, and wait until it has waited long enough to yield. */
static pthread_t start_waiting(struct other *o, void *(*fn)(void *), int cons)
{
	struct corral_ring_stats s;
	pthread_t t;

	corral_store(&arrived, 0, CORRAL_RELAXED);
	CHECK_EQ_INT(pthread_create(&t, NULL, fn, o), 0);
	do {
		sched_yield();
		CHECK_EQ_INT(corral_ring_get_stats(o->r, &s), 0);
	} while (corral_load(&arrived, CORRAL_ACQUIRE) == 0 || (cons ? s.cons_yields : s.prod_yields) == 0);
	return t;
}

static void hts_enqueue_waits_for_an_open_peek(void)
{
	struct other o = { ring_make(hts->prod_flag | hts->cons_flag, 8, 4, 0), { 0 } };
	pthread_t t;
	uint64_t v;

	CHECK_EQ_INT(corral_ring_enqueue_bulk_elem_start(o.r, 4, NULL), 4);
	t = start_waiting(&o, call_put, 0);
	CHECK_EQ_INT(corral_ring_count(o.r), 0);
	elem_make(&v, 8, 8);
	CHECK_EQ_INT(corral_ring_enqueue_elem_finish(o.r, &v, 8, 1), 0);
	pthread_join(t, NULL);
	CHECK_EQ_INT(o.rc[0], 1);
	CHECK(get_is(o.r, 8, 2));
	ring_unmake(o.r);
}

static void hts_dequeue_waits_for_an_open_peek(void)
{
	struct other o = { ring_make(hts->prod_flag | hts->cons_flag, 8, 4, 0), { 0 } };
	pthread_t t;
	uint64_t v[2];

	CHECK_EQ_INT(put(o.r, 1, 3), 3);
	CHECK_EQ_INT(corral_ring_dequeue_bulk_elem_start(o.r, v, 8, 2, NULL), 2);
	t = start_waiting(&o, call_get, 1);
	CHECK_EQ_INT(corral_ring_count(o.r), 3);
	CHECK_EQ_INT(corral_ring_dequeue_elem_finish(o.r, 1), 0);
	pthread_join(t, NULL);
	CHECK_EQ_INT(o.rc[0], 1);
	CHECK(get_is(o.r, 3, 1));
	ring_unmake(o.r);
}

int main(void)
{
	static void (*const each[])(void) = { dequeue_looks_and_decides,
					      enqueue_reserves_and_decides,
					      zero,
					      both_sides_at_once,
					      zero_copy_at_the_wrap,
					      zero_copy_partial,
					      pointers };
	static const char *const names[] = { "dequeue_looks_and_decides",
					     "enqueue_reserves_and_decides",
					     "zero",
					     "both_sides_at_once",
					     "zero_copy_at_the_wrap",
					     "zero_copy_partial",
					     "pointers" };
	char name[80];

	TEST(st_side_with_an_open_peek_is_busy);
	TEST(hts_finish_by_another_thread_is_refused);
	TEST(st_role_may_be_handed_over_between_start_and_finish);
	TEST(hts_enqueue_waits_for_an_open_peek);
	TEST(hts_dequeue_waits_for_an_open_peek);
	for (unsigned int i = 0; i < sizeof(each) / sizeof(each[0]); i++)
		for (m = modes; m < modes + mode_count; m++)
			if (m->peeks) {
				snprintf(name, sizeof(name), "%s_%s", names[i], m->name);
				TEST_AS(name, each[i]);
			}
	TEST(a_second_call_of_the_peeking_thread_on_hts_is_refused);
	return test_end();
}
