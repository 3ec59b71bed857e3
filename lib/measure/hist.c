/* SPDX-License-Identifier: BSD-3-Clause */
/* hist.c - reading histograms of call times. */
#include "hist.h"

void measure_hist_merge(struct peer_hist *h, const struct peer_hist *from)
{
	unsigned int i;

	h->calls += from->calls;
	if (from->max > h->max)
		h->max = from->max;
	for (i = 0; i < PEER_HIST_BUCKETS; i++)
		h->bucket[i] += from->bucket[i];
}

static double bucket_middle(unsigned int i)
{
	double low = (double)(PEER_HIST_SUB + i % PEER_HIST_SUB) / PEER_HIST_SUB;
	double width = 1.0 / PEER_HIST_SUB;
	double scale = (double)((uint64_t)1 << (i / PEER_HIST_SUB));

	if (width * scale <= 1.0) /* a bucket of one tick at most holds that tick */
		return low * scale;
	return (low + width / 2) * scale;
}

double measure_hist_quantile(const struct peer_hist *h, double q)
{
	double want = q * (double)h->calls;
	uint64_t seen = 0;
	unsigned int i;

	for (i = 0; i < PEER_HIST_BUCKETS - 1; i++) {
		seen += h->bucket[i];
		if (seen != 0 && (double)seen >= want)
			break;
	}
	if (h->calls == 0)
		return 0;
	if (i == PEER_HIST_BUCKETS - 1 || bucket_middle(i) > (double)h->max)
		return (double)h->max;
	return bucket_middle(i);
}
