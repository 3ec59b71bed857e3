/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * loop.h - the measured loops, once for every implementation. A template: an implementation defines LOOP(name), which
 * gives a name of its own, and these functions, then includes this file:
 *
 *	uint32_t LOOP(enq)(void *q, enum peer_call call, const void *objs, uint32_t esize, uint32_t n)
 *	uint32_t LOOP(deq)(void *q, enum peer_call call, void *objs, uint32_t esize, uint32_t n)
 *		by its own best calls; call, esize and (for PEER_SINGLE) n are constants. Return the number moved.
 *	LOOP_PEEK	if defined, it has also, all or nothing:
 *	uint32_t LOOP(enq_peek)(void *q, const void *objs, uint32_t esize, uint32_t n)	start, finish
 *	uint32_t LOOP(deq_peek)(void *q, void *objs, uint32_t esize, uint32_t n)
 *	uint32_t LOOP(enq_zc)(…), LOOP(deq_zc)(…)	the same, in place
 *
 * It gets `int LOOP(run)(struct peer_worker *w)`. LOOP_SMALL (tests): only the loops that are told size and call.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/measure/clock.h"
#include "../../lib/measure/hist.h"
#include "../../lib/measure/peer.h"
#include "payload.h"

#ifndef LOOP_COMMON
#define LOOP_COMMON
#define LOOP_INLINE static inline __attribute__((always_inline, unused))

/* Each worker's elements: on its stack, aligned as well as anything. */
struct loop_buf {
	char elem[PEER_BULK_MAX * PEER_ESIZE_MAX];
} __attribute__((aligned(64)));

LOOP_INLINE uint32_t loop_chance(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return (uint32_t)(*seed >> 32);
}

/* Objects of the next call. */
LOOP_INLINE uint32_t loop_next(const struct peer_worker *w, uint64_t *seed, enum peer_call call)
{
	if (call == PEER_SINGLE)
		return 1;
	return w->bulk_min + (uint32_t)(((uint64_t)loop_chance(seed) * (w->bulk_max - w->bulk_min + 1)) >> 32);
}

LOOP_INLINE int loop_stopped(const struct peer_worker *w)
{
	return corral_load(w->stop, CORRAL_RELAXED) != 0;
}

/* What a worker does when a call gives 0. */
LOOP_INLINE void loop_idle(const struct peer_worker *w)
{
	if (w->wait == PEER_WAIT_YIELD)
		sched_yield();
	else
		__asm__ __volatile__("" ::: "memory"); /* the pause itself: */
#if defined(__x86_64__) || defined(__i386__)
	if (w->wait != PEER_WAIT_YIELD)
		__builtin_ia32_pause();
#endif
}

__attribute__((unused)) static void loop_begin(struct peer_worker *w)
{
	while (corral_load(w->go, CORRAL_ACQUIRE) == 0)
		sched_yield();
	w->begin = measure_ticks();
}

__attribute__((unused)) static void loop_end(struct peer_worker *w)
{
	w->end = measure_ticks();
	w->ticks = w->end - w->begin;
}

/* Account for one call. */
LOOP_INLINE void loop_account(struct peer_worker *w, int timed, uint64_t since, uint32_t n, uint32_t k)
{
	uint64_t t;

	if (k < n)
		w->short_calls++;
	if (timed) {
		t = measure_ticks() - since;
		w->call_ticks += t;
		if (w->hist && k != 0)
			measure_hist_add(w->hist, t);
	}
	w->calls += k != 0;
}

LOOP_INLINE uint64_t loop_time(int timed)
{
	return timed ? measure_ticks() : 0;
}
#endif

LOOP_INLINE uint32_t LOOP(fetch)(struct peer_worker *w, enum peer_access access, enum peer_call call, void *buf,
				 uint32_t esize, uint32_t n, int timed)
{
	uint64_t since = loop_time(timed);
	uint32_t k;

#ifdef LOOP_PEEK
	if (access == PEER_PEEK)
		k = LOOP(deq_peek)(w->queue, buf, esize, n);
	else if (access == PEER_ZC)
		k = LOOP(deq_zc)(w->queue, buf, esize, n);
	else
#endif
		k = LOOP(deq)(w->queue, call, buf, esize, n);
	(void)access;
	loop_account(w, timed, since, n, k);
	return k;
}

LOOP_INLINE uint32_t LOOP(put)(struct peer_worker *w, enum peer_access access, enum peer_call call, const void *buf,
			       uint32_t esize, uint32_t n, int timed)
{
	uint64_t since = loop_time(timed);
	uint32_t k;

#ifdef LOOP_PEEK
	if (access == PEER_PEEK)
		k = LOOP(enq_peek)(w->queue, buf, esize, n);
	else if (access == PEER_ZC)
		k = LOOP(enq_zc)(w->queue, buf, esize, n);
	else
#endif
		k = LOOP(enq)(w->queue, call, buf, esize, n);
	(void)access;
	loop_account(w, timed, since, n, k);
	return k;
}

