/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_ring_shared.c - the shared library by dlopen, as another language would use it: every call of ring.h is a
 * symbol, and called by its address does what the inline call does.
 */
#include "ring_calls.h"
#include "test.h"

#include <dlfcn.h>
#include <errno.h>

#define ES 12 /* bytes an element where that is free */

static void *so;

static void *symbol(const char *name)
{
	void *p = dlsym(so, name);

	if (p == NULL)
		CHECK_EQ_STR(name, "a symbol of the shared library");
	return p;
}

/* A data pointer as a function pointer: POSIX says that they are the same size, ISO C says nothing. */
#define ADDRESS(fn, name) \
	do { \
		void *p_ = symbol(name); \
\
		memcpy(&(fn), &p_, sizeof(fn)); \
	} while (0)

/* All that is public besides the 60 calls of the table in ring_calls.h and the peeks below. */
static const char *const others[] = {
	"corral_ring_count",
	"corral_ring_free_count",
	"corral_ring_full",
	"corral_ring_empty",
	"corral_ring_get_size",
	"corral_ring_get_capacity",
	"corral_ring_get_memsize",
	"corral_ring_get_memsize_elem",
	"corral_ring_init",
	"corral_ring_init_elem",
	"corral_ring_create",
	"corral_ring_create_elem",
	"corral_ring_free",
	"corral_ring_lookup",
	"corral_ring_reset",
	"corral_ring_dump",
	"corral_ring_list_dump",
	"corral_ring_get_stats",
	"corral_ring_set_wait",
	"corral_ring_flush",
	"corral_ring_get_prod_sync_type",
	"corral_ring_get_cons_sync_type",
	"corral_ring_is_prod_single",
	"corral_ring_is_cons_single",
	"corral_ring_set_prod_htd_max",
	"corral_ring_set_cons_htd_max",
	"corral_ring_get_prod_htd_max",
	"corral_ring_get_cons_htd_max",
	"corral_wait_policy_init",
	"corral_wait_policy_tune",
	"corral_wait_pause_ps",
	"corral_wait_step",
	"corral_wait_backoff",
	"corral_wait_progress",
	"corral_pause",
	"corral_version",
	"corral_strerror",
};

static const char *const peeks[] = {
	"bulk_start", "burst_start",	    "bulk_elem_start",	   "burst_elem_start",
	"finish",     "elem_finish",	    "zc_bulk_start",	   "zc_burst_start",
	"zc_finish",  "zc_bulk_elem_start", "zc_burst_elem_start", "zc_elem_finish",
};

