/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * graph.c - see graph.h: locations, and the steps by which executions grow and shrink.
 */
#include "graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD 4 /* no location is smaller, or begins between two of these */

char arena[ARENA] __attribute__((aligned(128)));
struct location locations[LOCS];
int n_locations;

static int16_t loc_at[ARENA / WORD]; /* by offset: the location that begins there + 1, or 0 */
static char name_at[ARENA / WORD][NAME];

void locations_reset(void)
{
	n_locations = 0;
	memset(loc_at, 0, sizeof(loc_at));
	memset(name_at, 0, sizeof(name_at));
}

static size_t offset_of(const volatile void *p)
{
	uintptr_t at = (uintptr_t)p - (uintptr_t)arena;

	if (at >= ARENA || at % WORD != 0) {
		fprintf(stderr, "model: an access outside of model_alloc()'s memory, or between its words\n");
		abort();
	}
	return at;
}

void location_name(const volatile void *p, const char *name)
{
	snprintf(name_at[offset_of(p) / WORD], NAME, "%s", name);
}

static int overlaps(size_t at, unsigned int size)
{
	int i;

	for (i = 0; i < n_locations; i++)
		if (locations[i].at < at + size && at < (size_t)locations[i].at + locations[i].size)
			return 1;
	return 0;
}

static int add_location(size_t at, unsigned int size)
{
	struct location *l = &locations[n_locations];

	if (n_locations == LOCS) {
		fprintf(stderr, "model: more than %d locations\n", LOCS);
		abort();
	}
	l->at = (uint16_t)at;
	l->size = (uint8_t)size;
	l->init = 0;
	memcpy(&l->init, &arena[at], size); /* little-endian */
	if (name_at[at / WORD][0] != '\0')
		memcpy(l->name, name_at[at / WORD], NAME);
	else
		snprintf(l->name, NAME, "+%zu", at);
	loc_at[at / WORD] = (int16_t)++n_locations;
	return n_locations - 1;
}

/* The location of the word at p. */
int locate(const volatile void *p, unsigned int size)
{
	size_t at = offset_of(p);
	int i = loc_at[at / WORD] - 1;

	if (i < 0) {
		if (overlaps(at, size))
			model_fail("offset %zu is accessed at several widths", at);
		return add_location(at, size);
	}
	if (locations[i].size != size)
		model_fail("%s is accessed as %u and as %u bytes", locations[i].name, locations[i].size, size);
	return i;
}

void graph_clear(struct graph *g)
{
	g->n = 0;
	g->sc = 0;
	g->locs = 0;
	memset(g->count, 0, sizeof(g->count));
}

/* What is in use only: a graph is large and mostly empty. */
void graph_copy(struct graph *to, const struct graph *from)
{
	int t;

	to->n = from->n;
	to->sc = from->sc;
	to->locs = from->locs;
	memcpy(to->count, from->count, sizeof(to->count));
	for (t = 0; t < MODEL_THREADS; t++)
		memcpy(to->of[t], from->of[t], from->count[t] * sizeof(from->of[t][0]));
	memcpy(to->mo, from->mo, (size_t)from->locs * sizeof(from->mo[0]));
	memcpy(to->ev, from->ev, (size_t)from->n * sizeof(from->ev[0]));
}

static void append(struct graph *g, const struct event *e)
{
	g->ev[g->n] = *e;
	g->of[e->tid][g->count[e->tid]++] = (int16_t)g->n;
	g->n++;
}

/* Clocks from what comes before in the thread, and the event itself. */
static void inherit(struct graph *g, struct event *e)
{
	const struct event *last;

	memset(&e->hb, 0, sizeof(view));
	memset(&e->pend, 0, sizeof(view));
	memset(&e->rel, 0, sizeof(view));
	memset(&e->porf, 0, sizeof(view));
	if (e->idx != 0) {
		last = &g->ev[g->of[e->tid][e->idx - 1]];
		e->hb = last->hb;
		e->pend = last->pend;
		e->rel = last->rel;
		e->porf = last->porf;
	}
	e->hb.count[e->tid] = (uint8_t)(e->idx + 1);
	e->porf.count[e->tid] = (uint8_t)(e->idx + 1);
}

struct event *graph_add(struct graph *g, unsigned int tid, enum kind kind)
{
	struct event e;

	if (g->n == EVENTS || g->count[tid] == EACH)
		model_fail("this execution does not come to an end (or is larger than %d events, %d a thread)", EVENTS,
			   EACH);
	memset(&e, 0, sizeof(e));
	e.tid = (uint8_t)tid;
	e.idx = g->count[tid];
	e.kind = (uint8_t)kind;
	e.rf = -1;
	append(g, &e);
	inherit(g, &g->ev[g->n - 1]);
	return &g->ev[g->n - 1];
}

