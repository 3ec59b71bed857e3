/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stats.h - what is said about the rounds of a cell: median, range, and an interval for the median that assumes nothing
 * about the shape of the noise (on shared machines it has a long tail, so means and standard deviations mislead).
 */
#ifndef CORRAL_MEASURE_STATS_H
#define CORRAL_MEASURE_STATS_H

#include <stdbool.h>
#include <stdint.h>

#define MEASURE_ROUNDS_95 6 /* values that a 95 % interval needs */

struct measure_summary {
	unsigned int n; /* values; 0: the rest is 0 */
	double min, median, max;
	double lo, hi; /* 95 % interval of the median; NAN below MEASURE_ROUNDS_95 values */
};

/*
 * Ranks (from 1) of the two order statistics of n values that enclose the median with at least 95 %: 2 and 8 for 9
 * values. Below MEASURE_ROUNDS_95 values no two do (1 and 5 of 5 values: 93.8 %): then both are 0.
 */
void measure_median_ranks(unsigned int n, unsigned int *lo, unsigned int *hi);

/* v is not changed. 0, or -ENOMEM. */
int measure_summarize(struct measure_summary *s, const double *v, unsigned int n);

/* There are enough values for lo and hi. */
bool measure_has_interval(const struct measure_summary *s);

/* Of the ratios a[i]/b[i]: a pair is of one round, and noise that hits a round hits both. Without pairs with b <= 0. */
int measure_ratios(struct measure_summary *s, const double *a, const double *b, unsigned int n);

/* Half width of the interval as a share of the median; 0 if there is no median, NAN if there is no interval. */
double measure_half_width(const struct measure_summary *s);

/* More than 20 % of the median lie between it and one end of its interval; false if there is none. */
bool measure_is_wide(const struct measure_summary *s);

/* A random order of 0..n-1, so that nobody always goes first or after the same one. *state is any number but 0. */
void measure_shuffle(unsigned int *order, unsigned int n, uint64_t *state);

/* Next of a xorshift sequence. */
uint64_t measure_random(uint64_t *state);

#endif
