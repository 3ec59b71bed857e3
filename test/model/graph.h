/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * graph.h - an execution: events, what reads read from, and the order of the writes to each location.
 *
 * Events stand in the order in which they were added. A read may read from a write that was added later: the search
 * goes back to reads ("revisits") when a new write comes. Who comes before whom is kept as vector clocks: count[t] is
 * how many of thread t's events, in program order, come before. An event counts as before itself.
 */
#ifndef CORRAL_TEST_GRAPH_H
#define CORRAL_TEST_GRAPH_H

#include "model.h"

#define EVENTS 320  /* of an execution */
#define EACH 128    /* of a thread */
#define LOCS 96	    /* locations that a scenario touches */
#define WRITES 40   /* to one location */
#define ARENA 16384 /* bytes that a scenario shares */
#define NAME 27	    /* bytes of a location's name, NUL included */

#define INIT (-1)	     /* as a write: what was there at the start */
#define NOBODY MODEL_THREADS /* as a thread: setup or check, whose accesses are no events */

enum kind { READ, WRITE, FENCE, PLAIN_READ, PLAIN_WRITE };

/* What a READ is the first half of. Its second half, a WRITE, follows if it succeeds. */
enum rmw { RMW_NONE, RMW_CAS, RMW_WEAK, RMW_ADD };

typedef struct model_view view;

struct event {
	uint64_t value; /* read or written */
	uint64_t cmp;	/* CAS: what it compares with */
	view hb;	/* happens before */
	view pend;	/* would happen before if an acquire fence followed */
	view rel;	/* what the last release fence gives to writes */
	view porf;	/* before by program order and reads-from, whatever the orders */
	view msg;	/* write: what happens before whoever reads it with acquire */
	const char *file;
	const char *call; /* model_call() */
	uint16_t line;
	int16_t rf; /* read: the write, or INIT; write of a read-modify-write: its read; else -1 */
	uint8_t tid;
	uint8_t idx; /* in its thread */
	uint8_t kind;
	uint8_t order;
	uint8_t order_no; /* CAS: the order if it fails */
	uint8_t rmw;
	uint8_t spurious; /* weak CAS that failed for no reason */
	uint8_t loc;
};

/* The writes to one location, oldest first, without the initial one. */
struct order_of_writes {
	uint8_t n;
	int16_t w[WRITES];
};

struct graph {
	int n;	  /* events */
	int sc;	  /* seq_cst events, or a few more */
	int locs; /* of mo[], those in use */
	uint8_t count[MODEL_THREADS];
	int16_t of[MODEL_THREADS][EACH];
	struct order_of_writes mo[LOCS];
	struct event ev[EVENTS];
	struct graph *next; /* in the search's lists */
};

/* A word that was accessed: numbered as they come up, which differs from search to search. */
struct location {
	uint64_t init;
	uint16_t at; /* in the arena */
	uint8_t size;
	char name[NAME];
};

extern char arena[ARENA];
extern struct location locations[LOCS];
extern int n_locations;

void locations_reset(void);
void location_name(const volatile void *p, const char *name);
int locate(const volatile void *p, unsigned int size);

void graph_clear(struct graph *g);
void graph_copy(struct graph *to, const struct graph *from);

/* The thread's next event, after those it has. */
struct event *graph_add(struct graph *g, unsigned int tid, enum kind kind);

/* The read e reads from the write w. May be said anew, as long as nothing follows e in its thread. */
void graph_read_from(struct graph *g, struct event *e, int w);

/* Value, order and rf of the write are set: make the message that it carries. */
void graph_seal_write(struct graph *g, struct event *e);
void graph_seal_fence(struct event *e);

/* Put the write w at pos in the order of its location's writes. */
void graph_place(struct graph *g, int w, int pos);

/*
 * Of the events of `from`, those up to r and those that a depends on, a included; map[i] is what became of event i,
 * or -1. The write a is in no order of writes, and what r reads from may be gone: place the one, and say the other.
 */
void graph_restrict(struct graph *to, const struct graph *from, int r, int a, int16_t *map);

/* The same for the same execution, in whatever order its events were added and its locations found. */
uint64_t graph_hash(const struct graph *g);

/* rc11.c. A position in the order of writes: 0 is INIT's, i + 1 that of w[i]. */
int mo_count(const struct graph *g, int loc);
int mo_pos(const struct graph *g, int loc, int w);

/* The oldest write that somebody may read, or stand after, before whom all of seen happened. */
int mo_floor(const struct graph *g, int loc, const view *seen);

/* May a write stand right after pos? Not between a read-modify-write and what it read. */
int mo_free(const struct graph *g, int loc, int pos);

/* Where the write of a read-modify-write must stand; -1 if another one stands there. */
int rmw_pos(const struct graph *g, int w);

/* An event of another thread that e, just added, races with; -1: none. */
int race_of(const struct graph *g, int e);

/* Is there an order of the seq_cst events (RC11's psc is acyclic)? */
int psc_ok(const struct graph *g);

static inline int before(const struct event *e, const view *v)
{
	return e->idx < v->count[e->tid];
}

static inline void join(view *to, const view *from)
{
	int t;

	for (t = 0; t < MODEL_THREADS; t++)
		if (to->count[t] < from->count[t])
			to->count[t] = from->count[t];
}

static inline int is_read(const struct event *e)
{
	return e->kind == READ || e->kind == PLAIN_READ;
}

static inline int is_write(const struct event *e)
{
	return e->kind == WRITE || e->kind == PLAIN_WRITE;
}

static inline int is_plain(const struct event *e)
{
	return e->kind == PLAIN_READ || e->kind == PLAIN_WRITE;
}

/* Is the read the first half of a read-modify-write that writes? */
static inline int succeeds(const struct event *e)
{
	if (e->rmw == RMW_ADD)
		return 1;
	return e->rmw != RMW_NONE && e->value == e->cmp && !e->spurious;
}

/* The order that counts: a CAS has two. */
static inline int order_of(const struct event *e)
{
	return e->rmw == RMW_NONE || succeeds(e) ? e->order : e->order_no;
}

static inline int may_be_sc(const struct event *e)
{
	return e->order == MODEL_SEQ_CST || e->order_no == MODEL_SEQ_CST;
}

static inline int acquires(int order)
{
	return order == MODEL_ACQUIRE || order >= MODEL_ACQ_REL;
}

static inline int releases(int order)
{
	return order >= MODEL_RELEASE;
}

#endif
