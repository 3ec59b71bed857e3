/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_ring_model.c - long sequences of random calls of every kind against a queue that is an array: each result, each
 * object and each out-parameter must be the same. One test a pair of modes. CORRAL_TEST_SEED=N runs other sequences.
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
	unsigned int esize, capacity, step;
	uint64_t start;
	uint64_t taken; /* objects that went in and out, of all rings */
	uint32_t first, next;
	/* an open peek of each side: how many are reserved; 0: none is open */
	unsigned int open[2];
	int zc[2];
	struct corral_ring_zc_data slots[2];
} q;

#define BESIDE 32 /* bytes before and after a caller's objects that no call may touch */
static unsigned char buf[BESIDE + 8 + MOST * ESIZE_MOST + BESIDE] CORRAL_ALIGNED(8);
static unsigned char *const objs = buf + BESIDE;

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

/* n objects were copied out to at, and nothing else was written. */
static void check_out(const unsigned char *at, uint32_t first, unsigned int n)
{
	const unsigned char *end = at + (size_t)n * q.esize;

	compare(at, first, n);
	for (unsigned int i = 0; i < BESIDE; i++) {
		CHECK_EQ_INT(buf[i], 0xee);
		CHECK_EQ_INT(end[i], 0xee);
	}
}

/* What a call gets while this very thread has a peek open on its side. */
static int refusal(enum side side, unsigned int n)
{
	if ((side == PROD ? pm : cm)->sync == CORRAL_RING_SYNC_ST)
		return -EBUSY;
	return n == 0 ? 0 : -EDEADLK;
}

static void move(const struct call *c)
{
	unsigned int n = c->how == SINGLE ? 1 : chance(chance(4) == 0 ? MOST : 5), left = 77, want;
	unsigned int *ask = c->how != SINGLE && chance(2) ? &left : NULL;
	unsigned char *at = objs + (c->elem ? chance(8) : 0); /* elements of any alignment */
	int rc;

	if (c->side == PROD)
		make(at, q.next, n);
	else
		memset(buf, 0xee, (size_t)(at - buf) + (size_t)n * q.esize + BESIDE);
	rc = c->move(q.ring, at, q.esize, n, ask);
	if (q.open[c->side] != 0) {
		CHECK_EQ_INT(rc, refusal(c->side, n));
		if (ask != NULL)
			CHECK_EQ_INT(left, rc != 0 ? 0 : room(c->side));
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
		check_out(at, q.first, want);
		q.first += want;
		q.taken += want;
	}
	if (ask != NULL)
		CHECK_EQ_INT(left, room(c->side));
}

/* A start of pointers, where elements are as large, or of elements. */
static int pointers(void)
{
	return q.esize == sizeof(void *) && chance(2);
}

static int open_zc(enum side side, int fixed, unsigned int n, unsigned int *ask)
{
	struct corral_ring_zc_data refused, *z = q.open[side] != 0 ? &refused : &q.slots[side];
	struct corral_ring *r = q.ring;

	if (pointers()) {
		if (side == PROD)
			return fixed ? corral_ring_enqueue_zc_bulk_start(r, n, z, ask)
				     : corral_ring_enqueue_zc_burst_start(r, n, z, ask);
		return fixed ? corral_ring_dequeue_zc_bulk_start(r, n, z, ask)
			     : corral_ring_dequeue_zc_burst_start(r, n, z, ask);
	}
	if (side == PROD)
		return fixed ? corral_ring_enqueue_zc_bulk_elem_start(r, q.esize, n, z, ask)
			     : corral_ring_enqueue_zc_burst_elem_start(r, q.esize, n, z, ask);
	return fixed ? corral_ring_dequeue_zc_bulk_elem_start(r, q.esize, n, z, ask)
		     : corral_ring_dequeue_zc_burst_elem_start(r, q.esize, n, z, ask);
}