static void every_call_is_a_symbol(void)
{
	char name[80];

	for (unsigned int i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		symbol(others[i]);
	CHECK_EQ_INT(call_count, 60);
	for (const struct call *c = calls; c < calls + call_count; c++) {
		snprintf(name, sizeof(name), "corral_ring_%s", c->name);
		symbol(name);
	}
	for (unsigned int i = 0; i < sizeof(peeks) / sizeof(peeks[0]); i++) {
		snprintf(name, sizeof(name), "corral_ring_enqueue_%s", peeks[i]);
		symbol(name);
		snprintf(name, sizeof(name), "corral_ring_dequeue_%s", peeks[i]);
		symbol(name);
	}
}

static void what_only_tests_may_reach_is_none(void)
{
	CHECK_EQ_PTR(dlsym(so, "corral_ring_init_at"), NULL);
	CHECK_EQ_PTR(dlsym(so, "corral_ring_check"), NULL);
}

/* A call of the table, by its address. put and get differ in const alone. */
static int call(const struct call *c, struct corral_ring *r, void *objs, unsigned int n, unsigned int *left)
{
	int (*single)(struct corral_ring *, void *);
	int (*single_elem)(struct corral_ring *, void *, unsigned int);
	int (*many)(struct corral_ring *, void **, unsigned int, unsigned int *);
	int (*many_elem)(struct corral_ring *, void *, unsigned int, unsigned int, unsigned int *);
	char name[80];
	int rc;

	snprintf(name, sizeof(name), "corral_ring_%s", c->name);
	if (c->how != SINGLE && c->elem) {
		ADDRESS(many_elem, name);
		return many_elem(r, objs, r->esize, n, left);
	}
	if (c->how != SINGLE) {
		ADDRESS(many, name);
		return many(r, objs, n, left);
	}
	if (c->elem) {
		ADDRESS(single_elem, name);
		rc = single_elem(r, objs, r->esize);
	} else {
		ADDRESS(single, name);
		rc = single(r, c->side == PROD ? *(void **)objs : objs);
	}
	return rc == 0 ? 1 : rc;
}

static void symbols_do_what_the_inline_calls_do(void)
{
	void *in[ES], *out[ES];
	unsigned int left, esize, n, tried = 0;

	for (const struct call *c = calls; c < calls + call_count; c++) {
		const struct mode *m = &modes[c->sync];
		struct corral_ring *r;

		esize = c->elem ? ES : (unsigned int)sizeof(void *);
		r = ring_make(m->prod_flag | m->cons_flag, esize, 5, 6);
		n = c->how == SINGLE ? 1 : 2;
		left = 99;
		if (c->side == PROD) {
			for (unsigned int i = 0; i < 3; i++)
				elem_make((char *)in + i * (size_t)esize, esize, 1 + i);
			CHECK_EQ_INT(call(c, r, in, n, &left), n);
			if (c->how == BULK)
				CHECK_EQ_INT(call(c, r, in, 4, NULL), 0);
			if (c->how == BURST) /* what does not fit is not read: in has not so many */
				CHECK_EQ_INT(call(c, r, in, 9, NULL), 3);
			CHECK(get_is(r, 1, n));
		} else {
			CHECK_EQ_INT(put(r, 1, 5), 5);
			CHECK_EQ_INT(call(c, r, out, n, &left), n);
			for (unsigned int i = 0; i < n; i++)
				CHECK(elem_is((char *)out + i * (size_t)esize, esize, 1 + i));
			if (c->how == BULK)
				CHECK_EQ_INT(call(c, r, out, 4, NULL), 0);
			CHECK(get_is(r, 1 + n, 5 - n));
			if (c->how == SINGLE)
				CHECK_EQ_INT(call(c, r, out, 1, NULL), -ENOENT);
		}
		CHECK_EQ_INT(left, c->how == SINGLE ? 99 : 3);
		ring_unmake(r);
		tried++;
	}
	CHECK_EQ_INT(tried, 60);
}

static void symbols_look_at_the_ring(void)
{
	static const char *const facts[] = { "count", "free_count", "full", "empty", "get_size", "get_capacity" };
	static const unsigned int want[] = { 2, 3, 0, 0, 8, 5 };
	struct corral_ring *(*create)(const char *, unsigned int, unsigned int);
	unsigned int (*fact)(const struct corral_ring *);
	int (*many)(struct corral_ring *, void *const *, unsigned int, unsigned int *);
	int (*get)(struct corral_ring *, void **);
	int (*give_back)(struct corral_ring *);
	unsigned int left = 99;
	struct corral_ring *r;
	char name[80];
	void *objs[2] = { objs, name }, *obj;

	ADDRESS(create, "corral_ring_create");
	ADDRESS(many, "corral_ring_mp_enqueue_bulk");
	ADDRESS(get, "corral_ring_dequeue");
	ADDRESS(give_back, "corral_ring_free");
	r = create("shared", 5, 0);
	CHECK(r != NULL);
	CHECK_EQ_PTR(corral_ring_lookup("shared"), NULL); /* this program has a library of its own inside */
	CHECK_EQ_INT(many(r, objs, 2, &left), 2);
	CHECK_EQ_INT(left, 3);
	for (unsigned int i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
		snprintf(name, sizeof(name), "corral_ring_%s", facts[i]);
		ADDRESS(fact, name);
		CHECK_EQ_INT(fact(r), want[i]);
	}
	CHECK_EQ_INT(corral_ring_count(r), 2); /* inline and symbol share the ring */
	CHECK_EQ_INT(get(r, &obj), 0);
	CHECK_EQ_PTR(obj, objs);
	CHECK_EQ_INT(give_back(r), 0);
}

static void symbols_peek(void)
{
	int (*start)(struct corral_ring *, unsigned int, unsigned int *);
	int (*finish_put)(struct corral_ring *, void *const *, unsigned int);
	int (*start_zc)(struct corral_ring *, unsigned int, struct corral_ring_zc_data *, unsigned int *);
	int (*finish)(struct corral_ring *, unsigned int);
	struct corral_ring *r = ring_make(CORRAL_RING_F_MP_HTS_ENQ | CORRAL_RING_F_SC_DEQ, sizeof(void *), 4, 0);
	struct corral_ring_zc_data z;
	void *objs[3] = { &start, &finish, &z };

	ADDRESS(start, "corral_ring_enqueue_burst_start");
	ADDRESS(finish_put, "corral_ring_enqueue_finish");
	ADDRESS(start_zc, "corral_ring_dequeue_zc_burst_start");
	ADDRESS(finish, "corral_ring_dequeue_zc_finish");
	CHECK_EQ_INT(start(r, 9, NULL), 4);
	CHECK_EQ_INT(finish_put(r, objs, 5), -EINVAL);
	CHECK_EQ_INT(finish_put(r, objs, 3), 0);
	CHECK_EQ_INT(start_zc(r, 9, &z, NULL), 3);
	CHECK_EQ_INT(z.n1, 3);
	CHECK_EQ_PTR(*(void **)z.ptr1, objs[0]);
	CHECK_EQ_INT(finish(r, 2), 0);
	CHECK_EQ_INT(corral_ring_count(r), 1);
	ring_unmake(r);
}

static void symbols_refuse_what_does_not_fit(void)
{
	int (*put_one)(struct corral_ring *, void *);
	int (*get_one)(struct corral_ring *, void **);
	int (*many)(struct corral_ring *, const void *, unsigned int, unsigned int, unsigned int *);
	int (*start)(struct corral_ring *, unsigned int, unsigned int *);
	struct corral_ring *r = ring_make(0, sizeof(void *), 4, 0);
	void *obj = NULL;
	unsigned int left = 99;

	ADDRESS(put_one, "corral_ring_sp_enqueue");
	ADDRESS(get_one, "corral_ring_mc_hts_dequeue");
	ADDRESS(many, "corral_ring_enqueue_bulk_elem");
	ADDRESS(start, "corral_ring_enqueue_bulk_start");
	CHECK_EQ_INT(put_one(r, r), -ENOTSUP);
	CHECK_EQ_INT(get_one(r, &obj), -ENOTSUP);
	CHECK_EQ_INT(many(r, &obj, 16, 1, &left), -EINVAL);
	CHECK_EQ_INT(left, 0);
	CHECK_EQ_INT(start(r, 1, NULL), -ENOTSUP);
	CHECK(corral_ring_empty(r));
	ring_unmake(r);
}

static void symbols_of_base_and_wait(void)
{
	const char *(*version)(void);
	const char *(*text)(int);
	int (*init)(struct corral_wait_policy *, enum corral_wait_kind);
	void (*pause_once)(void);
	struct corral_wait_policy p;

	ADDRESS(version, "corral_version");
	ADDRESS(text, "corral_strerror");
	ADDRESS(init, "corral_wait_policy_init");
	ADDRESS(pause_once, "corral_pause");
	CHECK_EQ_STR(version(), CORRAL_VERSION);
	CHECK_HAS_STR(text(-ENOENT), strerror(ENOENT));
	CHECK_EQ_INT(init(&p, CORRAL_WAIT_YIELD), 0);
	CHECK_EQ_INT(p.kind, CORRAL_WAIT_YIELD);
	pause_once();
}

int main(void)
{
	so = dlopen(CORRAL_SO, RTLD_NOW | RTLD_LOCAL);
	if (so == NULL) {
		printf("Bail out! %s\n", dlerror());
		return 1;
	}
	TEST(every_call_is_a_symbol);
	TEST(what_only_tests_may_reach_is_none);
	TEST(symbols_do_what_the_inline_calls_do);
	TEST(symbols_look_at_the_ring);
	TEST(symbols_peek);
	TEST(symbols_refuse_what_does_not_fit);
	TEST(symbols_of_base_and_wait);
	dlclose(so);
	return test_end();
}
