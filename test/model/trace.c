/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace.c - an execution for people: thread by thread what was read from where, then the order of the writes.
 *
 * Events come in the order in which they were added; a read that reads a later line was gone back to.
 */
#include "search.h"

#include <stdio.h>
#include <string.h>

const char *model_file(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? path : slash + 1;
}

static const char *order_name(int order)
{
	static const char *const names[] = { "relaxed", "?", "acquire", "release", "acq_rel", "seq_cst" };

	return names[order];
}

static void print_source(const struct graph *g, const struct event *e)
{
	const struct event *w;

	if (e->rf < 0) {
		printf(" (initial)");
		return;
	}
	w = &g->ev[e->rf];
	printf(" (of T%u.%u%s)", w->tid, w->idx,
	       mo_pos(g, e->loc, e->rf) == mo_count(g, e->loc) ? "" : ", not the newest");
}

static void print_rmw(const struct event *e)
{
	if (e->rmw == RMW_NONE)
		return;
	if (e->rmw == RMW_ADD)
		printf(" to add to");
	else
		printf(" CAS of %#lx%s", (unsigned long)e->cmp,
		       e->spurious    ? ": failed for no reason"
		       : !succeeds(e) ? ": failed"
				      : "");
}

static void print_event(const struct graph *g, int i)
{
	const struct event *e = &g->ev[i];
	const char *name = locations[e->loc].name;

	printf("#   T%u.%-3u ", e->tid, e->idx);
	if (e->kind == FENCE) {
		printf("fence");
	} else if (is_read(e)) {
		printf("read  %-14s = %#lx", name, (unsigned long)e->value);
		print_source(g, e);
		print_rmw(e);
	} else {
		printf("write %-14s = %#lx (%d of %d)", name, (unsigned long)e->value, mo_pos(g, e->loc, i),
		       mo_count(g, e->loc));
	}
	printf(" %s  [%s:%d]\n", is_plain(e) ? "plain" : order_name(is_read(e) ? order_of(e) : e->order),
	       model_file(e->file), e->line);
}

static void print_writes(const struct graph *g)
{
	const struct event *e;
	int l, i, any = 0;

	for (l = 0; l < g->locs; l++) {
		if (g->mo[l].n < 2)
			continue;
		if (!any++)
			printf("#   writes in their order:\n");
		printf("#     %-14s", locations[l].name);
		for (i = 0; i < g->mo[l].n; i++) {
			e = &g->ev[g->mo[l].w[i]];
			printf(" T%u.%u", e->tid, e->idx);
		}
		printf("\n");
	}
}

void trace_print(const struct graph *g, const char *name, const char *why)
{
	const char *calls[MODEL_THREADS] = { "", "", "", "" };
	const struct event *e;
	int i;

	printf("# %s: %s\n", name, why);
	for (i = 0; i < g->n; i++) {
		e = &g->ev[i];
		if (e->call != calls[e->tid])
			printf("#   T%u     -- %s\n", e->tid, e->call);
		calls[e->tid] = e->call;
		print_event(g, i);
	}
	print_writes(g);
}
