/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_ring_ways.c - all ways to start and finish a peek, on both sides and in both modes that have them, from every
 * start position: what is moved, what is left, what is refused, and that nothing else happens.
 */
#include "ring_ways.h"

#include <errno.h>

/*
 * Fill and drain by peeks, n asked and k taken, so that each place in the table is met by each length: what is there,
 * what is left, what others see meanwhile.
 */
static void fill_and_drain(struct corral_ring *r, const struct way *pw, const struct way *cw, uint64_t start)
{
	uint32_t put_to = 0, got_to = 0;
	unsigned int n, k, used, got, left;

	for (unsigned int i = 0; i < 60; i++) {
		n = i % 7;
		used = put_to - got_to;
		got = n <= 5 - used ? n : pw->burst ? 5 - used : 0;
		left = 99;
		CHECK_EQ_INT(open_put(pw, r, n, start + put_to, put_to, i % 2 ? &left : NULL), got);
		if (i % 2)
			CHECK_EQ_INT(left, 5 - used - got);
		check_counts(r, used);
		k = got == 0 ? 0 : i * 5 % (got + 1);
		CHECK_EQ_INT(close_put(pw, r, k, put_to), got != 0 ? 0 : -EINVAL);
		put_to += k;
		used += k;
		check_counts(r, used);

		n = i * 3 % 7;
		got = n <= used ? n : cw->burst ? used : 0;
		left = 99;
		CHECK_EQ_INT(open_get(cw, r, n, start + got_to, i % 3 ? &left : NULL), got);
		if (i % 3)
			CHECK_EQ_INT(left, used - got);
		check_room(r, got_to, got);
		check_counts(r, used);
		k = got == 0 ? 0 : i % (got + 1);
		CHECK_EQ_INT(close_get(cw, r, k), got != 0 ? 0 : -EINVAL);
		got_to += k;
		check_counts(r, used - k);
	}
	CHECK_GT_INT(got_to, 20);
	CHECK(get_is(r, got_to, put_to - got_to));
	check_counts(r, 0);
	CHECK_EQ_INT(put(r, 7, 5), 5);
	CHECK(get_is(r, 7, 5));
}

static const struct mode *cm;
static unsigned int esize;

static void every_way(void)
{
	EACH_WAY(pw, esize)
	EACH_WAY(cw, esize)
	for (unsigned int s = 0; s < start_count; s++) {
		struct corral_ring *r = ring_make(m->prod_flag | cm->cons_flag, esize, 5, starts[s]);

		fill_and_drain(r, pw, cw, starts[s]);
		ring_unmake(r);
	}
}

