/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * litmus.c - the explorer's exam: the classic small programs, each with an outcome that C11 allows or forbids, and what
 * the explorer must report as a failure. Each has so many executions, which were counted by brute force too.
 *
 * MP is message passing, SB store buffering, LB load buffering, IRIW independent reads of independent writes, CoRR
 * coherence of two reads, WRC write to read causality, 2+2W two writes each. Z6.U is of "Repairing sequential
 * consistency in C/C++11" (PLDI 2017), which shows that a seq_cst order too strong for Power would forbid it.
 */
#include "litmus.h"

#include <corral/atomic.h>

#include <string.h>

#define OUTCOMES 8 /* of a thread */

/* The program's orders: w and r of its writes and reads, fw and fr of fences between them (0: none). */
struct orders {
	int w, r, fw, fr;
};

enum expect {
	ALLOWED,   /* the weak outcome is among the outcomes */
	FORBIDDEN, /* it is not */
	VIOLATION, /* the explorer fails, and says so */
};

struct test {
	const char *name;
	unsigned int threads;
	void (*thread)(unsigned int t, const void *arg); /* arg: the struct orders */
	int (*weak)(void);
	enum expect expect;
	struct orders o;
	unsigned int executions;
	const char *why; /* part of what a violation says */
};

static struct corral_a64 *x, *y, *z;
static uint32_t *data;
static uint64_t r[MODEL_THREADS][OUTCOMES]; /* what the threads read */

static void setup(const void *arg)
{
	(void)arg;
	x = model_alloc(sizeof(*x));
	y = model_alloc(sizeof(*y));
	z = model_alloc(sizeof(*z));
	data = model_alloc(sizeof(*data));
	model_name(x, "x");
	model_name(y, "y");
	model_name(z, "z");
	model_name(data, "data");
}

static int swap_if(struct corral_a64 *p, uint64_t expected, uint64_t desired, int order)
{
	return corral_cas(p, &expected, desired, order, CORRAL_RELAXED);
}

static void fence_if(int order)
{
	if (order != 0)
		corral_fence(order);
}

static void mp(unsigned int t, const void *arg)
{
	const struct orders *o = arg;

	if (t == 0) {
		corral_store(x, 1, CORRAL_RELAXED);
		fence_if(o->fw);
		corral_store(y, 1, o->w);
	} else {
		r[1][0] = corral_load(y, o->r);
		fence_if(o->fr);
		r[1][1] = corral_load(x, CORRAL_RELAXED);
	}
}

static int mp_weak(void)
{
	return r[1][0] == 1 && r[1][1] == 0;
}

static void sb(unsigned int t, const void *arg)
{
	const struct orders *o = arg;

	corral_store(t == 0 ? x : y, 1, o->w);
	fence_if(o->fw);
	r[t][0] = corral_load(t == 0 ? y : x, o->r);
}

static int sb_weak(void)
{
	return r[0][0] == 0 && r[1][0] == 0;
}

static void sb_rmw(unsigned int t, const void *arg)
{
	const struct orders *o = arg;

	corral_fetch_add(t == 0 ? x : y, 1, o->w);
	r[t][0] = corral_load(t == 0 ? y : x, o->r);
}

static void sb_fence_rmw(unsigned int t, const void *arg)
{
	const struct orders *o = arg;

	corral_store(t == 0 ? x : y, 1, CORRAL_RELAXED);
	corral_fetch_add(z, 0, o->w);
	r[t][0] = corral_load(t == 0 ? y : x, CORRAL_RELAXED);
}

static void lb(unsigned int t, const void *arg)
{
	const struct orders *o = arg;

	r[t][0] = corral_load(t == 0 ? y : x, o->r);
	corral_store(t == 0 ? x : y, 1, o->w);
}

static int lb_weak(void)
{
	return r[0][0] == 1 && r[1][0] == 1;
}

static void iriw(unsigned int t, const void *arg)
{
	const struct orders *o = arg;

	if (t < 2) {
		corral_store(t == 0 ? x : y, 1, o->w);
		return;
	}
	r[t][0] = corral_load(t == 2 ? x : y, o->r);
	fence_if(o->fr);
	r[t][1] = corral_load(t == 2 ? y : x, o->r);
}

static int iriw_weak(void)
{
	return r[2][0] == 1 && r[2][1] == 0 && r[3][0] == 1 && r[3][1] == 0;
}

