/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * access.c - what an access does: find its event in the execution, or add it and push all that could have come instead.
 *
 * A new read may read any write that coherence allows: it takes the newest, the others are pushed. A new write goes to
 * the end of its location's order; its other places are pushed, and so are the executions in which a read that is
 * already there reads it ("revisit"). For such a read, what was added after it is dropped unless the write depends on
 * it. The same smaller execution comes up from many larger ones: it is taken from one only, that in which the read and
 * all that is dropped were as their plain first choices ("maximal"; TruSt's proof is that there is exactly one).
 */
#include "search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned int model_self(void)
{
	return search.self;
}

unsigned int model_now(void)
{
	return (unsigned int)search.pos;
}

struct model_view model_seen(void)
{
	struct model_view nothing = { { 0 } };

	if (search.self == NOBODY || search.pos == 0)
		return nothing;
	return search.g->ev[search.g->of[search.self][search.pos - 1]].hb;
}

void model_call(const char *text)
{
	search.call_start = search.pos;
	search.call = text;
}

/* Leave the run: what else there is to explore has been pushed. */
__attribute__((noreturn)) static void step_done(void)
{
	longjmp(search.leave_run, 1);
}

/* The thread's next event if the execution has it, else NULL. */
static struct event *replay(enum kind kind, int loc)
{
	struct graph *g = search.g;
	struct event *e;

	if (search.pos == g->count[search.self])
		return NULL;
	e = &g->ev[g->of[search.self][search.pos]];
	if (e->kind != kind || (kind != FENCE && e->loc != loc)) {
		fprintf(stderr, "model: %s: thread %u does not do the same again\n", search.scenario->name,
			search.self);
		abort();
	}
	search.pos++;
	return e;
}

static struct event *add(enum kind kind, int loc, int order, const char *file, int line)
{
	struct event *e;

	if (search.naive && search.may_add-- == 0)
		step_done();
	e = graph_add(search.g, search.self, kind);
	e->loc = (uint8_t)loc;
	e->order = (uint8_t)order;
	e->order_no = (uint8_t)order;
	e->file = file;
	e->line = (uint16_t)line;
	e->call = search.call;
	search.g->sc += may_be_sc(e);
	return e;
}

/* The new event is whole: go on, if seq_cst allows what has come about. */
static void added(void)
{
	search.pos++;
	search.result->graphs++;
	if (!psc_ok(search.g))
		step_done();
}

/* The same for an event without a choice. */
static void added_alone(void)
{
	if (search.naive) {
		search_push(search_copy(search.g));
		step_done();
	}
	added();
}

static int index_of(const struct event *e)
{
	return (int)(e - search.g->ev);
}

static void check_race(const struct event *e)
{
	int i = race_of(search.g, index_of(e));
	const struct event *with;

	if (i < 0)
		return;
	with = &search.g->ev[i];
	model_fail("data race on %s: thread %u at %s:%d and thread %u at %s:%d", locations[e->loc].name, e->tid,
		   model_file(e->file), e->line, with->tid, model_file(with->file), with->line);
}

/* An access of the program. */
struct access {
	const volatile void *p;
	unsigned int size;
	int order;
	const char *file;
	int line;
};

/*
 * Has the thread come to where it was before in this call, with nothing but reads since? Then it waits, and what it
 * would read next is found by going back to what it has just read. It is cut here. "Where" is the line of the source:
 * compilers make copies of a loop's first round, and what is seen to repeat must be the loop's first read, as what
 * the thread knows in the middle of a round is another matter in each.
 */
static void cut_loop(const struct access *a, int loc, enum rmw rmw, uint64_t cmp)
{
	const struct graph *g = search.g;
	const struct event *e;
	int i;

	for (i = search.pos - 1; i >= search.call_start; i--) {
		e = &g->ev[g->of[search.self][i]];
		if (!is_read(e)) /* also a read-modify-write that wrote */
			return;
		if (e->kind == READ && e->loc == loc && e->line == a->line && e->file == a->file && e->rmw == rmw &&
		    e->cmp == cmp)
			break;
	}
	if (i < search.call_start)
		return;
	search.ends[search.self].waiting = 1;
	search.ends[search.self].from = i;
	longjmp(search.leave_thread, 1);
}

/* First position after which the write may stand. */
static int first_stand(const struct graph *g, int w)
{
	const struct event *e = &g->ev[w];

	if (e->rf >= 0)
		return mo_pos(g, e->loc, g->ev[e->rf].rf);
	return mo_floor(g, e->loc, &e->hb);
}

static int may_stand(const struct graph *g, int w, int pos)
{
	if (g->ev[w].rf >= 0)
		return rmw_pos(g, w) == pos;
	return mo_free(g, g->ev[w].loc, pos);
}

/* Was i there when e was added, or would be, in the execution that is left when a revisits? */
static int stays(const struct graph *g, int i, int e, int a)
{
	return i <= e || before(&g->ev[i], &g->ev[a].porf);
}

/* Is the write e read by an event that stays? */
static int is_used(const struct graph *g, int e, int a)
{
	int i;

	for (i = 0; i < g->n; i++)
		if (g->ev[i].kind == READ && g->ev[i].rf == e && stays(g, i, e, a))
			return 1;
	return 0;
}

/*
 * Is e, which a's revisit would drop, as it was first chosen: a read that read the newest write of those there were, a
 * write that nobody there had read and that stood last?
 */
static int maximal(const struct graph *g, int e, int a)
{
	const struct event *ev = &g->ev[e];
	int i, w, x = e;

	if (ev->kind != READ && ev->kind != WRITE) /* without a choice */
		return 1;
	if (ev->spurious)
		return 0;
	if (ev->kind == WRITE && is_used(g, e, a))
		return 0;
	if (ev->kind == READ) {
		x = ev->rf;
		if (x >= 0 && !stays(g, x, e, a)) /* x, dropped too, is used: the definition says it twice */
			return 0;
	}
	for (i = mo_pos(g, ev->loc, x); i < mo_count(g, ev->loc); i++) {
		w = g->mo[ev->loc].w[i];
		if (w != a && w != e && stays(g, w, e, a))
			return 0;
	}
	return 1;
}

static int may_revisit(const struct graph *g, int r, int a)
{
	int i;

	if (!maximal(g, r, a))
		return 0;
	for (i = r + 1; i < a; i++)
		if (!before(&g->ev[i], &g->ev[a].porf) && !maximal(g, i, a))
			return 0;
	return 1;
}

/* The oldest write that r may read, whatever it read before: what happened before its thread came to it. */
static int floor_of_thread(const struct graph *g, int r)
{
	static const view nothing;
	const struct event *e = &g->ev[r];

	return mo_floor(g, e->loc, e->idx == 0 ? &nothing : &g->ev[g->of[e->tid][e->idx - 1]].hb);
}

/* Push: a at pos, read by r (which was not spurious: that is not maximal). */
static void push_revisit(const struct graph *from, int r, int a, int pos, int spurious)
{
	struct graph *g = search_copy(from);
	struct event *e = &g->ev[r];

	graph_place(g, a, pos);
	graph_read_from(g, e, a);
	if (spurious && (e->rmw != RMW_WEAK || !succeeds(e))) {
		search_put(g);
		return;
	}
	if (spurious) {
		e->spurious = 1;
		graph_read_from(g, e, a);
	}
	search_push(g);
}

/* The new write a has no place yet: push every execution in which a read that is there reads it. */
static void revisit(int a)
{
	static int16_t map[EVENTS];
	static struct graph left;
	const struct graph *g = search.g;
	int r, pos, floor;

	for (r = 0; r < a; r++) {
		if (g->ev[r].kind != READ || g->ev[r].loc != g->ev[a].loc || before(&g->ev[r], &g->ev[a].porf) ||
		    !may_revisit(g, r, a))
			continue;
		graph_restrict(&left, g, r, a, map);
		floor = floor_of_thread(&left, map[r]);
		for (pos = first_stand(&left, map[a]); pos <= mo_count(&left, g->ev[a].loc); pos++) {
			if (pos < floor || !may_stand(&left, map[a], pos))
				continue;
			push_revisit(&left, map[r], map[a], pos, 0);
			push_revisit(&left, map[r], map[a], pos, 1);
		}
	}
}

/* The write at a position of the order. */
static int write_at(const struct graph *g, int loc, int pos)
{
	return pos == 0 ? INIT : g->mo[loc].w[pos - 1];
}

/* Push: e, the newest event, reads w. */
static void push_read(const struct event *e, int w, int spurious)
{
	struct graph *g = search_copy(search.g);
	struct event *copy = &g->ev[index_of(e)];

	copy->spurious = (uint8_t)spurious;
	graph_read_from(g, copy, w);
	search_push(g);
}

/* Would the weak CAS e succeed if it read w? Then it may fail too. */
static int may_fail(const struct event *e, int w)
{
	return e->rmw == RMW_WEAK && (w < 0 ? locations[e->loc].init : search.g->ev[w].value) == e->cmp;
}

static void choose_write(struct event *e)
{
	const struct graph *g = search.g;
	int pos = mo_floor(g, e->loc, &e->hb), last = mo_count(g, e->loc), w;

	for (; pos <= last; pos++) {
		w = write_at(g, e->loc, pos);
		if (pos != last || search.naive)
			push_read(e, w, 0);
		if (may_fail(e, w))
			push_read(e, w, 1);
	}
	if (search.naive)
		step_done();
	graph_read_from(search.g, e, write_at(g, e->loc, last));
	added();
}

static struct event *add_access(enum kind kind, int loc, const struct access *a)
{
	return add(kind, loc, a->order, a->file, a->line);
}

static struct event *read_event(const struct access *a, int order_no, enum rmw rmw, uint64_t cmp)
{
	int loc = locate(a->p, a->size);
	struct event *e;

	if (rmw != RMW_ADD)
		cut_loop(a, loc, rmw, cmp);
	e = replay(READ, loc);
	if (e != NULL)
		return e;
	e = add_access(READ, loc, a);
	search.g->sc -= may_be_sc(e);
	e->order_no = (uint8_t)order_no;
	search.g->sc += may_be_sc(e);
	e->rmw = (uint8_t)rmw;
	e->cmp = cmp;
	check_race(e);
	choose_write(e);
	return e;
}

static void choose_place(int w)
{
	struct graph *g = search.g, *copy;
	int pos = first_stand(g, w), last = mo_count(g, g->ev[w].loc);

	for (; pos <= last; pos++) {
		if (!may_stand(g, w, pos) || (pos == last && !search.naive))
			continue;
		copy = search_copy(g);
		graph_place(copy, w, pos);
		search_push(copy);
	}
	if (search.naive || !may_stand(g, w, last))
		step_done();
	graph_place(g, w, last);
	added();
}

static uint64_t cut_to(unsigned int size, uint64_t value)
{
	return size == 4 ? (uint32_t)value : value;
}

/* read: of a read-modify-write its first half, else NULL */
static void write_event(const struct access *a, uint64_t value, const struct event *read)
{
	int loc = locate(a->p, a->size);
	struct event *e = replay(WRITE, loc);

	if (e != NULL)
		return;
	e = add_access(WRITE, loc, a);
	e->value = cut_to(a->size, value);
	e->rf = (int16_t)(read == NULL ? -1 : index_of(read));
	graph_seal_write(search.g, e);
	check_race(e);
	if (!search.naive)
		revisit(index_of(e));
	choose_place(index_of(e));
}

/* Accesses of setup and check: the arena itself. Values are little-endian, as meson.build sees to. */
static uint64_t host_load(const volatile void *p, unsigned int size)
{
	uint64_t value = 0;

	memcpy(&value, (const void *)(uintptr_t)p, size);
	return value;
}

static void host_store(volatile void *p, unsigned int size, uint64_t value)
{
	memcpy((void *)(uintptr_t)p, &value, size);
}

uint64_t model_load(const volatile void *p, unsigned int size, int order, const char *file, int line)
{
	const struct access a = { p, size, order, file, line };

	if (search.self != NOBODY)
		return read_event(&a, order, RMW_NONE, 0)->value;
	if (search.loads_left != 0 && --search.loads_left == 0)
		model_fail("a call waits for ever after all threads have ended");
	return host_load(p, size);
}

void model_store(volatile void *p, unsigned int size, uint64_t value, int order, const char *file, int line)
{
	const struct access a = { p, size, order, file, line };

	if (search.self == NOBODY)
		host_store(p, size, value);
	else
		write_event(&a, value, NULL);
}

uint64_t model_fetch_add(volatile void *p, unsigned int size, uint64_t value, int order, const char *file, int line)
{
	const struct access a = { p, size, order, file, line };
	const struct event *read;
	uint64_t old;

	if (search.self == NOBODY) {
		old = host_load(p, size);
		host_store(p, size, old + value);
		return old;
	}
	read = read_event(&a, order, RMW_ADD, 0);
	old = read->value;
	write_event(&a, old + value, read);
	return old;
}

static int host_cas(volatile void *p, unsigned int size, void *expected, uint64_t desired)
{
	uint64_t want = host_load(expected, size), value = host_load(p, size);

	host_store(expected, size, value);
	if (value == want)
		host_store(p, size, desired);
	return value == want;
}

int model_cas(volatile void *p, unsigned int size, void *expected, uint64_t desired, int yes, int no, int weak,
	      const char *file, int line)
{
	const struct access a = { p, size, yes, file, line };
	const struct event *read;

	if (search.self == NOBODY)
		return host_cas(p, size, expected, desired);
	read = read_event(&a, no, weak ? RMW_WEAK : RMW_CAS, host_load(expected, size));
	host_store(expected, size, read->value);
	if (!succeeds(read))
		return 0;
	write_event(&a, desired, read);
	return 1;
}

void model_fence(int order, const char *file, int line)
{
	if (search.self == NOBODY || replay(FENCE, 0) != NULL)
		return;
	graph_seal_fence(add(FENCE, 0, order, file, line));
	added_alone();
}

uint64_t model_read_at(const volatile void *p, unsigned int size, const char *file, int line)
{
	const struct access a = { p, size, MODEL_RELAXED, file, line };
	struct event *e;
	int loc;

	if (search.self == NOBODY)
		return host_load(p, size);
	loc = locate(p, size);
	e = replay(PLAIN_READ, loc);
	if (e == NULL) {
		e = add_access(PLAIN_READ, loc, &a);
		check_race(e);
		graph_read_from(search.g, e, write_at(search.g, loc, mo_count(search.g, loc)));
		added_alone();
	}
	return e->value;
}

void model_write_at(volatile void *p, unsigned int size, uint64_t value, const char *file, int line)
{
	const struct access a = { p, size, MODEL_RELAXED, file, line };
	struct event *e;
	int loc;

	if (search.self == NOBODY) {
		host_store(p, size, value);
		return;
	}
	loc = locate(p, size);
	if (replay(PLAIN_WRITE, loc) != NULL)
		return;
	e = add_access(PLAIN_WRITE, loc, &a);
	e->value = cut_to(size, value);
	graph_seal_write(search.g, e);
	check_race(e);
	graph_place(search.g, index_of(e), mo_count(search.g, loc));
	added_alone();
}
