/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring_world.h - a ring in the model explorer: scenarios as short texts, run on the real code, their results checked.
 *
 * "mt/hts cap=2 at=0x7fffffff has=1 : P1 p2 | G1 F | K2,1": the producers' mode and the consumers', the ring, and what
 * each thread does.
 *
 *   cap=N  capacity           at=N    position of the first object     has=N   objects in the ring at the start
 *   esize=N  bytes an element (4)
 *   slip=1  the ring slips (lib/ring/slip.c): a look that finds no object is a poor one; slip=2  and both its sides
 *           were seen to be fast
 *
 *   Pn pn     enqueue n objects: all or none, as many as go          Gn gn     dequeue n objects
 *   Qn,k Yn,k reserve room for n, put k: peek, zero copy             Kn,k Zn,k look at n, take k: peek, zero copy
 *   F         flush                                                  P+n ...   asks what is left, too
 *
 * After every execution the ring is emptied, and queue.h must find an order that explains all results.
 */
#ifndef CORRAL_TEST_RING_WORLD_H
#define CORRAL_TEST_RING_WORLD_H

#include "model.h"

#include <corral/ring.h>

#define RING_WORLD_MODES 4

struct ring_world_mode {
	const char *name;
	unsigned int prod; /* CORRAL_RING_F_* */
	unsigned int cons;
	int rule; /* enum queue_rule */
	int many; /* threads of its side */
	int peek;
};

/* st, mt, rts, hts */
extern const struct ring_world_mode ring_world_modes[RING_WORLD_MODES];

/* A ring in the model's memory; for setup. Words have names, for traces. */
struct corral_ring *ring_world_make(const struct ring_world_mode *prod, const struct ring_world_mode *cons,
				    unsigned int esize, unsigned int capacity, uint64_t at);

/*
 * Explore "cap=2 : P1 | G1" for each pair of modes that can do it (peek, several threads of a side), and report each
 * under its whole text. filter: only those that have it in their text; NULL: all.
 */
void ring_world_explore(const char *text, const char *filter, model_report report);

#endif
