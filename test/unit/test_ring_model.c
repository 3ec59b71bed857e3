/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_ring_model.c - long sequences of random calls of every kind against a queue that is an array: each result, each
 * object and each out-parameter must be the same. One test a pair of modes.
 */
#include "ring_calls.h"
#include "test.h"

#include <errno.h>

#define MOST 40 /* objects in a call */

static const struct mode *pm, *cm;
static uint64_t seed;

static uint32_t chance(uint32_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 32) % below;
}

/* The queue: numbers first..next-1 are in it. */
static struct {
	struct corral_ring *ring;
	unsigned int esize, capacity;
	uint32_t first, next;
	/* an open peek of each side: how many are reserved; 0: none is open */
	unsigned int open[2];
	int zc[2];
	struct corral_ring_zc_data slots[2];
} q;

static unsigned char buf[MOST * ESIZE_MOST + 8] CORRAL_ALIGNED(8);

static unsigned int used(void)
{
	return q.next - q.first;
}

static unsigned int room(enum side side)
{
	return side == PROD ? q.capacity - used() : used();
}

static unsigned int can(enum side side, enum how how, unsigned int n)
{
	unsigned int there = room(side);

	if (n <= there)
		return n;
	return how == BURST ? there : 0;
}

static void make(unsigned char *at, uint32_t first, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		elem_make(at + (size_t)i * q.esize, q.esize, first + i);
}

static void compare(const unsigned char *at, uint32_t first, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		CHECK(elem_is(at + (size_t)i * q.esize, q.esize, first + i));
}

static void move(const struct call *c)
{
	unsigned int n = c->how == SINGLE ? 1 : chance(chance(4) == 0 ? MOST : 5), left = 77, want;
	unsigned int *ask = c->how != SINGLE && chance(2) ? &left : NULL;
	unsigned char *at = buf + (c->elem ? 4 * chance(2) : 0); /* elements of any alignment */
	int rc;

	if (c->side == PROD)
		make(at, q.next, n);
	rc = c->move(q.ring, at, q.esize, n, ask);
	if (q.open[c->side] != 0) {
		/* by this very thread */
		CHECK_EQ_INT(rc, (c->side == PROD ? pm : cm)->sync == CORRAL_RING_SYNC_ST ? -EBUSY
				 : n == 0						  ? 0
											  : -EDEADLK);
		if (ask != NULL && rc != 0)
			CHECK_EQ_INT(left, 0);
		return;
	}
	want = can(c->side, c->how, n);
	if (c->how == SINGLE && want == 0)
		CHECK_EQ_INT(rc, c->side == PROD ? -ENOBUFS : -ENOENT);
	else
		CHECK_EQ_INT(rc, want);
	if (c->side == PROD) {
		q.next += want;
	} else {
		compare(at, q.first, want);
		q.first += want;
	}
	if (ask != NULL)
		CHECK_EQ_INT(left, room(c->side));
}

static int open_zc(enum side side, int fixed, unsigned int n, unsigned int *ask)
{
	struct corral_ring_zc_data refused, *z = q.open[side] != 0 ? &refused : &q.slots[side];

	if (side == PROD)
		return fixed ? corral_ring_enqueue_zc_bulk_elem_start(q.ring, q.esize, n, z, ask)
			     : corral_ring_enqueue_zc_burst_elem_start(q.ring, q.esize, n, z, ask);
	return fixed ? corral_ring_dequeue_zc_bulk_elem_start(q.ring, q.esize, n, z, ask)
		     : corral_ring_dequeue_zc_burst_elem_start(q.ring, q.esize, n, z, ask);
}

static int open_copy(enum side side, int fixed, unsigned int n, unsigned int *ask)
{
	if (side == PROD)
		return fixed ? corral_ring_enqueue_bulk_elem_start(q.ring, n, ask)
			     : corral_ring_enqueue_burst_elem_start(q.ring, n, ask);
	return fixed ? corral_ring_dequeue_bulk_elem_start(q.ring, buf, q.esize, n, ask)
		     : corral_ring_dequeue_burst_elem_start(q.ring, buf, q.esize, n, ask);
}

