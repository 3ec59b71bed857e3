/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ck_ring.c - Concurrency Kit's ring: one object a call, so bulk and burst are loops of them, as its users must write.
 * A bulk may therefore move a part. Objects are pointers; elements of other sizes go through CK_RING_PROTOTYPE.
 */
#include <ck_ring.h>

#include <errno.h>
#include <stdlib.h>

#include "../../lib/measure/peer.h"

/* An element type for each size, copied as a whole, as its users would. */
#define ELEM(size, align) \
	struct e##size { \
		uint32_t w[size / 4]; \
	} __attribute__((aligned(align))); \
	CK_RING_PROTOTYPE(e##size, e##size)

ELEM(4, 4)
ELEM(8, 8)
ELEM(12, 4)
ELEM(16, 8)
ELEM(32, 8)
ELEM(64, 8)
ELEM(128, 8)
ELEM(256, 8)

struct queue {
	struct ck_ring ring;
	void *table;
};

#define ONE_SIZE(size, sides) \
	case size: \
		for (i = 0; i < n; i++) \
			if (!CK_RING_ENQUEUE_##sides(e##size, &q->ring, q->table, \
						     (struct e##size *)(uintptr_t)objs + i)) \
				break; \
		return i

#define ONE_SIZE_OUT(size, sides) \
	case size: \
		for (i = 0; i < n; i++) \
			if (!CK_RING_DEQUEUE_##sides(e##size, &q->ring, q->table, (struct e##size *)objs + i)) \
				break; \
		return i

#define CALLS(prefix, sides) \
	CORRAL_HELPER_ uint32_t prefix##_enq(void *queue, enum peer_call call, const void *objs, uint32_t esize, \
					     uint32_t n) \
	{ \
		struct queue *q = queue; \
		uint32_t i; \
\
		(void)call; \
		switch (esize) { \
			ONE_SIZE(4, sides); \
			ONE_SIZE(8, sides); \
			ONE_SIZE(12, sides); \
			ONE_SIZE(16, sides); \
			ONE_SIZE(32, sides); \
			ONE_SIZE(64, sides); \
			ONE_SIZE(128, sides); \
			ONE_SIZE(256, sides); \
		default: \
			return 0; \
		} \
	} \
	CORRAL_HELPER_ uint32_t prefix##_deq(void *queue, enum peer_call call, void *objs, uint32_t esize, uint32_t n) \
	{ \
		struct queue *q = queue; \
		uint32_t i; \
\
		(void)call; \
		switch (esize) { \
			ONE_SIZE_OUT(4, sides); \
			ONE_SIZE_OUT(8, sides); \
			ONE_SIZE_OUT(12, sides); \
			ONE_SIZE_OUT(16, sides); \
			ONE_SIZE_OUT(32, sides); \
			ONE_SIZE_OUT(64, sides); \
			ONE_SIZE_OUT(128, sides); \
			ONE_SIZE_OUT(256, sides); \
		default: \
			return 0; \
		} \
	}

CALLS(st, SPSC)
CALLS(mt, MPMC)

#define LOOP(name) st_##name
#include "loop.h"
#define LOOP(name) mt_##name
#include "loop.h"

static void destroy(void *queue)
{
	struct queue *q = queue;

	free(q->table);
	free(q);
}

static void *create(const struct peer_params *p)
{
	struct queue *q;
	uint32_t size = 4;

	switch (p->esize) {
	case 4:
	case 8:
	case 12:
	case 16:
	case 32:
	case 64:
	case 128:
	case 256:
		break;
	default: /* each size is a type of its own, compiled in */
		errno = ENOTSUP;
		return NULL;
	}
	while (size < p->size + 1) /* it holds one less than its power of two */
		size *= 2;
	q = aligned_alloc(128, (sizeof(*q) + 127) / 128 * 128);
	if (q == NULL)
		return NULL;
	q->table = aligned_alloc(128, (size_t)size * p->esize + 128);
	if (q->table == NULL) {
		free(q);
		return NULL;
	}
	ck_ring_init(&q->ring, size);
	return q;
}

/* The two families keep their positions in different words: what one put in the other does not see. */
#define ONE_SIDE(prefix) \
	static uint32_t put_##prefix(void *q, const void *elems, uint32_t esize, uint32_t n) \
	{ \
		return prefix##_enq(q, PEER_BURST, elems, esize, n); \
	} \
	static uint32_t get_##prefix(void *q, void *elems, uint32_t esize, uint32_t n) \
	{ \
		return prefix##_deq(q, PEER_BURST, elems, esize, n); \
	}
ONE_SIDE(st)
ONE_SIDE(mt)

static const struct peer_mode modes[] = {
	{ "st", "st", "st", 1u << PEER_COPY, 1, create, destroy, put_st, get_st, st_run },
	{ "mt", "mt", "mt", 1u << PEER_COPY, 0, create, destroy, put_mt, get_mt, mt_run },
};

const struct peer *corral_peer(void)
{
	static const struct peer peer = { PEER_ABI, "ck_ring", CK_VERSION_TEXT, sizeof(modes) / sizeof(modes[0]),
					  modes };

	return &peer;
}
