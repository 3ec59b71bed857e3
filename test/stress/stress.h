/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stress.h - for tests that drive a ring with many threads: random calls of any kind that fits, crews of threads that
 * start together, random numbers that a seed repeats (the threads' interleaving is the machine's).
 */
#ifndef CORRAL_STRESS_H
#define CORRAL_STRESS_H

#include "ring_calls.h"

#include <pthread.h>

#define BURST_MOST 12 /* objects that one call moves */

/* One thread's hands on one side of a ring. */
struct mover {
	struct corral_ring *r;
	const struct mode *m;
	enum side side;
	uint64_t seed;
	unsigned int fit_count;
	const struct call *fit[32]; /* calls that fit */
	void *room[BURST_MOST * ESIZE_MOST / sizeof(void *)];
};

void mover_init(struct mover *v, struct corral_ring *r, enum side side, uint64_t seed);

/* A random number below n. */
uint32_t mover_random(struct mover *v, uint32_t n);

/*
 * Move up to n of the elements (1..BURST_MOST) by a random call: single, bulk, burst; where the mode has them peek and
 * zero copy, which may take back a part or all; in the other modes bursts that stand still half-way. Gives how many
 * were moved, and ends the program with a message if the call answers what it must not.
 */
unsigned int mover_put(struct mover *v, const void *elems, unsigned int n);
unsigned int mover_get(struct mover *v, void *elems, unsigned int n);

/* Threads that start together; all have ended when it returns. fn gets its number. */
void crew_run(unsigned int n, void (*fn)(unsigned int number, void *arg), void *arg);

/* Print "Bail out!" with the message, and end. */
__attribute__((noreturn, format(printf, 1, 2))) void bail(const char *fmt, ...);

#endif
