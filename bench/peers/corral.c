/* SPDX-License-Identifier: BSD-3-Clause */
/* corral.c - corral's own rings: by their calls by name. */
#include <corral/ring.h>

#include <errno.h>
#include <stdlib.h>

#include "../../lib/measure/peer.h"

/* Both sides of one family of calls, as PREFIX_enq and PREFIX_deq. Single calls give 0 for one object moved. */
#define CALLS(prefix, put, get) \
	CORRAL_HELPER_ uint32_t prefix##_enq(void *q, enum peer_call call, const void *objs, uint32_t esize, \
					     uint32_t n) \
	{ \
		int k; \
\
		if (call == PEER_SINGLE) \
			return corral_ring_##put##_elem(q, objs, esize) == 0; \
		k = call == PEER_BULK ? corral_ring_##put##_bulk_elem(q, objs, esize, n, NULL) \
				      : corral_ring_##put##_burst_elem(q, objs, esize, n, NULL); \
		return k > 0 ? (uint32_t)k : 0; \
	} \
	CORRAL_HELPER_ uint32_t prefix##_deq(void *q, enum peer_call call, void *objs, uint32_t esize, uint32_t n) \
	{ \
		int k; \
\
		if (call == PEER_SINGLE) \
			return corral_ring_##get##_elem(q, objs, esize) == 0; \
		k = call == PEER_BULK ? corral_ring_##get##_bulk_elem(q, objs, esize, n, NULL) \
				      : corral_ring_##get##_burst_elem(q, objs, esize, n, NULL); \
		return k > 0 ? (uint32_t)k : 0; \
	}

CALLS(mt, mp_enqueue, mc_dequeue)
CALLS(st, sp_enqueue, sc_dequeue)
CALLS(rts, mp_rts_enqueue, mc_rts_dequeue)
CALLS(hts, mp_hts_enqueue, mc_hts_dequeue)

/* Peek and zero copy have no calls by name; all or nothing. */
CORRAL_HELPER_ uint32_t put_peek(void *q, const void *objs, uint32_t esize, uint32_t n)
{
	if (corral_ring_enqueue_bulk_elem_start(q, n, NULL) <= 0)
		return 0;
	return corral_ring_enqueue_elem_finish(q, objs, esize, n) == 0 ? n : 0;
}

CORRAL_HELPER_ uint32_t get_peek(void *q, void *objs, uint32_t esize, uint32_t n)
{
	if (corral_ring_dequeue_bulk_elem_start(q, objs, esize, n, NULL) <= 0)
		return 0;
	return corral_ring_dequeue_elem_finish(q, n) == 0 ? n : 0;
}

CORRAL_HELPER_ uint32_t put_zc(void *q, const void *objs, uint32_t esize, uint32_t n)
{
	struct corral_ring_zc_data z;

	if (corral_ring_enqueue_zc_bulk_elem_start(q, esize, n, &z, NULL) <= 0)
		return 0;
	corral_copy_in(z.ptr1, objs, (size_t)z.n1 * esize);
	if (z.n1 < n)
		corral_copy_in(z.ptr2, (const char *)objs + (size_t)z.n1 * esize, (size_t)(n - z.n1) * esize);
	return corral_ring_enqueue_zc_elem_finish(q, n) == 0 ? n : 0;
}

CORRAL_HELPER_ uint32_t get_zc(void *q, void *objs, uint32_t esize, uint32_t n)
{
	struct corral_ring_zc_data z;

	if (corral_ring_dequeue_zc_bulk_elem_start(q, esize, n, &z, NULL) <= 0)
		return 0;
	corral_copy_out(objs, z.ptr1, (size_t)z.n1 * esize);
	if (z.n1 < n)
		corral_copy_out((char *)objs + (size_t)z.n1 * esize, z.ptr2, (size_t)(n - z.n1) * esize);
	return corral_ring_dequeue_zc_elem_finish(q, n) == 0 ? n : 0;
}

