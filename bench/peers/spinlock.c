/* SPDX-License-Identifier: BSD-3-Clause */
/* spinlock.c - a spinlock around a ring of mode ST: the baseline that every lock-free ring must beat. */
#include <corral/ring.h>

#include <errno.h>
#include <stdlib.h>

#include "../../lib/measure/peer.h"

struct queue {
	struct corral_a32 lock CORRAL_ALIGNED(CORRAL_LINE);
	struct corral_ring *ring;
};

/* Test and test-and-set, with a pause: what most people write. */
CORRAL_HELPER_ void take(struct queue *q)
{
	uint32_t was = 0;

	while (!corral_cas(&q->lock, &was, 1, CORRAL_ACQUIRE, CORRAL_RELAXED)) {
		while (corral_load(&q->lock, CORRAL_RELAXED) != 0)
			corral_pause();
		was = 0;
	}
}

CORRAL_HELPER_ void give(struct queue *q)
{
	corral_store(&q->lock, 0, CORRAL_RELEASE);
}

CORRAL_HELPER_ uint32_t locked_enq(void *queue, enum peer_call call, const void *objs, uint32_t esize, uint32_t n)
{
	struct queue *q = queue;
	int k;

	take(q);
	k = call == PEER_BURST ? corral_ring_sp_enqueue_burst_elem(q->ring, objs, esize, n, NULL)
			       : corral_ring_sp_enqueue_bulk_elem(q->ring, objs, esize, n, NULL);
	give(q);
	return k > 0 ? (uint32_t)k : 0;
}

CORRAL_HELPER_ uint32_t locked_deq(void *queue, enum peer_call call, void *objs, uint32_t esize, uint32_t n)
{
	struct queue *q = queue;
	int k;

	take(q);
	k = call == PEER_BURST ? corral_ring_sc_dequeue_burst_elem(q->ring, objs, esize, n, NULL)
			       : corral_ring_sc_dequeue_bulk_elem(q->ring, objs, esize, n, NULL);
	give(q);
	return k > 0 ? (uint32_t)k : 0;
}

#define LOOP(name) locked_##name
#include "loop.h"

static void destroy(void *queue)
{
	struct queue *q = queue;

	corral_ring_free(q->ring);
	free(q);
}

static void *create(const struct peer_params *p)
{
	struct queue *q = aligned_alloc(CORRAL_LINE, sizeof(*q));

	if (q == NULL)
		return NULL;
	corral_store(&q->lock, 0, CORRAL_RELAXED);
	q->ring = corral_ring_create_elem(NULL, p->esize, p->size, CORRAL_RING_F_SP_ENQ | CORRAL_RING_F_SC_DEQ);
	if (q->ring == NULL) {
		destroy(q);
		errno = ENOMEM;
		return NULL;
	}
	return q;
}

static uint32_t put_one_side(void *q, const void *elems, uint32_t esize, uint32_t n)
{
	return locked_enq(q, PEER_BURST, elems, esize, n);
}

static uint32_t get_one_side(void *q, void *elems, uint32_t esize, uint32_t n)
{
	return locked_deq(q, PEER_BURST, elems, esize, n);
}

static const struct peer_mode modes[] = {
	{ "-", "-", "-", 1u << PEER_COPY, 0, create, destroy, put_one_side, get_one_side, locked_run },
};

const struct peer *corral_peer(void)
{
	static const struct peer peer = { PEER_ABI, "spinlock", CORRAL_VERSION, 1, modes };

	return &peer;
}
