/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * queue.c - see queue.h: the search for an order.
 *
 * Depth first over "whose point is next". Scenarios have a dozen points and nearly every first try fits, so nothing
 * clever is done; but the same results come in thousands of executions, so problems with an answer are remembered.
 */
#include "queue.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define SLOTS (QUEUE_OBJS + QUEUE_CALLS * QUEUE_OBJS)
#define NOBODY QUEUE_CALLS
#define KNOWN 4096

/* One side: what is reserved or taken, what of it counts for the other side, who is between its points. */
struct side {
	uint32_t first;
	uint32_t second;
	uint32_t inside;
};

struct state {
	const struct queue *q;
	unsigned int exact; /* the call whose answer must be exactly right; NOBODY: none */
	uint32_t done;	    /* points */
	uint8_t next[QUEUE_THREADS];
	struct side side[2];
	uint32_t pos[QUEUE_CALLS];
	uint16_t slot[SLOTS]; /* by position: all objects ever put */
};

/* Points by thread, in program order. */
struct program {
	uint8_t points[QUEUE_THREADS];
	uint8_t point[QUEUE_THREADS][2 * QUEUE_CALLS];
};

/* Room for putters, objects for getters. */
static uint32_t there(const struct state *s, unsigned int kind)
{
	if (kind == QUEUE_PUT)
		return s->q->capacity - (s->side[QUEUE_PUT].first - s->side[QUEUE_GET].second);
	return s->side[QUEUE_PUT].second - s->side[QUEUE_GET].first;
}

static int is_exact(const struct state *s, const struct queue_call *c)
{
	uint32_t room = there(s, c->kind);

	if (c->asked && room - c->open != c->left)
		return 0;
	if (c->open == c->n)
		return 1;
	return c->fixed ? room < c->n : room == c->open;
}

static int same_objects(const struct state *s, const struct queue_call *c, uint32_t pos)
{
	unsigned int i;

	for (i = 0; i < c->open; i++)
		if (s->slot[pos + i] != c->obj[i])
			return 0;
	return 1;
}

static int first_point(struct state *s, unsigned int call)
{
	const struct queue_call *c = &s->q->call[call];
	struct side *me = &s->side[c->kind];

	if (c->kind == QUEUE_FLUSH) {
		s->pos[call] = s->side[QUEUE_PUT].first;
		return 1;
	}
	if (c->open == 0 && s->exact != call)
		return 1;
	if (s->q->rule[c->kind] == QUEUE_ALONE && me->inside != 0)
		return 0;
	if (there(s, c->kind) < c->open || (s->exact == call && !is_exact(s, c)))
		return 0;
	if (c->open == 0)
		return 1;
	s->pos[call] = me->first;
	if (c->kind == QUEUE_PUT)
		memcpy(&s->slot[me->first], c->obj, c->k * sizeof(c->obj[0]));
	else if (!same_objects(s, c, me->first))
		return 0;
	me->first += c->open;
	me->inside++;
	return 1;
}

static int second_point(struct state *s, unsigned int call)
{
	const struct queue_call *c = &s->q->call[call];
	struct side *me = &s->side[c->kind];

	if (c->kind == QUEUE_FLUSH)
		return s->side[QUEUE_PUT].second >= s->pos[call];
	if (c->open == 0)
		return 1;
	me->inside--;
	switch (s->q->rule[c->kind]) {
	case QUEUE_IN_ORDER:
		if (me->second != s->pos[call])
			return 0;
		me->second += c->k;
		return 1;
	case QUEUE_ALONE:
		me->first -= c->open - c->k;
		me->second = me->first;
		return 1;
	case QUEUE_LAST:
	default:
		if (me->inside == 0)
			me->second = me->first;
		return 1;
	}
}

static int step(struct state *s, unsigned int point)
{
	unsigned int call = point / 2;

	if (s->q->call[call].after[point % 2] & ~s->done)
		return 0;
	s->done |= UINT32_C(1) << point;
	return point % 2 == 0 ? first_point(s, call) : second_point(s, call);
}

