/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fake_peer.c - a plug-in whose queue is right in one mode, and has one fault in each other (fake_peer.h): what is
 * measured must never pass that. It calls itself mutex, since the tool loads names that it knows. The queue is an array
 * under a mutex; a fault happens in the calls of the measured loop, once in a while, never while it is filled or
 * drained.
 */
#include "fake_peer.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "../../bench/peers/payload.h"
#include "../../lib/measure/peer.h"

#ifndef LOOP_SMALL
#define LOOP_SMALL
#endif
#define EVERY 4	 /* calls of the loop from one fault to the next */
#define FAULTS 3 /* in all: a queue that fills up with doubles would let nobody put */

enum fault { GOOD, LOSE, DOUBLE, STALE, DAMAGE, DISORDER, TEAR, STRANGER, BOTTOMLESS };

struct queue {
	pthread_mutex_t lock;
	enum fault fault;
	uint32_t size, esize, head, count, calls;
	char old[PEER_ESIZE_MAX]; /* first of those that came out last */
	char *elem;
};

static void in(struct queue *q, const void *elem)
{
	memcpy(q->elem + (size_t)((q->head + q->count++) % q->size) * q->esize, elem, q->esize);
}

static uint32_t put(void *queue, const void *elems, uint32_t esize, uint32_t n)
{
	struct queue *q = queue;
	uint32_t i;

	if (n > q->size - q->count)
		n = q->size - q->count;
	for (i = 0; i < n; i++)
		in(q, (const char *)elems + (size_t)i * esize);
	return n;
}

static uint32_t take(struct queue *q, void *elems, uint32_t esize, uint32_t n)
{
	uint32_t i;

	if (n > q->count)
		n = q->count;
	for (i = 0; i < n; i++) {
		memcpy((char *)elems + (size_t)i * esize, q->elem + (size_t)q->head * esize, esize);
		q->head = (q->head + 1) % q->size;
		q->count--;
	}
	return n;
}

static uint32_t get(void *queue, void *elems, uint32_t esize, uint32_t n)
{
	struct queue *q = queue;

	if (q->fault == BOTTOMLESS && q->calls)
		q->count = q->size;
	return take(q, elems, esize, n);
}

/* The elements that the worker puts, with the queue's fault. */
static void put_wrong(struct queue *q, const char *elems, uint32_t n)
{
	char one[PEER_ESIZE_MAX], other[PEER_ESIZE_MAX];
	uint32_t esize = q->esize, first = 1;

	memcpy(one, elems, esize);
	memcpy(other, elems + (n > 1 ? esize : 0), esize);
	switch (q->fault) {
	case LOSE:
		break;
	case DOUBLE:
		in(q, one);
		in(q, one);
		break;
	case STALE:
		in(q, payload_object_id(q->old, esize) == payload_object_id(one, esize) ? q->old : one);
		break;
	case DAMAGE:
		one[esize - 1] ^= 4;
		in(q, one);
		break;
	case TEAR:
		memcpy(one + esize / 2, other + esize / 2, esize - esize / 2);
		in(q, one);
		break;
	case DISORDER:
		if (n > 1)
			in(q, other);
		in(q, one);
		first = n > 1 ? 2 : 1;
		break;
	case STRANGER:
		in(q, one);
		memset(one, 0, esize);
		in(q, one);
		break;
	default:
		in(q, one);
		break;
	}
	put(q, elems + (size_t)first * esize, esize, n - first);
}

CORRAL_HELPER_ uint32_t fake_enq(void *queue, enum peer_call call, const void *elems, uint32_t esize, uint32_t n)
{
	struct queue *q = queue;
	uint32_t k = 0;

	pthread_mutex_lock(&q->lock);
	if (q->size - q->count > n) { /* with room for one that is too many */
		k = n;
		if (q->fault != GOOD && ++q->calls % EVERY == 0 && q->calls / EVERY <= FAULTS)
			put_wrong(q, elems, n);
		else
			put(q, elems, esize, n);
	} else if (call == PEER_BURST) {
		k = put(q, elems, esize, n);
	}
	pthread_mutex_unlock(&q->lock);
	return k;
}

