/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rc11.c - which executions RC11 allows, by its definition (Lahav et al., PLDI 2017).
 *
 * Coherence and atomicity are kept by construction: the functions here say what a new read may read and where a new
 * write may stand. That program order and reads-from have no cycle (no load buffering) is so because every event is
 * added after its causes. What is left is the order of the seq_cst events, which is checked as it is defined.
 */
#include "graph.h"

#include <string.h>

/* Pairs of events. */
#define ROW ((EVENTS + 63) / 64)

struct relation {
	uint64_t to[EVENTS][ROW];
};

int mo_count(const struct graph *g, int loc)
{
	return loc < g->locs ? g->mo[loc].n : 0;
}

int mo_pos(const struct graph *g, int loc, int w)
{
	int i;

	for (i = 0; w >= 0 && i < mo_count(g, loc); i++)
		if (g->mo[loc].w[i] == w)
			return i + 1;
	return 0;
}

int mo_floor(const struct graph *g, int loc, const view *seen)
{
	int count = mo_count(g, loc), floor = count, i, pos;

	if (count == 0)
		return 0;
	while (floor > 0 && !before(&g->ev[g->mo[loc].w[floor - 1]], seen))
		floor--;
	for (i = 0; i < g->n && floor < count; i++) {
		if (!is_read(&g->ev[i]) || g->ev[i].loc != loc || !before(&g->ev[i], seen))
			continue;
		pos = mo_pos(g, loc, g->ev[i].rf);
		if (pos > floor)
			floor = pos;
	}
	return floor;
}

int mo_free(const struct graph *g, int loc, int pos)
{
	const struct event *next;

	if (pos >= mo_count(g, loc))
		return 1;
	next = &g->ev[g->mo[loc].w[pos]];
	return next->rf < 0 || mo_pos(g, loc, g->ev[next->rf].rf) != pos;
}

int rmw_pos(const struct graph *g, int w)
{
	int loc = g->ev[w].loc, pos = mo_pos(g, loc, g->ev[g->ev[w].rf].rf);

	return mo_free(g, loc, pos) ? pos : -1;
}

int race_of(const struct graph *g, int e)
{
	const struct event *a, *b = &g->ev[e];
	int i;

	for (i = 0; i < g->n; i++) {
		a = &g->ev[i];
		if (a->tid == b->tid || a->kind == FENCE || a->loc != b->loc)
			continue;
		if (!is_write(a) && !is_write(b))
			continue;
		if (!is_plain(a) && !is_plain(b))
			continue;
		if (!before(a, &b->hb) && !before(b, &a->hb))
			return i;
	}
	return -1;
}

static int hb(const struct graph *g, int a, int b)
{
	return a != b && before(&g->ev[a], &g->ev[b].hb);
}

static int po(const struct graph *g, int a, int b)
{
	return g->ev[a].tid == g->ev[b].tid && g->ev[a].idx < g->ev[b].idx;
}

static int same_loc(const struct graph *g, int a, int b)
{
	return g->ev[a].kind != FENCE && g->ev[b].kind != FENCE && g->ev[a].loc == g->ev[b].loc;
}

/* Of a write its own position, of a read that of what it read. */
static int place_of(const struct graph *g, int e)
{
	return mo_pos(g, g->ev[e].loc, is_write(&g->ev[e]) ? e : g->ev[e].rf);
}

static int mo_or_rb(const struct graph *g, int a, int b)
{
	return a != b && same_loc(g, a, b) && is_write(&g->ev[b]) && place_of(g, a) < place_of(g, b);
}

/* (rf ∪ mo ∪ rb)+ : who ends in a read has passed the write that it read, unless it began with that write. */
static int eco(const struct graph *g, int a, int b)
{
	if (a == b || !same_loc(g, a, b))
		return 0;
	if (is_write(&g->ev[a]) && is_read(&g->ev[b]))
		return place_of(g, a) <= place_of(g, b);
	return place_of(g, a) < place_of(g, b);
}

static int po_other_loc(const struct graph *g, int a, int b)
{
	return po(g, a, b) && !same_loc(g, a, b);
}

static int is_sc(const struct event *e)
{
	return (is_read(e) ? order_of(e) : e->order) == MODEL_SEQ_CST;
}