static void w22(unsigned int t, const void *arg)
{
	const struct orders *o = arg;

	corral_store(t == 0 ? x : y, 1, o->w);
	fence_if(o->fw);
	corral_store(t == 0 ? y : x, 2, o->w);
}

static int w22_weak(void)
{
	return corral_load(x, CORRAL_RELAXED) == 1 && corral_load(y, CORRAL_RELAXED) == 1;
}

static void corr(unsigned int t, const void *arg)
{
	(void)arg;
	if (t == 0) {
		corral_store(x, 1, CORRAL_RELAXED);
		corral_store(x, 2, CORRAL_RELAXED);
	} else {
		r[1][0] = corral_load(x, CORRAL_RELAXED);
		r[1][1] = corral_load(x, CORRAL_RELAXED);
	}
}

static int corr_weak(void)
{
	return r[1][0] > r[1][1];
}

static void corr2(unsigned int t, const void *arg)
{
	(void)arg;
	if (t < 2) {
		corral_store(x, t + 1, CORRAL_RELAXED);
		return;
	}
	r[t][0] = corral_load(x, CORRAL_RELAXED);
	r[t][1] = corral_load(x, CORRAL_RELAXED);
}

static int corr2_weak(void)
{
	return r[2][0] == 1 && r[2][1] == 2 && r[3][0] == 2 && r[3][1] == 1;
}

static void wrc(unsigned int t, const void *arg)
{
	const struct orders *o = arg;

	if (t == 0) {
		corral_store(x, 1, CORRAL_RELAXED);
	} else if (t == 1) {
		r[1][0] = corral_load(x, CORRAL_RELAXED);
		corral_store(y, 1, o->w);
	} else {
		r[2][0] = corral_load(y, o->r);
		r[2][1] = corral_load(x, CORRAL_RELAXED);
	}
}

/* Not in RC11 with relaxed reads of x: what T0 wrote happens before nothing. Its write is seen by coherence alone. */
static int wrc_weak(void)
{
	return r[1][0] == 1 && r[2][0] == 1 && r[2][1] == 0;
}

/* w: a read-modify-write of another thread follows the release; fw: a store of the same thread does. */
static void relseq(unsigned int t, const void *arg)
{
	const struct orders *o = arg;

	if (t == 0) {
		corral_store(x, 1, CORRAL_RELAXED);
		corral_store(y, 1, CORRAL_RELEASE);
		if (o->fw)
			corral_store(y, 2, CORRAL_RELAXED);
	} else if (t == 1) {
		if (o->w)
			swap_if(y, 1, 2, CORRAL_RELAXED);
	} else {
		r[2][0] = corral_load(y, CORRAL_ACQUIRE);
		r[2][1] = corral_load(x, CORRAL_RELAXED);
	}
}

static int relseq_weak(void)
{
	return r[2][0] == 2 && r[2][1] == 0;
}

static void rmw(unsigned int t, const void *arg)
{
	(void)arg;
	r[t][0] = corral_fetch_add(x, 1, CORRAL_RELAXED);
}

static int rmw_weak(void)
{
	return r[0][0] == r[1][0] || corral_load(x, CORRAL_RELAXED) != 3;
}

static void cas(unsigned int t, const void *arg)
{
	(void)arg;
	r[t][0] = (uint64_t)swap_if(x, 0, t + 1, CORRAL_ACQ_REL);
}

static int cas_weak(void)
{
	return r[0][0] + r[1][0] + r[2][0] != 1;
}

static void weak_cas(unsigned int t, const void *arg)
{
	uint64_t expected = 0;

	(void)t;
	(void)arg;
	r[0][0] = (uint64_t)corral_cas_weak(x, &expected, 1, CORRAL_RELAXED, CORRAL_RELAXED);
	r[0][1] = expected;
}

static int weak_cas_weak(void)
{
	return r[0][0] == 0 && r[0][1] == 0;
}

static void z6u(unsigned int t, const void *arg)
{
	(void)arg;
	if (t == 0) {
		corral_store(x, 1, CORRAL_SEQ_CST);
		corral_store(y, 1, CORRAL_RELEASE);
	} else if (t == 1) {
		r[1][0] = corral_fetch_add(y, 1, CORRAL_SEQ_CST);
		r[1][1] = corral_load(y, CORRAL_RELAXED);
	} else {
		corral_store(y, 3, CORRAL_SEQ_CST);
		r[2][0] = corral_load(x, CORRAL_SEQ_CST);
	}
}

