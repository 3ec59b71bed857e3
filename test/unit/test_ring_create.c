/* SPDX-License-Identifier: BSD-3-Clause */
/* test_ring_create.c - making rings, and refusing to; the list of names; dumps. */
#include "ring/ring_internal.h"
#include "ring_calls.h"
#include "test.h"

#include <errno.h>
#include <malloc.h>
#include <sched.h>
#include <stdlib.h>

#define ALL_PROD \
	(CORRAL_RING_F_SP_ENQ | CORRAL_RING_F_MP_RTS_ENQ | CORRAL_RING_F_MP_HTS_ENQ | CORRAL_RING_F_MP_STRICT_ENQ)
#define ALL_CONS \
	(CORRAL_RING_F_SC_DEQ | CORRAL_RING_F_MC_RTS_DEQ | CORRAL_RING_F_MC_HTS_DEQ | CORRAL_RING_F_MC_STRICT_DEQ)
#define OTHER_FLAGS (CORRAL_RING_F_EXACT_SZ | CORRAL_RING_F_NO_SLIP | CORRAL_RING_F_STATS)

/* A ring that no machine has memory for is asked for below: sanitizers are to say so as malloc does. */
const char *__asan_default_options(void);
const char *__tsan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}
const char *__tsan_default_options(void)
{
	return "allocator_may_return_null=1";
}

static void memsize(void)
{
	int64_t head = sizeof(struct corral_ring);

	CHECK_EQ_INT(corral_ring_get_memsize_elem(4, 1) % CORRAL_LINE, 0);
	CHECK_GE_INT(corral_ring_get_memsize_elem(4, 1), head + 4 + 128); /* the guard */
	CHECK_GE_INT(corral_ring_get_memsize_elem(8, 5), head + 8 * 8 + 128);
	CHECK_LE_INT(corral_ring_get_memsize_elem(8, 5), head + 8 * 8 + 3 * 128);
	CHECK_EQ_INT(corral_ring_get_memsize(1000), corral_ring_get_memsize_elem(sizeof(void *), 1000));
	CHECK_EQ_INT(corral_ring_get_memsize_elem(8, 513), corral_ring_get_memsize_elem(8, 1024));
	CHECK_EQ_INT(corral_ring_get_memsize(0), -EINVAL);
	CHECK_EQ_INT(corral_ring_get_memsize(CORRAL_RING_SIZE_MAX + 1), -EINVAL);
	CHECK_EQ_INT(corral_ring_get_memsize(UINT32_MAX), -EINVAL);
	CHECK_EQ_INT(corral_ring_get_memsize_elem(0, 1), -EINVAL);
	CHECK_EQ_INT(corral_ring_get_memsize_elem(3, 1), -EINVAL);
	CHECK_EQ_INT(corral_ring_get_memsize_elem(6, 1), -EINVAL);
	CHECK_EQ_INT(corral_ring_get_memsize_elem(CORRAL_RING_ESIZE_MAX + 4, 1), -EINVAL);
	CHECK_GE_INT(corral_ring_get_memsize_elem(CORRAL_RING_ESIZE_MAX, 1), CORRAL_RING_ESIZE_MAX);
	if (sizeof(size_t) == 4)
		CHECK_EQ_INT(corral_ring_get_memsize_elem(CORRAL_RING_ESIZE_MAX, CORRAL_RING_SIZE_MAX), -EOVERFLOW);
	else
		CHECK_GE_INT(corral_ring_get_memsize_elem(CORRAL_RING_ESIZE_MAX, CORRAL_RING_SIZE_MAX), INT64_C(1)
														<< 50);
}