CORRAL_HELPER_ uint32_t fake_deq(void *queue, enum peer_call call, void *elems, uint32_t esize, uint32_t n)
{
	struct queue *q = queue;
	uint32_t k = 0;

	pthread_mutex_lock(&q->lock);
	if (call == PEER_BURST || q->count >= n)
		k = take(q, elems, esize, n);
	if (k)
		memcpy(q->old, elems, esize);
	pthread_mutex_unlock(&q->lock);
	return k;
}

#define LOOP(name) fake_##name
#include "../../bench/peers/loop.h"

static int run_none(struct peer_worker *w)
{
	(void)w;
	return -ENOTSUP;
}

static int run_for_ever(struct peer_worker *w)
{
	struct timespec nap = { 0, 1000000 };

	(void)w;
	while (nanosleep(&nap, NULL) == 0 || errno == EINTR)
		;
	return 0;
}

static void destroy(void *queue)
{
	struct queue *q = queue;

	pthread_mutex_destroy(&q->lock);
	free(q->elem);
	free(q);
}

static void *make(const struct peer_params *p, enum fault fault, uint32_t size)
{
	struct queue *q = calloc(1, sizeof(*q));

	if (!q)
		return NULL;
	q->elem = calloc(size, p->esize);
	if (!q->elem) {
		free(q);
		return NULL;
	}
	pthread_mutex_init(&q->lock, NULL);
	q->fault = fault;
	q->size = size;
	q->esize = p->esize;
	return q;
}

#define CREATE(name, fault, size) \
	static void *create_##name(const struct peer_params *p) \
	{ \
		return make(p, fault, size); \
	}
CREATE(good, GOOD, p->size)
CREATE(lose, LOSE, p->size)
CREATE(double, DOUBLE, p->size)
CREATE(stale, STALE, p->size)
CREATE(damage, DAMAGE, p->size)
CREATE(disorder, DISORDER, p->size)
CREATE(tear, TEAR, p->size)
CREATE(stranger, STRANGER, p->size)
CREATE(bottomless, BOTTOMLESS, p->size)
CREATE(full, GOOD, 1)

static void *create_none(const struct peer_params *p)
{
	(void)p;
	errno = ENOSPC;
	return NULL;
}

#define MODE(name, prod, cons, side, make, loop) \
	{ \
		name, prod, cons, 1u << PEER_COPY, side, create_##make, destroy, put, get, loop \
	}

static const struct peer_mode modes[] = {
	MODE(FAKE_GOOD, "mt", "mt", 0, good, fake_run),
	MODE(FAKE_LOSES, "rts", "rts", 0, lose, fake_run),
	MODE(FAKE_DOUBLES, "hts", "hts", 0, double, fake_run),
	MODE(FAKE_STALE, "st", "st", 1, stale, fake_run),
	MODE(FAKE_DAMAGES, "mt", "rts", 0, damage, fake_run),
	MODE(FAKE_DISORDERS, "mt", "hts", 0, disorder, fake_run),
	MODE(FAKE_TEARS, "rts", "mt", 0, tear, fake_run),
	MODE(FAKE_STRANGER, "rts", "hts", 0, stranger, fake_run),
	MODE(FAKE_HANGS, "hts", "mt", 0, good, run_for_ever),
	MODE(FAKE_NONE, "hts", "rts", 0, good, run_none),
	MODE(FAKE_UNMADE, "mt", "st", 0, none, fake_run),
	MODE(FAKE_FULL, "st", "mt", 0, full, fake_run),
	MODE(FAKE_BOTTOMLESS, "st", "rts", 0, bottomless, fake_run),
};

const struct peer *corral_peer(void)
{
	static const struct peer peer = { PEER_ABI, "mutex", "fake", sizeof(modes) / sizeof(modes[0]), modes };

	return &peer;
}
