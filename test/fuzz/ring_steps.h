/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring_steps.h - calls on a ring, each beside what an array says that it has to do: inside fuzz_ring.
 *
 * One thread makes all calls, so every result is known: the number moved, what is left, the bytes. The array is a copy
 * of the ring's table; a slot that a call writes without need, or fails to write, makes the two differ.
 */
#ifndef CORRAL_RING_STEPS_H
#define CORRAL_RING_STEPS_H

#include "fuzz.h"

#include "unit/ring_calls.h"

/* A ring, and what it has to be like. */
struct under {
	struct corral_ring *r;
	unsigned int cap, esize, flags;
	const struct mode *mode[2];
	uint64_t pos[2];      /* of the next object put in, and taken out */
	unsigned int have;    /* objects inside */
	unsigned int open[2]; /* objects claimed by a peek or zero copy that is not finished; 0: none is open */
	uint64_t refused[2];  /* calls that found no room, or nothing */
	uint64_t tapped[2];   /* calls that a capture was shown */
	int tap;
	unsigned char *table; /* what the slots hold */
	uint32_t number;      /* of the next object that is made up */
};

/* What the input chose for a call. */
struct wish {
	unsigned int which; /* one of the calls of that kind */
	unsigned int n;
	int left;	     /* ask what is left */
	int wrong_esize;     /* where a call takes a size: not the ring's */
	unsigned int offset; /* of the objects from an aligned address, bytes */
};

/* Print what is done, if FUZZ_TRACE is set. */
void steps_trace(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

void step_move(struct under *u, enum side side, const struct wish *w);
void step_start(struct under *u, enum side side, const struct wish *w);
void step_finish(struct under *u, enum side side, const struct wish *w);

#endif
