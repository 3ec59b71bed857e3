/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * queue.h - what calls on a ring may answer: is there an order of them that explains all results?
 *
 * The specification is a bounded FIFO queue whose calls have two points each: an enqueue reserves room and later
 * publishes, a dequeue takes objects and later frees their room. The points of all calls stand in one order, which
 * respects what happened before what. A result is explained if the queue, run in that order, gives it.
 */
#ifndef CORRAL_TEST_QUEUE_H
#define CORRAL_TEST_QUEUE_H

#include <stdint.h>

#define QUEUE_CALLS 16
#define QUEUE_OBJS 8 /* of one call, and in the queue at the start and at the end */
#define QUEUE_THREADS 4

/* How the calls of one side take turns. */
enum queue_rule {
	QUEUE_IN_ORDER, /* the second points come in the order of the first ones (MT) */
	QUEUE_ALONE,	/* nobody else of the side is between its points (ST, HTS) */
	QUEUE_LAST,	/* what the side has done counts when nobody is between its points (RTS) */
};

enum queue_kind {
	QUEUE_PUT,
	QUEUE_GET,
	QUEUE_FLUSH, /* the first point notes what is reserved, the second needs it published */
};

/* The bit of a call's first (0) or second (1) point in struct queue_call.after. */
#define QUEUE_POINT(call, which) (UINT32_C(1) << (2 * (call) + (which)))

struct queue_call {
	uint8_t thread;	   /* calls of one thread stand in their order */
	uint8_t kind;	   /* enum queue_kind */
	uint8_t fixed;	   /* all or nothing (bulk) */
	uint8_t n;	   /* objects wanted */
	uint8_t open;	   /* objects reserved or taken at the first point; 0: the call got nothing and is over */
	uint8_t k;	   /* of these, kept at the second: the rest is as before (finish of a peek) */
	uint8_t asked;	   /* left is an answer */
	uint8_t left;	   /* room or objects that were left after the call */
	uint8_t lenient;   /* may have got less than there was */
	uint8_t unused[3]; /* 0: problems are compared byte by byte */
	uint32_t after[2]; /* points of other calls that come before this call's first and second point */
	uint16_t obj[QUEUE_OBJS]; /* what was put (k), or seen when taken (open) */
};

/* Calls, and what they have to fit. Zero it first: all bytes count. */
struct queue {
	uint32_t capacity;
	uint32_t calls;
	uint8_t rule[2]; /* enum queue_rule of putters and getters */
	uint8_t n_has;
	uint8_t n_after;
	uint16_t has[QUEUE_OBJS];   /* objects at the start */
	uint16_t after[QUEUE_OBJS]; /* what was found when all calls had ended */
	struct queue_call call[QUEUE_CALLS];
};

/*
 * Explained? The calls that got something must be explained together. Who asked what is left, or got less than
 * wanted, has seen how much there was: each such call must have an order (of all) in which it was exactly so. They
 * need not agree on one: two threads that find a ring full or empty have no order between them (that would take
 * seq_cst).
 */
int queue_explains(const struct queue *q);

/* One line for a call, for people: "T1 get 2: 2 [0.1 1.1]". */
void queue_print(char *text, unsigned int size, const struct queue_call *c);

#endif