static int open_copy(enum side side, int fixed, unsigned int n, unsigned int *ask)
{
	struct corral_ring *r = q.ring;
	void **table = (void **)(void *)objs;

	memset(buf, 0xee, BESIDE + (size_t)n * q.esize + BESIDE);
	if (pointers()) {
		if (side == PROD)
			return fixed ? corral_ring_enqueue_bulk_start(r, n, ask)
				     : corral_ring_enqueue_burst_start(r, n, ask);
		return fixed ? corral_ring_dequeue_bulk_start(r, table, n, ask)
			     : corral_ring_dequeue_burst_start(r, table, n, ask);
	}
	if (side == PROD)
		return fixed ? corral_ring_enqueue_bulk_elem_start(r, n, ask)
			     : corral_ring_enqueue_burst_elem_start(r, n, ask);
	return fixed ? corral_ring_dequeue_bulk_elem_start(r, objs, q.esize, n, ask)
		     : corral_ring_dequeue_burst_elem_start(r, objs, q.esize, n, ask);
}

/* The segments are those of the table from the side's position on, the second only where the first does not suffice. */
static void check_segments(enum side side, unsigned int n)
{
	const struct corral_ring_zc_data *z = &q.slots[side];
	uint32_t index = (uint32_t)(q.start + (side == PROD ? q.next : q.first)) & (corral_ring_get_size(q.ring) - 1);
	unsigned int first = corral_ring_get_size(q.ring) - index;
	char *table = (char *)q.ring + q.ring->table;

	if (first > n)
		first = n;
	CHECK_EQ_INT(z->n1, first);
	CHECK_EQ_PTR(z->ptr1, n != 0 ? table + (size_t)index * q.esize : NULL);
	CHECK_EQ_PTR(z->ptr2, first < n ? table : NULL);
}

static void start(enum side side)
{
	unsigned int n = chance(chance(4) == 0 ? MOST : 5), left = 77, want;
	unsigned int *ask = chance(2) ? &left : NULL;
	enum how how = chance(2) ? BULK : BURST;
	int zc = (int)chance(2), rc = zc ? open_zc(side, how == BULK, n, ask) : open_copy(side, how == BULK, n, ask);

	if (q.open[side] != 0) {
		CHECK_EQ_INT(rc, refusal(side, n));
		if (ask != NULL)
			CHECK_EQ_INT(left, rc != 0 ? 0 : room(side));
		return;
	}
	want = can(side, how, n);
	CHECK_EQ_INT(rc, want);
	if (ask != NULL)
		CHECK_EQ_INT(left, room(side) - want);
	if (zc)
		check_segments(side, want);
	else if (side == CONS)
		check_out(objs, q.first, want);
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
	struct corral_ring *r = q.ring;

	if (pointers()) {
		if (side == PROD)
			return zc ? corral_ring_enqueue_zc_finish(r, k)
				  : corral_ring_enqueue_finish(r, (void **)(void *)objs, k);
		return zc ? corral_ring_dequeue_zc_finish(r, k) : corral_ring_dequeue_finish(r, k);
	}
	if (side == PROD)
		return zc ? corral_ring_enqueue_zc_elem_finish(r, k)
			  : corral_ring_enqueue_elem_finish(r, objs, q.esize, k);
	return zc ? corral_ring_dequeue_zc_elem_finish(r, k) : corral_ring_dequeue_elem_finish(r, k);
}

static void fill_slots(enum side side, unsigned int k)
{
	for (unsigned int i = 0; i < k; i++)
		if (side == PROD)
			make(slot(side, i), q.next + i, 1);
		else
			compare(slot(side, i), q.first + i, 1);
}

static void finish(enum side side)
{
	static const unsigned int more[] = { 1, 2, 1000, 1u << 30, 1u << 31 };
	unsigned int n = q.open[side], k = chance(3) == 0 ? n : chance(n + 1);
	int zc = q.zc[side];

	if (n == 0) {
		CHECK_EQ_INT(finish_as(side, zc, chance(2)), -EINVAL);
		return;
	}
	CHECK_EQ_INT(finish_as(side, zc, n + more[chance(5)]), -EINVAL); /* it stays open */
	if (zc)
		fill_slots(side, k);
	else if (side == PROD)
		make(objs, q.next, k);
	CHECK_EQ_INT(finish_as(side, zc, k), 0);
	if (side == PROD) {
		q.next += k;
	} else {
		q.first += k;
		q.taken += k;
	}
	q.open[side] = 0;
}

