/* SPDX-License-Identifier: BSD-3-Clause */
/* litmus_test.h - what one litmus test is, and the words that all of them use. */
#ifndef CORRAL_TEST_LITMUS_TEST_H
#define CORRAL_TEST_LITMUS_TEST_H

#include "model.h"

#include <corral/atomic.h>

#define RLX CORRAL_RELAXED
#define ACQ CORRAL_ACQUIRE
#define REL CORRAL_RELEASE
#define A_R CORRAL_ACQ_REL
#define SC CORRAL_SEQ_CST

#define OUTCOMES 8 /* reads of a thread */

/* The program's orders: w and r of its writes and reads, fw and fr of fences between them (0: none). */
struct orders {
	int w, r, fw, fr;
};

enum expect {
	ALLOWED,   /* the weak outcome is among the outcomes */
	FORBIDDEN, /* it is not */
	VIOLATION, /* the explorer fails, and says so */
};

struct litmus_test {
	const char *name;
	unsigned int threads;
	void (*thread)(unsigned int t, const void *arg); /* arg: the struct orders */
	int (*weak)(void);
	enum expect expect;
	struct orders o;
	unsigned int executions;
	const char *why; /* part of what a violation says */
};

extern struct corral_a64 *x, *y, *z;
extern uint32_t *data;
extern uint64_t r[MODEL_THREADS][OUTCOMES]; /* what the threads read */

void litmus_run(const struct litmus_test *tests, unsigned int n, const char *filter, model_report report);

/* litmus_waits.c: races, waits, checks. */
void litmus_waits(const char *filter, model_report report);

#endif
