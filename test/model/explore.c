/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * explore.c - the search: a stack of executions to go on with, each run to its end.
 *
 * A run replays the execution's events (every access finds its event there) and goes on where they end; what else
 * could have come at each new event is pushed (access.c). Threads run one after another, each as far as it gets: there
 * is no scheduling, as what a read could see of later threads is found by going back to it.
 *
 * Brute force, against which the search is checked, takes every thread's next event in turn and every choice at it,
 * and drops the executions that it has seen.
 */
#include "search.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct search search = { .self = NOBODY };
int model_quiet, model_names_only;

static struct graph *stack, *spare;
static char memory[ARENA]; /* the arena as setup left it */
static size_t used;

/* A set of hashes, for brute force and comparisons. */
struct set {
	uint64_t *slot; /* 0: free */
	size_t size;	/* a power of two, or 0 */
	size_t n;
};

static struct set seen;	  /* brute force: all executions, whole or not */
static struct set finals; /* at their end */
static int keep_finals;
static uint64_t twice; /* came to an end that was known */

static void *memory_or_die(void *p)
{
	if (p == NULL) {
		fputs("model: out of memory\n", stderr);
		abort();
	}
	return p;
}

static int set_add(struct set *s, uint64_t h);

static void set_grow(struct set *s)
{
	struct set bigger = { NULL, s->size == 0 ? 1024 : 2 * s->size, 0 };
	size_t i;

	bigger.slot = memory_or_die(calloc(bigger.size, sizeof(bigger.slot[0])));
	for (i = 0; i < s->size; i++)
		if (s->slot[i] != 0)
			set_add(&bigger, s->slot[i]);
	free(s->slot);
	*s = bigger;
}

/* 1 if h is new, else 0. */
static int set_add(struct set *s, uint64_t h)
{
	size_t i;

	if (h == 0)
		h = 1;
	if (2 * s->n >= s->size)
		set_grow(s);
	for (i = h & (s->size - 1); s->slot[i] != 0; i = (i + 1) & (s->size - 1))
		if (s->slot[i] == h)
			return 0;
	s->slot[i] = h;
	s->n++;
	return 1;
}

static void set_clear(struct set *s)
{
	free(s->slot);
	memset(s, 0, sizeof(*s));
}

struct graph *search_get(void)
{
	struct graph *g = spare;

	if (g != NULL)
		spare = g->next;
	else
		g = memory_or_die(malloc(sizeof(*g)));
	return g;
}

void search_put(struct graph *g)
{
	g->next = spare;
	spare = g;
}

struct graph *search_copy(const struct graph *g)
{
	struct graph *copy = search_get();

	graph_copy(copy, g);
	return copy;
}

void search_push(struct graph *g)
{
	if (!psc_ok(g) || (search.naive && !set_add(&seen, graph_hash(g)))) {
		search_put(g);
		return;
	}
	g->next = stack;
	stack = g;
}

void model_fail(const char *format, ...)
{
	struct model_result *r = search.result;
	va_list args;

	if (search.g == NULL) {
		fputs("model: a failure outside of an exploration\n", stderr);
		abort();
	}
	r->failed = 1;
	va_start(args, format);
	vsnprintf(r->why, sizeof(r->why), format, args);
	va_end(args);
	if (!model_quiet)
		trace_print(search.g, search.scenario->name, r->why);
	longjmp(search.leave_explore, 1);
}

void *model_alloc(size_t bytes)
{
	void *p = &arena[used];

	if (bytes > ARENA - used) {
		fprintf(stderr, "model: more than %d bytes are shared\n", ARENA);
		abort();
	}
	used = (used + bytes + 127) / 128 * 128;
	return p;
}

void model_name(const volatile void *p, const char *format, ...)
{
	char name[NAME];
	va_list args;

	va_start(args, format);
	vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	location_name(p, name);
}

/* Is the thread between the halves of a read-modify-write? */
static int half_way(const struct graph *g, unsigned int t)
{
	const struct event *e;

	if (g->count[t] == 0)
		return 0;
	e = &g->ev[g->of[t][g->count[t] - 1]];
	return e->kind == READ && succeeds(e);
}

static void run_thread(unsigned int t)
{
	search.self = t;
	search.pos = 0;
	search.call_start = 0;
	search.call = "";
	search.ends[t].waiting = 0;
	if (setjmp(search.leave_thread) == 0)
		search.scenario->thread(t, search.scenario->arg);
	search.self = NOBODY;
}

/* Would the thread, which was cut, do the same again for ever if nobody else did anything more? */
static int stuck(const struct graph *g, unsigned int t)
{
	const struct event *e;
	int i;

	for (i = search.ends[t].from; i < g->count[t]; i++) {
		e = &g->ev[g->of[t][i]];
		if (e->kind != READ)
			continue;
		if (e->spurious || mo_pos(g, e->loc, e->rf) != mo_count(g, e->loc))
			return 0;
	}
	return 1;
}

/* The newest values, to where the check looks. */
static void settle(const struct graph *g)
{
	const struct order_of_writes *mo;
	int l;

	for (l = 0; l < g->locs; l++) {
		mo = &g->mo[l];
		if (mo->n != 0)
			memcpy(&arena[locations[l].at], &g->ev[mo->w[mo->n - 1]].value, locations[l].size);
	}
}

