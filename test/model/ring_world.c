/* SPDX-License-Identifier: BSD-3-Clause */
/* ring_world.c - see ring_world.h. */
#include "ring_world.h"

#include "queue.h"
#include "ring_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPS 4		  /* of one thread */
#define WORDS_MAX 3	  /* of one element, 4 bytes each */
#define HAS MODEL_THREADS /* the producer of what is there at the start */

const struct ring_world_mode ring_world_modes[RING_WORLD_MODES] = {
	{ "st", CORRAL_RING_F_SP_ENQ, CORRAL_RING_F_SC_DEQ, QUEUE_ALONE, 0, 1 },
	{ "mt", CORRAL_RING_F_MP_STRICT_ENQ, CORRAL_RING_F_MC_STRICT_DEQ, QUEUE_IN_ORDER, 1, 0 },
	{ "rts", CORRAL_RING_F_MP_RTS_ENQ, CORRAL_RING_F_MC_RTS_DEQ, QUEUE_LAST, 1, 0 },
	{ "hts", CORRAL_RING_F_MP_HTS_ENQ, CORRAL_RING_F_MC_HTS_DEQ, QUEUE_ALONE, 1, 1 },
};

/* One call of a thread, as its text says. */
struct op {
	char text[8];
	char kind; /* its letter */
	uint8_t n;
	uint8_t k; /* of a peek */
	uint8_t ask;
};

/* What a call did, and between which events of the execution. */
struct record {
	struct queue_call call;
	struct model_view seen[2]; /* before the call's two points could come */
	unsigned int ended[2];	   /* model_now() when they had */
};

struct world {
	const struct ring_world_mode *prod, *cons;
	unsigned int capacity, has, esize, slip;
	uint64_t at;
	unsigned int threads;
	unsigned int ops[MODEL_THREADS];
	struct op op[MODEL_THREADS][OPS];
	struct corral_ring *ring;
	struct record record[MODEL_THREADS][OPS];
};

/* Room for one call's elements. */
struct objects {
	uint32_t word[QUEUE_OBJS * WORDS_MAX];
};

static void name_side(const struct corral_ring_side *side, const char *name)
{
	model_name(&side->tail, "%s.tail", name);
	model_name(&side->head, "%s.head", name);
	model_name(&side->opp, "%s.opp", name);
	model_name(&side->htd_max, "%s.htd_max", name);
	model_name(&side->slip, "%s.slip", name);
	model_name(&side->owner, "%s.owner", name);
	model_name(&side->slips, "%s.slips", name);
}

struct corral_ring *ring_world_make(const struct ring_world_mode *prod, const struct ring_world_mode *cons,
				    unsigned int esize, unsigned int capacity, uint64_t at)
{
	struct corral_ring *r = model_alloc((size_t)corral_ring_get_memsize_elem(esize, capacity));
	unsigned int i, w;

	MODEL_ASSERT(corral_ring_init_at(r, NULL, esize, capacity, prod->prod | cons->cons, at) == 0);
	name_side(&r->prod, "prod");
	name_side(&r->cons, "cons");
	model_name(&r->tap, "tap");
	for (i = 0; i < r->size; i++)
		for (w = 0; w < esize / 4; w++)
			model_name((char *)r + r->table + i * esize + 4 * w, "slot[%u].%u", i, w);
	return r;
}

/* An object is known by its producer and its number, from 1; each word says which of the element's it is. */
static uint32_t object_word(unsigned int producer, unsigned int number, unsigned int w)
{
	return w << 16 | producer << 8 | number;
}

static void make_objects(const struct world *w, struct objects *o, unsigned int producer, unsigned int number,
			 unsigned int n)
{
	unsigned int words = w->esize / 4, i, j;

	for (i = 0; i < n; i++)
		for (j = 0; j < words; j++)
			o->word[i * words + j] = object_word(producer, number + i, j);
}

