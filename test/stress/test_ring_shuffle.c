/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_ring_shuffle.c - workers take objects out of a ring, work on them, and put them back into it: while a worker has
 * one nobody else does, and at the end each object is there once. What a worker writes to an object is plain memory:
 * the ring alone orders it. A side of mode ST is handed from worker to worker under a lock.
 */
#include "stress.h"
#include "test.h"

#include <sched.h>

#define OBJECTS_MOST 400

struct object {
	uint32_t number;
	uint32_t holder; /* 1 + the worker that has it; 0: in the ring */
	uint64_t times;	 /* taken out */
};

struct shuffle {
	struct corral_ring *r;
	unsigned int objects, workers;
	uint32_t rounds; /* a worker */
	uint64_t seed;
	pthread_mutex_t prod_lock, cons_lock; /* of sides of mode ST */
	uint64_t moved[8];		      /* by each worker */
	struct object object[OBJECTS_MOST];
};

static unsigned int locked(struct mover *v, pthread_mutex_t *lock, void *elems, unsigned int n)
{
	int st = v->m->sync == CORRAL_RING_SYNC_ST;

	if (st)
		pthread_mutex_lock(lock);
	n = v->side == PROD ? mover_put(v, elems, n) : mover_get(v, elems, n);
	if (st)
		pthread_mutex_unlock(lock);
	return n;
}

/* The object that an element stands for: a pointer to it, or its number. */
static struct object *object_of(struct shuffle *s, const char *elem)
{
	uint32_t number = elem_number(elem);

	if (number >= s->objects || !elem_is(elem, s->r->esize, number))
		bail("an object that nobody made, or a torn one: 0x%" PRIx32, number);
	return &s->object[number];
}

static void take(struct shuffle *s, unsigned int me, const char *elem)
{
	struct object *o = object_of(s, elem);

	if (o->holder != 0)
		bail("object %" PRIu32 " is given to worker %u, and worker %" PRIu32 " has it", o->number, me,
		     o->holder - 1);
	o->holder = me + 1;
	o->times++;
}

static void give_back(struct shuffle *s, unsigned int me, const char *elem)
{
	struct object *o = object_of(s, elem);

	if (o->holder != me + 1)
		bail("object %" PRIu32 " of worker %u has worker %" PRId64, o->number, me, (int64_t)o->holder - 1);
	o->holder = 0;
}

static void work(unsigned int me, void *arg)
{
	struct shuffle *s = arg;
	char elems[BURST_MOST * ESIZE_MOST];
	unsigned int esize = s->r->esize, got, back, i;
	struct mover out, in;

	mover_init(&out, s->r, CONS, s->seed + me);
	mover_init(&in, s->r, PROD, s->seed + 100 + me);
	for (uint32_t round = 0; round < s->rounds; round++) {
		got = locked(&out, &s->cons_lock, elems, 1 + mover_random(&out, BURST_MOST));
		for (i = 0; i < got; i++)
			take(s, me, elems + (size_t)i * esize);
		s->moved[me] += got;
		if (got == 0 || mover_random(&out, 16) == 0)
			sched_yield();
		for (i = 0; i < got; i++)
			give_back(s, me, elems + (size_t)i * esize);
		for (back = 0; back < got; back += i) {
			i = locked(&in, &s->prod_lock, elems + (size_t)back * esize, got - back);
			if (i == 0)
				sched_yield();
		}
	}
}

static void check_all_there(struct shuffle *s)
{
	uint64_t times = 0, moved = 0;
	uint8_t seen[OBJECTS_MOST] = { 0 };
	char elem[ESIZE_MOST];

	CHECK_EQ_INT(corral_ring_count(s->r), s->objects);
	for (unsigned int i = 0; i < s->objects; i++) {
		CHECK_EQ_INT(corral_ring_dequeue_elem(s->r, elem, s->r->esize), 0);
		CHECK_EQ_INT(object_of(s, elem)->holder, 0);
		times += object_of(s, elem)->times;
		seen[object_of(s, elem)->number]++;
	}
	for (unsigned int i = 0; i < s->objects; i++)
		CHECK_EQ_INT(seen[i], 1);
	for (unsigned int i = 0; i < s->workers; i++)
		moved += s->moved[i];
	CHECK_EQ_INT(times, moved);
	CHECK(corral_ring_empty(s->r));
}

static const struct mode *pm, *cm;

static void shuffle(void)
{
	static const struct {
		unsigned int esize, capacity, objects, workers;
	} shapes[] = {
		{ 8, 12, 12, 3 }, /* full whenever nobody holds one */
		{ sizeof(void *), 64, 20, 4 },
		{ 4, 5, 4, 2 },
		{ 64, 400, 400, 3 },
		{ 12, 1, 1, 3 },
	};
	static uint64_t round;
	static struct shuffle s;

	for (unsigned int i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		memset(&s, 0, sizeof(s));
		s.objects = shapes[i].objects;
		s.workers = shapes[i].workers;
		s.rounds = scaled(15000 / s.workers);
		s.seed = ++round * 1000;
		s.r = ring_make(pm->prod_flag | cm->cons_flag, shapes[i].esize, shapes[i].capacity,
				starts[round % start_count] - s.rounds);
		CHECK_EQ_INT(pthread_mutex_init(&s.prod_lock, NULL), 0);
		CHECK_EQ_INT(pthread_mutex_init(&s.cons_lock, NULL), 0);
		for (uint32_t k = 0; k < s.objects; k++)
			s.object[k].number = k;
		CHECK_EQ_INT(put(s.r, 0, s.objects), s.objects);
		crew_run(s.workers, work, &s);
		check_all_there(&s);
		pthread_mutex_destroy(&s.prod_lock);
		pthread_mutex_destroy(&s.cons_lock);
		ring_unmake(s.r);
	}
}

int main(void)
{
	char name[80];

	for (pm = modes; pm < modes + mode_count; pm++)
		for (cm = modes; cm < modes + mode_count; cm++) {
			snprintf(name, sizeof(name), "shuffle_%s_to_%s", pm->name, cm->name);
			TEST_AS(name, shuffle);
		}
	return test_end();
}
