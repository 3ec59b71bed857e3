/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * litmus.c - the explorer's exam: the classic small programs, each with an outcome that RC11 allows or forbids, and the
 * number of its executions, which brute force must find too.
 *
 * MP is message passing, SB store buffering, LB load buffering, IRIW independent reads of independent writes, CoRR
 * coherence of two reads, WRC write to read causality, 2+2W two writes each. Z6.U is of "Repairing sequential
 * consistency in C/C++11" (PLDI 2017), which shows that a seq_cst order too strong for Power would forbid it.
 */
#include "litmus.h"
#include "litmus_test.h"

#include <string.h>

struct corral_a64 *x, *y, *z;
uint32_t *data;
uint64_t r[MODEL_THREADS][OUTCOMES];

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

/* One side's fence must order what the other's accesses do: psc's hb?;[F sc] and [F sc];hb?. */
static void sb_half(unsigned int t, const void *arg)
{
	const struct orders *o = arg;

	corral_store(t == 0 ? x : y, 1, t == 0 ? o->w : CORRAL_RELAXED);
	if (t == 1)
		fence_if(o->fr);
	r[t][0] = corral_load(t == 0 ? y : x, t == 0 ? o->r : CORRAL_RELAXED);
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

/* MP whose reader is a CAS that fails: w is its order if it succeeds, r if not. */
static void mp_cas(unsigned int t, const void *arg)
{
	const struct orders *o = arg;

	if (t == 0) {
		corral_store(x, 1, CORRAL_RELAXED);
		corral_store(y, 1, CORRAL_RELEASE);
	} else {
		r[1][0] = 5;
		corral_cas(y, &r[1][0], 6, o->w, o->r);
		r[1][1] = corral_load(x, CORRAL_RELAXED);
	}
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

/* T0 gives nothing with its write; but T1 has read it, and where that happened before, nobody reads older. */
static int wrc_weak(void)
{
	return r[1][0] == 1 && r[2][0] == 1 && r[2][1] == 0;
}

/* SB over three threads: what T0 did happens before what T1 does. */
static void wrwc(unsigned int t, const void *arg)
{
	const struct orders *o = arg;

	if (t == 0) {
		corral_store(x, 1, o->w);
		corral_store(y, 1, CORRAL_RELEASE);
	} else if (t == 1) {
		r[1][0] = corral_load(y, CORRAL_ACQUIRE);
		r[1][1] = corral_load(z, o->r);
	} else {
		corral_store(z, 1, o->w);
		r[2][0] = corral_load(x, o->r);
	}
}

static int wrwc_weak(void)
{
	return r[1][0] == 1 && r[1][1] == 0 && r[2][0] == 0;
}

/* MP from T0's fence to T2's, through a write of T1 that gives nothing with it. */
static void fence_rf(unsigned int t, const void *arg)
{
	const struct orders *o = arg;

	if (t == 0) {
		corral_store(x, 1, CORRAL_RELAXED);
		fence_if(o->fw);
		corral_store(y, 1, CORRAL_RELAXED);
	} else if (t == 1) {
		r[1][0] = corral_load(y, CORRAL_ACQUIRE);
		corral_store(z, 1, CORRAL_RELAXED);
	} else {
		r[2][0] = corral_load(z, CORRAL_RELAXED);
		fence_if(o->fr);
		r[2][1] = corral_load(x, CORRAL_RELAXED);
	}
}

static int fence_rf_weak(void)
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

/* Gone back to when 1 is there, a weak CAS may succeed or fail. */
static void weak_cas_later(unsigned int t, const void *arg)
{
	uint64_t expected = 1;

	(void)arg;
	if (t == 1) {
		corral_store(x, 1, CORRAL_RELAXED);
		return;
	}
	r[0][0] = (uint64_t)corral_cas_weak(x, &expected, 2, CORRAL_RELAXED, CORRAL_RELAXED);
	r[0][1] = expected;
}

static int weak_cas_later_weak(void)
{
	return r[0][0] == 0 && r[0][1] == 1;
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

/* clang-format off */
static const struct litmus_test tests[] = {
	{ "MP relaxed", 2, mp, mp_weak, ALLOWED, { RLX, RLX, 0, 0 }, 4, NULL },
	{ "MP release alone", 2, mp, mp_weak, ALLOWED, { REL, RLX, 0, 0 }, 4, NULL },
	{ "MP acquire alone", 2, mp, mp_weak, ALLOWED, { RLX, ACQ, 0, 0 }, 4, NULL },
	{ "MP release acquire", 2, mp, mp_weak, FORBIDDEN, { REL, ACQ, 0, 0 }, 3, NULL },
	{ "MP fences", 2, mp, mp_weak, FORBIDDEN, { RLX, RLX, REL, ACQ }, 3, NULL },
	{ "MP release fence, acquire load", 2, mp, mp_weak, FORBIDDEN, { RLX, ACQ, REL, 0 }, 3, NULL },
	{ "MP one fence", 2, mp, mp_weak, ALLOWED, { RLX, RLX, REL, 0 }, 4, NULL },
	{ "MP: a CAS that fails has its second order", 2, mp_cas, mp_weak, ALLOWED, { ACQ, RLX, 0, 0 }, 4, NULL },
	{ "MP: a CAS that fails acquires", 2, mp_cas, mp_weak, FORBIDDEN, { RLX, ACQ, 0, 0 }, 3, NULL },
	{ "SB release acquire", 2, sb, sb_weak, ALLOWED, { REL, ACQ, 0, 0 }, 4, NULL },
	{ "SB seq_cst", 2, sb, sb_weak, FORBIDDEN, { SC, SC, 0, 0 }, 3, NULL },
	{ "SB seq_cst stores alone", 2, sb, sb_weak, ALLOWED, { SC, ACQ, 0, 0 }, 4, NULL },
	{ "SB seq_cst fences", 2, sb, sb_weak, FORBIDDEN, { RLX, RLX, SC, 0 }, 3, NULL },
	{ "SB acq_rel fences", 2, sb, sb_weak, ALLOWED, { RLX, RLX, A_R, 0 }, 4, NULL },
	{ "SB seq_cst accesses of one side, a fence of the other", 2, sb_half, sb_weak, FORBIDDEN,
	  { SC, SC, 0, SC }, 3, NULL },
	{ "SB acq_rel accesses of one side, a fence of the other", 2, sb_half, sb_weak, ALLOWED,
	  { REL, ACQ, 0, SC }, 4, NULL },
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
	{ "W+RWC release acquire", 3, wrwc, wrwc_weak, ALLOWED, { REL, ACQ, 0, 0 }, 8, NULL },
	{ "W+RWC seq_cst", 3, wrwc, wrwc_weak, FORBIDDEN, { SC, SC, 0, 0 }, 7, NULL },
	{ "fences around a relaxed write between, acq_rel", 3, fence_rf, fence_rf_weak, ALLOWED,
	  { 0, 0, A_R, A_R }, 8, NULL },
	{ "fences around a relaxed write between, seq_cst", 3, fence_rf, fence_rf_weak, FORBIDDEN,
	  { 0, 0, SC, SC }, 7, NULL },
	{ "release sequence: a read-modify-write goes on with it", 3, relseq, relseq_weak, FORBIDDEN,
	  { 1, 0, 0, 0 }, 7, NULL },
	{ "release sequence: a store of the same thread ends it (C++20)", 3, relseq, relseq_weak, ALLOWED,
	  { 0, 0, 1, 0 }, 5, NULL },
	{ "RMW", 3, rmw, rmw_weak, FORBIDDEN, { 0, 0, 0, 0 }, 6, NULL },
	{ "CAS: one wins", 3, cas, cas_weak, FORBIDDEN, { 0, 0, 0, 0 }, 3, NULL },
	{ "weak CAS may fail for no reason", 1, weak_cas, weak_cas_weak, ALLOWED, { 0, 0, 0, 0 }, 2, NULL },
	{ "weak CAS may fail later too", 2, weak_cas_later, weak_cas_later_weak, ALLOWED, { 0, 0, 0, 0 }, 3, NULL },
	{ "Z6.U", 3, z6u, z6u_weak, ALLOWED, { 0, 0, 0, 0 }, 24, NULL },
};
/* clang-format on */

static const struct litmus_test *now;
static uint64_t seen; /* executions with the weak outcome */

static void note(const void *arg)
{
	(void)arg;
	if (now->weak())
		seen++;
}

/* 0, or -1 with why. */
static int judge(const struct litmus_test *t, struct model_result *result)
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

void litmus_run(const struct litmus_test *t, unsigned int n, const char *filter, model_report report)
{
	struct model_result result;
	unsigned int i;
	int rc;

	for (i = 0; i < n; i++) {
		if (filter != NULL && strstr(t[i].name, filter) == NULL)
			continue;
		rc = judge(&t[i], &result);
		report(t[i].name, &result, rc != 0);
	}
}

void litmus(const char *filter, model_report report)
{
	litmus_run(tests, sizeof(tests) / sizeof(tests[0]), filter, report);
	litmus_waits(filter, report);
}