/* What was got, into the call's record. */
static void take_objects(const struct world *w, const struct objects *o, struct queue_call *c)
{
	unsigned int words = w->esize / 4, i, j;

	for (i = 0; i < c->open; i++) {
		c->obj[i] = (uint16_t)o->word[i * words];
		for (j = 0; j < words; j++)
			if (o->word[i * words + j] != (j << 16 | c->obj[i]))
				model_fail("a torn element: word %u is 0x%x, word 0 is 0x%x", j, o->word[i * words + j],
					   o->word[i * words]);
	}
}

static void note_objects(struct queue_call *c, unsigned int producer, unsigned int number)
{
	unsigned int i;

	for (i = 0; i < c->k; i++)
		c->obj[i] = (uint16_t)object_word(producer, number + i, 0);
}

/* The call's points had come. */
static void ended(struct record *rec, unsigned int point)
{
	rec->ended[point] = model_now();
}

/* A call that copies. Results are 0..n: no errors are expected. */
static void do_move(const struct world *w, const struct op *op, struct record *rec, unsigned int number)
{
	struct queue_call *c = &rec->call;
	unsigned int left = 0, *ask = op->ask ? &left : NULL;
	struct objects o;
	int k;

	if (c->kind == QUEUE_PUT)
		make_objects(w, &o, c->thread, number, op->n);
	switch (op->kind) {
	case 'P':
		k = corral_ring_enqueue_bulk_elem(w->ring, &o, w->esize, op->n, ask);
		break;
	case 'p':
		k = corral_ring_enqueue_burst_elem(w->ring, &o, w->esize, op->n, ask);
		break;
	case 'G':
		k = corral_ring_dequeue_bulk_elem(w->ring, &o, w->esize, op->n, ask);
		break;
	default:
		k = corral_ring_dequeue_burst_elem(w->ring, &o, w->esize, op->n, ask);
		break;
	}
	MODEL_ASSERT(k >= 0 && k <= op->n && left <= w->capacity);
	c->open = c->k = (uint8_t)k;
	c->asked = op->ask;
	c->left = (uint8_t)left;
	if (c->kind == QUEUE_PUT)
		note_objects(c, c->thread, number);
	else
		take_objects(w, &o, c);
	ended(rec, 0);
}

/* Claim for a peek or zero copy: how many. */
static int start(const struct world *w, const struct op *op, struct objects *o, struct corral_ring_zc_data *z,
		 unsigned int *ask)
{
	switch (op->kind) {
	case 'Q':
		return corral_ring_enqueue_bulk_elem_start(w->ring, op->n, ask);
	case 'Y':
		return corral_ring_enqueue_zc_bulk_elem_start(w->ring, w->esize, op->n, z, ask);
	case 'K':
		return corral_ring_dequeue_bulk_elem_start(w->ring, o, w->esize, op->n, ask);
	default:
		return corral_ring_dequeue_zc_bulk_elem_start(w->ring, w->esize, op->n, z, ask);
	}
}

/* Copy n elements between the caller's objects and the slots of a zero-copy claim. */
static void copy_in_place(const struct world *w, struct objects *o, const struct corral_ring_zc_data *z, unsigned int n,
			  int put)
{
	unsigned int i;
	char *slot, *obj;

	for (i = 0; i < n; i++) {
		slot = i < z->n1 ? (char *)z->ptr1 + i * w->esize : (char *)z->ptr2 + (i - z->n1) * w->esize;
		obj = (char *)o->word + i * w->esize;
		if (put)
			corral_copy_in(slot, obj, w->esize);
		else
			corral_copy_out(obj, slot, w->esize);
	}
}

static void finish(const struct world *w, const struct queue_call *c, const struct op *op, const struct objects *o)
{
	switch (op->kind) {
	case 'Q':
		MODEL_ASSERT(corral_ring_enqueue_elem_finish(w->ring, o, w->esize, c->k) == 0);
		break;
	case 'Y':
		MODEL_ASSERT(corral_ring_enqueue_zc_elem_finish(w->ring, c->k) == 0);
		break;
	case 'K':
		MODEL_ASSERT(corral_ring_dequeue_elem_finish(w->ring, c->k) == 0);
		break;
	default:
		MODEL_ASSERT(corral_ring_dequeue_zc_elem_finish(w->ring, c->k) == 0);
		break;
	}
}

