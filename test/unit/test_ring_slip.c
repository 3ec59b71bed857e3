/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_ring_slip.c - the slips of lib/ring/slip.c, by one thread that plays both sides: when they happen, how often,
 * and that they change no result.
 */
#include "ring/ring_internal.h"
#include "ring_calls.h"
#include "test.h"

#include <errno.h>

#define FAST CORRAL_RING_SLIP_FAST_
#define POOR 64u /* a look that finds fewer objects is a poor one */

static uint64_t slips(const struct corral_ring *r, enum side side)
{
	struct corral_ring_stats s;

	CHECK_EQ_INT(corral_ring_get_stats(r, &s), 0);
	return side == PROD ? s.prod_slips : s.cons_slips;
}

static uint32_t state(const struct corral_ring *r)
{
	return corral_load(&r->cons.slip, CORRAL_RELAXED);
}

static struct corral_ring *ring_of(const struct mode *p, const struct mode *c, unsigned int flags, unsigned int count)
{
	struct corral_ring *r = ring_make(p->prod_flag | c->cons_flag | flags, 8, count, 0);
	struct corral_wait_policy w;

	CHECK_EQ_INT(corral_wait_policy_init(&w, CORRAL_WAIT_DEFAULT), 0);
	w.slip_ns = 10;
	CHECK_EQ_INT(corral_ring_set_wait(r, &w), 0);
	return r;
}

/* One object in, one out: the shape of a stream that trickles. */
static void trickle(struct corral_ring *r, unsigned int n)
{
	for (uint32_t i = 0; i < n; i++) {
		CHECK_EQ_INT(put(r, i, 1), 1);
		CHECK(get_is(r, i, 1));
	}
}

static void a_stream_that_trickles_meets_few_slips_in_any_mode(void)
{
	for (unsigned int p = 0; p < mode_count; p++)
		for (unsigned int c = 0; c < mode_count; c++) {
			struct corral_ring *r = ring_of(&modes[p], &modes[c], 0, 1024);

			trickle(r, 10000);
			CHECK_GE_INT(slips(r, CONS), 1);
			CHECK_LE_INT(slips(r, CONS), 16); /* after 1, 2, 4, … 4096 looks */
			CHECK_EQ_INT(slips(r, PROD), 0);  /* never looked for room that was little */
			ring_unmake(r);
		}
}

static void switched_off_there_are_none(void)
{
	for (unsigned int m = 0; m < mode_count; m++) {
		struct corral_ring *r = ring_of(&modes[m], &modes[m], CORRAL_RING_F_NO_SLIP, 1024);
		struct corral_wait_policy w;

		trickle(r, 1000);
		CHECK_EQ_INT(slips(r, CONS), 0);
		ring_unmake(r);
		r = ring_of(&modes[m], &modes[m], 0, 255); /* small rings do not slip */
		trickle(r, 1000);
		CHECK_EQ_INT(slips(r, CONS), 0);
		ring_unmake(r);
		r = ring_of(&modes[m], &modes[m], 0, 1024);
		CHECK_EQ_INT(corral_wait_policy_init(&w, CORRAL_WAIT_DEFAULT), 0);
		w.slip_ns = 0;
		CHECK_EQ_INT(corral_ring_set_wait(r, &w), 0);
		trickle(r, 1000);
		CHECK_EQ_INT(slips(r, CONS), 0);
		ring_unmake(r);
	}
}

static void who_asks_what_is_left_never_slips(void)
{
	for (unsigned int m = 0; m < mode_count; m++) {
		struct corral_ring *r = ring_of(&modes[m], &modes[m], 0, 1024);
		unsigned int left;
		uint64_t v;

		for (uint32_t i = 0; i < 100; i++) {
			CHECK_EQ_INT(put(r, i, 1), 1);
			CHECK_EQ_INT(corral_ring_dequeue_burst_elem(r, &v, 8, 4, &left), 1);
			CHECK_EQ_INT(left, 0);
		}
		CHECK_EQ_INT(slips(r, CONS), 0);
		CHECK_EQ_INT(state(r), 0);
		corral_store(&r->cons.slip, FAST, CORRAL_RELAXED); /* not even then */
		CHECK_EQ_INT(put(r, 1, 1), 1);
		CHECK_EQ_INT(corral_ring_dequeue_burst_elem(r, &v, 8, 4, &left), 1);
		CHECK_EQ_INT(slips(r, CONS), 0);
		CHECK_EQ_INT(state(r), FAST);
		ring_unmake(r);
	}
}

