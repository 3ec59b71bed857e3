/* SPDX-License-Identifier: BSD-3-Clause */
/* test_base.c - what every room stands on: version, error texts, atomic words, the copy of elements. */
#include "test.h"

#include <corral/atomic.h>
#include <corral/base.h>

#include <errno.h>
#include <limits.h>

static void version_of_library_and_headers(void)
{
	char text[40];

	snprintf(text, sizeof(text), "%d.%d.%d", CORRAL_VERSION_MAJOR, CORRAL_VERSION_MINOR, CORRAL_VERSION_PATCH);
	CHECK_EQ_STR(CORRAL_VERSION, text);
	CHECK_EQ_STR(corral_version(), text);
}

/* The errors that this library gives, and a word of what it says of each. */
static const struct {
	int err;
	const char *word;
} wanted[] = {
	{ EINVAL, "element size" }, { ENAMETOOLONG, "63 bytes" }, { EEXIST, "free it first" }, { ENOENT, "empty" },
	{ ENOBUFS, "full" },	    { ENOTSUP, "mode" },	  { EBUSY, "finish it" },      { EDEADLK, "itself" },
	{ EPERM, "thread" },	    { EOVERFLOW, "large" },
};
#define WANTED (sizeof(wanted) / sizeof(wanted[0]))

static void strerror_has_cause_and_remedy(void)
{
	char positive[300];
	size_t i, words;

	for (i = 0; i < WANTED; i++) {
		snprintf(positive, sizeof(positive), "%s", corral_strerror(wanted[i].err));
		words = strlen(strerror(wanted[i].err));
		CHECK_EQ_INT(strncmp(positive, strerror(wanted[i].err), words), 0); /* the system's words first */
		CHECK_EQ_INT(strncmp(positive + words, " (", 2), 0);
		CHECK_HAS_STR(positive + words, wanted[i].word);
		CHECK_EQ_INT(positive[strlen(positive) - 1], ')'); /* not cut */
		CHECK_EQ_STR(corral_strerror(-wanted[i].err), positive);
	}
	CHECK_EQ_STR(corral_strerror(ENOMEM), strerror(ENOMEM)); /* nothing to add */
	CHECK_EQ_STR(corral_strerror(-EIO), strerror(EIO));
}