/* What init and create must refuse, and with what. */
static const struct {
	const char *name;
	unsigned int esize, count, flags;
	int err;
} bad[] = {
	{ "r", 8, 0, 0, EINVAL },
	{ "r", 8, CORRAL_RING_SIZE_MAX + 1, 0, EINVAL },
	{ "r", 8, UINT32_MAX, 0, EINVAL },
	{ "r", 0, 8, 0, EINVAL },
	{ "r", 2, 8, 0, EINVAL },
	{ "r", 7, 8, 0, EINVAL },
	{ "r", CORRAL_RING_ESIZE_MAX + 4, 8, 0, EINVAL },
	{ "r", 8, 8, 0x1000, EINVAL },
	{ "r", 8, 8, 0x80000000u, EINVAL },
	{ "r", 8, 8, CORRAL_RING_F_SP_ENQ | CORRAL_RING_F_MP_RTS_ENQ, EINVAL },
	{ "r", 8, 8, CORRAL_RING_F_SP_ENQ | CORRAL_RING_F_MP_HTS_ENQ, EINVAL },
	{ "r", 8, 8, CORRAL_RING_F_MP_RTS_ENQ | CORRAL_RING_F_MP_HTS_ENQ, EINVAL },
	{ "r", 8, 8, CORRAL_RING_F_MP_STRICT_ENQ | CORRAL_RING_F_MP_HTS_ENQ, EINVAL },
	{ "r", 8, 8, ALL_PROD, EINVAL },
	{ "r", 8, 8, CORRAL_RING_F_SC_DEQ | CORRAL_RING_F_MC_RTS_DEQ, EINVAL },
	{ "r", 8, 8, CORRAL_RING_F_SC_DEQ | CORRAL_RING_F_MC_HTS_DEQ, EINVAL },
	{ "r", 8, 8, CORRAL_RING_F_MC_RTS_DEQ | CORRAL_RING_F_MC_STRICT_DEQ, EINVAL },
	{ "r", 8, 8, ALL_CONS, EINVAL },
	{ "1234567890123456789012345678901234567890123456789012345678901234", 8, 8, 0, ENAMETOOLONG },
};

static void init_refuses(void)
{
	size_t bytes = (size_t)corral_ring_get_memsize_elem(8, 8), i, k;
	unsigned char *memory = aligned_alloc(CORRAL_LINE, bytes + CORRAL_LINE);
	struct corral_ring *r = (struct corral_ring *)(void *)memory;

	CHECK(memory != NULL);
	memset(memory, 0x5a, bytes + CORRAL_LINE);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK_EQ_INT(corral_ring_init_elem(r, bad[i].name, bad[i].esize, bad[i].count, bad[i].flags),
			     -bad[i].err);
	CHECK_EQ_INT(corral_ring_init_elem(NULL, "r", 8, 8, 0), -EINVAL);
	CHECK_EQ_INT(corral_ring_init(NULL, "r", 8, 0), -EINVAL);
	for (k = 8; k < CORRAL_LINE; k += 8)
		CHECK_EQ_INT(corral_ring_init_elem((struct corral_ring *)(void *)(memory + k), "r", 8, 8, 0), -EINVAL);
	for (i = 0; i < bytes + CORRAL_LINE; i++)
		CHECK_EQ_INT(memory[i], 0x5a); /* untouched */
	CHECK_EQ_INT(corral_ring_init_elem(r, "r", 8, 8, 0), 0);
	for (i = bytes; i < bytes + CORRAL_LINE; i++)
		CHECK_EQ_INT(memory[i], 0x5a); /* nothing beyond its bytes */
	free(memory);
}

static void create_refuses_and_leaves_nothing(void)
{
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		errno = 0;
		CHECK_EQ_PTR(corral_ring_create_elem(bad[i].name, bad[i].esize, bad[i].count, bad[i].flags), NULL);
		CHECK_EQ_INT(errno, bad[i].err);
		CHECK_EQ_PTR(corral_ring_lookup("r"), NULL);
		CHECK_EQ_INT(errno, ENOENT);
	}
	errno = 0;
	CHECK_EQ_PTR(corral_ring_create_elem("r", CORRAL_RING_ESIZE_MAX, CORRAL_RING_SIZE_MAX, 0), NULL);
	CHECK(errno == ENOMEM || errno == EOVERFLOW);
	CHECK_EQ_PTR(corral_ring_lookup("r"), NULL);
}

/* Each bit that is no flag, and each two modes of one side. */
static void init_refuses_flags(void)
{
	struct corral_ring *r = ring_make(0, 8, 8, 0);
	unsigned int a, b, refused = 0;

	for (a = 0; a < 32; a++)
		if (!((1u << a) & (ALL_PROD | ALL_CONS | OTHER_FLAGS))) {
			CHECK_EQ_INT(corral_ring_init_elem(r, "r", 8, 8, 1u << a), -EINVAL);
			CHECK_EQ_INT(corral_ring_init_elem(r, "r", 8, 8, CORRAL_RING_F_SP_ENQ | 1u << a), -EINVAL);
			refused++;
		}
	CHECK_EQ_INT(refused, 32 - 11);
	for (a = 0; a < 32; a++)
		for (b = 0; b < a; b++) {
			unsigned int two = 1u << a | 1u << b, bits = ALL_PROD | ALL_CONS | OTHER_FLAGS;

			if ((two & bits) != two)
				continue;
			CHECK_EQ_INT(corral_ring_init_elem(r, "r", 8, 8, two),
				     (two & ALL_PROD) == two || (two & ALL_CONS) == two ? -EINVAL : 0);
		}
	ring_unmake(r);
}