static void a_fast_side_still_finds_what_is_there(void)
{
	for (unsigned int m = 0; m < mode_count; m++) {
		struct corral_ring *r = ring_of(&modes[m], &modes[m], 0, 1024);

		corral_store(&r->cons.slip, FAST, CORRAL_RELAXED);
		CHECK_EQ_INT(put(r, 1, POOR), POOR);
		CHECK(get_is(r, 1, 1));
		CHECK_EQ_INT(slips(r, CONS), 1);
		CHECK_EQ_INT(state(r), FAST); /* a rich look: as it was */
		CHECK(get_is(r, 2, POOR - 1));
		CHECK_EQ_INT(slips(r, CONS), 1); /* no look was needed */
		ring_unmake(r);
	}
}

static void a_fast_stream_that_ends_costs_one_slip(void)
{
	for (unsigned int m = 0; m < mode_count; m++) {
		struct corral_ring *r = ring_of(&modes[m], &modes[m], 0, 1024);

		corral_store(&r->cons.slip, FAST, CORRAL_RELAXED);
		CHECK(!get_is(r, 1, 1)); /* empty: one slip, then fast no more */
		CHECK_EQ_INT(slips(r, CONS), 1);
		CHECK_NE_INT(state(r), FAST);
		for (int i = 0; i < 100; i++)
			CHECK(!get_is(r, 1, 1));
		CHECK_EQ_INT(slips(r, CONS), 1);
		ring_unmake(r);
	}
}

static void a_state_that_became_fast_meanwhile_is_left_alone(void)
{
	struct corral_ring *r = ring_of(&modes[1], &modes[1], 0, 1024);

	CHECK_EQ_INT(put(r, 1, 3), 3);
	corral_store(&r->cons.slip, FAST, CORRAL_RELAXED);
	/* another thread saw it fast between our look and our turn to slip: what we saw is what counts */
	CHECK_EQ_HEX(corral_ring_slip_(&r->cons, &r->prod, 2 * 2, POOR, 1), 2 * 2);
	CHECK_EQ_INT(state(r), FAST);
	CHECK_EQ_INT(slips(r, CONS), 0);
	/* and after a slip of our own it is what we see then */
	corral_store(&r->cons.slip, 0, CORRAL_RELAXED);
	CHECK_EQ_HEX(corral_ring_slip_(&r->cons, &r->prod, 2 * 2, POOR, 1), 2 * 3);
	CHECK_EQ_INT(slips(r, CONS), 1);
	CHECK_EQ_HEX(corral_ring_slip_first_(&r->cons, &r->prod, 0, POOR, 1), 2 * 3);
	CHECK_EQ_INT(slips(r, CONS), 2);
	ring_unmake(r);
}

/* A busy bit on the other side is no object that was found. */
static void a_holder_of_the_other_side_is_no_object(void)
{
	for (unsigned int c = 0; c < mode_count; c++) {
		struct corral_ring *r = ring_of(&modes[3], &modes[c], 0, 1024);
		uint64_t v;

		CHECK_EQ_INT(corral_ring_enqueue_bulk_elem_start(r, 1, NULL), 1);
		for (int i = 0; i < 20; i++)
			CHECK_EQ_INT(corral_ring_dequeue_elem(r, &v, 8), -ENOENT);
		CHECK_EQ_INT(slips(r, CONS), 0);
		CHECK_EQ_INT(corral_ring_enqueue_elem_finish(r, &v, 8, 0), 0);
		ring_unmake(r);
	}
}

