/* SPDX-License-Identifier: BSD-3-Clause */
/* test_base.c - version, error texts, atomic words, copies. */
#include "test.h"

#include <corral/atomic.h>
#include <corral/base.h>

#include <errno.h>
#include <limits.h>

static void version_of_library_and_headers(void)
{
	char text[32];

	CHECK_EQ_STR(corral_version(), CORRAL_VERSION);
	snprintf(text, sizeof(text), "%d.%d.%d", CORRAL_VERSION_MAJOR, CORRAL_VERSION_MINOR, CORRAL_VERSION_PATCH);
	CHECK_EQ_STR(corral_version(), text);
}

static void strerror_has_cause_and_remedy(void)
{
	static const int errs[] = { EINVAL,  ENAMETOOLONG, EEXIST,  ENOENT, ENOBUFS,
				    ENOTSUP, EBUSY,	   EDEADLK, EPERM,  EOVERFLOW };
	char first[256];

	for (size_t i = 0; i < sizeof(errs) / sizeof(errs[0]); i++) {
		snprintf(first, sizeof(first), "%s", corral_strerror(errs[i]));
		CHECK_HAS_STR(first, "(");
		CHECK_EQ_STR(corral_strerror(-errs[i]), first);
	}
	CHECK_HAS_STR(corral_strerror(-EEXIST), "name");
	CHECK_HAS_STR(corral_strerror(-ENOBUFS), "full");
}

static void strerror_of_any_number(void)
{
	CHECK(strlen(corral_strerror(0)) > 0);
	CHECK(strlen(corral_strerror(EIO)) > 0);
	CHECK_HAS_STR(corral_strerror(123456), "unknown error");
	CHECK_HAS_STR(corral_strerror(INT_MIN), "unknown error");
	CHECK_HAS_STR(corral_strerror(INT_MAX), "unknown error");
}

static void *other_text(void *arg)
{
	*(const char **)arg = corral_strerror(EIO);
	return NULL;
}

static void strerror_texts_belong_to_their_thread(void)
{
	const char *mine = corral_strerror(EEXIST), *theirs = NULL;
	char copy[256];
	pthread_t t;

	snprintf(copy, sizeof(copy), "%s", mine);
	CHECK_EQ_INT(pthread_create(&t, NULL, other_text, &theirs), 0);
	pthread_join(t, NULL);
	CHECK_EQ_STR(mine, copy);
	CHECK(theirs != mine);
}

static void words_are_aligned_on_every_architecture(void)
{
	struct {
		char c;
		struct corral_a64 w;
	} x;
	struct {
		char c;
		struct corral_a32 w;
	} y;

	CHECK_EQ_INT((char *)&x.w - (char *)&x, 8);
	CHECK_EQ_INT((char *)&y.w - (char *)&y, 4);
	CHECK_EQ_INT(sizeof(struct corral_a64), 8);
	CHECK_EQ_INT(sizeof(struct corral_a32), 4);
}

static void words_load_store_add_cas(void)
{
	struct corral_a64 w = { 0 };
	struct corral_a32 n = { 0 };
	uint64_t expected;
	uint32_t narrow;

	corral_store(&w, UINT64_C(0xfedcba9876543210), CORRAL_RELEASE);
	CHECK_EQ_HEX(corral_load(&w, CORRAL_ACQUIRE), UINT64_C(0xfedcba9876543210));
	CHECK_EQ_HEX(corral_fetch_add(&w, UINT64_C(0x100000000), CORRAL_ACQ_REL), UINT64_C(0xfedcba9876543210));
	expected = 7;
	CHECK(!corral_cas(&w, &expected, 1, CORRAL_ACQ_REL, CORRAL_RELAXED));
	CHECK_EQ_HEX(expected, UINT64_C(0xfedcba9976543210));
	CHECK(corral_cas(&w, &expected, 1, CORRAL_ACQ_REL, CORRAL_RELAXED));
	CHECK_EQ_HEX(corral_load(&w, CORRAL_RELAXED), 1);
	corral_store(&n, 0xffffffffu, CORRAL_RELAXED);
	CHECK_EQ_HEX(corral_fetch_add(&n, 2, CORRAL_RELAXED), 0xffffffffu);
	narrow = 1;
	CHECK(corral_cas(&n, &narrow, 5, CORRAL_ACQUIRE, CORRAL_RELAXED));
	CHECK_EQ_HEX(corral_load(&n, CORRAL_RELAXED), 5);
}

/* Every length up to more than any unrolled part, at every alignment of the caller's memory. */
static void try_copies(void (*copy)(void *, const void *, size_t), int to_is_aligned)
{
	static unsigned char from[400] CORRAL_ALIGNED(16), to[400] CORRAL_ALIGNED(16);
	size_t bytes, i;

	for (bytes = 4; bytes <= 300; bytes += 4)
		for (unsigned int off = 0; off < 16; off++) {
			unsigned char *d = to + 16 + (to_is_aligned ? 0 : off),
				      *s = from + 16 + (to_is_aligned ? off : 0);

			for (i = 0; i < sizeof(from); i++)
				from[i] = (unsigned char)(i * 7 + 1);
			memset(to, 0xee, sizeof(to));
			copy(d, s, bytes);
			CHECK(memcmp(d, s, bytes) == 0);
			for (i = 0; i < sizeof(to); i++)
				if (to + i < d || to + i >= d + bytes)
					CHECK_EQ_INT(to[i], 0xee);
		}
}

static void in(void *d, const void *s, size_t bytes)
{
	corral_copy_in(d, s, bytes);
}

static void out(void *d, const void *s, size_t bytes)
{
	corral_copy_out(d, s, bytes);
}

static void copy_in_moves_just_the_bytes(void)
{
	try_copies(in, 1);
}

static void copy_out_moves_just_the_bytes(void)
{
	try_copies(out, 0);
}

static void touch_changes_nothing(void)
{
	uint32_t word = 0x12345678, before = word;

	corral_touch(&word);
	CHECK_EQ_HEX(word, before);
}

int main(void)
{
	TEST(version_of_library_and_headers);
	TEST(strerror_has_cause_and_remedy);
	TEST(strerror_of_any_number);
	TEST(strerror_texts_belong_to_their_thread);
	TEST(words_are_aligned_on_every_architecture);
	TEST(words_load_store_add_cas);
	TEST(copy_in_moves_just_the_bytes);
	TEST(copy_out_moves_just_the_bytes);
	TEST(touch_changes_nothing);
	return test_end();
}
