/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring_path.h - the one path of a ring: a mode's claim and publish composed with the copy, mode and sizes as
 * constants. Do not include directly; see "corral/ring.h".
 */
#ifndef CORRAL_RING_PATH_H
#define CORRAL_RING_PATH_H

#include <corral/ring_core.h>
#include <corral/ring_hts.h>
#include <corral/ring_mode.h>
#include <corral/ring_mt.h>
#include <corral/ring_rts.h>
#include <corral/ring_st.h>

#include <errno.h>

CORRAL_BEGIN_DECLS

enum corral_ring_end_ { CORRAL_RING_PROD_, CORRAL_RING_CONS_ };

CORRAL_HELPER_ struct corral_ring_claim_ corral_ring_claim_init_(struct corral_ring *r, enum corral_ring_end_ end,
								 uint32_t n, int fixed, int want_room)
{
	struct corral_ring_claim_ c;

	c.n = n;
	c.fixed = fixed;
	c.want_room = want_room;
	c.me = end == CORRAL_RING_PROD_ ? &r->prod : &r->cons;
	c.other = end == CORRAL_RING_PROD_ ? &r->cons : &r->prod;
	c.capacity = end == CORRAL_RING_PROD_ ? r->capacity : 0;
	c.poor = r->poor;
	c.wait = &r->wait;
	c.count = end == CORRAL_RING_PROD_ ? &r->prod_count : &r->cons_count;
	c.err = 0;
	c.pos = 0;
	c.room = 0;
	return c;
}

CORRAL_HELPER_ uint32_t corral_ring_claim_do_(struct corral_ring_claim_ *c, enum corral_ring_sync sync)
{
	switch (sync) {
	case CORRAL_RING_SYNC_ST:
		return corral_ring_st_claim_(c);
	case CORRAL_RING_SYNC_MT_RTS:
		return corral_ring_rts_claim_(c);
	case CORRAL_RING_SYNC_MT_HTS:
		return corral_ring_hts_claim_(c);
	case CORRAL_RING_SYNC_MT:
	default:
		return corral_ring_mt_claim_(c);
	}
}

/* Only ST and HTS can trim: k less than what was claimed. */
CORRAL_HELPER_ void corral_ring_publish_do_(struct corral_ring_claim_ *c, enum corral_ring_sync sync, uint32_t k)
{
	switch (sync) {
	case CORRAL_RING_SYNC_ST:
		corral_ring_st_publish_(c, k);
		break;
	case CORRAL_RING_SYNC_MT_RTS:
		corral_ring_rts_publish_(c);
		break;
	case CORRAL_RING_SYNC_MT_HTS:
		corral_ring_hts_publish_(c, k);
		break;
	case CORRAL_RING_SYNC_MT:
	default:
		corral_ring_mt_publish_(c, k);
		break;
	}
}

/* Objects in the ring: a snapshot, 0..capacity. */
CORRAL_HELPER_ unsigned int corral_ring_used_(const struct corral_ring *r)
{
	/*
	 * Both pair with R1 of their side: who counts may rely on what came before the enqueue, or the dequeue. cons
	 * first: it can then only be older than prod, and the difference not be negative.
	 */
	uint64_t cons = corral_load(&r->cons.tail, CORRAL_ACQUIRE);
	uint64_t prod = corral_load(&r->prod.tail, CORRAL_ACQUIRE);
	int64_t n = corral_ring_room_(cons & ~UINT64_C(1), prod, 0);

	corral_invariant_(n >= 0);
	if (n < 0)
		return 0;
	return n > (int64_t)r->capacity ? r->capacity : (unsigned int)n;
}

/* A call of no objects: never waits. */
CORRAL_HELPER_ int corral_ring_none_(const struct corral_ring *r, enum corral_ring_end_ end, unsigned int *left)
{
	if (left != NULL)
		*left = end == CORRAL_RING_PROD_ ? r->capacity - corral_ring_used_(r) : corral_ring_used_(r);
	return 0;
}

/* What is left after k of the room were taken, for an out-parameter: a racy snapshot can look too large or small. */
CORRAL_HELPER_ unsigned int corral_ring_left_(const struct corral_ring *r, const struct corral_ring_claim_ *c,
					      uint32_t k)
{
	int64_t left = c->room - (int64_t)k;

	if (left < 0 || c->err != 0)
		return 0;
	return left > (int64_t)r->capacity ? r->capacity : (unsigned int)left;
}

/* A slot's address; pos is doubled. */
CORRAL_HELPER_ char *corral_ring_slot_(struct corral_ring *r, uint32_t index, uint32_t esize)
{
	return (char *)r + r->table + (size_t)index * esize;
}

/*
 * Hand emptied cache lines back whole. A line that a consumer only reads stays shared between the two CPUs; the
 * producer's next store to it, a lap later, is then an upgrade that no prefetcher does ahead of time (on Zen 4 not
 * even prefetchw does), and where a claim is a CAS, which drains the store buffer, every line costs its full round
 * trip: 205 cycles against 18. A line that the consumer has written to leaves the producer's cache, and is fetched
 * ahead like any other. So, while the slots are still its own, the consumer writes one word of each line that it has
 * emptied to the end (doc/performance.md).
 */