void graph_read_from(struct graph *g, struct event *e, int w)
{
	const struct event *from = w < 0 ? NULL : &g->ev[w];

	inherit(g, e);
	e->rf = (int16_t)w;
	e->value = from != NULL ? from->value : locations[e->loc].init;
	if (from == NULL)
		return;
	join(&e->porf, &from->porf);
	join(&e->pend, &from->msg);
	if (e->kind == READ && acquires(order_of(e)))
		join(&e->hb, &from->msg);
}

/*
 * A write that releases gives what happened before it, itself included; after a release fence each write gives what
 * happened before the fence. As in C++20, a release sequence is the write and the read-modify-writes that go on from
 * it: a later store of the same thread is not in it.
 */
void graph_seal_write(struct graph *g, struct event *e)
{
	const struct event *read;

	memset(&e->msg, 0, sizeof(view));
	if (e->kind == PLAIN_WRITE)
		return;
	join(&e->msg, &e->rel);
	if (releases(e->order))
		join(&e->msg, &e->hb);
	if (e->rf < 0)
		return;
	read = &g->ev[e->rf];
	if (read->rf >= 0)
		join(&e->msg, &g->ev[read->rf].msg);
}

void graph_seal_fence(struct event *e)
{
	if (acquires(e->order))
		join(&e->hb, &e->pend);
	if (releases(e->order))
		e->rel = e->hb;
}

static struct order_of_writes *writes_of(struct graph *g, int loc)
{
	while (g->locs <= loc)
		g->mo[g->locs++].n = 0;
	return &g->mo[loc];
}

void graph_place(struct graph *g, int w, int pos)
{
	struct order_of_writes *mo = writes_of(g, g->ev[w].loc);

	if (mo->n == WRITES)
		model_fail("more than %d writes to one location: threads that never end?", WRITES);
	memmove(&mo->w[pos + 1], &mo->w[pos], (size_t)(mo->n - pos) * sizeof(mo->w[0]));
	mo->w[pos] = (int16_t)w;
	mo->n++;
}

static void restrict_writes(struct graph *to, const struct graph *from, const int16_t *map)
{
	struct order_of_writes *mo;
	int l, i;

	for (l = 0; l < from->locs; l++) {
		mo = writes_of(to, l);
		for (i = 0; i < from->mo[l].n; i++)
			if (map[from->mo[l].w[i]] >= 0)
				mo->w[mo->n++] = map[from->mo[l].w[i]];
	}
}

void graph_restrict(struct graph *to, const struct graph *from, int r, int a, int16_t *map)
{
	int i;

	graph_clear(to);
	for (i = 0; i < from->n; i++) {
		map[i] = -1;
		if (i > r && !before(&from->ev[i], &from->ev[a].porf))
			continue;
		map[i] = (int16_t)to->n;
		append(to, &from->ev[i]);
		to->sc += may_be_sc(&from->ev[i]);
	}
	for (i = 0; i < to->n; i++)
		if (to->ev[i].rf >= 0)
			to->ev[i].rf = map[to->ev[i].rf];
	restrict_writes(to, from, map);
}

static uint64_t mix(uint64_t h, uint64_t value)
{
	h = (h ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29;
}

static uint64_t name_of_event(const struct graph *g, int e)
{
	return e < 0 ? 0xffff : (uint64_t)g->ev[e].tid << 8 | g->ev[e].idx;
}

static uint64_t hash_event(const struct graph *g, const struct event *e, uint64_t h)
{
	h = mix(h, (uint64_t)e->kind << 8 | e->spurious);
	if (e->kind != FENCE)
		h = mix(h, locations[e->loc].at);
	h = mix(h, e->value);
	return mix(h, name_of_event(g, e->rf));
}

uint64_t graph_hash(const struct graph *g)
{
	uint64_t h = (uint64_t)g->n, m;
	int t, i, l;

	for (t = 0; t < MODEL_THREADS; t++) {
		h = mix(h, g->count[t]);
		for (i = 0; i < g->count[t]; i++)
			h = hash_event(g, &g->ev[g->of[t][i]], h);
	}
	for (l = 0; l < g->locs; l++) {
		if (g->mo[l].n == 0)
			continue;
		m = mix(7, locations[l].at);
		for (i = 0; i < g->mo[l].n; i++)
			m = mix(m, name_of_event(g, g->mo[l].w[i]));
		h += m;
	}
	return h;
}