static int is_sc_fence(const struct event *e)
{
	return e->kind == FENCE && is_sc(e);
}

static void put(struct relation *r, int a, int b)
{
	r->to[a][b / 64] |= UINT64_C(1) << (b % 64);
}

static int has(const struct relation *r, int a, int b)
{
	return r->to[a][b / 64] >> (b % 64) & 1;
}

static void fill(struct relation *r, const struct graph *g, int (*holds)(const struct graph *g, int a, int b))
{
	int a, b;

	memset(r, 0, (size_t)g->n * sizeof(r->to[0]));
	for (a = 0; a < g->n; a++)
		for (b = 0; b < g->n; b++)
			if (holds(g, a, b))
				put(r, a, b);
}

/* to |= p ; q */
static void compose(struct relation *to, const struct relation *p, const struct relation *q, int n)
{
	int a, b, i;

	for (a = 0; a < n; a++)
		for (b = 0; b < n; b++)
			for (i = 0; has(p, a, b) && i < ROW; i++)
				to->to[a][i] |= q->to[b][i];
}

static void clear(struct relation *r, int n)
{
	memset(r, 0, (size_t)n * sizeof(r->to[0]));
}

/* sb ∪ sb≠loc;hb;sb≠loc ∪ hb|loc ∪ mo ∪ rb */
static int scb_alone(const struct graph *g, int a, int b)
{
	return po(g, a, b) || (hb(g, a, b) && same_loc(g, a, b)) || mo_or_rb(g, a, b);
}

static void make_scb(struct relation *scb, const struct graph *g)
{
	static struct relation other, happens, step;

	fill(scb, g, scb_alone);
	fill(&other, g, po_other_loc);
	fill(&happens, g, hb);
	clear(&step, g->n);
	compose(&step, &other, &happens, g->n);
	compose(scb, &step, &other, g->n);
}

/* [E sc] ∪ [F sc];hb? */
static int sc_and_after(const struct graph *g, int a, int b)
{
	return is_sc(&g->ev[a]) && (a == b || (is_sc_fence(&g->ev[a]) && hb(g, a, b)));
}

/* [E sc] ∪ hb?;[F sc] */
static int sc_and_before(const struct graph *g, int a, int b)
{
	return is_sc(&g->ev[b]) && (a == b || (is_sc_fence(&g->ev[b]) && hb(g, a, b)));
}

static int fence_hb(const struct graph *g, int a, int b)
{
	return is_sc_fence(&g->ev[a]) && hb(g, a, b);
}

static int hb_fence(const struct graph *g, int a, int b)
{
	return is_sc_fence(&g->ev[b]) && hb(g, a, b);
}

static int fence_hb_fence(const struct graph *g, int a, int b)
{
	return is_sc_fence(&g->ev[a]) && hb_fence(g, a, b);
}

/* [E sc ∪ F sc;hb?] ; scb ; [E sc ∪ hb?;F sc], and [F sc] ; (hb ∪ hb;eco;hb) ; [F sc] */
static void make_psc(struct relation *psc, const struct graph *g)
{
	static struct relation left, middle, right, step;

	fill(psc, g, fence_hb_fence);
	fill(&left, g, sc_and_after);
	make_scb(&middle, g);
	fill(&right, g, sc_and_before);
	clear(&step, g->n);
	compose(&step, &left, &middle, g->n);
	compose(psc, &step, &right, g->n);
	fill(&left, g, fence_hb);
	fill(&middle, g, eco);
	fill(&right, g, hb_fence);
	clear(&step, g->n);
	compose(&step, &left, &middle, g->n);
	compose(psc, &step, &right, g->n);
}

int psc_ok(const struct graph *g)
{
	static struct relation psc;
	int a, b, i;

	if (g->sc < 2)
		return 1;
	make_psc(&psc, g);
	for (b = 0; b < g->n; b++) /* Warshall: paths through b */
		for (a = 0; a < g->n; a++)
			for (i = 0; has(&psc, a, b) && i < ROW; i++)
				psc.to[a][i] |= psc.to[b][i];
	for (a = 0; a < g->n; a++)
		if (has(&psc, a, a))
			return 0;
	return 1;
}
