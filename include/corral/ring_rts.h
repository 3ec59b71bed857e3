/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring_rts.h - mode RTS (relaxed tail sync): many threads, the last to finish publishes for all. Do not include
 * directly; see "corral/ring.h".
 *
 * The head counts the claims in flight; whoever finishes takes itself off, and who finds itself the only one moves
 * the tail to the head. Nobody waits to publish; new claims wait only while the head is more than htd_max before the
 * tail. An enqueue that has returned may not be visible yet (corral_ring_flush). The idea is that of DPDK's RTS mode
 * (Ananyev 2020). Ours keeps the count in the head alone, so that the tail is a plain position: between finding
 * itself the only one and taking itself off nobody else can publish, hence a store suffices for the tail.
 *
 * The head's position has 48 bits and its count 16: after 2^48 objects (78 hours at a thousand million a second) a
 * thread that was stopped inside a claim for all that time and meets the very same position and count would be
 * fooled.
 */
#ifndef CORRAL_RING_RTS_H
#define CORRAL_RING_RTS_H

#include <corral/ring_mode.h>

#define CORRAL_RTS_COUNT_ UINT64_C(0xffff)

/* Doubled 63-bit position `word` minus the position of an RTS head, in objects; right while they are within 2^47. */
CORRAL_HELPER_ int64_t corral_ring_rts_diff_(uint64_t word, uint64_t head)
{
	return (int64_t)(((word >> 1) << 16) - (head & ~CORRAL_RTS_COUNT_)) >> 16;
}

/* A2 pairs with R2 and R4: see ring_mt.h. Waits while the head is too far ahead, or the count in flight is full. */
CORRAL_HELPER_ uint64_t corral_ring_rts_head_(struct corral_ring_claim_ *c, struct corral_wait *w)
{
	int64_t htd_max = corral_load(&c->me->htd_max, CORRAL_RELAXED);
	uint64_t head, tail;

	for (;;) {
		head = corral_load(&c->me->head, CORRAL_ACQUIRE);
		tail = corral_load(&c->me->tail, CORRAL_RELAXED);
		if (corral_likely_(-corral_ring_rts_diff_(tail, head) <= htd_max &&
				   (head & CORRAL_RTS_COUNT_) != CORRAL_RTS_COUNT_))
			return head;
		corral_wait_step(w, c->wait, &c->count->wait);
	}
}

CORRAL_HELPER_ uint32_t corral_ring_rts_claim_(struct corral_ring_claim_ *c)
{
	struct corral_wait w = { 0, 0, 0, 0 };
	struct corral_ring_side *me = c->me;
	uint64_t head, o;
	uint32_t k;
	int looked;

	for (;;) {
		head = corral_ring_rts_head_(c, &w);
		/* Relaxed: see ring_mt.h. */
		o = corral_load(&me->opp, CORRAL_RELAXED);
		c->room = c->capacity + corral_ring_rts_diff_(o, head);
		looked = c->want_room || c->room < (int64_t)c->n;
		if (looked) {
			o = corral_ring_look_(c, o); /* A1 */
			c->room = c->capacity + corral_ring_rts_diff_(o, head);
			corral_invariant_(c->room >= 0);
		}
		k = corral_ring_fit_(c);
		if (k == 0)
			return 0;
		c->pos = (head >> 16) << 1;
		/* R2: see A2. The position may overflow its 48 bits, at the top of the word. */
		if (corral_likely_(corral_cas(&me->head, &head, head + ((uint64_t)k << 16) + 1, CORRAL_RELEASE,
					      CORRAL_RELAXED)))
			break;
	}
	if (looked)
		corral_store(&me->opp, o, CORRAL_RELAXED);
	return k;
}

CORRAL_HELPER_ void corral_ring_rts_publish_(struct corral_ring_claim_ *c)
{
	struct corral_ring_side *me = c->me;
	uint64_t head, tail;

	/*
	 * A4 pairs with R4 of those who left before us: all changes of the head are read-modify-writes, so one
	 * acquire reaches every earlier release, and the slots of all claims up to the head come with the tail that
	 * we store.
	 */
	for (;;) {
		head = corral_load(&me->head, CORRAL_ACQUIRE);
		if ((head & CORRAL_RTS_COUNT_) == 1) {
			tail = corral_load(&me->tail, CORRAL_RELAXED);
			tail -= 2 * (uint64_t)corral_ring_rts_diff_(tail, head);
			/* R1: pairs with A1 of the opposite mode. */
			corral_store(&me->tail, tail, CORRAL_RELEASE);
		}
		/* R4: our slots (and our store of the tail) before we are off the count. */
		if (corral_likely_(corral_cas(&me->head, &head, head - 1, CORRAL_RELEASE, CORRAL_RELAXED)))
			return;
	}
}

#endif
