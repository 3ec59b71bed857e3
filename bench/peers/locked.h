/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * locked.h - a lock around a ring of mode ST: the baselines that every lock-free ring must beat. A template: an
 * implementation defines LOCKED_NAME, the type lock_t_, lock_take(), lock_give(), LOCK_INIT and LOCK_FINI.
 */
#include <errno.h>
#include <stdlib.h>

#include "../../lib/measure/peer.h"

struct queue {
	lock_t_ lock CORRAL_ALIGNED(CORRAL_LINE);
	struct corral_ring *ring;
};

CORRAL_HELPER_ uint32_t locked_enq(void *queue, enum peer_call call, const void *objs, uint32_t esize, uint32_t n)
{
	struct queue *q = queue;
	int k;

	lock_take(&q->lock);
	k = call == PEER_BURST ? corral_ring_sp_enqueue_burst_elem(q->ring, objs, esize, n, NULL)
			       : corral_ring_sp_enqueue_bulk_elem(q->ring, objs, esize, n, NULL);
	lock_give(&q->lock);
	return k > 0 ? (uint32_t)k : 0;
}

CORRAL_HELPER_ uint32_t locked_deq(void *queue, enum peer_call call, void *objs, uint32_t esize, uint32_t n)
{
	struct queue *q = queue;
	int k;

	lock_take(&q->lock);
	k = call == PEER_BURST ? corral_ring_sc_dequeue_burst_elem(q->ring, objs, esize, n, NULL)
			       : corral_ring_sc_dequeue_bulk_elem(q->ring, objs, esize, n, NULL);
	lock_give(&q->lock);
	return k > 0 ? (uint32_t)k : 0;
}

#define LOOP(name) locked_##name
#include "loop.h"

static void destroy(void *queue)
{
	struct queue *q = queue;

	corral_ring_free(q->ring);
	LOCK_FINI(&q->lock);
	free(q);
}

static void *create(const struct peer_params *p)
{
	struct queue *q = aligned_alloc(CORRAL_LINE, sizeof(*q));

	if (q == NULL)
		return NULL;
	LOCK_INIT(&q->lock);
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
	static const struct peer peer = { PEER_ABI, LOCKED_NAME, CORRAL_VERSION, 1, modes };

	return &peer;
}