static void check(void)
{
	const struct model_scenario *s = search.scenario;

	if (s->check == NULL)
		return;
	settle(search.g);
	search.loads_left = CHECK_LOADS;
	s->check(s->arg);
	search.loads_left = 0;
	memcpy(arena, memory, used);
}

/* All threads have ended or wait. */
static void finish(void)
{
	unsigned int t, waiting = 0, for_ever = 0, who = 0;

	for (t = 0; t < search.scenario->threads; t++) {
		if (!search.ends[t].waiting)
			continue;
		waiting++;
		if (stuck(search.g, t)) {
			for_ever++;
			who = t;
		}
	}
	if (keep_finals && !set_add(&finals, graph_hash(search.g)))
		twice++;
	if (waiting == 0) {
		search.result->complete++;
		check();
		return;
	}
	search.result->waiting++;
	if (for_ever == waiting)
		model_fail("thread %u waits for ever for what nobody will write", who);
}

static void run(unsigned int unused)
{
	unsigned int t, n = search.scenario->threads, first = n;

	(void)unused;
	for (t = 0; t < n; t++)
		if (half_way(search.g, t))
			first = t;
	if (first != n) /* what others did before its write would not fit in between */
		run_thread(first);
	for (t = 0; t < n; t++)
		if (t != first)
			run_thread(t);
	finish();
}

/* 0 if the run was left by access.c, which has said (pushed) how to go on; else 1. */
static int guarded(void (*body)(unsigned int arg), unsigned int arg)
{
	if (setjmp(search.leave_run) != 0) {
		search.self = NOBODY;
		return 0;
	}
	body(arg);
	return 1;
}

/* Brute force: the next event of every thread, or the end if there is none. */
static void steps(void)
{
	static struct graph whole;
	unsigned int t;
	int any = 0;

	graph_copy(&whole, search.g);
	for (t = 0; t < search.scenario->threads; t++) {
		graph_copy(search.g, &whole);
		search.may_add = 1;
		any |= !guarded(run_thread, t);
	}
	graph_copy(search.g, &whole);
	search.may_add = 0;
	if (!any)
		guarded(run, 0);
}

static void prepare(void)
{
	const struct model_scenario *s = search.scenario;

	used = 0;
	memset(arena, 0, sizeof(arena));
	locations_reset();
	search.g = search_get();
	graph_clear(search.g);
	if (s->setup != NULL)
		s->setup(s->arg);
	memcpy(memory, arena, used);
	search_push(search.g);
}

static int work(void)
{
	if (setjmp(search.leave_explore) != 0)
		return -1;
	prepare();
	while (stack != NULL) {
		search.g = stack;
		stack = stack->next;
		if (search.naive)
			steps();
		else
			guarded(run, 0);
		search_put(search.g);
		search.g = NULL;
	}
	return 0;
}

static void end(void)
{
	struct graph *g;

	search.self = NOBODY;
	search.loads_left = 0;
	if (search.g != NULL) /* it failed */
		search_put(search.g);
	search.g = NULL;
	while (stack != NULL) {
		g = stack;
		stack = g->next;
		search_put(g);
	}
	set_clear(&seen);
}

int model_explore(const struct model_scenario *s, struct model_result *result)
{
	int rc;

	memset(result, 0, sizeof(*result));
	if (model_names_only)
		return 0;
	search.scenario = s;
	search.result = result;
	search.self = NOBODY;
	rc = work();
	end();
	return rc;
}

/* Have two sets the same members? */
static int same(const struct set *a, const struct set *b)
{
	struct set both = { NULL, 0, 0 };
	size_t i, n;

	for (i = 0; i < a->size; i++)
		if (a->slot[i] != 0)
			set_add(&both, a->slot[i]);
	for (i = 0; i < b->size; i++)
		if (b->slot[i] != 0)
			set_add(&both, b->slot[i]);
	n = both.n;
	set_clear(&both);
	return n == a->n && n == b->n;
}

static int brute_force(const struct model_scenario *s, struct model_result *result)
{
	int quiet = model_quiet, rc;

	search.naive = 1;
	model_quiet = 1;
	rc = model_explore(s, result);
	model_quiet = quiet;
	search.naive = 0;
	return rc;
}

int model_cross_check(const struct model_scenario *s, struct model_result *result)
{
	struct model_result brute;
	struct set want;
	int rc, rc_search;

	keep_finals = 1;
	rc = brute_force(s, &brute);
	want = finals;
	memset(&finals, 0, sizeof(finals));
	twice = 0;
	rc_search = model_explore(s, result);
	if (rc_search != rc || (rc == 0 && (twice != 0 || !same(&want, &finals)))) {
		result->failed = 1;
		snprintf(result->why, sizeof(result->why),
			 "brute force: %zu executions (failed: %d), the search: %zu (failed: %d), %llu of them again",
			 want.n, rc != 0, finals.n, rc_search != 0, (unsigned long long)twice);
		printf("# %s: %s\n", s->name, result->why);
		rc = -2;
	}
	keep_finals = 0;
	set_clear(&want);
	set_clear(&finals);
	return rc;
}