/* What is wrong in the asking is said even where there would be no memory either. */
static void errors_come_before_memory(void)
{
	struct corral_ring *r = corral_ring_create("r", 3, 0);

	CHECK(r != NULL);
	errno = 0;
	CHECK_EQ_PTR(corral_ring_create_elem("x", CORRAL_RING_ESIZE_MAX, CORRAL_RING_SIZE_MAX, 0x1000), NULL);
	CHECK_EQ_INT(errno, EINVAL);
	if (sizeof(size_t) > 4) {
		errno = 0;
		CHECK_EQ_PTR(corral_ring_create_elem("r", CORRAL_RING_ESIZE_MAX, CORRAL_RING_SIZE_MAX, 0), NULL);
		CHECK_EQ_INT(errno, EEXIST);
	}
	CHECK_EQ_INT(corral_ring_free(r), 0);
}

static void create_lookup_free(void)
{
	struct corral_ring *r = corral_ring_create_elem("ring", 12, 5, CORRAL_RING_F_SP_ENQ | CORRAL_RING_F_STATS);

	CHECK(r != NULL);
	CHECK_EQ_INT((uintptr_t)r % CORRAL_LINE, 0);
	CHECK_EQ_PTR(corral_ring_lookup("ring"), r);
	CHECK_EQ_PTR(corral_ring_lookup("rin"), NULL);
	CHECK_EQ_PTR(corral_ring_lookup("rings"), NULL);
	CHECK_EQ_STR(r->name, "ring");
	CHECK_EQ_INT(r->memsize, corral_ring_get_memsize_elem(12, 5));
	CHECK_EQ_INT(corral_ring_empty(r), 1);
	CHECK_EQ_INT(corral_ring_get_capacity(r), 5);
	CHECK_EQ_INT(corral_ring_get_prod_sync_type(r), CORRAL_RING_SYNC_ST);
	CHECK_EQ_INT(put(r, 1, 5), 5);
	CHECK(get_is(r, 1, 5));
	CHECK_EQ_INT(corral_ring_free(r), 0);
	errno = 0;
	CHECK_EQ_PTR(corral_ring_lookup("ring"), NULL);
	CHECK_EQ_INT(errno, ENOENT);
}

static void every_flag_alone_is_taken(void)
{
	static const unsigned int flags[] = { 0,
					      CORRAL_RING_F_SP_ENQ,
					      CORRAL_RING_F_SC_DEQ,
					      CORRAL_RING_F_EXACT_SZ,
					      CORRAL_RING_F_MP_RTS_ENQ,
					      CORRAL_RING_F_MC_RTS_DEQ,
					      CORRAL_RING_F_MP_HTS_ENQ,
					      CORRAL_RING_F_MC_HTS_DEQ,
					      CORRAL_RING_F_MP_STRICT_ENQ,
					      CORRAL_RING_F_MC_STRICT_DEQ,
					      CORRAL_RING_F_NO_SLIP,
					      CORRAL_RING_F_STATS };

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		struct corral_ring *r = corral_ring_create(NULL, 3, flags[i]);

		CHECK(r != NULL);
		CHECK_EQ_INT(corral_ring_enqueue(r, r), 0);
		CHECK_EQ_INT(corral_ring_free(r), 0);
	}
}

static void a_name_of_63_bytes(void)
{
	const char *name = "123456789012345678901234567890123456789012345678901234567890123";
	struct corral_ring *r = corral_ring_create(name, 3, 0);

	CHECK(r != NULL);
	CHECK_EQ_PTR(corral_ring_lookup(name), r);
	CHECK_EQ_STR(r->name, name);
	CHECK_EQ_INT(corral_ring_free(r), 0);
	CHECK_EQ_PTR(corral_ring_lookup(name), NULL);
}