static void do_peek(const struct world *w, const struct op *op, struct record *rec, unsigned int number)
{
	unsigned int left = 0, *ask = op->ask ? &left : NULL;
	struct queue_call *c = &rec->call;
	struct corral_ring_zc_data z = { NULL, NULL, 0 };
	struct objects o;
	int open;

	open = start(w, op, &o, &z, ask);
	MODEL_ASSERT(open == 0 || open == op->n);
	c->open = (uint8_t)open;
	c->k = open != 0 ? op->k : 0;
	c->asked = op->ask;
	c->left = (uint8_t)left;
	ended(rec, 0);
	if (open == 0)
		return;
	if (c->kind == QUEUE_PUT)
		make_objects(w, &o, c->thread, number, c->k);
	if (op->kind == 'Y' || op->kind == 'Z')
		copy_in_place(w, &o, &z, op->kind == 'Y' ? c->k : c->open, op->kind == 'Y');
	if (c->kind == QUEUE_PUT)
		note_objects(c, c->thread, number);
	else
		take_objects(w, &o, c);
	rec->seen[1] = model_seen();
	finish(w, c, op, &o);
}

static int is_put(const struct op *op)
{
	return strchr("PpQY", op->kind) != NULL;
}

static void do_op(const struct world *w, const struct op *op, struct record *rec, unsigned int t, unsigned int number)
{
	struct queue_call *c = &rec->call;

	memset(rec, 0, sizeof(*rec));
	c->thread = (uint8_t)t;
	c->n = op->n;
	c->fixed = op->kind != 'p' && op->kind != 'g';
	c->kind = op->kind == 'F' ? QUEUE_FLUSH : is_put(op) ? QUEUE_PUT : QUEUE_GET;
	model_call(op->text);
	rec->seen[0] = rec->seen[1] = model_seen();
	if (op->kind == 'F') {
		MODEL_ASSERT(corral_ring_flush(w->ring) == 0);
		ended(rec, 0);
	} else if (strchr("QYKZ", op->kind) != NULL) {
		do_peek(w, op, rec, number);
	} else {
		do_move(w, op, rec, number);
	}
	ended(rec, 1);
}

static void run_thread(unsigned int t, const void *arg)
{
	struct world *w = *(struct world *const *)arg;
	unsigned int i, number = 1;

	for (i = 0; i < w->ops[t]; i++) {
		do_op(w, &w->op[t][i], &w->record[t][i], t, number);
		if (is_put(&w->op[t][i]))
			number += w->record[t][i].call.k;
	}
}

static void setup(const void *arg)
{
	struct world *w = *(struct world *const *)arg;
	struct objects o;

	w->ring = ring_world_make(w->prod, w->cons, w->esize, w->capacity, w->at);
	if (w->slip >= 1)
		w->ring->poor = 1;
	if (w->slip >= 2) {
		corral_store(&w->ring->prod.slip, CORRAL_RING_SLIP_FAST_, CORRAL_RELAXED);
		corral_store(&w->ring->cons.slip, CORRAL_RING_SLIP_FAST_, CORRAL_RELAXED);
	}
	if (w->has == 0)
		return;
	make_objects(w, &o, HAS, 1, w->has);
	MODEL_ASSERT(corral_ring_enqueue_bulk_elem(w->ring, &o, w->esize, w->has, NULL) == (int)w->has);
}

/* Did point p of call a end before point 0 or 1 of b could come? */
static uint32_t points_before(const struct record *a, unsigned int call, const struct model_view *seen)
{
	unsigned int t = a->call.thread;
	uint32_t points = 0;

	if (a->ended[0] <= seen->count[t])
		points |= QUEUE_POINT(call, 0);
	if (a->ended[1] <= seen->count[t])
		points |= QUEUE_POINT(call, 1);
	return points;
}

/*
 * A claimer of an HTS side that loaded the tail, looked, and was then overtaken by a peek that took nothing, does not
 * notice: the word is the same. What came meanwhile it has not seen, so it may get fewer than there are.
 */
