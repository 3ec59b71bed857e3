/* SPDX-License-Identifier: BSD-3-Clause */
/* stress.c - see stress.h. */
#include "stress.h"

#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define CREW_MOST 16

void bail(const char *fmt, ...)
{
	va_list args;

	flockfile(stdout);
	printf("Bail out! ");
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
	_Exit(1);
}

void mover_init(struct mover *v, struct corral_ring *r, enum side side, uint64_t seed)
{
	uint32_t sync = side == PROD ? r->prod_sync : r->cons_sync;

	memset(v, 0, sizeof(*v));
	v->r = r;
	v->side = side;
	v->seed = seed * 2 + 1;
	for (v->m = modes; (uint32_t)v->m->sync != sync; v->m++)
		;
	for (const struct call *c = calls; c < calls + call_count; c++)
		if (call_fits(c, side, v->m, r->esize))
			v->fit[v->fit_count++] = c;
}

/* splitmix64 (Steele, Lea, Flood 2014) */
uint32_t mover_random(struct mover *v, uint32_t n)
{
	uint64_t z = v->seed += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return (uint32_t)((z ^ (z >> 31)) >> 32) % n;
}

static int is_of_pointers(const struct mover *v)
{
	return v->r->esize == sizeof(void *);
}

/* A part of what was reserved: mostly all, at times less, at times nothing. */
static unsigned int part(struct mover *v, int k)
{
	return mover_random(v, 4) != 0 ? (unsigned int)k : mover_random(v, (uint32_t)k + 1);
}

static void must(int rc, const char *what)
{
	if (rc != 0)
		bail("%s gives %d", what, rc);
}

static unsigned int started(int k, unsigned int n, const char *what)
{
	if (k < 0 || (unsigned int)k > n)
		bail("%s of %u gives %d", what, n, k);
	return (unsigned int)k;
}

static unsigned int put_peek(struct mover *v, const void *elems, unsigned int n)
{
	int as_pointers = is_of_pointers(v) && mover_random(v, 2), k;

	if (as_pointers)
		k = mover_random(v, 2) ? corral_ring_enqueue_burst_start(v->r, n, NULL)
				       : corral_ring_enqueue_bulk_start(v->r, n, NULL);
	else
		k = mover_random(v, 2) ? corral_ring_enqueue_burst_elem_start(v->r, n, NULL)
				       : corral_ring_enqueue_bulk_elem_start(v->r, n, NULL);
	if (started(k, n, "enqueue start") == 0)
		return 0;
	n = part(v, k);
	if (as_pointers)
		must(corral_ring_enqueue_finish(v->r, elems, n), "enqueue finish");
	else
		must(corral_ring_enqueue_elem_finish(v->r, elems, v->r->esize, n), "enqueue finish");
	return n;
}

static unsigned int get_peek(struct mover *v, void *elems, unsigned int n)
{
	int as_pointers = is_of_pointers(v) && mover_random(v, 2), k;

	if (as_pointers)
		k = mover_random(v, 2) ? corral_ring_dequeue_burst_start(v->r, elems, n, NULL)
				       : corral_ring_dequeue_bulk_start(v->r, elems, n, NULL);
	else
		k = mover_random(v, 2) ? corral_ring_dequeue_burst_elem_start(v->r, elems, v->r->esize, n, NULL)
				       : corral_ring_dequeue_bulk_elem_start(v->r, elems, v->r->esize, n, NULL);
	if (started(k, n, "dequeue start") == 0)
		return 0;
	n = part(v, k);
	must(as_pointers ? corral_ring_dequeue_finish(v->r, n) : corral_ring_dequeue_elem_finish(v->r, n),
	     "dequeue finish");
	return n;
}

/* The first k elements of the segments, from or to elems. */
static void zc_copy(const struct mover *v, const struct corral_ring_zc_data *z, char *elems, unsigned int k)
{
	size_t esize = v->r->esize, first = (k < z->n1 ? k : z->n1) * esize, rest = k * esize - first;

	if (v->side == PROD)
		memcpy(z->ptr1, elems, first);
	else
		memcpy(elems, z->ptr1, first);
	if (rest != 0 && v->side == PROD)
		memcpy(z->ptr2, elems + first, rest);
	else if (rest != 0)
		memcpy(elems + first, z->ptr2, rest);
}

static unsigned int put_zc(struct mover *v, const void *elems, unsigned int n)
{
	struct corral_ring_zc_data z;
	int k = mover_random(v, 2) ? corral_ring_enqueue_zc_burst_elem_start(v->r, v->r->esize, n, &z, NULL)
				   : corral_ring_enqueue_zc_bulk_elem_start(v->r, v->r->esize, n, &z, NULL);

	if (started(k, n, "enqueue zc start") == 0)
		return 0;
	zc_copy(v, &z, (char *)(uintptr_t)elems, (unsigned int)k);
	n = part(v, k);
	must(corral_ring_enqueue_zc_elem_finish(v->r, n), "enqueue zc finish");
	return n;
}