static void a_name_is_taken_until_it_is_free(void)
{
	struct corral_ring *a = corral_ring_create("a", 3, 0), *b = corral_ring_create("b", 3, 0);

	CHECK(a != NULL && b != NULL);
	errno = 0;
	CHECK_EQ_PTR(corral_ring_create("a", 5, 0), NULL);
	CHECK_EQ_INT(errno, EEXIST);
	CHECK_EQ_PTR(corral_ring_lookup("a"), a);
	CHECK_EQ_PTR(corral_ring_lookup("b"), b);
	CHECK_EQ_INT(corral_ring_free(a), 0);
	errno = 0;
	CHECK_EQ_PTR(corral_ring_lookup("a"), NULL);
	CHECK_EQ_INT(errno, ENOENT);
	a = corral_ring_create("a", 5, 0);
	CHECK(a != NULL);
	CHECK_EQ_INT(corral_ring_free(b), 0);
	CHECK_EQ_PTR(corral_ring_lookup("a"), a);
	CHECK_EQ_INT(corral_ring_free(a), 0);
}

static void nameless_rings_are_not_found(void)
{
	struct corral_ring *a = corral_ring_create(NULL, 3, 0), *b = corral_ring_create("", 3, 0);

	CHECK(a != NULL && b != NULL && a != b);
	errno = 0;
	CHECK_EQ_PTR(corral_ring_lookup(""), NULL);
	CHECK_EQ_INT(errno, EINVAL);
	errno = 0;
	CHECK_EQ_PTR(corral_ring_lookup(NULL), NULL);
	CHECK_EQ_INT(errno, EINVAL);
	CHECK_EQ_INT(corral_ring_free(a), 0);
	CHECK_EQ_INT(corral_ring_free(b), 0);
}

static void free_of_what_was_not_created(void)
{
	struct corral_ring *own = ring_make(0, 8, 3, 0), *r = corral_ring_create("r", 3, 0);

	CHECK_EQ_INT(corral_ring_free(NULL), 0);
	CHECK_EQ_INT(corral_ring_free(own), -EINVAL);
	CHECK_EQ_INT(put(own, 1, 1), 1); /* it is as it was */
	CHECK_EQ_INT(corral_ring_free(r), 0);
	CHECK_EQ_INT(corral_ring_free(r), -EINVAL);
	ring_unmake(own);
}

static void cold_calls_refuse_what_is_no_ring(void)
{
	struct corral_ring_stats s;
	struct corral_wait_policy p;
	struct corral_ring *r = ring_make(0, 8, 3, 0);

	CHECK_EQ_INT(corral_wait_policy_init(&p, CORRAL_WAIT_DEFAULT), 0);
	CHECK_EQ_INT(corral_ring_reset(NULL), -EINVAL);
	CHECK_EQ_INT(corral_ring_flush(NULL), -EINVAL);
	CHECK_EQ_INT(corral_ring_get_stats(NULL, &s), -EINVAL);
	CHECK_EQ_INT(corral_ring_get_stats(r, NULL), -EINVAL);
	CHECK_EQ_INT(corral_ring_set_wait(NULL, &p), -EINVAL);
	CHECK_EQ_INT(corral_ring_set_wait(r, NULL), -EINVAL);
	CHECK_EQ_INT(corral_ring_dump(NULL, r), -EINVAL);
	CHECK_EQ_INT(corral_ring_dump(stdout, NULL), -EINVAL);
	CHECK_EQ_INT(corral_ring_list_dump(NULL), -EINVAL);
	for (int spoilt = 0; spoilt < 2; spoilt++) {
		if (spoilt == 0)
			r->magic++;
		else
			r->layout++;
		CHECK_EQ_INT(corral_ring_reset(r), -EINVAL);
		CHECK_EQ_INT(corral_ring_flush(r), -EINVAL);
		CHECK_EQ_INT(corral_ring_get_stats(r, &s), -EINVAL);
		CHECK_EQ_INT(corral_ring_set_wait(r, &p), -EINVAL);
		CHECK_EQ_INT(corral_ring_dump(stdout, r), -EINVAL);
		r->magic = CORRAL_RING_MAGIC;
	}
	ring_unmake(r);
}

/* What fn writes to a file, as a string. */
static char dumped[4096];