static void mark_lenient(struct queue *q, const struct world *w)
{
	unsigned int aborted[2] = { 0, 0 }, i;
	struct queue_call *c;

	for (i = 0; i < q->calls; i++)
		if (q->call[i].open != 0 && q->call[i].k == 0)
			aborted[q->call[i].kind] |= 1u << q->call[i].thread;
	for (i = 0; i < q->calls; i++) {
		c = &q->call[i];
		if (c->kind == QUEUE_FLUSH || !(c->kind == QUEUE_PUT ? w->prod : w->cons)->many)
			continue;
		c->lenient = c->open != 0 && (aborted[c->kind] & ~(1u << c->thread)) != 0;
	}
}

static void gather_calls(struct queue *q, const struct world *w)
{
	const struct record *all[QUEUE_CALLS];
	unsigned int t, i, j;

	for (t = 0; t < w->threads; t++)
		for (i = 0; i < w->ops[t]; i++) {
			all[q->calls] = &w->record[t][i];
			q->call[q->calls++] = w->record[t][i].call;
		}
	for (i = 0; i < q->calls; i++)
		for (j = 0; j < q->calls; j++) {
			if (all[i]->call.thread == all[j]->call.thread)
				continue;
			q->call[i].after[0] |= points_before(all[j], j, &all[i]->seen[0]);
			q->call[i].after[1] |= points_before(all[j], j, &all[i]->seen[1]);
		}
	mark_lenient(q, w);
}

/* Take out what is left, and see that the ring says the same of itself. */
static void drain(struct queue *q, const struct world *w)
{
	struct corral_ring *r = w->ring;
	unsigned int count = corral_ring_count(r), left;
	struct queue_call c;
	struct objects o;

	MODEL_ASSERT(count + corral_ring_free_count(r) == w->capacity);
	MODEL_ASSERT(corral_ring_full(r) == (count == w->capacity));
	for (;;) {
		c.open = (uint8_t)corral_ring_dequeue_bulk_elem(r, &o, w->esize, 1, &left);
		if (c.open == 0)
			break;
		MODEL_ASSERT(q->n_after < sizeof(q->after) / sizeof(q->after[0]));
		take_objects(w, &o, &c);
		q->after[q->n_after++] = c.obj[0];
		MODEL_ASSERT(left == count - q->n_after);
	}
	MODEL_ASSERT(q->n_after == count);
	MODEL_ASSERT(corral_ring_empty(r));
}

static void fail_unexplained(const struct queue *q)
{
	char text[240] = "";
	unsigned int i, at = 0;

	for (i = 0; i < q->calls && at < sizeof(text) - 3; i++) {
		at += (unsigned int)snprintf(text + at, sizeof(text) - at, "%s", i == 0 ? ": " : "; ");
		queue_print(text + at, (unsigned int)sizeof(text) - at, &q->call[i]);
		at += (unsigned int)strlen(text + at);
	}
	model_fail("no order of the calls explains their results%s", text);
}

static void check(const void *arg)
{
	const struct world *w = *(struct world *const *)arg;
	struct queue q;
	unsigned int i;

	memset(&q, 0, sizeof(q));
	q.capacity = w->capacity;
	q.rule[QUEUE_PUT] = (uint8_t)w->prod->rule;
	q.rule[QUEUE_GET] = (uint8_t)w->cons->rule;
	for (i = 0; i < w->has; i++)
		q.has[q.n_has++] = (uint16_t)object_word(HAS, i + 1, 0);
	gather_calls(&q, w);
	drain(&q, w);
	if (!queue_explains(&q))
		fail_unexplained(&q);
}

static void bad_text(const char *text, const char *at)
{
	fprintf(stderr, "ring_world: %s: not understood from here on: %s\n", text, at);
	exit(2);
}