CORRAL_HELPER_ void corral_ring_hand_back_(char *slots, size_t bytes)
{
	uintptr_t end = (uintptr_t)slots + bytes;
	uintptr_t line = ((uintptr_t)slots | 63) + 1;

	for (; line <= end; line += 64)
		corral_touch((void *)(line - 4));
}

/* objs NULL, for consumers: nothing to copy (zero copy), but lines to hand back. */
CORRAL_HELPER_ void corral_ring_copy_part_(enum corral_ring_end_ end, char *slots, char *objs, size_t bytes)
{
	if (end == CORRAL_RING_PROD_) {
		corral_copy_in(slots, objs, bytes);
		return;
	}
	if (objs != NULL)
		corral_copy_out(objs, slots, bytes);
	corral_ring_hand_back_(slots, bytes);
}

/* Copy k elements between objs and the slots from pos on, in two parts where they pass the end of the table. */
CORRAL_HELPER_ void corral_ring_copy_(struct corral_ring *r, enum corral_ring_end_ end, uint64_t pos, void *objs,
				      uint32_t esize, uint32_t k)
{
	uint32_t index = (uint32_t)(pos >> 1) & r->mask;
	uint32_t first = r->size - index;
	char *slots = corral_ring_slot_(r, index, esize);
	char *o = (char *)objs;

	if (corral_likely_(k <= first))
		first = k;
	corral_ring_copy_part_(end, slots, o, (size_t)first * esize);
	if (corral_unlikely_(first < k))
		corral_ring_copy_part_(end, corral_ring_slot_(r, 0, esize),
				       o != NULL ? o + (size_t)first * esize : NULL, (size_t)(k - first) * esize);
}

/* A capture sees what is about to be published: elements that were put in, or that are taken out. */
CORRAL_HELPER_ void corral_ring_tap_check_(struct corral_ring *r, enum corral_ring_end_ end, uint64_t pos, uint32_t k)
{
	if (corral_unlikely_(corral_load(&r->tap, CORRAL_RELAXED) != 0))
		corral_ring_tap_(r, end == CORRAL_RING_CONS_, pos, k);
}

CORRAL_HELPER_ void corral_ring_note_refused_(const struct corral_ring *r, const struct corral_ring_claim_ *c)
{
	if (corral_unlikely_(r->flags & CORRAL_RING_F_STATS) && c->err == 0)
		corral_ring_refused_(c->count);
}

/* The one path of all copying calls. Everything but r, objs, n and left is a constant, or should be. */
CORRAL_HELPER_ int corral_ring_move_(struct corral_ring *r, enum corral_ring_end_ end, enum corral_ring_sync sync,
				     void *objs, uint32_t esize, uint32_t n, int fixed, unsigned int *left)
{
	struct corral_ring_claim_ c = corral_ring_claim_init_(r, end, n, fixed, left != NULL);
	uint32_t k;

	if (corral_unlikely_((end == CORRAL_RING_PROD_ ? r->prod_sync : r->cons_sync) != (uint32_t)sync ||
			     r->esize != esize))
		return corral_ring_refuse_(r, esize, left);
	if (sync == CORRAL_RING_SYNC_ST && corral_unlikely_(corral_load(&c.me->head, CORRAL_RELAXED) != 0))
		return corral_ring_busy_(left);
	if (corral_unlikely_(n == 0))
		return corral_ring_none_(r, end, left);
	k = corral_ring_claim_do_(&c, sync);
	if (corral_likely_(k != 0)) {
		corral_ring_copy_(r, end, c.pos, objs, esize, k);
		corral_ring_tap_check_(r, end, c.pos, k);
		corral_ring_publish_do_(&c, sync, k);
	} else {
		corral_ring_note_refused_(r, &c);
	}
	if (left != NULL)
		*left = corral_ring_left_(r, &c, k);
	return k == 0 ? c.err : (int)k;
}

/* The same for a ring of any mode: one switch. */
CORRAL_HELPER_ int corral_ring_move_any_(struct corral_ring *r, enum corral_ring_end_ end, void *objs, uint32_t esize,
					 uint32_t n, int fixed, unsigned int *left)
{
	switch (end == CORRAL_RING_PROD_ ? r->prod_sync : r->cons_sync) {
	case CORRAL_RING_SYNC_MT:
		return corral_ring_move_(r, end, CORRAL_RING_SYNC_MT, objs, esize, n, fixed, left);
	case CORRAL_RING_SYNC_ST:
		return corral_ring_move_(r, end, CORRAL_RING_SYNC_ST, objs, esize, n, fixed, left);
	case CORRAL_RING_SYNC_MT_RTS:
		return corral_ring_move_(r, end, CORRAL_RING_SYNC_MT_RTS, objs, esize, n, fixed, left);
	case CORRAL_RING_SYNC_MT_HTS:
		return corral_ring_move_(r, end, CORRAL_RING_SYNC_MT_HTS, objs, esize, n, fixed, left);
	default:
		return corral_ring_refuse_(r, esize, left);
	}
}

CORRAL_END_DECLS

#endif