static unsigned int get_zc(struct mover *v, void *elems, unsigned int n)
{
	struct corral_ring_zc_data z;
	int k = mover_random(v, 2) ? corral_ring_dequeue_zc_burst_elem_start(v->r, v->r->esize, n, &z, NULL)
				   : corral_ring_dequeue_zc_bulk_elem_start(v->r, v->r->esize, n, &z, NULL);

	if (started(k, n, "dequeue zc start") == 0)
		return 0;
	zc_copy(v, &z, elems, (unsigned int)k);
	n = part(v, k);
	must(corral_ring_dequeue_zc_elem_finish(v->r, n), "dequeue zc finish");
	return n;
}

static unsigned int move(struct mover *v, void *elems, unsigned int n)
{
	const struct call *c = v->fit[mover_random(v, v->fit_count)];
	unsigned int left = 0;
	int rc;

	if (c->how == SINGLE)
		n = 1;
	rc = c->move(v->r, elems, v->r->esize, n, mover_random(v, 4) == 0 ? &left : NULL);
	if (rc == (v->side == PROD ? -ENOBUFS : -ENOENT) && c->how == SINGLE)
		rc = 0;
	if (rc < 0 || (unsigned int)rc > n || (c->how == BULK && rc != 0 && (unsigned int)rc != n))
		bail("%s of %u gives %d", c->name, n, rc);
	if (left > v->r->capacity)
		bail("%s says that %u are left of %u", c->name, left, v->r->capacity);
	return (unsigned int)rc;
}

/*
 * As a burst, but the thread stands still for a while between claim and copy and between copy and publication, as if it
 * were preempted there: others finish before it, and after it.
 */
static unsigned int slow(struct mover *v, void *elems, unsigned int n)
{
	enum corral_ring_end_ end = v->side == PROD ? CORRAL_RING_PROD_ : CORRAL_RING_CONS_;
	struct corral_ring_claim_ c = corral_ring_claim_init_(v->r, end, n, (int)mover_random(v, 2), 0);

	n = corral_ring_claim_do_(&c, v->m->sync);
	if (n == 0)
		return 0;
	if (mover_random(v, 2))
		sched_yield();
	corral_ring_copy_(v->r, end, c.pos, elems, v->r->esize, n);
	if (mover_random(v, 2))
		sched_yield();
	corral_ring_publish_do_(&c, v->m->sync, n);
	return n;
}

unsigned int mover_put(struct mover *v, const void *elems, unsigned int n)
{
	uint32_t which = mover_random(v, 8);

	memcpy(v->room, elems, (size_t)n * v->r->esize); /* aligned for pointers, and ours */
	if (which == 0 && v->m->peeks)
		return put_peek(v, v->room, n);
	if (which == 1 && v->m->peeks)
		return put_zc(v, v->room, n);
	if (which < 2)
		return slow(v, v->room, n);
	return move(v, v->room, n);
}

unsigned int mover_get(struct mover *v, void *elems, unsigned int n)
{
	uint32_t which = mover_random(v, 8);
	unsigned int got;

	if (which == 0 && v->m->peeks)
		got = get_peek(v, v->room, n);
	else if (which == 1 && v->m->peeks)
		got = get_zc(v, v->room, n);
	else if (which < 2)
		got = slow(v, v->room, n);
	else
		got = move(v, v->room, n);
	memcpy(elems, v->room, (size_t)got * v->r->esize);
	return got;
}

struct crew {
	void (*fn)(unsigned int number, void *arg);
	void *arg;
	pthread_barrier_t start;
};

struct hand {
	struct crew *crew;
	unsigned int number;
	pthread_t thread;
};

static void *hand_run(void *arg)
{
	struct hand *h = arg;

	pthread_barrier_wait(&h->crew->start);
	h->crew->fn(h->number, h->crew->arg);
	return NULL;
}

void crew_run(unsigned int n, void (*fn)(unsigned int number, void *arg), void *arg)
{
	struct crew crew = { .fn = fn, .arg = arg };
	struct hand hands[CREW_MOST];

	if (n > CREW_MOST || pthread_barrier_init(&crew.start, NULL, n) != 0)
		bail("no crew of %u", n);
	for (unsigned int i = 0; i < n; i++) {
		hands[i].crew = &crew;
		hands[i].number = i;
		if (pthread_create(&hands[i].thread, NULL, hand_run, &hands[i]) != 0)
			bail("cannot start a thread");
	}
	for (unsigned int i = 0; i < n; i++)
		pthread_join(hands[i].thread, NULL);
	pthread_barrier_destroy(&crew.start);
}