/* Each refusal leaves the peek open, and it then ends as if nothing had been. */
static void finish_refuses_and_the_peek_stays_open(void)
{
	static const unsigned int wrong[] = { 4, 5, 8, 0x7fffffff, 0x80000000, 0x80000001, 0x80000003, UINT32_MAX };

	EACH_WAY(w, esize)
	for (unsigned int s = 0; s < start_count; s++) {
		struct corral_ring *r = make(esize, 5, starts[s]);

		CHECK_EQ_INT(close_put(w, r, 0, 0), -EINVAL); /* nothing is open */
		CHECK_EQ_INT(close_put(w, r, 1, 0), -EINVAL);
		CHECK_EQ_INT(close_get(w, r, 0), -EINVAL);
		CHECK_EQ_INT(close_get(w, r, 1), -EINVAL);
		CHECK_EQ_INT(open_put(w, r, 3, starts[s], 1, NULL), 3);
		CHECK_EQ_INT(close_get(w, r, 0), -EINVAL); /* the other side's is none */
		for (unsigned int i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
			CHECK_EQ_INT(close_put(w, r, wrong[i], 9), -EINVAL);
		if (!w->zc)
			CHECK_EQ_INT(corral_ring_enqueue_elem_finish(r, room, esize + 4, 1), -EINVAL);
		check_counts(r, 0);
		CHECK_EQ_INT(close_put(w, r, 3, 1), 0);
		CHECK_EQ_INT(close_put(w, r, 0, 1), -EINVAL); /* once is enough */
		check_counts(r, 3);
		CHECK_EQ_INT(open_get(w, r, 3, starts[s], NULL), 3);
		for (unsigned int i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
			CHECK_EQ_INT(close_get(w, r, wrong[i]), -EINVAL);
		check_room(r, 1, 3);
		check_counts(r, 3);
		CHECK_EQ_INT(close_get(w, r, 2), 0);
		CHECK_EQ_INT(close_get(w, r, 0), -EINVAL);
		CHECK(get_is(r, 3, 1));
		check_counts(r, 0);
		ring_unmake(r);
	}
}

static void snapshot(const struct corral_ring *r, struct corral_ring_side *prod, struct corral_ring_side *cons)
{
	memcpy(prod, &r->prod, sizeof(*prod));
	memcpy(cons, &r->cons, sizeof(*cons));
}

/* k = 0: the words of both sides are what they were, but for what was seen of the opposite side. */
static void an_aborted_peek_leaves_everything_as_it_was(void)
{
	struct corral_ring_side p, c, p2, c2;

	EACH_WAY(w, esize)
	for (unsigned int s = 0; s < start_count; s++) {
		struct corral_ring *r = make(esize, 6, starts[s]);

		CHECK_EQ_INT(put(r, 1, 4), 4);
		CHECK(get_is(r, 1, 1));
		snapshot(r, &p, &c);
		CHECK_EQ_INT(open_put(w, r, 2, starts[s] + 4, 50, NULL), 2);
		CHECK_EQ_INT(close_put(w, r, 0, 50), 0);
		CHECK_EQ_INT(open_get(w, r, 3, starts[s] + 1, NULL), 3);
		CHECK_EQ_INT(close_get(w, r, 0), 0);
		snapshot(r, &p2, &c2);
		p2.opp = p.opp;
		c2.opp = c.opp;
		CHECK(memcmp(&p, &p2, sizeof(p)) == 0);
		CHECK(memcmp(&c, &c2, sizeof(c)) == 0);
		check_counts(r, 3);
		CHECK_EQ_INT(put(r, 5, 3), 3);
		CHECK(get_is(r, 2, 6));
		ring_unmake(r);
	}
}

/* start of nothing opens nothing */
static void zero(void)
{
	struct corral_ring *r = make(esize, 5, 0);
	unsigned int left;

	CHECK_EQ_INT(put(r, 1, 2), 2);
	EACH_WAY(w, esize)
	{
		left = 99;
		CHECK_EQ_INT(open_put(w, r, 0, 0, 0, &left), 0);
		CHECK_EQ_INT(left, 3);
		CHECK_EQ_INT(open_put(w, r, 0, 0, 0, NULL), 0);
		CHECK_EQ_INT(close_put(w, r, 0, 0), -EINVAL);
		left = 99;
		CHECK_EQ_INT(open_get(w, r, 0, 0, &left), 0);
		CHECK_EQ_INT(left, 2);
		CHECK_EQ_INT(open_get(w, r, 0, 0, NULL), 0);
		CHECK_EQ_INT(close_get(w, r, 0), -EINVAL);
	}
	CHECK_EQ_INT(put(r, 3, 3), 3);
	CHECK(get_is(r, 1, 5));
	ring_unmake(r);
}

/* A peek of each side open; the other side works with what is published. */
static void both_sides_at_once(void)
{
	EACH_WAY(w, esize)
	{
		struct corral_ring *r = make(esize, 5, 6);

		CHECK_EQ_INT(put(r, 1, 2), 2);
		CHECK_EQ_INT(open_put(w, r, 3, 8, 3, NULL), 3);
		CHECK_EQ_INT(open_get(w, r, 2, 6, NULL), 2);
		check_room(r, 1, 2);
		check_counts(r, 2);
		CHECK_EQ_INT(close_put(w, r, 3, 3), 0);
		check_counts(r, 5);
		CHECK_EQ_INT(close_get(w, r, 1), 0);
		check_counts(r, 4);
		CHECK_EQ_INT(open_get(w, r, 3, 7, NULL), 3);
		CHECK_EQ_INT(put(r, 6, 1), 1); /* the room of what is only looked at is not there */
		CHECK_EQ_INT(put(r, 7, 1), 0);
		CHECK_EQ_INT(close_get(w, r, 3), 0);
		CHECK_EQ_INT(open_put(w, r, 3, 12, 7, NULL), 3);
		CHECK(get_is(r, 5, 2));
		CHECK(!get_is(r, 7, 1));
		CHECK_EQ_INT(close_put(w, r, 2, 7), 0);
		CHECK(get_is(r, 7, 2));
		ring_unmake(r);
	}
}

/* Every call of the side, and every start, answers rc; what is left is said to be 0. */
static void check_side_answers(struct corral_ring *r, enum side side, int rc)
{
	const struct mode *mode = &modes[side == PROD ? r->prod_sync : r->cons_sync];
	struct corral_ring_zc_data z;
	void *objs[4] = { NULL };
	unsigned int left, tried = 0;

	for (const struct call *c = calls; c < calls + call_count; c++) {
		if (!call_fits(c, side, mode, r->esize))
			continue;
		left = 99;
		CHECK_EQ_INT(c->move(r, objs, r->esize, 1, c->how == SINGLE ? NULL : &left), rc);
		CHECK_EQ_INT(left, c->how == SINGLE ? 99 : 0);
		tried++;
	}
	CHECK_GE_INT(tried, 6);
	EACH_WAY(w, r->esize)
	{
		left = 99;
		if (w->zc) {
			CHECK_EQ_INT(zc_start(w, side, r, 1, &z, &left), rc);
			CHECK(z.ptr1 == NULL && z.ptr2 == NULL && z.n1 == 0);
		} else {
			CHECK_EQ_INT(side == PROD ? open_put(w, r, 1, 0, 0, &left) : open_get(w, r, 1, 0, &left), rc);
		}
		CHECK_EQ_INT(left, 0);
	}
	if (side == PROD)
		CHECK_EQ_INT(corral_ring_flush(r), rc);
}

/* The thread that has a peek open calls once more. */
static void second_call(const struct mode *mode, int rc)
{
	m = mode;
	for (enum side side = PROD; side <= CONS; side++) {
		struct corral_ring *r =
			ring_make(m->prod_flag | m->cons_flag | CORRAL_RING_F_STATS, sizeof(void *), 4, 0);
		struct corral_ring_stats s;
		void *objs[2], *o = objs;

		CHECK_EQ_INT(put(r, 1, 2), 2);
		if (side == PROD)
			CHECK_EQ_INT(corral_ring_enqueue_burst_start(r, 1, NULL), 1);
		else
			CHECK_EQ_INT(corral_ring_dequeue_bulk_start(r, objs, 1, NULL), 1);
		check_side_answers(r, side, rc);
		CHECK_EQ_INT(corral_ring_get_stats(r, &s), 0);
		CHECK_EQ_INT(s.full + s.empty, 0); /* it was not the ring that was full */
		check_counts(r, 2);
		if (side == PROD) {
			CHECK_EQ_INT(corral_ring_enqueue_finish(r, &o, 1), 0);
			CHECK(get_is(r, 1, 2));
			CHECK_EQ_INT(corral_ring_dequeue(r, &o), 0);
			CHECK_EQ_PTR(o, objs);
		} else {
			CHECK_EQ_INT(corral_ring_dequeue_finish(r, 1), 0);
			CHECK(get_is(r, 2, 1));
		}
		CHECK_EQ_INT(put(r, 5, 4), 4); /* both sides go on */
		CHECK(get_is(r, 5, 4));
		ring_unmake(r);
	}
}

static void every_call_beside_an_open_peek_of_its_thread_ST(void)
{
	second_call(&modes[CORRAL_RING_SYNC_ST], -EBUSY);
}

static void every_call_beside_an_open_peek_of_its_thread_HTS(void)
{
	second_call(&modes[CORRAL_RING_SYNC_MT_HTS], -EDEADLK);
}

int main(void)
{
	static const unsigned int sizes[] = { 4, 8, 12, 64 };
	char name[80];

	TEST(every_call_beside_an_open_peek_of_its_thread_ST);
	TEST(every_call_beside_an_open_peek_of_its_thread_HTS);
	esize = sizeof(void *);
	TEST_IN_MODE(zero);
	TEST_IN_MODE(both_sides_at_once);
	TEST_IN_MODE(finish_refuses_and_the_peek_stays_open);
	TEST_IN_MODE(an_aborted_peek_leaves_everything_as_it_was);
	for (unsigned int i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		esize = sizes[i];
		EACH_MODE(m)
		EACH_MODE(cm)
		{
			snprintf(name, sizeof(name), "every_way_%s_to_%s_of_%u", m->name, cm->name, esize);
			TEST_AS(name, every_way);
		}
	}
	return test_end();
}
