/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring_hts.h - mode HTS (head/tail sync): many threads, one at a time. Do not include directly; see "corral/ring.h".
 *
 * The tail word carries a busy bit. A claimer sets it by CAS, copies, and publishes by one store that moves the
 * position and clears it. No tail to wait for, and the holder may look at the slots, or use them in place, before it
 * decides how many it takes: peek and zero copy. The interface is that of DPDK's HTS mode (Ananyev 2020); one word of
 * one width, a position that does not wrap, and the back-off are ours.
 */
#ifndef CORRAL_RING_HTS_H
#define CORRAL_RING_HTS_H

#include <corral/ring_mode.h>

#include <errno.h>

/* Is the open peek of this side our own? Then to wait for it would be to wait for ever. */
CORRAL_HELPER_ int corral_ring_hts_mine_(const struct corral_ring_side *me)
{
	uint64_t owner = corral_load(&me->owner, CORRAL_RELAXED);

	return owner != 0 && owner == corral_wait_self_();
}

CORRAL_HELPER_ uint32_t corral_ring_hts_claim_(struct corral_ring_claim_ *c)
{
	struct corral_wait w = { 0, 0, 0, 0 };
	struct corral_ring_side *me = c->me;
	uint64_t tail, o, seen = 0;
	uint32_t k;
	int looked;

	for (;;) {
		/* A2 pairs with R1 of the last holder: its view of the opposite tail and store of opp come with it. */
		tail = corral_load(&me->tail, CORRAL_ACQUIRE);
		if (corral_unlikely_(tail & 1)) {
			if (tail != seen) {
				if (corral_unlikely_(corral_ring_hts_mine_(me))) {
					c->err = -EDEADLK;
					return 0;
				}
				corral_wait_progress(&w);
			}
			seen = tail;
			corral_wait_backoff(&w, c->wait, &c->count->wait);
			continue;
		}
		/* Relaxed: a value stored later than the tail that we hold goes with a CAS that fails. */
		o = corral_load(&me->opp, CORRAL_RELAXED);
		c->room = corral_ring_room_(tail, o, c->capacity);
		looked = c->want_room || c->room < (int64_t)c->n;
		if (looked) {
			o = corral_ring_look_(c, o); /* A1 */
			c->room = corral_ring_room_(tail, o, c->capacity);
			corral_invariant_(c->room >= 0);
		}
		k = corral_ring_fit_(c);
		if (k == 0)
			return 0;
		c->pos = tail;
		/* A5: as A2; an aborted claim (trim to 0) publishes the same word anew. */
		if (corral_likely_(corral_cas(&me->tail, &tail, tail | 1, CORRAL_ACQUIRE, CORRAL_RELAXED)))
			break;
		corral_wait_progress(&w);
		corral_wait_backoff(&w, c->wait, &c->count->wait);
	}
	if (looked)
		corral_store(&me->opp, o, CORRAL_RELAXED); /* ours while busy; R1 hands it on */
	return k;
}

/* R1: pairs with A1 of the opposite mode, and with A2 of the next holder. k may be less than was claimed, also 0. */
CORRAL_HELPER_ void corral_ring_hts_publish_(struct corral_ring_claim_ *c, uint32_t k)
{
	corral_store(&c->me->tail, c->pos + 2 * (uint64_t)k, CORRAL_RELEASE);
}

#endif