static void strerror_of_any_number(void)
{
	static const int odd[] = { 4095, 99999, -99999, 1 << 30, INT_MAX, -INT_MAX, INT_MIN };
	size_t i;
	int err;

	errno = 77;
	for (err = -200; err <= 200; err++)
		CHECK_GT_INT(strlen(corral_strerror(err)), 0);
	for (i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
		CHECK_EQ_STR(corral_strerror(odd[i]), "unknown error");
	CHECK_EQ_INT(errno, 77); /* who asks for the text may still want the number */
}

static void *other_text(void *arg)
{
	*(const char **)arg = corral_strerror(ENOBUFS);
	CHECK_HAS_STR(*(const char **)arg, "full");
	return NULL;
}

static void strerror_texts_belong_to_their_thread(void)
{
	const char *mine = corral_strerror(EEXIST), *theirs = NULL;
	pthread_t t;

	CHECK_EQ_INT(pthread_create(&t, NULL, other_text, &theirs), 0);
	CHECK_EQ_INT(pthread_join(t, NULL), 0);
	CHECK(theirs != NULL && theirs != mine);
	CHECK_HAS_STR(mine, "free it first");
}

static void words_are_aligned_on_every_architecture(void)
{
	struct {
		char c;
		struct corral_a64 w;
		char d;
		struct corral_a32 v;
	} s;

	CHECK_EQ_INT(offsetof(__typeof__(s), w), 8);
	CHECK_EQ_INT(offsetof(__typeof__(s), v), 20);
	CHECK_EQ_INT(sizeof(s), 24);
	CHECK_EQ_INT((uintptr_t)&s.w % 8, 0);
}

static void words_load_store_add_cas(void)
{
	const uint64_t top = UINT64_C(1) << 63, low = UINT32_MAX;
	struct corral_a64 w;
	struct corral_a32 v;
	uint64_t seen;
	uint32_t seen32;

	corral_store(&w, UINT64_MAX, CORRAL_RELEASE);
	CHECK_EQ_HEX(corral_load(&w, CORRAL_ACQUIRE), UINT64_MAX);
	CHECK_EQ_HEX(corral_fetch_add(&w, 1, CORRAL_RELAXED), UINT64_MAX);
	CHECK_EQ_HEX(corral_load(&w, CORRAL_RELAXED), 0);
	corral_store(&w, low, CORRAL_RELAXED);
	CHECK_EQ_HEX(corral_fetch_add(&w, 1, CORRAL_ACQ_REL), low); /* carries into the upper half */
	CHECK_EQ_HEX(corral_load(&w, CORRAL_RELAXED), low + 1);

	seen = 0; /* the lower half alone is the same */
	CHECK_EQ_INT(!corral_cas(&w, &seen, top, CORRAL_RELEASE, CORRAL_ACQUIRE), 1);
	CHECK_EQ_HEX(seen, low + 1);
	CHECK_EQ_HEX(corral_load(&w, CORRAL_RELAXED), low + 1);
	CHECK_EQ_INT(!corral_cas(&w, &seen, top, CORRAL_RELEASE, CORRAL_RELAXED), 0);
	CHECK_EQ_HEX(seen, low + 1);
	CHECK_EQ_HEX(corral_load(&w, CORRAL_RELAXED), top);

	corral_store(&v, UINT32_MAX, CORRAL_RELAXED);
	CHECK_EQ_HEX(corral_fetch_add(&v, 1, CORRAL_RELAXED), UINT32_MAX);
	CHECK_EQ_HEX(corral_load(&v, CORRAL_RELAXED), 0);
	seen32 = 5;
	CHECK_EQ_INT(!corral_cas(&v, &seen32, 9, CORRAL_ACQ_REL, CORRAL_RELAXED), 1);
	CHECK_EQ_HEX(seen32, 0);
	CHECK_EQ_INT(!corral_cas(&v, &seen32, 9, CORRAL_ACQ_REL, CORRAL_RELAXED), 0);
	CHECK_EQ_HEX(corral_load(&v, CORRAL_RELAXED), 9);
}

#define THREADS 4
#define TIMES 2000

static struct corral_a64 added, swapped, whole;
static struct corral_a32 added32;

static void *change(void *arg)
{
	uint64_t seen;

	for (int i = 0; i < TIMES; i++) {
		corral_fetch_add(&added, 1, CORRAL_RELAXED);
		corral_fetch_add(&added32, 1, CORRAL_RELAXED);
		seen = corral_load(&swapped, CORRAL_RELAXED);
		while (!corral_cas(&swapped, &seen, seen + 3, CORRAL_RELAXED, CORRAL_RELAXED))
			;
		corral_store(&whole, i % 2 ? 0 : UINT64_MAX, CORRAL_RELAXED);
		seen = corral_load(&whole, CORRAL_RELAXED);
		if (seen != 0)
			CHECK_EQ_HEX(seen, UINT64_MAX); /* no half of one and half of the other */
	}
	return arg;
}

static void words_are_atomic(void)
{
	const uint64_t start = UINT32_MAX - THREADS * TIMES / 2; /* the carry passes too */
	pthread_t t[THREADS];

	corral_store(&added, start, CORRAL_RELAXED);
	corral_store(&swapped, start, CORRAL_RELAXED);
	corral_store(&added32, 0, CORRAL_RELAXED);
	for (int i = 0; i < THREADS; i++)
		CHECK_EQ_INT(pthread_create(&t[i], NULL, change, NULL), 0);
	for (int i = 0; i < THREADS; i++)
		CHECK_EQ_INT(pthread_join(t[i], NULL), 0);
	CHECK_EQ_HEX(corral_load(&added, CORRAL_RELAXED), start + THREADS * TIMES);
	CHECK_EQ_HEX(corral_load(&swapped, CORRAL_RELAXED), start + 3 * THREADS * TIMES);
	CHECK_EQ_INT(corral_load(&added32, CORRAL_RELAXED), THREADS * TIMES);
}

/*
 * A source whose last byte is the last of its allocation, so that checkers see a read beyond it, and a target with
 * known bytes around.
 */
#define MOST 260 /* bytes of a copy */
#define SHIFTS 16

static unsigned char to[SHIFTS + MOST + 64], *from, *from_block;

static void prepare(size_t shift, size_t bytes)
{
	from_block = malloc(shift + bytes);
	CHECK(from_block != NULL);
	from = from_block + shift;
	for (size_t i = 0; i < bytes; i++)
		from[i] = (unsigned char)(1 + i % 251);
	memset(to, 0xee, sizeof(to));
}

static void check_copied(size_t shift, size_t bytes)
{
	for (size_t i = 0; i < sizeof(to); i++) {
		int want = i < shift || i >= shift + bytes ? 0xee : (int)(1 + (i - shift) % 251);

		if (to[i] != want)
			test_fail_(__FILE__, __LINE__, "%zu bytes to offset %zu: byte %zu is 0x%02x, should be 0x%02x",
				   bytes, shift, i, to[i], (unsigned int)want);
	}
	free(from_block);
}

/* Every length, with source and target at every place within 16 bytes. */
#define EACH_COPY(bytes, s, t) \
	for (size_t bytes = 4; bytes <= MOST; bytes += 4) \
		for (size_t s = 0; s < SHIFTS; s++) \
			for (size_t t = 0; t < SHIFTS; t += bytes <= 68 ? 1 : 5)

static void copy_in_moves_just_the_bytes(void)
{
	EACH_COPY(bytes, s, t)
	{
		prepare(s, bytes);
		corral_copy_in(to + t, from, bytes);
		check_copied(t, bytes);
	}
}

static void copy_out_moves_just_the_bytes(void)
{
	EACH_COPY(bytes, s, t)
	{
		prepare(s, bytes);
		corral_copy_out(to + t, from, bytes);
		check_copied(t, bytes);
	}
}

/* Where the length is a constant, other code comes out. */
#define COPY(n) \
	do { \
		for (size_t s = 0; s < SHIFTS; s++) { \
			prepare(s, n); \
			corral_copy_in(to + 7 - s % 8, from, n); \
			check_copied(7 - s % 8, n); \
			prepare(7 - s % 8, n); \
			corral_copy_out(to + s, from, n); \
			check_copied(s, n); \
		} \
	} while (0)

static void copy_of_constant_lengths(void)
{
	COPY(4);
	COPY(8);
	COPY(12);
	COPY(16);
	COPY(20);
	COPY(24);
	COPY(28);
	COPY(32);
	COPY(36);
	COPY(40);
	COPY(48);
	COPY(60);
	COPY(64);
	COPY(68);
	COPY(96);
	COPY(100);
	COPY(128);
	COPY(256);
}

static void a_touch_changes_nothing(void)
{
	uint32_t words[3] = { 0x01020304, 0x05060708, 0x090a0b0c };

	corral_touch(&words[1]);
	CHECK_EQ_HEX(words[0], 0x01020304);
	CHECK_EQ_HEX(words[1], 0x05060708);
	CHECK_EQ_HEX(words[2], 0x090a0b0c);
}

int main(void)
{
	TEST(version_of_library_and_headers);
	TEST(strerror_has_cause_and_remedy);
	TEST(strerror_of_any_number);
	TEST(strerror_texts_belong_to_their_thread);
	TEST(words_are_aligned_on_every_architecture);
	TEST(words_load_store_add_cas);
	TEST(words_are_atomic);
	TEST(copy_in_moves_just_the_bytes);
	TEST(copy_out_moves_just_the_bytes);
	TEST(copy_of_constant_lengths);
	TEST(a_touch_changes_nothing);
	return test_end();
}
