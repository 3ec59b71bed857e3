/* SPDX-License-Identifier: BSD-3-Clause */
/* test_payload.c - the measured elements say who they are, and what is no element of them is seen. */
#include <test.h>

#include "../bench/peers/payload.h"

#define SIZES 6
static const uint32_t sizes[SIZES] = { 4, 8, 12, 16, 64, 256 };

#define N 16u	     /* elements in one call */
#define OBJECTS 300u /* ids in use */

struct elems {
	char e[(N + 1 + PAYLOAD_PAD) * 256];
} __attribute__((aligned(64)));

static char *at(struct elems *s, uint32_t esize, uint32_t i)
{
	return s->e + (size_t)i * esize;
}

static void make_objects(struct elems *s, uint32_t esize)
{
	uint32_t i;

	memset(s, 0xa5, sizeof(*s));
	for (i = 0; i < N; i++)
		payload_make_object(at(s, esize, i), esize, 17 * i);
}

/* Turn n objects in place; how many are none. */
static uint32_t turn(struct elems *s, uint32_t esize, uint32_t n)
{
	return payload_touch(s->e, s->e, esize, n, OBJECTS);
}

static void the_constants_are_inverse_to_each_other(void)
{
	CHECK_EQ_HEX((uint32_t)(PAYLOAD_A * PAYLOAD_A_INVERSE), 1);
	CHECK_EQ_HEX(PAYLOAD_K * PAYLOAD_K_INVERSE, 1);
}

static void an_object_says_who_it_is(void)
{
	static const uint32_t ids[] = { 0, 1, 2047, 65536, 0x7fffffff, 0xfffffffe };
	struct elems s;
	unsigned int i, k;

	for (k = 0; k < SIZES; k++) {
		for (i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
			payload_make_object(s.e, sizes[k], ids[i]);
			CHECK_EQ_HEX(payload_object_id(s.e, sizes[k]), ids[i]);
			CHECK_EQ_INT(payload_object_generation(s.e, sizes[k]), 0);
			CHECK(payload_check(s.e, sizes[k], ids[i] + 1));
			CHECK(!payload_check(s.e, sizes[k], ids[i]));
		}
	}
}

static void a_turn_keeps_the_id_and_counts(void)
{
	struct elems s;
	unsigned int i, k, t;

	for (k = 0; k < SIZES; k++) {
		make_objects(&s, sizes[k]);
		for (t = 1; t <= 5; t++) {
			CHECK_EQ_INT(turn(&s, sizes[k], N), 0);
			for (i = 0; i < N; i++) {
				CHECK_EQ_INT(payload_object_id(at(&s, sizes[k], i), sizes[k]), 17 * i);
				CHECK_EQ_INT(payload_object_generation(at(&s, sizes[k], i), sizes[k]),
					     sizes[k] == 4 ? 0 : t);
				CHECK(payload_check(at(&s, sizes[k], i), sizes[k], OBJECTS));
			}
		}
	}
}

static void a_turn_from_here_to_there_leaves_the_source(void)
{
	struct elems from, was, to;
	unsigned int k;

	for (k = 0; k < SIZES; k++) {
		make_objects(&from, sizes[k]);
		was = from;
		CHECK_EQ_INT(payload_touch(to.e, from.e, sizes[k], N, OBJECTS), 0);
		CHECK_EQ_INT(memcmp(&from, &was, sizeof(from)), 0);
		CHECK_EQ_INT(payload_object_id(at(&to, sizes[k], N - 1), sizes[k]), 17 * (N - 1));
		CHECK_EQ_INT(turn(&was, sizes[k], N), 0);
		CHECK_EQ_INT(memcmp(to.e, was.e, (size_t)N * sizes[k]), 0);
	}
}

/* What lies behind them may change, where it is so short that more than one are done at a time. */
static void a_turn_judges_the_n_alone(void)
{
	struct elems s, was;
	unsigned int k, n;

	for (k = 0; k < SIZES; k++) {
		for (n = 0; n < N; n++) {
			make_objects(&s, sizes[k]);
			memset(at(&s, sizes[k], n), 0xff, sizes[k]);
			was = s;
			CHECK_EQ_INT(turn(&s, sizes[k], n), 0);
			CHECK_EQ_INT(memcmp(at(&s, sizes[k], n + PAYLOAD_PAD), at(&was, sizes[k], n + PAYLOAD_PAD),
					    (N + 1 - n) * sizes[k]),
				     0);
			s = was;
			CHECK_EQ_INT(turn(&s, sizes[k], n + 1), 1);
		}
	}
}

static void a_generation_that_wraps_is_no_fault(void)
{
	struct elems s;
	unsigned int i, k;

	for (k = 1; k < SIZES; k++) {
		make_objects(&s, sizes[k]);
		for (i = 0; i < N; i += 3)
			payload_make_generation_(at(&s, sizes[k], i), sizes[k], 17 * i, UINT32_MAX - 1);
		for (i = 1; i <= 3; i++) {
			CHECK_EQ_INT(turn(&s, sizes[k], N), 0);
			CHECK_EQ_HEX(payload_object_generation(s.e, sizes[k]), UINT32_MAX - 1 + i);
		}
		for (i = 0; i < N; i++) {
			CHECK_EQ_INT(payload_object_id(at(&s, sizes[k], i), sizes[k]), 17 * i);
			CHECK_EQ_INT(payload_object_generation(at(&s, sizes[k], i), sizes[k]), i % 3 ? 3 : 1);
			CHECK(payload_check(at(&s, sizes[k], i), sizes[k], OBJECTS));
		}
	}
}