static const char *parse_op(struct op *op, const char *text, const char *s)
{
	const char *begin = s;
	char *end;

	if (strchr("PpGgQYKZF", *s) == NULL)
		bad_text(text, s);
	op->kind = *s++;
	if (op->kind != 'F') {
		op->ask = *s == '+';
		s += op->ask;
		op->n = (uint8_t)strtoul(s, &end, 10);
		if (end == s || op->n == 0)
			bad_text(text, s);
		s = end;
	}
	if (strchr("QYKZ", op->kind) != NULL) {
		if (*s != ',')
			bad_text(text, s);
		op->k = (uint8_t)strtoul(s + 1, &end, 10);
		s = end;
	}
	if (s - begin >= (ptrdiff_t)sizeof(op->text) || op->n > QUEUE_OBJS || op->k > op->n)
		bad_text(text, begin);
	memcpy(op->text, begin, (size_t)(s - begin));
	return s;
}

static void parse_threads(struct world *w, const char *text, const char *s)
{
	unsigned int t = 0;

	for (; *s != '\0'; s += *s == ' ') {
		if (*s == '|') {
			s++;
			t++;
		} else if (t < MODEL_THREADS && w->ops[t] < OPS) {
			s = parse_op(&w->op[t][w->ops[t]++], text, s);
		} else {
			bad_text(text, s);
		}
	}
	w->threads = t + 1;
}

static const char *parse_setting(struct world *w, const char *text, const char *s)
{
	size_t name = strcspn(s, "=");
	uint64_t value;
	char *end;

	if (s[name] != '=')
		bad_text(text, s);
	value = strtoull(s + name + 1, &end, 0);
	if (strncmp(s, "at=", 3) == 0)
		w->at = value;
	else if (strncmp(s, "cap=", 4) == 0)
		w->capacity = (unsigned int)value;
	else if (strncmp(s, "has=", 4) == 0)
		w->has = (unsigned int)value;
	else if (strncmp(s, "esize=", 6) == 0)
		w->esize = (unsigned int)value;
	else if (strncmp(s, "slip=", 5) == 0)
		w->slip = (unsigned int)value;
	else
		bad_text(text, s);
	if (*end != ' ' || w->esize % 4 != 0 || w->esize / 4 > WORDS_MAX || w->has > w->capacity)
		bad_text(text, s);
	return end + 1;
}

static void parse(struct world *w, const char *text)
{
	const char *s = text;

	memset(w, 0, sizeof(*w));
	w->esize = 4;
	while (*s != ':')
		s = parse_setting(w, text, s);
	if (s[1] != ' ')
		bad_text(text, s);
	parse_threads(w, text, s + 2);
}

/* Can the mode do what the scenario asks of its side? */
static int fits(const struct world *w, const struct ring_world_mode *mode, int put)
{
	unsigned int t, i, users = 0, uses;

	for (t = 0; t < w->threads; t++) {
		uses = 0;
		for (i = 0; i < w->ops[t]; i++) {
			const struct op *op = &w->op[t][i];

			if (op->kind == 'F' || is_put(op) != put)
				continue;
			uses = 1;
			if (strchr("QYKZ", op->kind) != NULL && !mode->peek)
				return 0;
		}
		users += uses;
	}
	return users <= 1 || mode->many;
}

static void explore_pair(struct world *w, const char *text, const char *filter, model_report report)
{
	struct model_scenario s = { NULL, w->threads, setup, run_thread, check, &w };
	struct model_result result;
	char name[128];
	int failed;

	snprintf(name, sizeof(name), "%s/%s %s", w->prod->name, w->cons->name, text);
	if (filter != NULL && strstr(name, filter) == NULL)
		return;
	s.name = name;
	failed = model_explore(&s, &result) != 0;
	report(name, &result, failed);
}

void ring_world_explore(const char *text, const char *filter, model_report report)
{
	static struct world w;
	unsigned int p, c;

	parse(&w, text);
	for (p = 0; p < RING_WORLD_MODES; p++)
		for (c = 0; c < RING_WORLD_MODES; c++) {
			w.prod = &ring_world_modes[p];
			w.cons = &ring_world_modes[c];
			if (fits(&w, w.prod, 1) && fits(&w, w.cons, 0))
				explore_pair(&w, text, filter, report);
		}
}