static int is_end_right(const struct state *s)
{
	uint32_t left = s->side[QUEUE_PUT].second - s->side[QUEUE_GET].first;

	return left == s->q->n_after &&
	       memcmp(&s->slot[s->side[QUEUE_GET].first], s->q->after, left * sizeof(s->slot[0])) == 0;
}

static int search(const struct state *s, const struct program *p)
{
	struct state next;
	int over = 1;
	unsigned int t;

	for (t = 0; t < QUEUE_THREADS; t++) {
		if (s->next[t] == p->points[t])
			continue;
		over = 0;
		next = *s;
		next.next[t]++;
		if (step(&next, p->point[t][s->next[t]]) && search(&next, p))
			return 1;
	}
	return over && is_end_right(s);
}

static int has_order(const struct queue *q, const struct program *p, unsigned int exact)
{
	struct state s;

	memset(&s, 0, sizeof(s));
	s.q = q;
	s.exact = exact;
	memcpy(s.slot, q->has, q->n_has * sizeof(q->has[0]));
	s.side[QUEUE_PUT].first = s.side[QUEUE_PUT].second = q->n_has;
	return search(&s, p);
}

/* Has the call seen how much there was? */
static int is_witness(const struct queue_call *c)
{
	return c->kind != QUEUE_FLUSH && !c->lenient && (c->asked || c->open < c->n);
}

static int solve(const struct queue *q)
{
	struct program p;
	unsigned int i, t, witnesses = 0;

	memset(&p, 0, sizeof(p));
	for (i = 0; i < q->calls; i++) {
		t = q->call[i].thread;
		p.point[t][p.points[t]++] = (uint8_t)(2 * i);
		p.point[t][p.points[t]++] = (uint8_t)(2 * i + 1);
	}
	for (i = 0; i < q->calls; i++) {
		if (!is_witness(&q->call[i]))
			continue;
		witnesses++;
		if (!has_order(q, &p, i))
			return 0;
	}
	return witnesses != 0 || has_order(q, &p, NOBODY);
}

static unsigned int hash(const struct queue *q)
{
	const unsigned char *b = (const unsigned char *)q;
	uint32_t h = 2166136261u;
	size_t i, bytes = offsetof(struct queue, call) + q->calls * sizeof(q->call[0]);

	for (i = 0; i < bytes; i++)
		h = (h ^ b[i]) * 16777619u;
	return (h ^ h >> 16) % KNOWN;
}

int queue_explains(const struct queue *q)
{
	static struct queue known[KNOWN]; /* all of them explained; zero: no call, nothing there: explained too */
	struct queue *k = &known[hash(q)];

	if (memcmp(k, q, sizeof(*q)) == 0)
		return 1;
	if (!solve(q))
		return 0;
	*k = *q;
	return 1;
}

void queue_print(char *text, unsigned int size, const struct queue_call *c)
{
	static const char *const kinds[] = { "put", "get", "flush" };
	unsigned int i, n = c->kind == QUEUE_GET ? c->open : c->k;
	int at;

	if (c->kind == QUEUE_FLUSH) {
		snprintf(text, size, "T%u flush", c->thread);
		return;
	}
	at = snprintf(text, size, "T%u %s %s%u: %u of %u [", c->thread, kinds[c->kind], c->fixed ? "" : "up to ", c->n,
		      c->k, c->open);
	for (i = 0; i < n && at > 0 && (unsigned int)at < size; i++)
		at += snprintf(text + at, size - (unsigned int)at, "%s%u.%u", i != 0 ? " " : "", c->obj[i] >> 8,
			       c->obj[i] & 0xff);
	if (at > 0 && (unsigned int)at < size)
		at += snprintf(text + at, size - (unsigned int)at, "]");
	if (c->asked && at > 0 && (unsigned int)at < size)
		snprintf(text + at, size - (unsigned int)at, ", %u left", c->left);
}