static int dump_of(struct corral_ring *r)
{
	FILE *f = fmemopen(dumped, sizeof(dumped), "w");
	int rc;

	CHECK(f != NULL);
	memset(dumped, 0, sizeof(dumped));
	rc = r != NULL ? corral_ring_dump(f, r) : corral_ring_list_dump(f);
	fclose(f);
	return rc;
}

static void dump_says_what_and_how_full(void)
{
	struct corral_ring *r =
		ring_make(CORRAL_RING_F_SP_ENQ | CORRAL_RING_F_MC_HTS_DEQ | CORRAL_RING_F_STATS, 8, 5, 0);
	uint64_t v;

	CHECK_EQ_INT(put(r, 1, 3), 3);
	CHECK(get_is(r, 1, 1));
	CHECK_EQ_INT(dump_of(r), 0);
	CHECK_HAS_STR(dumped, "<test>");
	CHECK_HAS_STR(dumped, "capacity 5 objects of 8 bytes");
	CHECK_HAS_STR(dumped, "used 2, free 3");
	CHECK_HAS_STR(dumped, "producers: ST, position 3");
	CHECK_HAS_STR(dumped, "consumers: HTS, position 1");
	CHECK_HAS_STR(dumped, "found full 0, found empty 0");
	CHECK_EQ_INT(corral_ring_dequeue_bulk_elem_start(r, &v, 8, 1, NULL), 1);
	CHECK_EQ_INT(dump_of(r), 0);
	CHECK_HAS_STR(dumped, "peek open to 2");
	CHECK_EQ_INT(corral_ring_dequeue_elem_finish(r, 0), 0);
	ring_unmake(r);
	r = ring_make(CORRAL_RING_F_MP_RTS_ENQ | CORRAL_RING_F_MC_STRICT_DEQ, 8, 80, 0);
	CHECK_EQ_INT(put(r, 1, 3), 3);
	CHECK_EQ_INT(dump_of(r), 0);
	CHECK_HAS_STR(dumped, "producers: RTS, position 3, claimed to 3 (mod 2^48), in flight 0, htd_max 10");
	CHECK_HAS_STR(dumped, "consumers: MT, position 0, claimed to 0");
	ring_unmake(r);
}

static void dump_of_every_mode(void)
{
	char want[80];

	for (unsigned int p = 0; p < mode_count; p++)
		for (unsigned int c = 0; c < mode_count; c++) {
			struct corral_ring *r =
				ring_make(modes[p].prod_flag | modes[c].cons_flag, 12, 5, (UINT64_C(1) << 62) - 1);

			CHECK_EQ_INT(put(r, 1, 3), 3);
			CHECK_EQ_INT(dump_of(r), 0);
			snprintf(want, sizeof(want), "producers: %s, position 4611686018427387906", modes[p].name);
			CHECK_HAS_STR(dumped, want);
			snprintf(want, sizeof(want), "consumers: %s, position 4611686018427387903", modes[c].name);
			CHECK_HAS_STR(dumped, want);
			CHECK_HAS_STR(dumped, "capacity 5 objects of 12 bytes, table 8 slots");
			CHECK_HAS_STR(dumped, "used 3, free 2");
			CHECK(strstr(dumped, "found full") == NULL);
			CHECK(get_is(r, 1, 3)); /* it only looked */
			ring_unmake(r);
		}
}

static void list_dump_has_all_in_order(void)
{
	struct corral_ring *a = corral_ring_create("first", 3, 0), *n = corral_ring_create(NULL, 3, 0),
			   *b = corral_ring_create("a second", 3, 0), *own = ring_make(0, 8, 3, 0);

	CHECK(a != NULL && b != NULL && n != NULL);
	CHECK_EQ_INT(dump_of(NULL), 0);
	CHECK_HAS_STR(dumped, "<first>");
	CHECK_HAS_STR(strstr(dumped, "<first>"), "<>");
	CHECK_HAS_STR(strstr(dumped, "<>"), "<a second>");
	CHECK(strstr(dumped, "<test>") == NULL); /* in memory of the caller's */
	ring_unmake(own);
	CHECK_EQ_INT(corral_ring_free(n), 0);
	CHECK_EQ_INT(corral_ring_free(a), 0);
	CHECK_EQ_INT(dump_of(NULL), 0);
	CHECK(strstr(dumped, "<first>") == NULL);
	CHECK_HAS_STR(dumped, "<a second>");
	CHECK_EQ_INT(corral_ring_free(b), 0);
	CHECK_EQ_INT(dump_of(NULL), 0);
	CHECK_EQ_STR(dumped, "");
}

