/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rte_ring.c - DPDK's ring, as its users have it: inlined calls by name, in memory of our own (no EAL is started).
 * Its power of two holds one object less, so it is made one size larger where that matters: EXACT_SZ.
 */
#include <rte_config.h>

#include <rte_errno.h>
#include <rte_ring.h>
#include <rte_ring_elem.h>
#include <rte_version.h>

#include <errno.h>
#include <stdlib.h>

#include "../../lib/measure/peer.h"

#define CALLS(prefix, put, get) \
	CORRAL_HELPER_ uint32_t prefix##_enq(void *q, enum peer_call call, const void *objs, uint32_t esize, \
					     uint32_t n) \
	{ \
		if (call == PEER_BURST) \
			return rte_ring_##put##_burst_elem(q, objs, esize, n, NULL); \
		return rte_ring_##put##_bulk_elem(q, objs, esize, call == PEER_SINGLE ? 1 : n, NULL); \
	} \
	CORRAL_HELPER_ uint32_t prefix##_deq(void *q, enum peer_call call, void *objs, uint32_t esize, uint32_t n) \
	{ \
		if (call == PEER_BURST) \
			return rte_ring_##get##_burst_elem(q, objs, esize, n, NULL); \
		return rte_ring_##get##_bulk_elem(q, objs, esize, call == PEER_SINGLE ? 1 : n, NULL); \
	}

CALLS(mt, mp_enqueue, mc_dequeue)
CALLS(st, sp_enqueue, sc_dequeue)
CALLS(rts, mp_rts_enqueue, mc_rts_dequeue)
CALLS(hts, mp_hts_enqueue, mc_hts_dequeue)

/* Start and finish, all or nothing. */
#define PEEKS(prefix) \
	CORRAL_HELPER_ uint32_t prefix##_enq_peek(void *q, const void *objs, uint32_t esize, uint32_t n) \
	{ \
		if (rte_ring_enqueue_bulk_elem_start(q, n, NULL) == 0) \
			return 0; \
		rte_ring_enqueue_elem_finish(q, objs, esize, n); \
		return n; \
	} \
	CORRAL_HELPER_ uint32_t prefix##_deq_peek(void *q, void *objs, uint32_t esize, uint32_t n) \
	{ \
		if (rte_ring_dequeue_bulk_elem_start(q, objs, esize, n, NULL) == 0) \
			return 0; \
		rte_ring_dequeue_elem_finish(q, n); \
		return n; \
	} \
	CORRAL_HELPER_ uint32_t prefix##_enq_zc(void *q, const void *objs, uint32_t esize, uint32_t n) \
	{ \
		struct rte_ring_zc_data z; \
\
		if (rte_ring_enqueue_zc_bulk_elem_start(q, esize, n, &z, NULL) == 0) \
			return 0; \
		memcpy(z.ptr1, objs, (size_t)z.n1 *esize); \
		if (z.n1 < n) \
			memcpy(z.ptr2, (const char *)objs + (size_t)z.n1 * esize, (size_t)(n - z.n1) * esize); \
		rte_ring_enqueue_zc_elem_finish(q, n); \
		return n; \
	} \
	CORRAL_HELPER_ uint32_t prefix##_deq_zc(void *q, void *objs, uint32_t esize, uint32_t n) \
	{ \
		struct rte_ring_zc_data z; \
\
		if (rte_ring_dequeue_zc_bulk_elem_start(q, esize, n, &z, NULL) == 0) \
			return 0; \
		memcpy(objs, z.ptr1, (size_t)z.n1 *esize); \
		if (z.n1 < n) \
			memcpy((char *)objs + (size_t)z.n1 * esize, z.ptr2, (size_t)(n - z.n1) * esize); \
		rte_ring_dequeue_zc_elem_finish(q, n); \
		return n; \
	}

PEEKS(st)
PEEKS(hts)

#define LOOP(name) mt_##name
#include "loop.h"
#define LOOP(name) rts_##name
#include "loop.h"
#define LOOP(name) st_##name
#define LOOP_PEEK
#include "loop.h"
#define LOOP(name) hts_##name
#define LOOP_PEEK
#include "loop.h"

static void *create(const struct peer_params *p, unsigned int flags)
{
	uint32_t size = 2;
	ssize_t bytes;
	struct rte_ring *r;

	while (size < p->size + 1)
		size *= 2;
	bytes = rte_ring_get_memsize_elem(p->esize, size);
	if (bytes < 0) {
		errno = EINVAL;
		return NULL;
	}
	r = aligned_alloc(128, ((size_t)bytes + 127) / 128 * 128);
	if (r == NULL)
		return NULL;
	memset(r, 0, (size_t)bytes);
	if (rte_ring_init(r, "measured", p->size + (p->size == size), flags | RING_F_EXACT_SZ) != 0) {
		free(r);
		errno = EINVAL;
		return NULL;
	}
	return r;
}

static uint32_t put_ring(void *q, const void *elems, uint32_t esize, uint32_t n)
{
	return rte_ring_enqueue_burst_elem(q, elems, esize, n, NULL);
}

static uint32_t get_ring(void *q, void *elems, uint32_t esize, uint32_t n)
{
	return rte_ring_dequeue_burst_elem(q, elems, esize, n, NULL);
}

#define MODE(name, flags) \
	static void *create_##name(const struct peer_params *p) \
	{ \
		return create(p, flags); \
	}
MODE(mt, 0)
MODE(rts, RING_F_MP_RTS_ENQ | RING_F_MC_RTS_DEQ)
MODE(hts, RING_F_MP_HTS_ENQ | RING_F_MC_HTS_DEQ)
MODE(st, RING_F_SP_ENQ | RING_F_SC_DEQ)

#define COPY (1u << PEER_COPY)
#define ALL (COPY | 1u << PEER_PEEK | 1u << PEER_ZC)
static const struct peer_mode modes[] = {
	{ "mt", "mt", "mt", COPY, 0, create_mt, free, put_ring, get_ring, mt_run },
	{ "rts", "rts", "rts", COPY, 0, create_rts, free, put_ring, get_ring, rts_run },
	{ "hts", "hts", "hts", ALL, 0, create_hts, free, put_ring, get_ring, hts_run },
	{ "st", "st", "st", ALL, 1, create_st, free, put_ring, get_ring, st_run },
};

const struct peer *corral_peer(void)
{
	static const struct peer peer = { PEER_ABI, "rte_ring", RTE_VER_SUFFIX, sizeof(modes) / sizeof(modes[0]),
					  modes };
	static char version[64];
	static struct peer told;

	snprintf(version, sizeof(version), "%s", rte_version());
	told = peer;
	told.version = version;
	return &told;
}