static int z6u_weak(void)
{
	return r[1][0] == 1 && r[1][1] == 3 && r[2][0] == 0;
}

static void race(unsigned int t, const void *arg)
{
	const struct orders *o = arg;

	if (t == 0) {
		model_write(data, 7);
		corral_store(y, 1, o->w);
		return;
	}
	r[1][0] = corral_load(y, o->r);
	if (r[1][0] == 1)
		MODEL_ASSERT(model_read(data) == 7);
}

static int never(void)
{
	return 0;
}

static void nothing(unsigned int t, const void *arg)
{
	(void)t;
	(void)arg;
	corral_store(x, 1, CORRAL_RELAXED);
}

static int waits_at_the_end(void)
{
	while (corral_load(x, CORRAL_RELAXED) != 2)
		;
	return 0;
}

/* w 0: nobody writes what is waited for; RELAXED + fw: somebody does, but gives nothing with it. */
static void wait_for(unsigned int t, const void *arg)
{
	const struct orders *o = arg;

	if (t == 0) {
		corral_store(x, 1, CORRAL_RELAXED);
		if (o->w != 0 || o->fw != 0)
			corral_store(y, 1, o->w);
		return;
	}
	while (corral_load(y, CORRAL_ACQUIRE) == 0)
		;
	MODEL_ASSERT(corral_load(x, CORRAL_RELAXED) == 1);
}

static void deadlock(unsigned int t, const void *arg)
{
	(void)arg;
	while (corral_load(t == 0 ? y : x, CORRAL_ACQUIRE) == 0)
		;
	corral_store(t == 0 ? x : y, 1, CORRAL_RELEASE);
}

static void width(unsigned int t, const void *arg)
{
	(void)arg;
	if (t == 0)
		r[0][0] = corral_load(x, CORRAL_RELAXED);
	else
		r[1][0] = corral_load((struct corral_a32 *)x + 1, CORRAL_RELAXED);
}

#define RLX CORRAL_RELAXED
#define ACQ CORRAL_ACQUIRE
#define REL CORRAL_RELEASE
#define A_R CORRAL_ACQ_REL
#define SC CORRAL_SEQ_CST

