/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slip.c - do not tread on the other side's heels.
 *
 * Where both sides run at the same pace, each look at the opposite tail finds an object or two, and every look costs
 * both sides a transfer of its cache line. So after a look that found something, but little, the thread pauses a
 * while and looks once more ("slip"), so that the other side gets ahead by whole lines. If that brought much, the
 * stream is fast: from then on the pause comes before the look, and there is one look for many objects. As soon as
 * one brings little the side looks first again, and does not slip for a number of looks that doubles with each slip
 * in vain: a stream that trickles meets one slip in thousands of looks. What a call does is untouched: it would have
 * found enough or not, and now finds as much or more.
 *
 * The side's threads share the state without order: a lost update makes some slips more or fewer.
 */
#include "ring_internal.h"

#include <corral/ring_mode.h>

#define MUTE_LOG_MAX 12u /* at most 4096 looks without a slip */

/* The state: FAST, or looks to go without a slip << 8 | log2 of how many there were. */
#define FAST CORRAL_RING_SLIP_FAST_

/* Give the other side time, look, and see what that was worth. A1 pairs with R1 of the opposite side. */
static uint64_t slip(struct corral_ring_side *me, const struct corral_ring_side *other, uint64_t before, uint32_t poor,
		     uint32_t pauses, uint32_t log)
{
	uint64_t o;
	uint32_t i;

	corral_fetch_add(&me->slips, 1, CORRAL_RELAXED);
	for (i = 0; i < pauses; i++)
		corral_pause();
	o = corral_load(&other->tail, CORRAL_ACQUIRE);
	if (corral_ring_gain_(o, before) >= (int64_t)poor) {
		corral_store(&me->slip, FAST, CORRAL_RELAXED);
	} else {
		log = log < MUTE_LOG_MAX ? log + 1 : log;
		corral_store(&me->slip, (1u << (log + 8)) | log, CORRAL_RELAXED);
	}
	return o;
}

uint64_t corral_ring_slip_first_(struct corral_ring_side *me, const struct corral_ring_side *other, uint64_t last,
				 uint32_t poor, uint32_t pauses)
{
	return slip(me, other, last, poor, pauses, 2);
}

uint64_t corral_ring_slip_(struct corral_ring_side *me, const struct corral_ring_side *other, uint64_t o, uint32_t poor,
			   uint32_t pauses)
{
	uint32_t state = corral_load(&me->slip, CORRAL_RELAXED);

	if (state == FAST) /* another thread has just seen so */
		return o;
	if (state >> 8 == 0)
		return slip(me, other, o, poor, pauses, state);
	corral_store(&me->slip, state - (1u << 8), CORRAL_RELAXED);
	return o;
}
