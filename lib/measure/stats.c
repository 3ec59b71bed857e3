/* SPDX-License-Identifier: BSD-3-Clause */
/* stats.c - medians, intervals by order statistics, ratios pair by pair. */
#include "stats.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/*
 * The number of values below the true median is binomial(n, 1/2). Take the largest k so that the chance of fewer than k
 * on one side stays within 2.5 %. Above 1000 values 2^-n leaves the range of a double, and the normal law is as good.
 */
void measure_median_ranks(unsigned int n, unsigned int *lo, unsigned int *hi)
{
	double term = 1.0, below = 0.0;
	unsigned int i, k = 0;

	if (n > 1000) {
		k = (unsigned int)(n / 2.0 - 0.98 * sqrt(n));
	} else {
		for (i = 0; i < n; i++)
			term /= 2;
		for (i = 0; i < n / 2; i++) {
			below += term;
			if (below > 0.025)
				break;
			k = i + 1;
			term = term * (n - i) / (i + 1);
		}
	}
	*lo = k;
	*hi = k ? n + 1 - k : 0;
}

int measure_summarize(struct measure_summary *s, const double *v, unsigned int n)
{
	unsigned int lo, hi;
	double *sorted;

	memset(s, 0, sizeof(*s));
	if (n == 0)
		return 0;
	sorted = malloc(n * sizeof(*sorted));
	if (!sorted)
		return -ENOMEM;
	memcpy(sorted, v, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), by_value);
	measure_median_ranks(n, &lo, &hi);
	s->n = n;
	s->min = sorted[0];
	s->max = sorted[n - 1];
	s->median = n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
	s->lo = lo ? sorted[lo - 1] : NAN;
	s->hi = hi ? sorted[hi - 1] : NAN;
	free(sorted);
	return 0;
}

bool measure_has_interval(const struct measure_summary *s)
{
	return s->n >= MEASURE_ROUNDS_95;
}

int measure_ratios(struct measure_summary *s, const double *a, const double *b, unsigned int n)
{
	unsigned int i, m = 0;
	double *r;
	int rc;

	memset(s, 0, sizeof(*s));
	if (n == 0)
		return 0;
	r = malloc(n * sizeof(*r));
	if (!r)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		if (b[i] > 0)
			r[m++] = a[i] / b[i];
	}
	rc = measure_summarize(s, r, m);
	free(r);
	return rc;
}

double measure_half_width(const struct measure_summary *s)
{
	return s->median > 0 ? (s->hi - s->lo) / 2 / s->median : 0;
}

bool measure_is_wide(const struct measure_summary *s)
{
	return measure_has_interval(s) && (s->hi > 1.2 * s->median || s->lo < 0.8 * s->median);
}

uint64_t measure_random(uint64_t *state)
{
	uint64_t x = *state;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return *state = x;
}

void measure_shuffle(unsigned int *order, unsigned int n, uint64_t *state)
{
	unsigned int i, j, t;

	for (i = 0; i < n; i++)
		order[i] = i;
	for (i = n; i > 1; i--) {
		j = (unsigned int)(measure_random(state) % i);
		t = order[i - 1];
		order[i - 1] = order[j];
		order[j] = t;
	}
}
