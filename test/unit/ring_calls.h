/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring_calls.h - tables for tests that try everything: the modes of a side, and all ways to call a ring, in one shape.
 */
#ifndef CORRAL_RING_CALLS_H
#define CORRAL_RING_CALLS_H

#include <corral/ring.h>

#define ESIZE_MOST 64 /* bytes of the largest element that the tables' users move */

enum side { PROD, CONS };

/* A mode of a side, and the flags that choose it. */
struct mode {
	const char *name;
	enum corral_ring_sync sync;
	unsigned int prod_flag, cons_flag;
	int peeks; /* it has peek and zero copy */
};

extern const struct mode modes[];
extern const unsigned int mode_count;

enum how { SINGLE, BULK, BURST };

/*
 * A way to move objects. n is 1 and left NULL for SINGLE. The result is what bulk and burst give: the number moved, or
 * a negative errno; -ENOBUFS and -ENOENT of single calls are handed on.
 */
struct call {
	const char *name;
	enum side side;
	enum how how;
	int by_name;		    /* for rings of `sync` alone */
	enum corral_ring_sync sync; /* of by_name */
	int elem;		    /* moves elements of any size, else pointers */
	int (*move)(struct corral_ring *r, void *objs, unsigned int esize, unsigned int n, unsigned int *left);
};

extern const struct call calls[];
extern const unsigned int call_count;

/* Does this call fit a ring whose side has that mode and element size? */
int call_fits(const struct call *c, enum side side, const struct mode *m, unsigned int esize);

/* Positions to start from: 0, and just below each wrap that a word could have. */
extern const uint64_t starts[];
extern const unsigned int start_count;

/* A ring in memory of its own whose positions begin at start. Ends the program if it cannot be made. */
struct corral_ring *ring_make(unsigned int flags, unsigned int esize, unsigned int count, uint64_t start);
void ring_unmake(struct corral_ring *r);

/* The element of number v: esize bytes that all depend on it. And is it that? */
void elem_make(void *elem, unsigned int esize, uint32_t v);
int elem_is(const void *elem, unsigned int esize, uint32_t v);
uint32_t elem_number(const void *elem);

/* Generic bulk/burst of elements: the number moved, or a negative errno. */
int put(struct corral_ring *r, uint32_t first, unsigned int n);	   /* bulk of the numbers first, first + 1, … */
int get_is(struct corral_ring *r, uint32_t first, unsigned int n); /* bulk; 1 if they are first, first + 1, … */

/*
 * A call that stands still between its claim and its publication, as if its thread were preempted there: claim n, then
 * let go of it with the first k published (k < n where the mode can trim).
 */
struct held {
	struct corral_ring *ring;
	enum corral_ring_sync sync;
	uint32_t n;
	struct corral_ring_claim_ claim;
};
struct held ring_hold(struct corral_ring *r, enum side side, unsigned int n);
void ring_let_go(struct held *h, unsigned int k);

/* How often a long loop is to run: n, less where CORRAL_STRESS_SCALE says that the machine is slow. At least 1. */
unsigned int scaled(unsigned int n);

#endif
