/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring_st.h - mode ST: one thread on this side. Do not include directly; see "corral/ring.h".
 *
 * The cached opposite tail is that of FastForward's and MCRingBuffer's kin (Lee, Bu, Chandranmenon, "A lock-free,
 * cache-efficient multi-core synchronization mechanism", IPDPS 2010): the opposite line is fetched only when the ring
 * looks full or empty.
 */
#ifndef CORRAL_RING_ST_H
#define CORRAL_RING_ST_H

#include <corral/ring_mode.h>

CORRAL_HELPER_ uint32_t corral_ring_st_claim_(struct corral_ring_claim_ *c)
{
	/* Both words are this thread's alone. */
	uint64_t o = corral_load(&c->me->opp, CORRAL_RELAXED);

	c->pos = corral_load(&c->me->tail, CORRAL_RELAXED);
	c->room = corral_ring_room_(c->pos, o, c->capacity);
	if (c->want_room || c->room < (int64_t)c->n) {
		o = corral_ring_look_(c, o); /* A1 */
		corral_store(&c->me->opp, o, CORRAL_RELAXED);
		c->room = corral_ring_room_(c->pos, o, c->capacity);
		corral_invariant_(c->room >= 0);
	}
	return corral_ring_fit_(c);
}

/* R1: the slots are filled (emptied) before the opposite side sees the position; pairs with A1 of the opposite mode. */
CORRAL_HELPER_ void corral_ring_st_publish_(struct corral_ring_claim_ *c, uint32_t k)
{
	corral_store(&c->me->tail, c->pos + 2 * (uint64_t)k, CORRAL_RELEASE);
}

#endif