/* A peek that is opened and given up shows the same tail again and again: nothing was gained. */
static void an_aborted_peek_is_no_fast_stream(void)
{
	for (unsigned int c = 0; c < mode_count; c++) {
		struct corral_ring *r = ring_of(&modes[3], &modes[c], 0, 1024);
		uint64_t v;

		for (int i = 0; i < 200; i++) {
			CHECK_EQ_INT(corral_ring_enqueue_burst_elem_start(r, 500, NULL), 500);
			CHECK_EQ_INT(corral_ring_dequeue_elem(r, &v, 8), -ENOENT);
			CHECK_EQ_INT(corral_ring_enqueue_elem_finish(r, &v, 8, 0), 0);
			CHECK_EQ_INT(corral_ring_dequeue_elem(r, &v, 8), -ENOENT);
		}
		CHECK_EQ_INT(slips(r, CONS), 0);
		CHECK_NE_INT(state(r), FAST);
		ring_unmake(r);
	}
}

static void a_producer_near_full_slips_too(void)
{
	for (unsigned int p = 0; p < mode_count; p++) {
		struct corral_ring *r = ring_of(&modes[p], &modes[1], 0, 1024);

		CHECK_EQ_INT(put(r, 0, 1024), 1024);
		for (uint32_t i = 0; i < 1000; i++) {
			CHECK(get_is(r, i, 1));
			CHECK_EQ_INT(put(r, 1024 + i, 1), 1);
		}
		CHECK_GE_INT(slips(r, PROD), 1);
		CHECK_LE_INT(slips(r, PROD), 12);
		ring_unmake(r);
	}
}

/* mute: looks to go without a slip, of 2^log */
static uint32_t muted(uint32_t looks, uint32_t log)
{
	return looks << 8 | log;
}

/* A look that finds enough is none that calls for a slip; nor is one that finds nothing. */
static void only_a_poor_look_slips(void)
{
	static const unsigned int found[] = { 0, 1, POOR - 1, POOR, 256 }, slipped[] = { 0, 1, 1, 0, 0 };

	for (unsigned int m = 0; m < mode_count; m++)
		for (unsigned int i = 0; i < sizeof(found) / sizeof(found[0]); i++) {
			struct corral_ring *r = ring_of(&modes[0], &modes[m], 0, 256); /* the smallest that slips */

			CHECK_EQ_INT(put(r, 1, found[i]), found[i]);
			CHECK_EQ_INT(get_is(r, 1, 1), found[i] != 0);
			CHECK_EQ_INT(slips(r, CONS), slipped[i]);
			CHECK_EQ_HEX(state(r), slipped[i] ? muted(2, 1) : 0);
			ring_unmake(r);
		}
}

/* In vain: 2 looks are let pass, then 4, … and never more than 4096. */
static void slips_in_vain_become_rare(void)
{
	struct corral_ring *r = ring_of(&modes[0], &modes[0], 0, 1024);
	uint32_t log = 0, n = 0;

	for (unsigned int i = 0; i < 15; i++) {
		CHECK_EQ_HEX(corral_ring_slip_(&r->cons, &r->prod, 0, POOR, 1), 0);
		CHECK_EQ_INT(slips(r, CONS), ++n);
		log = log < 12 ? log + 1 : 12;
		for (uint32_t looks = 1u << log; looks > 0; looks--) {
			CHECK_EQ_HEX(state(r), muted(looks, log));
			CHECK_EQ_HEX(corral_ring_slip_(&r->cons, &r->prod, 0, POOR, 1), 0);
			CHECK_EQ_INT(slips(r, CONS), n);
		}
	}
	CHECK_EQ_HEX(state(r), muted(0, 12));
	ring_unmake(r);
}

/* What the pause brought counts from what was seen before it. */
static void a_slip_that_brings_much_makes_the_side_fast(void)
{
	struct corral_ring *r = ring_of(&modes[0], &modes[0], 0, 1024);

	CHECK_EQ_INT(put(r, 1, POOR + 1), POOR + 1);
	CHECK_EQ_HEX(corral_ring_slip_(&r->cons, &r->prod, 2 * 1, POOR, 1), 2 * (POOR + 1));
	CHECK_EQ_HEX(state(r), FAST);
	corral_store(&r->cons.slip, muted(0, 5), CORRAL_RELAXED);
	CHECK_EQ_HEX(corral_ring_slip_(&r->cons, &r->prod, 2 * 2, POOR, 1), 2 * (POOR + 1));
	CHECK_EQ_HEX(state(r), muted(64, 6));
	CHECK_EQ_HEX(corral_ring_slip_first_(&r->cons, &r->prod, 0, POOR, 1), 2 * (POOR + 1));
	CHECK_EQ_HEX(state(r), FAST);
	CHECK_EQ_HEX(corral_ring_slip_first_(&r->cons, &r->prod, 2 * 2, POOR, 1), 2 * (POOR + 1));
	CHECK_EQ_HEX(state(r), muted(8, 3));
	ring_unmake(r);
}

