/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * loop.h - the measured loops, once for every implementation. A template: a family of calls defines LOOP(name), which
 * gives a name of its own, and these functions, then includes this file:
 *
 *	uint32_t LOOP(enq)(void *q, enum peer_call call, const void *objs, uint32_t esize, uint32_t n)
 *	uint32_t LOOP(deq)(void *q, enum peer_call call, void *objs, uint32_t esize, uint32_t n)
 *		by its own best calls; n is 1 for PEER_SINGLE. Return the number moved.
 *	LOOP_PEEK	if defined, it has also, all or nothing:
 *	uint32_t LOOP(enq_peek)(void *q, const void *objs, uint32_t esize, uint32_t n)	start, finish
 *	uint32_t LOOP(deq_peek)(void *q, void *objs, uint32_t esize, uint32_t n)
 *	uint32_t LOOP(enq_zc)(…), LOOP(deq_zc)(…)	the same, in place
 *
 * It gets `int LOOP(run)(struct peer_worker *w)`. What figures are taken of is compiled with role, access, call,
 * element size and timing as constants, so that all inlines (LOOP_LIST); the rest shares one set of loops that calls
 * through pointers. LOOP_SMALL (tests: quick to build) has that one alone.
 */
#ifndef CORRAL_PEERS_LOOP_H
#define CORRAL_PEERS_LOOP_H

#include <corral/wait.h>

#include <errno.h>
#include <sched.h>
#include <string.h>

#include "../../lib/measure/clock.h"
#include "../../lib/measure/hist.h"
#include "../../lib/measure/peer.h"
#include "payload.h"

#define LOOP_NOINLINE __attribute__((noinline, unused))

/* A worker's elements, aligned as well as anything. */
struct loop_buf {
	char elem[(PEER_BULK_MAX + PAYLOAD_PAD) * PEER_ESIZE_MAX];
} __attribute__((aligned(64)));

/* A family's calls, out of line. */
struct loop_calls {
	uint32_t (*enq)(void *q, enum peer_access access, enum peer_call call, const void *objs, uint32_t esize,
			uint32_t n);
	uint32_t (*deq)(void *q, enum peer_access access, enum peer_call call, void *objs, uint32_t esize, uint32_t n);
};

/* What a loop counts, in registers while it runs. */
struct loop_count {
	const struct loop_calls *calls; /* of the loops that call through pointers */
	uint64_t moved, shorts, ticks;	/* calls that moved something; those that moved too little; time of all */
};

/* A loop that is compiled for one combination. */
struct loop_special {
	enum peer_role role;
	enum peer_access access;
	enum peer_call call;
	uint32_t esize;
	int timed;
	void (*run)(struct peer_worker *w);
};

/* Objects of the next call. */
CORRAL_HELPER_ uint32_t loop_next(const struct peer_worker *w, uint64_t *seed, enum peer_call call)
{
	if (call == PEER_SINGLE)
		return 1;
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return w->bulk_min + (uint32_t)(((*seed >> 32) * (w->bulk_max - w->bulk_min + 1)) >> 32);
}

CORRAL_HELPER_ int loop_stopped(const struct peer_worker *w)
{
	return corral_load(w->stop, CORRAL_RELAXED) != 0;
}

/* What a worker does when a call gives 0. */
CORRAL_HELPER_ void loop_idle(const struct peer_worker *w)
{
	if (w->wait == PEER_WAIT_YIELD)
		sched_yield();
	else
		corral_pause();
}

CORRAL_HELPER_ void loop_begin(struct peer_worker *w)
{
	while (corral_load(w->go, CORRAL_ACQUIRE) == 0)
		sched_yield();
	w->begin = measure_ticks();
}

CORRAL_HELPER_ void loop_end(struct peer_worker *w, const struct loop_count *c)
{
	w->end = measure_ticks();
	w->ticks = w->end - w->begin;
	w->calls = c->moved;
	w->short_calls = c->shorts;
	w->call_ticks = c->ticks;
}

CORRAL_HELPER_ uint64_t loop_time(int timed)
{
	return timed ? measure_ticks() : 0;
}

/* Account for one call that moved k of n objects. */
CORRAL_HELPER_ void loop_account(const struct peer_worker *w, struct loop_count *c, int timed, uint64_t since,
				 uint32_t n, uint32_t k)
{
	uint64_t t;

	if (timed) {
		t = measure_ticks() - since;
		c->ticks += t;
		if (w->hist && k != 0)
			measure_hist_add(w->hist, t);
	}
	c->shorts += k < n;
	c->moved += k != 0;
}

CORRAL_HELPER_ int loop_timed(const struct peer_worker *w)
{
	return w->hist != NULL || w->timed_calls;
}

/* The loops of any role, access, call and size. */
#pragma push_macro("LOOP")
#undef LOOP
#define LOOP(name) any_##name
#define LOOP_ANY
#include "loop_roles.h"
#undef LOOP_ANY
#pragma pop_macro("LOOP")

LOOP_NOINLINE static int loop_run_any(struct peer_worker *w, const struct loop_calls *calls)
{
	switch (w->role) {
	case PEER_BOTH:
		any_both(w, calls, w->access, w->call, w->esize, loop_timed(w));
		return 0;
	case PEER_PRODUCE:
		any_produce(w, calls, w->access, w->call, w->esize, loop_timed(w));
		return 0;
	case PEER_CONSUME:
		any_consume(w, calls, w->access, w->call, w->esize, loop_timed(w));
		return 0;
	case PEER_ROUNDTRIP:
		any_roundtrip(w, calls, w->access, w->call, w->esize, 0);
		return 0;
	case PEER_EMPTY:
		any_empty(w, calls, w->access, w->call, w->esize, 0);
		return 0;
	default:
		return -ENOTSUP;
	}
}