/* What was taken goes back, whatever it takes: there is room for it. */
LOOP_INLINE void LOOP(put_all)(struct peer_worker *w, enum peer_access access, enum peer_call call, const char *buf,
			       uint32_t esize, uint32_t n, int timed)
{
	uint32_t done = 0, k;

	for (;;) {
		k = LOOP(put)(w, access, call, buf + (size_t)done * esize, esize, n - done, timed);
		done += k;
		if (__builtin_expect(done == n, 1))
			return;
		if (k == 0)
			loop_idle(w);
	}
}

LOOP_INLINE void LOOP(both)(struct peer_worker *w, enum peer_access access, enum peer_call call, uint32_t esize,
			    int timed)
{
	struct loop_buf buf;
	uint64_t seed = w->seed, objs = 0, bad = 0;
	uint32_t n;

	loop_begin(w);
	while (!loop_stopped(w)) {
		n = LOOP(fetch)(w, access, call, buf.elem, esize, loop_next(w, &seed, call), timed);
		if (__builtin_expect(n == 0, 0)) {
			loop_idle(w);
			continue;
		}
		bad += payload_touch(buf.elem, buf.elem, esize, n, w->objects);
		LOOP(put_all)(w, access, call, buf.elem, esize, n, timed);
		objs += n;
	}
	loop_end(w);
	w->objs = objs;
	w->corrupt = bad;
	w->hash = objs; /* generations added */
}

LOOP_INLINE void LOOP(produce)(struct peer_worker *w, enum peer_access access, enum peer_call call, uint32_t esize,
			       int timed)
{
	struct loop_buf buf;
	uint64_t seed = w->seed, sequence = 0, hash = 0;
	uint32_t n, i, k;

	loop_begin(w);
	while (!loop_stopped(w)) {
		n = loop_next(w, &seed, call);
		for (i = 0; i < n; i++)
			payload_make_stream(buf.elem + (size_t)i * esize, esize, w->index, sequence + 1 + i);
		k = LOOP(put)(w, access, call, buf.elem, esize, n, timed);
		hash += payload_hash(buf.elem, esize, k);
		sequence += k;
		if (__builtin_expect(k == 0, 0))
			loop_idle(w);
	}
	loop_end(w);
	w->objs = sequence;
	w->hash = hash;
}

LOOP_INLINE void LOOP(consume)(struct peer_worker *w, enum peer_access access, enum peer_call call, uint32_t esize,
			       int timed)
{
	struct loop_buf buf;
	uint64_t seed = w->seed, objs = 0, hash = 0, corrupt = 0, disorder = 0;
	uint32_t n;

	loop_begin(w);
	while (!loop_stopped(w)) {
		n = LOOP(fetch)(w, access, call, buf.elem, esize, loop_next(w, &seed, call), timed);
		if (__builtin_expect(n == 0, 0)) {
			loop_idle(w);
			continue;
		}
		payload_check_stream(buf.elem, esize, n, w->last_seq, w->producers, &corrupt, &disorder);
		hash += payload_hash(buf.elem, esize, n);
		objs += n;
	}
	loop_end(w);
	w->objs = objs;
	w->hash = hash;
	w->corrupt = corrupt;
	w->disorder = disorder;
}

/* n objects in, n out, by one thread; the last of each turn must be what went in. */
LOOP_INLINE void LOOP(roundtrip)(struct peer_worker *w, enum peer_access access, enum peer_call call, uint32_t esize)
{
	struct loop_buf in, out;
	uint64_t seed = w->seed, objs = 0, turn = 0, bad = 0;
	uint32_t n, k, got, i;

	memset(&in, 0, sizeof(in));
	loop_begin(w);
	while (!loop_stopped(w)) {
		n = loop_next(w, &seed, call);
		turn++;
		memcpy(in.elem + (size_t)(n - 1) * esize, &turn, 4);
		k = LOOP(put)(w, access, call, in.elem, esize, n, 0);
		for (got = 0; got < k; got += i) {
			i = LOOP(fetch)(w, access, call, out.elem + (size_t)got * esize, esize, k - got, 0);
			if (i == 0) {
				bad += k - got;
				break;
			}
		}
		bad += k == n && memcmp(out.elem + (size_t)(n - 1) * esize, &turn, 4) != 0;
		objs += k;
	}
	loop_end(w);
	w->objs = objs;
	w->corrupt = bad;
}