static void start(enum side side)
{
	unsigned int n = chance(chance(4) == 0 ? MOST : 5), left = 77, want;
	unsigned int *ask = chance(2) ? &left : NULL;
	enum how how = chance(2) ? BULK : BURST;
	int zc = (int)chance(2), rc = zc ? open_zc(side, how == BULK, n, ask) : open_copy(side, how == BULK, n, ask);

	if (q.open[side] != 0) {
		CHECK_EQ_INT(rc, (side == PROD ? pm : cm)->sync == CORRAL_RING_SYNC_ST ? -EBUSY
				 : n == 0					       ? 0
										       : -EDEADLK);
		return;
	}
	want = can(side, how, n);
	CHECK_EQ_INT(rc, want);
	if (ask != NULL)
		CHECK_EQ_INT(left, room(side) - want);
	if (side == CONS && !zc)
		compare(buf, q.first, want);
	q.open[side] = want;
	q.zc[side] = zc;
}

/* The i-th slot of an open zero copy. */
static unsigned char *slot(enum side side, unsigned int i)
{
	struct corral_ring_zc_data *z = &q.slots[side];

	return i < z->n1 ? (unsigned char *)z->ptr1 + (size_t)i * q.esize
			 : (unsigned char *)z->ptr2 + (size_t)(i - z->n1) * q.esize;
}

static int finish_as(enum side side, int zc, unsigned int k)
{
	if (side == PROD)
		return zc ? corral_ring_enqueue_zc_elem_finish(q.ring, k)
			  : corral_ring_enqueue_elem_finish(q.ring, buf, q.esize, k);
	return zc ? corral_ring_dequeue_zc_elem_finish(q.ring, k) : corral_ring_dequeue_elem_finish(q.ring, k);
}

static void finish(enum side side)
{
	unsigned int n = q.open[side], k = chance(3) == 0 ? n : chance(n + 1), i;
	int zc = q.zc[side];

	if (n == 0) {
		CHECK_EQ_INT(finish_as(side, zc, chance(2)), -EINVAL);
		return;
	}
	CHECK_EQ_INT(finish_as(side, zc, n + 1 + chance(1000000)), -EINVAL);
	for (i = 0; i < k && zc; i++) {
		if (side == PROD)
			make(slot(side, i), q.next + i, 1);
		else
			compare(slot(side, i), q.first + i, 1);
	}
	if (side == PROD && !zc)
		make(buf, q.next, k);
	CHECK_EQ_INT(finish_as(side, zc, k), 0);
	if (side == PROD)
		q.next += k;
	else
		q.first += k;
	q.open[side] = 0;
}

static void step(void)
{
	enum side side = chance(2) ? PROD : CONS;
	const struct mode *m = side == PROD ? pm : cm;
	const struct call *c;

	if (m->peeks && chance(3) == 0) {
		if (chance(2))
			start(side);
		else
			finish(side);
		return;
	}
	do
		c = &calls[chance(call_count)];
	while (!call_fits(c, side, m, q.esize));
	move(c);
}

static void check_snapshots(void)
{
	CHECK_EQ_INT(corral_ring_count(q.ring), used());
	CHECK_EQ_INT(corral_ring_free_count(q.ring), q.capacity - used());
	CHECK_EQ_INT(corral_ring_empty(q.ring), used() == 0);
	CHECK_EQ_INT(corral_ring_full(q.ring), used() == q.capacity);
}

static void model(void)
{
	static const unsigned int sizes[] = { 4, 8, 12, 16, 64 }, counts[] = { 1, 2, 3, 7, 8, 33, 300 };
	unsigned int i, k, s, n = scaled(400);

	seed = 0x9e3779b97f4a7c15u;
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (k = 0; k < sizeof(counts) / sizeof(counts[0]); k++)
			for (s = 0; s < start_count; s++) {
				memset(&q, 0, sizeof(q));
				q.esize = sizes[i];
				q.capacity = counts[k];
				q.ring = ring_make(pm->prod_flag | cm->cons_flag, q.esize, q.capacity, starts[s]);
				for (unsigned int j = 0; j < n; j++) {
					step();
					check_snapshots();
				}
				ring_unmake(q.ring);
			}
}

int main(void)
{
	char name[40];

	for (pm = modes; pm < modes + mode_count; pm++)
		for (cm = modes; cm < modes + mode_count; cm++) {
			snprintf(name, sizeof(name), "model_%s_to_%s", pm->name, cm->name);
			TEST_AS(name, model);
		}
	return test_end();
}