/* Of 8 bytes by its number, with a chance of OBJECTS / 2^32 to be missed; of more by the words behind as well. */
static void any_flipped_bit_is_seen(void)
{
	struct elems s;
	unsigned int bit, k, seen;

	for (k = 0; k < SIZES; k++) {
		for (bit = 0, seen = 0; bit < 8 * sizes[k]; bit++) {
			make_objects(&s, sizes[k]);
			CHECK_EQ_INT(turn(&s, sizes[k], N), 0);
			at(&s, sizes[k], 5)[bit / 8] ^= (char)(1 << bit % 8);
			CHECK(!payload_check(at(&s, sizes[k], 5), sizes[k], OBJECTS));
			seen += turn(&s, sizes[k], N);
		}
		CHECK_EQ_INT(seen, 8 * sizes[k]);
	}
}

static void memory_that_nobody_wrote_is_no_object(void)
{
	static const int fill[] = { 0, 0xff, 0xa5, 1 };
	uint64_t last[1] = { 0 }, corrupt = 0, disorder = 0;
	struct elems s;
	unsigned int i, k;

	for (k = 0; k < SIZES; k++) {
		for (i = 0; i < sizeof(fill) / sizeof(fill[0]); i++) {
			memset(&s, fill[i], sizeof(s));
			CHECK(!payload_check(s.e, sizes[k], OBJECTS));
			CHECK_EQ_INT(turn(&s, sizes[k], N), N);
			memset(&s, fill[i], sizeof(s));
			corrupt = disorder = 0;
			payload_check_stream(s.e, sizes[k], N, last, 1, &corrupt, &disorder);
			CHECK_EQ_INT(corrupt + disorder, N);
		}
	}
}

/* Of a and b, which have turned a different number of times, so no half of one is that of the other. */
static void mixed_from(struct elems *s, uint32_t esize, uint32_t bytes)
{
	make_objects(s, esize);
	turn(s, esize, 1);
	memcpy(at(s, esize, 0), at(s, esize, 9), bytes);
}

static void halves_of_two_objects_are_no_object(void)
{
	struct elems s;
	unsigned int k;

	for (k = 1; k < SIZES; k++) {
		mixed_from(&s, sizes[k], 4);
		CHECK(!payload_check(s.e, sizes[k], OBJECTS));
		CHECK_EQ_INT(turn(&s, sizes[k], N), 1);
	}
}

static void words_of_two_objects_are_no_object(void)
{
	struct elems s;
	unsigned int k;
	uint32_t bytes;

	for (k = 2; k < SIZES; k++) {
		for (bytes = 8; bytes < sizes[k]; bytes += 4) {
			mixed_from(&s, sizes[k], bytes);
			CHECK(!payload_check(s.e, sizes[k], OBJECTS));
			CHECK_EQ_INT(turn(&s, sizes[k], N), 1);
		}
	}
}

/* ---- streams ---- */

#define PRODUCERS 3u

struct seen {
	uint64_t last[PRODUCERS];
	uint64_t corrupt, disorder;
};

static void look(struct seen *seen, const struct elems *s, uint32_t esize, uint32_t n)
{
	payload_check_stream(s->e, esize, n, seen->last, PRODUCERS, &seen->corrupt, &seen->disorder);
}

static void make_stream(struct elems *s, uint32_t esize, uint32_t producer, uint64_t sequence, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++)
		payload_make_stream(at(s, esize, i), esize, producer, sequence + i);
}

static void a_stream_in_order_is_sound(void)
{
	struct seen seen;
	struct elems s;
	unsigned int k;
	uint64_t from;

	for (k = 0; k < SIZES; k++) {
		memset(&seen, 0, sizeof(seen));
		for (from = 1; from < 100; from += N) {
			make_stream(&s, sizes[k], PRODUCERS - 1, from, N);
			look(&seen, &s, sizes[k], N);
		}
		CHECK_EQ_INT(seen.corrupt, 0);
		CHECK_EQ_INT(seen.disorder, 0);
		CHECK_EQ_INT(seen.last[PRODUCERS - 1], from - 1);
	}
}

/* With gaps: other consumers took what is missing. */
static void streams_that_mix_are_sound(void)
{
	struct seen seen;
	struct elems s;
	unsigned int k, i;

	for (k = 0; k < SIZES; k++) {
		memset(&seen, 0, sizeof(seen));
		for (i = 0; i < N; i++)
			payload_make_stream(at(&s, sizes[k], i), sizes[k], i % PRODUCERS, 1 + 1000 * (i / PRODUCERS));
		look(&seen, &s, sizes[k], N);
		CHECK_EQ_INT(seen.corrupt, 0);
		CHECK_EQ_INT(seen.disorder, 0);
		CHECK_EQ_INT(seen.last[1], 1 + 1000 * ((N - 2) / PRODUCERS));
	}
}

