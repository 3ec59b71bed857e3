/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hist.h - the histogram of call times: filled inside the plug-ins' loops, read by the tool.
 *
 * 16 sub-buckets a power of two, so a percentile is right to 1/16 of itself; all that lasts 2^41 ticks or more falls
 * into the last bucket (max is exact).
 */
#ifndef CORRAL_MEASURE_HIST_H
#define CORRAL_MEASURE_HIST_H

#include "peer.h"

static inline __attribute__((always_inline, unused)) unsigned int measure_hist_index(uint64_t ticks)
{
	unsigned int e, sub;

	if (ticks == 0)
		ticks = 1;
	e = 63u - (unsigned int)__builtin_clzll(ticks);
	if (e > 40)
		return PEER_HIST_BUCKETS - 1;
	sub = e >= 4 ? (unsigned int)(ticks >> (e - 4)) : (unsigned int)(ticks << (4 - e));
	return e * PEER_HIST_SUB + (sub & (PEER_HIST_SUB - 1));
}

static inline __attribute__((always_inline, unused)) void measure_hist_add(struct peer_hist *h, uint64_t ticks)
{
	h->calls++;
	if (ticks > h->max)
		h->max = ticks;
	h->bucket[measure_hist_index(ticks)]++;
}

/* Adds what is in from to h. */
void measure_hist_merge(struct peer_hist *h, const struct peer_hist *from);

/* The time below which the share q (0..1) of the calls lies, in ticks: the middle of its bucket, at most max. */
double measure_hist_quantile(const struct peer_hist *h, double q);

#endif
