/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * litmus_random.c - random programs: the search must find what brute force finds, each execution once.
 */
#include "litmus.h"

#include <corral/atomic.h>

#include <string.h>

#define RLX CORRAL_RELAXED
#define ACQ CORRAL_ACQUIRE
#define REL CORRAL_RELEASE
#define A_R CORRAL_ACQ_REL
#define SC CORRAL_SEQ_CST

static struct corral_a64 *x, *y;
static uint64_t r[MODEL_THREADS][4]; /* what the threads read */

static void setup(const void *arg)
{
	(void)arg;
	x = model_alloc(sizeof(*x));
	y = model_alloc(sizeof(*y));
	model_name(x, "x");
	model_name(y, "y");
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
	/* nothing yet, or what another thread's first access may have written */
	uint64_t expected = op->order & 1 ? 4 * ((t + 1) % 3) + 1 : 0, value = 4 * t + i + 1;

	switch (op->what) {
	case OP_STORE:
	case OP_STORE + 1:
		corral_store(p, value, stores[op->order]);
		return;
	case OP_ADD:
		r[t][i] = corral_fetch_add(p, value, both[op->order]);
		return;
	case OP_CAS:
		r[t][i] = (uint64_t)corral_cas(p, &expected, value, both[op->order], RLX);
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
