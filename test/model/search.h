/* SPDX-License-Identifier: BSD-3-Clause */
/* search.h - the search under way: what explore.c (which execution next) and access.c (the next event) share. */
#ifndef CORRAL_TEST_SEARCH_H
#define CORRAL_TEST_SEARCH_H

#include "graph.h"

#include <setjmp.h>

#define CHECK_LOADS 100000 /* that a check may do: more, and it waits for ever */

struct search {
	const struct model_scenario *scenario;
	struct model_result *result;
	struct graph *g;   /* the execution; NULL: nothing is explored */
	unsigned int self; /* the thread that runs, or NOBODY */
	int pos;	   /* events that it has come by */
	int call_start;	   /* of these, those of calls before */
	const char *call;
	struct {
		int waiting; /* cut: it would do the same again, */
		int from;    /* as from this event on */
	} ends[MODEL_THREADS];
	int naive;		 /* brute force: all interleavings of single events, no revisits */
	int may_add;		 /* brute force: events that may be added before the run is left */
	unsigned int loads_left; /* of a check; 0: not counted */
	jmp_buf leave_run;
	jmp_buf leave_thread;
	jmp_buf leave_explore;
};

extern struct search search;

/* Graphs for the stack of those that are still to be explored. A pushed graph is the search's. */
struct graph *search_get(void);
void search_put(struct graph *g);
struct graph *search_copy(const struct graph *g);
void search_push(struct graph *g);

/* trace.c: an execution for people. */
void trace_print(const struct graph *g, const char *name, const char *why);

#endif