static void a_dump_to_a_full_disk_says_so(void)
{
	struct corral_ring *r = corral_ring_create("r", 3, 0);
	FILE *f = fopen("/dev/full", "w");

	CHECK(r != NULL);
	if (f == NULL)
		SKIP("/dev/full cannot be opened: mknod -m 666 /dev/full c 1 7");
	CHECK_EQ_INT(corral_ring_dump(f, r), -EIO);
	CHECK_EQ_INT(corral_ring_list_dump(f), -EIO);
	fclose(f);
	CHECK_EQ_INT(corral_ring_free(r), 0);
}

static void *make_and_free(void *arg)
{
	unsigned int i, n = scaled(1000);
	char name[24];

	snprintf(name, sizeof(name), "t%p", arg);
	for (i = 0; i < n; i++) {
		struct corral_ring *r = corral_ring_create(name, 3, 0);

		CHECK(r != NULL);
		CHECK_EQ_PTR(corral_ring_lookup(name), r);
		CHECK_EQ_INT(corral_ring_free(r), 0);
	}
	return NULL;
}

static void threads_share_the_list(void)
{
	static char names[4];
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		CHECK_EQ_INT(pthread_create(&t[i], NULL, make_and_free, &names[i]), 0);
	for (int i = 0; i < 4; i++)
		CHECK_EQ_INT(pthread_join(t[i], NULL), 0);
	CHECK_EQ_INT(dump_of(NULL), 0);
	CHECK_EQ_STR(dumped, "");
}

static struct corral_a32 arrived, got_it;

/* Two threads go on at the same moment, or nearly: by spinning, since to be woken takes longer than to make a ring. */
static void meet(uint32_t *times)
{
	unsigned int spins = 0;

	*times += 2;
	corral_fetch_add(&arrived, 1, CORRAL_ACQ_REL);
	while (corral_load(&arrived, CORRAL_ACQUIRE) < *times)
		if (++spins % 100 == 0)
			sched_yield();
}

static void *contend(void *arg)
{
	unsigned int i, n = scaled(1000);
	uint32_t times = 0, got;

	for (i = 1; i <= n; i++) {
		struct corral_ring *r;

		meet(&times);
		errno = 0;
		r = corral_ring_create_elem("contended", 1u << 16, 4, 0);
		if (r != NULL)
			corral_fetch_add(&got_it, 1, CORRAL_RELAXED);
		else
			CHECK_EQ_INT(errno, EEXIST);
		meet(&times);
		got = corral_load(&got_it, CORRAL_RELAXED);
		CHECK_EQ_INT(got, i);
		if (r != NULL)
			CHECK_EQ_PTR(corral_ring_lookup("contended"), r);
		meet(&times);
		CHECK_EQ_INT(corral_ring_free(r), 0);
	}
	return arg;
}

static void one_of_two_threads_gets_a_name(void)
{
	pthread_t t[2];

#ifdef M_MMAP_THRESHOLD
	/* memory by system calls: they then take most of the time, in which the other may get the name */
	mallopt(M_MMAP_THRESHOLD, 1 << 17);
#endif
	for (int i = 0; i < 2; i++)
		CHECK_EQ_INT(pthread_create(&t[i], NULL, contend, NULL), 0);
	for (int i = 0; i < 2; i++)
		CHECK_EQ_INT(pthread_join(t[i], NULL), 0);
	CHECK_EQ_PTR(corral_ring_lookup("contended"), NULL);
}

int main(void)
{
	TEST(memsize);
	TEST(init_refuses);
	TEST(create_refuses_and_leaves_nothing);
	TEST(init_refuses_flags);
	TEST(errors_come_before_memory);
	TEST(create_lookup_free);
	TEST(every_flag_alone_is_taken);
	TEST(a_name_of_63_bytes);
	TEST(a_name_is_taken_until_it_is_free);
	TEST(nameless_rings_are_not_found);
	TEST(free_of_what_was_not_created);
	TEST(cold_calls_refuse_what_is_no_ring);
	TEST(dump_says_what_and_how_full);
	TEST(dump_of_every_mode);
	TEST(list_dump_has_all_in_order);
	TEST(a_dump_to_a_full_disk_says_so);
	TEST(threads_share_the_list);
	TEST(one_of_two_threads_gets_a_name);
	return test_end();
}
