/* SPDX-License-Identifier: BSD-3-Clause */
/* ring_calls.c - see ring_calls.h. */
#include "ring_calls.h"

#include "ring/ring_internal.h"

#include <stdlib.h>
#include <string.h>

const struct mode modes[] = {
	{ "MT", CORRAL_RING_SYNC_MT, CORRAL_RING_F_MP_STRICT_ENQ, CORRAL_RING_F_MC_STRICT_DEQ, 0 },
	{ "ST", CORRAL_RING_SYNC_ST, CORRAL_RING_F_SP_ENQ, CORRAL_RING_F_SC_DEQ, 1 },
	{ "RTS", CORRAL_RING_SYNC_MT_RTS, CORRAL_RING_F_MP_RTS_ENQ, CORRAL_RING_F_MC_RTS_DEQ, 0 },
	{ "HTS", CORRAL_RING_SYNC_MT_HTS, CORRAL_RING_F_MP_HTS_ENQ, CORRAL_RING_F_MC_HTS_DEQ, 1 },
};
const unsigned int mode_count = sizeof(modes) / sizeof(modes[0]);

/* single calls give 0 for one object moved */
static int moved(int rc)
{
	return rc == 0 ? 1 : rc;
}

#define WRAP(verb, table_t, obj) \
	static int verb(struct corral_ring *r, void *objs, unsigned int esize, unsigned int n, unsigned int *left) \
	{ \
		(void)esize, (void)n, (void)left; \
		return moved(corral_ring_##verb(r, obj)); \
	} \
	static int verb##_elem(struct corral_ring *r, void *objs, unsigned int esize, unsigned int n, \
			       unsigned int *left) \
	{ \
		(void)n, (void)left; \
		return moved(corral_ring_##verb##_elem(r, objs, esize)); \
	} \
	static int verb##_bulk(struct corral_ring *r, void *objs, unsigned int esize, unsigned int n, \
			       unsigned int *left) \
	{ \
		(void)esize; \
		return corral_ring_##verb##_bulk(r, (table_t)objs, n, left); \
	} \
	static int verb##_bulk_elem(struct corral_ring *r, void *objs, unsigned int esize, unsigned int n, \
				    unsigned int *left) \
	{ \
		return corral_ring_##verb##_bulk_elem(r, objs, esize, n, left); \
	} \
	static int verb##_burst(struct corral_ring *r, void *objs, unsigned int esize, unsigned int n, \
				unsigned int *left) \
	{ \
		(void)esize; \
		return corral_ring_##verb##_burst(r, (table_t)objs, n, left); \
	} \
	static int verb##_burst_elem(struct corral_ring *r, void *objs, unsigned int esize, unsigned int n, \
				     unsigned int *left) \
	{ \
		return corral_ring_##verb##_burst_elem(r, objs, esize, n, left); \
	}
#define WRAP_PUT(verb) WRAP(verb, void *const *, *(void **)objs)
#define WRAP_GET(verb) WRAP(verb, void **, (void **)objs)

WRAP_PUT(enqueue)
WRAP_PUT(mp_enqueue)
WRAP_PUT(sp_enqueue)
WRAP_PUT(mp_rts_enqueue)
WRAP_PUT(mp_hts_enqueue)
WRAP_GET(dequeue)
WRAP_GET(mc_dequeue)
WRAP_GET(sc_dequeue)
WRAP_GET(mc_rts_dequeue)
WRAP_GET(mc_hts_dequeue)