static void a_sequence_that_falls_or_repeats_is_seen(void)
{
	struct seen seen;
	struct elems s;
	unsigned int k;

	for (k = 0; k < SIZES; k++) {
		memset(&seen, 0, sizeof(seen));
		make_stream(&s, sizes[k], 1, 1, N);
		payload_make_stream(at(&s, sizes[k], 7), sizes[k], 1, 7); /* again */
		payload_make_stream(at(&s, sizes[k], 9), sizes[k], 1, 3); /* back */
		look(&seen, &s, sizes[k], N);
		CHECK_EQ_INT(seen.corrupt, 0);
		CHECK_EQ_INT(seen.disorder, 2);
		look(&seen, &s, sizes[k], 1); /* the first once more, in another call */
		CHECK_EQ_INT(seen.disorder, 3);
	}
}

static void a_producer_that_is_none_is_seen(void)
{
	struct seen seen = { .corrupt = 0 };
	struct elems s;
	unsigned int k;

	for (k = 0; k < SIZES; k++) {
		memset(&seen, 0, sizeof(seen));
		make_stream(&s, sizes[k], PRODUCERS, 1, 1);
		look(&seen, &s, sizes[k], 1);
		CHECK_EQ_INT(seen.corrupt, 1);
		CHECK_EQ_INT(seen.disorder, 0);
	}
}

static void a_torn_stream_element_is_seen(void)
{
	struct seen seen;
	struct elems s;
	unsigned int k, bytes;

	for (k = 1; k < SIZES; k++) {
		for (bytes = 4; bytes < sizes[k]; bytes += 4) {
			memset(&seen, 0, sizeof(seen));
			make_stream(&s, sizes[k], 1, 1, N);
			memcpy(at(&s, sizes[k], 5), at(&s, sizes[k], 6), bytes);
			look(&seen, &s, sizes[k], 6);
			CHECK_EQ_INT(seen.corrupt, 1);
			CHECK_EQ_INT(seen.last[1], 5);
		}
	}
}

static void a_lost_or_doubled_element_changes_the_hash(void)
{
	struct elems s, other;
	uint64_t whole;
	unsigned int k, i;

	for (k = 0; k < SIZES; k++) {
		make_stream(&s, sizes[k], 1, 1, N);
		whole = payload_hash(s.e, sizes[k], N);
		CHECK_NE_INT(payload_hash(s.e, sizes[k], N - 1), whole);
		for (i = 0; i < N; i++) /* the order does not matter */
			memcpy(at(&other, sizes[k], i), at(&s, sizes[k], N - 1 - i), sizes[k]);
		CHECK_EQ_HEX(payload_hash(other.e, sizes[k], N), whole);
		/* one lost on either side of one that is there three times: count and plain sum stay the same */
		memcpy(at(&other, sizes[k], 4), at(&other, sizes[k], 5), sizes[k]);
		memcpy(at(&other, sizes[k], 6), at(&other, sizes[k], 5), sizes[k]);
		CHECK(payload_hash(other.e, sizes[k], N) != whole);
	}
}

static void a_short_sequence_may_wrap(void)
{
	struct seen seen = { .corrupt = 0 };
	struct elems s;

	seen.last[1] = PAYLOAD_SHORT_SEQUENCE - 8;
	make_stream(&s, 4, 1, PAYLOAD_SHORT_SEQUENCE - 7, N);
	look(&seen, &s, 4, N);
	CHECK_EQ_INT(seen.corrupt, 0);
	CHECK_EQ_INT(seen.disorder, 0);
	CHECK_EQ_INT(seen.last[1], PAYLOAD_SHORT_SEQUENCE + 8);
	make_stream(&s, 4, 1, PAYLOAD_SHORT_SEQUENCE - 1, 1); /* back over the end */
	look(&seen, &s, 4, 1);
	CHECK_EQ_INT(seen.disorder, 1);
}

int main(void)
{
	TEST(the_constants_are_inverse_to_each_other);
	TEST(an_object_says_who_it_is);
	TEST(a_turn_keeps_the_id_and_counts);
	TEST(a_turn_from_here_to_there_leaves_the_source);
	TEST(a_turn_judges_the_n_alone);
	TEST(a_generation_that_wraps_is_no_fault);
	TEST(any_flipped_bit_is_seen);
	TEST(memory_that_nobody_wrote_is_no_object);
	TEST(halves_of_two_objects_are_no_object);
	TEST(words_of_two_objects_are_no_object);
	TEST(a_stream_in_order_is_sound);
	TEST(streams_that_mix_are_sound);
	TEST(a_sequence_that_falls_or_repeats_is_seen);
	TEST(a_producer_that_is_none_is_seen);
	TEST(a_torn_stream_element_is_seen);
	TEST(a_lost_or_doubled_element_changes_the_hash);
	TEST(a_short_sequence_may_wrap);
	return test_end();
}