LOOP_INLINE void LOOP(empty)(struct peer_worker *w, enum peer_access access, enum peer_call call, uint32_t esize)
{
	struct loop_buf buf;
	uint64_t calls = 0, bad = 0;
	uint32_t n = call == PEER_SINGLE ? 1 : w->bulk_min;

	loop_begin(w);
	while (!loop_stopped(w)) {
#ifdef LOOP_PEEK
		if (access == PEER_PEEK)
			bad += LOOP(deq_peek)(w->queue, buf.elem, esize, n);
		else if (access == PEER_ZC)
			bad += LOOP(deq_zc)(w->queue, buf.elem, esize, n);
		else
#endif
			bad += LOOP(deq)(w->queue, call, buf.elem, esize, n);
		(void)access;
		calls++;
	}
	loop_end(w);
	w->short_calls = calls;
	w->corrupt = bad;
}

/*
 * From here on roles, calls and sizes are constants where figures are made: bulks of 4, 8, 16 and 64 bytes, single and
 * burst of 8. The rest shares one loop that is told them. LOOP_LEAN (pairs of modes): bulks of 8 bytes alone.
 */
LOOP_INLINE int LOOP(role)(struct peer_worker *w, enum peer_access access, enum peer_call call, uint32_t esize,
			   int timed)
{
	switch (w->role) {
	case PEER_BOTH:
		LOOP(both)(w, access, call, esize, timed);
		return 0;
	case PEER_PRODUCE:
		LOOP(produce)(w, access, call, esize, timed);
		return 0;
	case PEER_CONSUME:
		LOOP(consume)(w, access, call, esize, timed);
		return 0;
	case PEER_ROUNDTRIP:
		LOOP(roundtrip)(w, access, call, esize);
		return 0;
	case PEER_EMPTY:
		LOOP(empty)(w, access, call, esize);
		return 0;
	default:
		return -ENOTSUP;
	}
}

#ifndef LOOP_MAKE
#define LOOP_MAKE(name, access, call, esize, timed) \
	__attribute__((noinline)) static int LOOP(name)(struct peer_worker * w) \
	{ \
		return LOOP(role)(w, access, call, esize, timed); \
	}
#endif

LOOP_MAKE(any, PEER_COPY, w->call, w->esize, w->hist != NULL || w->timed_calls)
#ifdef LOOP_PEEK
LOOP_MAKE(peek, PEER_PEEK, PEER_BULK, w->esize, w->hist != NULL || w->timed_calls)
LOOP_MAKE(zc, PEER_ZC, PEER_BULK, w->esize, w->hist != NULL || w->timed_calls)
#endif
#ifndef LOOP_SMALL
LOOP_MAKE(bulk_8, PEER_COPY, PEER_BULK, 8, 0)
#ifndef LOOP_LEAN
LOOP_MAKE(bulk_4, PEER_COPY, PEER_BULK, 4, 0)
LOOP_MAKE(bulk_16, PEER_COPY, PEER_BULK, 16, 0)
LOOP_MAKE(bulk_64, PEER_COPY, PEER_BULK, 64, 0)
LOOP_MAKE(single_8, PEER_COPY, PEER_SINGLE, 8, 0)
LOOP_MAKE(burst_8, PEER_COPY, PEER_BURST, 8, 0)
LOOP_MAKE(timed_8, PEER_COPY, PEER_BULK, 8, 1)
#endif
#endif

static int LOOP(run)(struct peer_worker *w)
{
	int timed = w->hist != NULL || w->timed_calls;

	if (w->access != PEER_COPY) {
#ifdef LOOP_PEEK
		if (w->call == PEER_BULK)
			return w->access == PEER_PEEK ? LOOP(peek)(w) : LOOP(zc)(w);
#endif
		return -ENOTSUP;
	}
#ifndef LOOP_SMALL
	if (w->esize == 8 && w->call == PEER_BULK && !timed)
		return LOOP(bulk_8)(w);
#ifndef LOOP_LEAN
	if (w->esize == 8 && w->call == PEER_BULK)
		return LOOP(timed_8)(w);
	if (w->esize == 8 && !timed)
		return w->call == PEER_SINGLE ? LOOP(single_8)(w) : LOOP(burst_8)(w);
	if (w->call == PEER_BULK && !timed && w->esize == 4)
		return LOOP(bulk_4)(w);
	if (w->call == PEER_BULK && !timed && w->esize == 16)
		return LOOP(bulk_16)(w);
	if (w->call == PEER_BULK && !timed && w->esize == 64)
		return LOOP(bulk_64)(w);
#endif
#endif
	(void)timed;
	return LOOP(any)(w);
}

#undef LOOP_LEAN
#undef LOOP_PEEK
#undef LOOP