/* clang-format off */
static const struct test tests[] = {
	{ "MP relaxed", 2, mp, mp_weak, ALLOWED, { RLX, RLX, 0, 0 }, 4, NULL },
	{ "MP release alone", 2, mp, mp_weak, ALLOWED, { REL, RLX, 0, 0 }, 4, NULL },
	{ "MP acquire alone", 2, mp, mp_weak, ALLOWED, { RLX, ACQ, 0, 0 }, 4, NULL },
	{ "MP release acquire", 2, mp, mp_weak, FORBIDDEN, { REL, ACQ, 0, 0 }, 3, NULL },
	{ "MP fences", 2, mp, mp_weak, FORBIDDEN, { RLX, RLX, REL, ACQ }, 3, NULL },
	{ "MP release fence, acquire load", 2, mp, mp_weak, FORBIDDEN, { RLX, ACQ, REL, 0 }, 3, NULL },
	{ "MP one fence", 2, mp, mp_weak, ALLOWED, { RLX, RLX, REL, 0 }, 4, NULL },
	{ "SB release acquire", 2, sb, sb_weak, ALLOWED, { REL, ACQ, 0, 0 }, 4, NULL },
	{ "SB seq_cst", 2, sb, sb_weak, FORBIDDEN, { SC, SC, 0, 0 }, 3, NULL },
	{ "SB seq_cst stores alone", 2, sb, sb_weak, ALLOWED, { SC, ACQ, 0, 0 }, 4, NULL },
	{ "SB seq_cst fences", 2, sb, sb_weak, FORBIDDEN, { RLX, RLX, SC, 0 }, 3, NULL },
	{ "SB acq_rel fences", 2, sb, sb_weak, ALLOWED, { RLX, RLX, A_R, 0 }, 4, NULL },
	{ "SB acq_rel read-modify-writes", 2, sb_rmw, sb_weak, ALLOWED, { A_R, ACQ, 0, 0 }, 4, NULL },
	{ "SB seq_cst read-modify-writes", 2, sb_rmw, sb_weak, FORBIDDEN, { SC, SC, 0, 0 }, 3, NULL },
	{ "SB acq_rel read-modify-writes of one word between", 2, sb_fence_rmw, sb_weak, FORBIDDEN,
	  { A_R, 0, 0, 0 }, 4, NULL },
	{ "SB relaxed read-modify-writes of one word between", 2, sb_fence_rmw, sb_weak, ALLOWED,
	  { RLX, 0, 0, 0 }, 8, NULL },
	{ "LB relaxed (no load buffering)", 2, lb, lb_weak, FORBIDDEN, { RLX, RLX, 0, 0 }, 3, NULL },
	{ "IRIW release acquire", 4, iriw, iriw_weak, ALLOWED, { REL, ACQ, 0, 0 }, 16, NULL },
	{ "IRIW seq_cst", 4, iriw, iriw_weak, FORBIDDEN, { SC, SC, 0, 0 }, 15, NULL },
	{ "IRIW seq_cst fences", 4, iriw, iriw_weak, FORBIDDEN, { RLX, RLX, 0, SC }, 15, NULL },
	{ "2+2W release", 2, w22, w22_weak, ALLOWED, { REL, 0, 0, 0 }, 4, NULL },
	{ "2+2W seq_cst", 2, w22, w22_weak, FORBIDDEN, { SC, 0, 0, 0 }, 3, NULL },
	{ "2+2W seq_cst fences", 2, w22, w22_weak, FORBIDDEN, { RLX, 0, SC, 0 }, 3, NULL },
	{ "CoRR", 2, corr, corr_weak, FORBIDDEN, { 0, 0, 0, 0 }, 6, NULL },
	{ "CoRR of two writers", 4, corr2, corr2_weak, FORBIDDEN, { 0, 0, 0, 0 }, 72, NULL },
	{ "WRC release acquire", 3, wrc, wrc_weak, FORBIDDEN, { REL, ACQ, 0, 0 }, 7, NULL },
	{ "WRC relaxed", 3, wrc, wrc_weak, ALLOWED, { RLX, RLX, 0, 0 }, 8, NULL },
	{ "release sequence: a read-modify-write goes on with it", 3, relseq, relseq_weak, FORBIDDEN,
	  { 1, 0, 0, 0 }, 7, NULL },
	{ "release sequence: a store of the same thread ends it (C++20)", 3, relseq, relseq_weak, ALLOWED,
	  { 0, 0, 1, 0 }, 5, NULL },
	{ "RMW", 3, rmw, rmw_weak, FORBIDDEN, { 0, 0, 0, 0 }, 6, NULL },
	{ "CAS: one wins", 3, cas, cas_weak, FORBIDDEN, { 0, 0, 0, 0 }, 3, NULL },
	{ "weak CAS may fail for no reason", 1, weak_cas, weak_cas_weak, ALLOWED, { 0, 0, 0, 0 }, 2, NULL },
	{ "Z6.U", 3, z6u, z6u_weak, ALLOWED, { 0, 0, 0, 0 }, 24, NULL },
	{ "plain data, release acquire", 2, race, never, FORBIDDEN, { REL, ACQ, 0, 0 }, 2, NULL },
	{ "plain data, relaxed store: a race", 2, race, never, VIOLATION, { RLX, ACQ, 0, 0 }, 0, "data race on data" },
	{ "plain data, relaxed load: a race", 2, race, never, VIOLATION, { REL, RLX, 0, 0 }, 0, "data race on data" },
	{ "a wait that is ended", 2, wait_for, never, FORBIDDEN, { REL, 0, 0, 0 }, 1, NULL },
	{ "a wait that orders nothing", 2, wait_for, never, VIOLATION, { RLX, 0, 1, 0 }, 0,
	  "corral_load(x, CORRAL_RELAXED) == 1" },
	{ "a wait that nobody ends", 2, wait_for, never, VIOLATION, { RLX, 0, 0, 0 }, 0,
	  "thread 1 waits for ever for what nobody will write" },
	{ "two that wait for each other", 2, deadlock, never, VIOLATION, { 0, 0, 0, 0 }, 0,
	  "waits for ever for what nobody will write" },
	{ "a check that waits for ever", 1, nothing, waits_at_the_end, VIOLATION, { 0, 0, 0, 0 }, 1,
	  "a call waits for ever after all threads have ended" },
	{ "one word at two widths", 2, width, never, VIOLATION, { 0, 0, 0, 0 }, 0, "several widths" },
};
/* clang-format on */