/* The loops' names for them. */
#define PEEKS(prefix) \
	CORRAL_HELPER_ uint32_t prefix##_enq_peek(void *q, const void *objs, uint32_t esize, uint32_t n) \
	{ \
		return put_peek(q, objs, esize, n); \
	} \
	CORRAL_HELPER_ uint32_t prefix##_deq_peek(void *q, void *objs, uint32_t esize, uint32_t n) \
	{ \
		return get_peek(q, objs, esize, n); \
	} \
	CORRAL_HELPER_ uint32_t prefix##_enq_zc(void *q, const void *objs, uint32_t esize, uint32_t n) \
	{ \
		return put_zc(q, objs, esize, n); \
	} \
	CORRAL_HELPER_ uint32_t prefix##_deq_zc(void *q, void *objs, uint32_t esize, uint32_t n) \
	{ \
		return get_zc(q, objs, esize, n); \
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

#define PROD mt
#define CONS rts
#include "mixed.h"
#define PROD mt
#define CONS hts
#include "mixed.h"
#define PROD mt
#define CONS st
#include "mixed.h"
#define PROD rts
#define CONS mt
#include "mixed.h"
#define PROD rts
#define CONS hts
#include "mixed.h"
#define PROD rts
#define CONS st
#include "mixed.h"
#define PROD hts
#define CONS mt
#include "mixed.h"
#define PROD hts
#define CONS rts
#include "mixed.h"
#define PROD hts
#define CONS st
#define LOOP_PEEK
#include "mixed.h"
#define PROD st
#define CONS mt
#include "mixed.h"
#define PROD st
#define CONS rts
#include "mixed.h"
#define PROD st
#define CONS hts
#define LOOP_PEEK
#include "mixed.h"

/* ---- making them ---- */

static void *create(const struct peer_params *p, unsigned int flags)
{
	struct corral_ring *r = corral_ring_create_elem(NULL, p->esize, p->size, flags);
	struct corral_wait_policy wait;

	if (r == NULL)
		return NULL;
	if (corral_wait_policy_init(&wait, (enum corral_wait_kind)p->ring_wait) != 0 ||
	    corral_ring_set_wait(r, &wait) != 0) {
		corral_ring_free(r);
		errno = EINVAL;
		return NULL;
	}
	return r;
}

static void destroy_ring(void *q)
{
	if (corral_ring_free(q) != 0)
		abort();
}

static uint32_t put_ring(void *q, const void *elems, uint32_t esize, uint32_t n)
{
	int k = corral_ring_enqueue_burst_elem(q, elems, esize, n, NULL);

	return k > 0 ? (uint32_t)k : 0;
}

static uint32_t get_ring(void *q, void *elems, uint32_t esize, uint32_t n)
{
	int k = corral_ring_dequeue_burst_elem(q, elems, esize, n, NULL);

	return k > 0 ? (uint32_t)k : 0;
}

/* Flags, peek or not, and name of each mode on each side. */
#define FLAG_PROD_mt CORRAL_RING_F_MP_STRICT_ENQ
#define FLAG_CONS_mt CORRAL_RING_F_MC_STRICT_DEQ
#define FLAG_PROD_st CORRAL_RING_F_SP_ENQ
#define FLAG_CONS_st CORRAL_RING_F_SC_DEQ
#define FLAG_PROD_rts CORRAL_RING_F_MP_RTS_ENQ
#define FLAG_CONS_rts CORRAL_RING_F_MC_RTS_DEQ
#define FLAG_PROD_hts CORRAL_RING_F_MP_HTS_ENQ
#define FLAG_CONS_hts CORRAL_RING_F_MC_HTS_DEQ
#define PEEKS_mt 0
#define PEEKS_st 1
#define PEEKS_rts 0
#define PEEKS_hts 1

#define PAIR(p, c) \
	static void *create_##p##_##c(const struct peer_params *params) \
	{ \
		return create(params, FLAG_PROD_##p | FLAG_CONS_##c); \
	}
#define PAIRS(p) PAIR(p, mt) PAIR(p, st) PAIR(p, rts) PAIR(p, hts)
PAIRS(mt)
PAIRS(st)
PAIRS(rts)
PAIRS(hts)

#define COPY (1u << PEER_COPY)
#define ALL (COPY | 1u << PEER_PEEK | 1u << PEER_ZC)
#define ROW(text, p, c, side, loops) \
	{ \
		text, #p, #c, PEEKS_##p &&PEEKS_##c ? ALL : COPY, side, create_##p##_##c, destroy_ring, put_ring, \
			get_ring, loops##_run \
	}

static const struct peer_mode modes[] = {
	ROW("mt", mt, mt, 0, mt),
	ROW("rts", rts, rts, 0, rts),
	ROW("hts", hts, hts, 0, hts),
	ROW("st", st, st, 1, st),
	ROW("mt/rts", mt, rts, 0, mt_rts),
	ROW("mt/hts", mt, hts, 0, mt_hts),
	ROW("rts/mt", rts, mt, 0, rts_mt),
	ROW("rts/hts", rts, hts, 0, rts_hts),
	ROW("hts/mt", hts, mt, 0, hts_mt),
	ROW("hts/rts", hts, rts, 0, hts_rts),
	/* one worker on the ST side, so one a side in all that split their roles, and one where all do both */
	ROW("st/mt", st, mt, 1, st_mt),
	ROW("st/rts", st, rts, 1, st_rts),
	ROW("st/hts", st, hts, 1, st_hts),
	ROW("mt/st", mt, st, 1, mt_st),
	ROW("rts/st", rts, st, 1, rts_st),
	ROW("hts/st", hts, st, 1, hts_st),
};

const struct peer *corral_peer(void)
{
	static const struct peer peer = { PEER_ABI, "corral", CORRAL_VERSION, sizeof(modes) / sizeof(modes[0]), modes };

	return &peer;
}
