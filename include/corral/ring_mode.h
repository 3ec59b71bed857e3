/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring_mode.h - what the modes share: a claim under way and the arithmetic of room. Do not include directly.
 *
 * A mode is three operations on one side: claim n slots, publish them, and where it can, trim the claim to k <= n. In
 * a mode's code, R and A name the two ends of an order edge: "R1 pairs with A1". The words of a side are explained at
 * struct corral_ring_side; positions are handled as they stand in them, doubled.
 */
#ifndef CORRAL_RING_MODE_H
#define CORRAL_RING_MODE_H

#include <corral/ring_core.h>

CORRAL_BEGIN_DECLS

/* A claim, while it is made and until it is published. */
struct corral_ring_claim_ {
	/* the caller's wish; constants after inlining */
	uint32_t n;    /* wanted */
	int fixed;     /* all or nothing (bulk), else as many as go (burst) */
	int want_room; /* the caller asked what is left: look at the opposite side itself */
	/* the side */
	struct corral_ring_side *me;
	const struct corral_ring_side *other;
	uint32_t capacity; /* of the ring for producers, 0 for consumers */
	uint32_t poor;	   /* a look that finds fewer objects is a poor one; 0: this ring does not slip */
	const struct corral_wait_tune *wait;
	struct corral_ring_counts *count;
	/* the result */
	int err;      /* 0, or why no claim can be made */
	uint64_t pos; /* 2 * first position claimed */
	int64_t room; /* before the claim: free slots (producers), objects (consumers); a lower bound if !want_room */
};

/* Room from the position own (even) when the opposite tail is opp. Signed: a stale opp gives less, down to below 0. */
CORRAL_HELPER_ int64_t corral_ring_room_(uint64_t own, uint64_t opp, uint32_t capacity)
{
	return (int64_t)capacity + ((int64_t)(opp - own) >> 1);
}

/* Objects between two looks at one tail. Its busy bit is no object, and an aborted peek takes it back. */
CORRAL_HELPER_ int64_t corral_ring_gain_(uint64_t now, uint64_t last)
{
	return (int64_t)((now & ~UINT64_C(1)) - (last & ~UINT64_C(1))) >> 1;
}

#define CORRAL_RING_SLIP_FAST_ 0xffffffffu

/* lib/ring/slip.c: look at a side that was seen to be fast, and one that a look has found little from. */
uint64_t corral_ring_slip_first_(struct corral_ring_side *me, const struct corral_ring_side *other, uint64_t last,
				 uint32_t poor, uint32_t pauses);
uint64_t corral_ring_slip_(struct corral_ring_side *me, const struct corral_ring_side *other, uint64_t o, uint32_t poor,
			   uint32_t pauses);

/*
 * Look at the opposite side, when the ring seems full or empty from what it was at the last look. A1 pairs with the
 * opposite side's publication, R1: its slots are ours to read or write.
 */
CORRAL_HELPER_ uint64_t corral_ring_look_(const struct corral_ring_claim_ *c, uint64_t last)
{
	uint64_t o;
	int64_t gain;

	/* Who asks what is left looks at every call: no slips then. */
	if (!c->want_room && corral_load(&c->me->slip, CORRAL_RELAXED) == CORRAL_RING_SLIP_FAST_)
		return corral_ring_slip_first_(c->me, c->other, last, c->poor, c->wait->slip);
	o = corral_load(&c->other->tail, CORRAL_ACQUIRE);
	gain = corral_ring_gain_(o, last);
	if (c->want_room || corral_likely_(gain >= (int64_t)c->poor) || gain <= 0)
		return o;
	return corral_ring_slip_(c->me, c->other, o, c->poor, c->wait->slip);
}

/* How many of the n wanted can be had. */
CORRAL_HELPER_ uint32_t corral_ring_fit_(const struct corral_ring_claim_ *c)
{
	if (corral_likely_(c->room >= (int64_t)c->n))
		return c->n;
	return c->fixed || c->room <= 0 ? 0 : (uint32_t)c->room;
}

CORRAL_END_DECLS

#endif