/* A holder seen at the last look, or at this one, takes no object off what was found. */
static void a_holder_hides_no_object(void)
{
	struct corral_ring *r = ring_of(&modes[3], &modes[1], 0, 1024);
	uint64_t v;

	elem_make(&v, 8, 1);
	CHECK_EQ_INT(corral_ring_enqueue_bulk_elem_start(r, 1, NULL), 1);
	CHECK(!get_is(r, 1, 1)); /* looks, and remembers a busy tail */
	CHECK_EQ_INT(corral_ring_enqueue_elem_finish(r, &v, 8, 1), 0);
	CHECK_EQ_INT(put(r, 2, POOR - 1), POOR - 1);
	CHECK(get_is(r, 1, POOR));
	CHECK_EQ_INT(slips(r, CONS), 0);
	CHECK_EQ_INT(put(r, 1, POOR - 1), POOR - 1);
	CHECK_EQ_INT(corral_ring_enqueue_bulk_elem_start(r, 1, NULL), 1);
	CHECK(get_is(r, 1, POOR - 1)); /* one short, whatever the busy bit says */
	CHECK_EQ_INT(slips(r, CONS), 1);
	CHECK_EQ_INT(corral_ring_enqueue_elem_finish(r, &v, 8, 0), 0);
	CHECK_EQ_INT(corral_ring_gain_(20, 21), 0);
	CHECK_EQ_INT(corral_ring_gain_(21, 20), 0);
	CHECK_EQ_INT(corral_ring_gain_(22, 21), 1);
	CHECK_EQ_INT(corral_ring_gain_(23, 20), 1);
	CHECK_EQ_INT(corral_ring_gain_(4, UINT64_MAX - 3), 4); /* over the wrap of the word */
	CHECK_EQ_INT(corral_ring_gain_(UINT64_MAX - 1, 0), -1);
	ring_unmake(r);
}

static void reset_and_another_policy_forget(void)
{
	struct corral_ring *r = ring_of(&modes[0], &modes[0], 0, 1024);
	struct corral_wait_policy w;

	trickle(r, 10);
	CHECK_GE_INT(slips(r, CONS), 1);
	corral_store(&r->prod.slip, FAST, CORRAL_RELAXED);
	CHECK_EQ_INT(corral_ring_reset(r), 0);
	CHECK_EQ_INT(slips(r, CONS), 0);
	CHECK_EQ_INT(state(r), 0);
	CHECK_EQ_INT(corral_load(&r->prod.slip, CORRAL_RELAXED), 0);
	corral_store(&r->cons.slip, FAST, CORRAL_RELAXED);
	CHECK_EQ_INT(corral_wait_policy_init(&w, CORRAL_WAIT_DEFAULT), 0);
	w.slip_ns = 0;
	CHECK_EQ_INT(corral_ring_set_wait(r, &w), 0);
	CHECK_EQ_INT(state(r), 0); /* or FAST would slip for ever */
	ring_unmake(r);
}

int main(void)
{
	TEST(a_stream_that_trickles_meets_few_slips_in_any_mode);
	TEST(switched_off_there_are_none);
	TEST(who_asks_what_is_left_never_slips);
	TEST(a_fast_stream_that_ends_costs_one_slip);
	TEST(a_fast_side_still_finds_what_is_there);
	TEST(a_state_that_became_fast_meanwhile_is_left_alone);
	TEST(an_aborted_peek_is_no_fast_stream);
	TEST(a_holder_of_the_other_side_is_no_object);
	TEST(a_producer_near_full_slips_too);
	TEST(only_a_poor_look_slips);
	TEST(slips_in_vain_become_rare);
	TEST(a_slip_that_brings_much_makes_the_side_fast);
	TEST(a_holder_hides_no_object);
	TEST(reset_and_another_policy_forget);
	return test_end();
}