/* Rare: it empties the ring, closes what is open, and begins anew at position 0. */
static void reset(void)
{
	CHECK_EQ_INT(corral_ring_reset(q.ring), 0);
	q.open[PROD] = q.open[CONS] = 0;
	q.first = q.next;
	q.start = 0 - (uint64_t)q.next;
}

static void flush(void)
{
	CHECK_EQ_INT(corral_ring_flush(q.ring), q.open[PROD] != 0 ? refusal(PROD, 1) : 0);
}

static void step(void)
{
	enum side side = chance(2) ? PROD : CONS;
	const struct mode *m = side == PROD ? pm : cm;
	const struct call *c;

	if (chance(100) == 0) {
		flush();
		return;
	}
	if (chance(300) == 0) {
		reset();
		return;
	}
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

/* The words of a side at rest are what doc/ring-layout.md says. */
static void check_words(enum side side)
{
	const struct corral_ring_side *me = side == PROD ? &q.ring->prod : &q.ring->cons;
	enum corral_ring_sync sync = (side == PROD ? pm : cm)->sync;
	uint64_t pos = q.start + (side == PROD ? q.next : q.first), open = q.open[side];
	uint64_t tail = corral_load(&me->tail, CORRAL_RELAXED), head = corral_load(&me->head, CORRAL_RELAXED);

	CHECK_EQ_HEX(tail, 2 * pos | (sync == CORRAL_RING_SYNC_MT_HTS && open != 0));
	if (sync == CORRAL_RING_SYNC_MT)
		CHECK_EQ_HEX(head, 2 * pos);
	else if (sync == CORRAL_RING_SYNC_MT_RTS)
		CHECK_EQ_HEX(head, pos << 16);
	else
		CHECK_EQ_HEX(head, open != 0 ? (2 * (pos + open)) | 1 : 0);
}

static void run(unsigned int esize, unsigned int capacity, uint64_t from)
{
	unsigned int n = scaled(400);

	q.esize = esize;
	q.capacity = capacity;
	q.start = from;
	q.first = q.next = 0;
	q.open[PROD] = q.open[CONS] = 0;
	q.ring = ring_make(pm->prod_flag | cm->cons_flag, esize, capacity, from);
	for (q.step = 0; q.step < n; q.step++) {
		step();
		check_snapshots();
		check_words(PROD);
		check_words(CONS);
	}
	ring_unmake(q.ring);
}

static void model(void)
{
	static const unsigned int sizes[] = { 4, 8, 12, 16, 64 }, counts[] = { 1, 2, 3, 7, 8, 33, 300 };
	unsigned int i, k, s;

	q.taken = 0;
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (k = 0; k < sizeof(counts) / sizeof(counts[0]); k++)
			for (s = 0; s < start_count; s++)
				run(sizes[i], counts[k], starts[s]);
	CHECK_GT_INT(q.taken, i * k * s * scaled(400) / 10); /* else next to nothing moves, and nothing is tested */
}

/* After a failure: where it was. */
static void say_where(void)
{
	printf("# elements of %u bytes, capacity %u, positions from 0x%" PRIx64 ", step %u, %u in the ring\n", q.esize,
	       q.capacity, q.start, q.step, used());
}

int main(void)
{
	const char *text = getenv("CORRAL_TEST_SEED");
	unsigned int failed;
	char name[40];

	for (pm = modes; pm < modes + mode_count; pm++)
		for (cm = modes; cm < modes + mode_count; cm++) {
			seed = 0x9e3779b97f4a7c15u ^ (text != NULL ? strtoul(text, NULL, 0) << 1 : 0);
			failed = test_state_.failed;
			snprintf(name, sizeof(name), "model_%s_to_%s", pm->name, cm->name);
			TEST_AS(name, model);
			if (test_state_.failed != failed)
				say_where();
		}
	return test_end();
}