#define ROWS(verb, side, by_name, sync) \
	{ #verb, side, SINGLE, by_name, sync, 0, verb }, \
		{ #verb "_elem", side, SINGLE, by_name, sync, 1, verb##_elem }, \
		{ #verb "_bulk", side, BULK, by_name, sync, 0, verb##_bulk }, \
		{ #verb "_bulk_elem", side, BULK, by_name, sync, 1, verb##_bulk_elem }, \
		{ #verb "_burst", side, BURST, by_name, sync, 0, verb##_burst }, \
	{ \
#verb "_burst_elem", side, BURST, by_name, sync, 1, verb##_burst_elem \
	}

const struct call calls[] = {
	ROWS(enqueue, PROD, 0, CORRAL_RING_SYNC_MT),
	ROWS(mp_enqueue, PROD, 1, CORRAL_RING_SYNC_MT),
	ROWS(sp_enqueue, PROD, 1, CORRAL_RING_SYNC_ST),
	ROWS(mp_rts_enqueue, PROD, 1, CORRAL_RING_SYNC_MT_RTS),
	ROWS(mp_hts_enqueue, PROD, 1, CORRAL_RING_SYNC_MT_HTS),
	ROWS(dequeue, CONS, 0, CORRAL_RING_SYNC_MT),
	ROWS(mc_dequeue, CONS, 1, CORRAL_RING_SYNC_MT),
	ROWS(sc_dequeue, CONS, 1, CORRAL_RING_SYNC_ST),
	ROWS(mc_rts_dequeue, CONS, 1, CORRAL_RING_SYNC_MT_RTS),
	ROWS(mc_hts_dequeue, CONS, 1, CORRAL_RING_SYNC_MT_HTS),
};
const unsigned int call_count = sizeof(calls) / sizeof(calls[0]);

int call_fits(const struct call *c, enum side side, const struct mode *m, unsigned int esize)
{
	return c->side == side && (!c->by_name || c->sync == m->sync) && (c->elem || esize == sizeof(void *));
}

const uint64_t starts[] = {
	0,
	1,
	(UINT64_C(1) << 16) - 3,
	(UINT64_C(1) << 31) - 3,
	(UINT64_C(1) << 32) - 3,
	(UINT64_C(1) << 47) - 3,
	(UINT64_C(1) << 48) - 3,
	(UINT64_C(1) << 62) - 3,
	(UINT64_C(1) << 63) - 3,
};
const unsigned int start_count = sizeof(starts) / sizeof(starts[0]);

static void *give_up(const char *what)
{
	printf("Bail out! %s\n", what);
	fflush(stdout);
	exit(1);
}

struct corral_ring *ring_make(unsigned int flags, unsigned int esize, unsigned int count, uint64_t start)
{
	int64_t bytes = corral_ring_get_memsize_elem(esize, count);
	struct corral_ring *r;

	if (bytes < 0)
		return give_up("no ring is made of such sizes");
	r = aligned_alloc(CORRAL_LINE, (size_t)bytes);
	if (r == NULL)
		return give_up("out of memory");
	memset(r, 0xa5, (size_t)bytes); /* init sets all that it needs */
	if (corral_ring_init_at(r, "test", esize, count, flags, start) != 0)
		return give_up("the ring cannot be made");
	return r;
}

void ring_unmake(struct corral_ring *r)
{
	free(r);
}

void elem_make(void *elem, unsigned int esize, uint32_t v)
{
	uint32_t word, i;

	for (i = 0; i < esize / 4; i++) {
		word = v ^ (i * 0x9e3779b9u);
		memcpy((char *)elem + i * (size_t)4, &word, 4);
	}
}

uint32_t elem_number(const void *elem)
{
	uint32_t v;

	memcpy(&v, elem, 4);
	return v;
}

int elem_is(const void *elem, unsigned int esize, uint32_t v)
{
	uint32_t word, i;

	for (i = 0; i < esize / 4; i++) {
		memcpy(&word, (const char *)elem + i * (size_t)4, 4);
		if (word != (v ^ (i * 0x9e3779b9u)))
			return 0;
	}
	return 1;
}

static char *room_for(const struct corral_ring *r, unsigned int n)
{
	char *room = malloc((size_t)n * r->esize + 1);

	return room != NULL ? room : give_up("out of memory");
}

int put(struct corral_ring *r, uint32_t first, unsigned int n)
{
	char *elems = room_for(r, n);
	unsigned int i;
	int rc;

	for (i = 0; i < n; i++)
		elem_make(elems + (size_t)i * r->esize, r->esize, first + i);
	rc = corral_ring_enqueue_bulk_elem(r, elems, r->esize, n, NULL);
	free(elems);
	return rc;
}

int get_is(struct corral_ring *r, uint32_t first, unsigned int n)
{
	char *elems = room_for(r, n);
	unsigned int i;
	int yes;

	yes = corral_ring_dequeue_bulk_elem(r, elems, r->esize, n, NULL) == (int)n;
	for (i = 0; yes && i < n; i++)
		yes = elem_is(elems + (size_t)i * r->esize, r->esize, first + i);
	free(elems);
	return yes;
}

struct held ring_hold(struct corral_ring *r, enum side side, unsigned int n)
{
	struct held h;

	h.ring = r;
	h.sync = (enum corral_ring_sync)(side == PROD ? r->prod_sync : r->cons_sync);
	h.claim = corral_ring_claim_init_(r, side == PROD ? CORRAL_RING_PROD_ : CORRAL_RING_CONS_, n, 1, 0);
	h.n = corral_ring_claim_do_(&h.claim, h.sync);
	if (h.n != n)
		give_up("what was to be held cannot be claimed");
	return h;
}

void ring_let_go(struct held *h, unsigned int k)
{
	corral_ring_publish_do_(&h->claim, h->sync, k);
}

unsigned int scaled(unsigned int n)
{
	const char *text = getenv("CORRAL_STRESS_SCALE"), *more = getenv("CORRAL_STRESS_LONG");
	unsigned long by = text != NULL ? strtoul(text, NULL, 10) : 1,
		      times = more != NULL ? strtoul(more, NULL, 10) : 1;

	n = (unsigned int)(n * (times != 0 ? times : 1) / (by != 0 ? by : 1));
	return n != 0 ? n : 1;
}