static const struct test *now;
static uint64_t seen; /* executions with the weak outcome */

static void note(const void *arg)
{
	(void)arg;
	if (now->weak())
		seen++;
}

/* 0, or -1 with why. */
static int judge(const struct test *t, struct model_result *result)
{
	struct model_scenario s = { t->name, t->threads, setup, t->thread, note, &t->o };
	int rc;

	now = t;
	seen = 0;
	rc = model_cross_check(&s, result);
	if (rc == -2)
		return -1;
	if (t->expect == VIOLATION)
		return rc == -1 && strstr(result->why, t->why) != NULL ? 0 : -1;
	if (rc != 0 || result->complete != t->executions)
		return -1;
	return (seen != 0) == (t->expect == ALLOWED) ? 0 : -1;
}

void litmus(const char *filter, model_report report)
{
	struct model_result result;
	unsigned int i;
	int rc;

	for (i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		if (filter != NULL && strstr(tests[i].name, filter) == NULL)
			continue;
		rc = judge(&tests[i], &result);
		report(tests[i].name, &result, rc != 0);
	}
}

/* A random program: a few accesses a thread, of two words. */
struct op {
	unsigned char what, where, order;
};

struct program {
	unsigned int threads, n;
	struct op op[3][4];
};

enum { OP_LOAD = 0, OP_STORE = 3, OP_ADD = 5, OP_CAS, OP_WEAK, OP_FENCE, OP_WAIT, OP_STORE_IF, OPS };

static uint64_t random_next(uint64_t *s)
{
	*s ^= *s << 13;
	*s ^= *s >> 7;
	*s ^= *s << 17;
	return *s >> 11;
}

static void random_step(const struct op *op, unsigned int t, unsigned int i)
{
	static const int loads[] = { RLX, ACQ, SC }, stores[] = { RLX, REL, SC }, both[] = { RLX, A_R, SC },
			 fences[] = { ACQ, REL, SC };
	struct corral_a64 *p = op->where == 0 ? x : y;
	uint64_t expected = op->order & 1, value = 4 * t + i + 1;

	switch (op->what) {
	case OP_STORE:
	case OP_STORE + 1:
		corral_store(p, value, stores[op->order]);
		return;
	case OP_ADD:
		r[t][i] = corral_fetch_add(p, value, both[op->order]);
		return;
	case OP_CAS:
		r[t][i] = (uint64_t)swap_if(p, expected, value, both[op->order]);
		return;
	case OP_WEAK:
		r[t][i] = (uint64_t)corral_cas_weak(p, &expected, value, both[op->order], RLX);
		return;
	case OP_FENCE:
		corral_fence(fences[op->order]);
		return;
	case OP_WAIT:
		while (corral_load(p, loads[op->order]) == 0)
			;
		return;
	case OP_STORE_IF:
		if (i != 0 && r[t][i - 1] != 0)
			corral_store(p, value, stores[op->order]);
		return;
	default: /* loads are what there is most of */
		r[t][i] = corral_load(p, loads[op->order]);
	}
}

static void random_thread(unsigned int t, const void *arg)
{
	const struct program *p = arg;
	unsigned int i;

	memset(r[t], 0, sizeof(r[t]));
	for (i = 0; i < p->n; i++) {
		model_call("");
		random_step(&p->op[t][i], t, i);
	}
}

int litmus_random(uint64_t seed, struct model_result *result)
{
	struct program p;
	struct model_scenario s = { "random program", 0, setup, random_thread, NULL, &p };
	uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	unsigned int t, i;
	int rc;

	p.threads = 2 + random_next(&state) % 2;
	p.n = 6 - p.threads;
	s.threads = p.threads;
	for (t = 0; t < p.threads; t++) {
		for (i = 0; i < p.n; i++) {
			p.op[t][i].what = (unsigned char)(random_next(&state) % OPS);
			p.op[t][i].where = (unsigned char)(random_next(&state) % 2);
			p.op[t][i].order = (unsigned char)(random_next(&state) % 3);
		}
	}
	model_quiet = 1; /* a wait in a random program may well be for ever */
	rc = model_cross_check(&s, result);
	model_quiet = 0;
	return rc == -2 ? -1 : 0;
}