/* The special loop for what this worker is to do; NULL: it has none. */
CORRAL_HELPER_ const struct loop_special *loop_find(const struct peer_worker *w, const struct loop_special *s,
						    unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		if (s[i].role == w->role && s[i].access == w->access && s[i].call == w->call &&
		    s[i].esize == w->esize && s[i].timed == loop_timed(w))
			return &s[i];
	}
	return NULL;
}

/* What figures are taken of: X(loop, role, access, call, element size, timed). */
#define LOOP_LIST_CALL(X, access, call, size) \
	X(produce, PRODUCE, access, call, size, 0) \
	X(consume, CONSUME, access, call, size, 0) \
	X(roundtrip, ROUNDTRIP, access, call, size, 0) \
	X(empty, EMPTY, access, call, size, 0)
#define LOOP_LIST_SIZE(X, size) \
	X(both, BOTH, COPY, BULK, size, 0) \
	LOOP_LIST_CALL(X, COPY, BULK, size) \
	LOOP_LIST_CALL(X, COPY, BURST, size) \
	LOOP_LIST_CALL(X, COPY, SINGLE, size)
#define LOOP_LIST_TIMED(X, access) \
	X(both, BOTH, access, BULK, 8, 1) \
	X(produce, PRODUCE, access, BULK, 8, 1) \
	X(consume, CONSUME, access, BULK, 8, 1)
#define LOOP_LIST_COPY(X) \
	LOOP_LIST_SIZE(X, 4) \
	LOOP_LIST_SIZE(X, 8) \
	LOOP_LIST_SIZE(X, 16) \
	LOOP_LIST_SIZE(X, 64) \
	LOOP_LIST_TIMED(X, COPY)
#define LOOP_LIST_PEEK(X, access) \
	X(both, BOTH, access, BULK, 8, 0) \
	LOOP_LIST_CALL(X, access, BULK, 8) \
	LOOP_LIST_TIMED(X, access)

#define LOOP_DEFINE(loop, role, access, call, size, timed) \
	LOOP_NOINLINE static void LOOP(loop##_##access##_##call##_##size##_##timed)(struct peer_worker * w) \
	{ \
		LOOP(loop)(w, NULL, PEER_##access, PEER_##call, size, timed); \
	}
#define LOOP_ROW(loop, role, access, call, size, timed) \
	{ PEER_##role, PEER_##access, PEER_##call, size, timed, LOOP(loop##_##access##_##call##_##size##_##timed) },
#endif

/* ---- a family ---- */

CORRAL_HELPER_ uint32_t LOOP(enq_by)(void *q, enum peer_access access, enum peer_call call, const void *objs,
				     uint32_t esize, uint32_t n)
{
#ifdef LOOP_PEEK
	if (access == PEER_PEEK)
		return LOOP(enq_peek)(q, objs, esize, n);
	if (access == PEER_ZC)
		return LOOP(enq_zc)(q, objs, esize, n);
#endif
	(void)access;
	return LOOP(enq)(q, call, objs, esize, n);
}

CORRAL_HELPER_ uint32_t LOOP(deq_by)(void *q, enum peer_access access, enum peer_call call, void *objs, uint32_t esize,
				     uint32_t n)
{
#ifdef LOOP_PEEK
	if (access == PEER_PEEK)
		return LOOP(deq_peek)(q, objs, esize, n);
	if (access == PEER_ZC)
		return LOOP(deq_zc)(q, objs, esize, n);
#endif
	(void)access;
	return LOOP(deq)(q, call, objs, esize, n);
}

LOOP_NOINLINE static uint32_t LOOP(enq_out)(void *q, enum peer_access access, enum peer_call call, const void *objs,
					    uint32_t esize, uint32_t n)
{
	return LOOP(enq_by)(q, access, call, objs, esize, n);
}

LOOP_NOINLINE static uint32_t LOOP(deq_out)(void *q, enum peer_access access, enum peer_call call, void *objs,
					    uint32_t esize, uint32_t n)
{
	return LOOP(deq_by)(q, access, call, objs, esize, n);
}

#ifndef LOOP_SMALL
#include "loop_roles.h"

LOOP_LIST_COPY(LOOP_DEFINE)
#ifdef LOOP_PEEK
LOOP_LIST_PEEK(LOOP_DEFINE, PEEK)
LOOP_LIST_PEEK(LOOP_DEFINE, ZC)
#endif

static const struct loop_special LOOP(specials)[] = { LOOP_LIST_COPY(LOOP_ROW)
#ifdef LOOP_PEEK
							      LOOP_LIST_PEEK(LOOP_ROW, PEEK)
								      LOOP_LIST_PEEK(LOOP_ROW, ZC)
#endif
};
#endif

static int LOOP(run)(struct peer_worker *w)
{
	static const struct loop_calls calls = { LOOP(enq_out), LOOP(deq_out) };
#ifndef LOOP_SMALL
	const struct loop_special *s = loop_find(w, LOOP(specials), sizeof(LOOP(specials)) / sizeof(LOOP(specials)[0]));

	if (s) {
		s->run(w);
		return 0;
	}
#endif
#ifdef LOOP_PEEK
	if (w->access != PEER_COPY && w->call != PEER_BULK)
		return -ENOTSUP;
#else
	if (w->access != PEER_COPY)
		return -ENOTSUP;
#endif
	return loop_run_any(w, &calls);
}

#undef LOOP_PEEK
#undef LOOP
