/* SPDX-License-Identifier: BSD-3-Clause */
/* ring_ways.h - for tests of peek and zero copy: every way to start and finish, in one shape. */
#ifndef CORRAL_RING_WAYS_H
#define CORRAL_RING_WAYS_H

#include "ring_calls.h"
#include "test.h"

#define ROOM 16

static const struct mode *m; /* of both sides, for tests that run in each mode */

/* The two modes with peeks. */
#define EACH_MODE(m) \
	for ((m) = modes; (m) < modes + mode_count; (m)++) \
		if ((m)->peeks)

__attribute__((unused)) static struct corral_ring *make(unsigned int esize, unsigned int count, uint64_t start)
{
	return ring_make(m->prod_flag | m->cons_flag, esize, count, start);
}

__attribute__((unused)) static void check_counts(const struct corral_ring *r, unsigned int used)
{
	CHECK_EQ_INT(corral_ring_count(r), used);
	CHECK_EQ_INT(corral_ring_free_count(r), r->capacity - used);
}

/* Ways to open a peek and to close it. */
struct way {
	const char *name;
	int zc, burst, elem;
};

static const struct way ways[] = {
	{ "bulk", 0, 0, 0 },	{ "burst", 0, 1, 0 },	 { "bulk_elem", 0, 0, 1 },    { "burst_elem", 0, 1, 1 },
	{ "zc_bulk", 1, 0, 0 }, { "zc_burst", 1, 1, 0 }, { "zc_bulk_elem", 1, 0, 1 }, { "zc_burst_elem", 1, 1, 1 },
};

#define EACH_WAY(w, esize) \
	for (const struct way *w = ways; w < ways + sizeof(ways) / sizeof(ways[0]); w++) \
		if (w->elem || (esize) == sizeof(void *))

__attribute__((unused)) static char *zc_slot(const struct corral_ring_zc_data *z, unsigned int i, unsigned int esize)
{
	return i < z->n1 ? (char *)z->ptr1 + (size_t)i * esize : (char *)z->ptr2 + (size_t)(i - z->n1) * esize;
}

/* The segments are what the table has at that position. */
__attribute__((unused)) static void check_zc(const struct corral_ring *r, const struct corral_ring_zc_data *z, int k,
					     uint64_t pos)
{
	const char *table = (const char *)r + r->table;
	unsigned int index = (unsigned int)(pos & r->mask), first = r->size - index;

	if (k <= 0) {
		CHECK(z->ptr1 == NULL && z->ptr2 == NULL && z->n1 == 0);
		return;
	}
	CHECK_EQ_PTR(z->ptr1, table + (size_t)index * r->esize);
	CHECK_EQ_INT(z->n1, (unsigned int)k < first ? (unsigned int)k : first);
	CHECK_EQ_PTR(z->ptr2, z->n1 < (unsigned int)k ? table : NULL);
}

__attribute__((unused)) static int zc_start(const struct way *w, enum side side, struct corral_ring *r, unsigned int n,
					    struct corral_ring_zc_data *z, unsigned int *left)
{
	memset(z, 0xee, sizeof(*z));
	if (side == PROD && w->elem)
		return w->burst ? corral_ring_enqueue_zc_burst_elem_start(r, r->esize, n, z, left)
				: corral_ring_enqueue_zc_bulk_elem_start(r, r->esize, n, z, left);
	if (side == PROD)
		return w->burst ? corral_ring_enqueue_zc_burst_start(r, n, z, left)
				: corral_ring_enqueue_zc_bulk_start(r, n, z, left);
	if (w->elem)
		return w->burst ? corral_ring_dequeue_zc_burst_elem_start(r, r->esize, n, z, left)
				: corral_ring_dequeue_zc_bulk_elem_start(r, r->esize, n, z, left);
	return w->burst ? corral_ring_dequeue_zc_burst_start(r, n, z, left)
			: corral_ring_dequeue_zc_bulk_start(r, n, z, left);
}

/* What a consumer's peek has seen, and what a producer's peek puts in. */
static void *room[ROOM * ESIZE_MOST / sizeof(void *)];

__attribute__((unused)) static char *room_elem(const struct corral_ring *r, unsigned int i)
{
	return (char *)room + (size_t)i * r->esize;
}

__attribute__((unused)) static void room_fill(const struct corral_ring *r, uint32_t first, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		elem_make(room_elem(r, i), r->esize, first + i);
}

__attribute__((unused)) static void check_room(const struct corral_ring *r, uint32_t first, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		if (!elem_is(room_elem(r, i), r->esize, first + i))
			CHECK_EQ_INT(elem_number(room_elem(r, i)), first + i);
}

/* Reserve room for n; pos is where that must be. In place, all that was reserved is written: first, first + 1, … */
__attribute__((unused)) static int open_put(const struct way *w, struct corral_ring *r, unsigned int n, uint64_t pos,
					    uint32_t first, unsigned int *left)
{
	struct corral_ring_zc_data z;
	int k;

	if (!w->zc && w->elem)
		return w->burst ? corral_ring_enqueue_burst_elem_start(r, n, left)
				: corral_ring_enqueue_bulk_elem_start(r, n, left);
	if (!w->zc)
		return w->burst ? corral_ring_enqueue_burst_start(r, n, left)
				: corral_ring_enqueue_bulk_start(r, n, left);
	k = zc_start(w, PROD, r, n, &z, left);
	check_zc(r, &z, k, pos);
	for (int i = 0; i < k; i++)
		elem_make(zc_slot(&z, (unsigned int)i, r->esize), r->esize, first + (uint32_t)i);
	return k;
}

__attribute__((unused)) static int close_put(const struct way *w, struct corral_ring *r, unsigned int k, uint32_t first)
{
	if (w->zc)
		return w->elem ? corral_ring_enqueue_zc_elem_finish(r, k) : corral_ring_enqueue_zc_finish(r, k);
	room_fill(r, first, k < ROOM ? k : ROOM);
	return w->elem ? corral_ring_enqueue_elem_finish(r, room, r->esize, k) : corral_ring_enqueue_finish(r, room, k);
}

/* Look at n; what is seen is in room. */
__attribute__((unused)) static int open_get(const struct way *w, struct corral_ring *r, unsigned int n, uint64_t pos,
					    unsigned int *left)
{
	struct corral_ring_zc_data z;
	int k;

	memset(room, 0xee, sizeof(room));
	if (!w->zc && w->elem)
		return w->burst ? corral_ring_dequeue_burst_elem_start(r, room, r->esize, n, left)
				: corral_ring_dequeue_bulk_elem_start(r, room, r->esize, n, left);
	if (!w->zc)
		return w->burst ? corral_ring_dequeue_burst_start(r, room, n, left)
				: corral_ring_dequeue_bulk_start(r, room, n, left);
	k = zc_start(w, CONS, r, n, &z, left);
	check_zc(r, &z, k, pos);
	for (int i = 0; i < k; i++)
		memcpy(room_elem(r, (unsigned int)i), zc_slot(&z, (unsigned int)i, r->esize), r->esize);
	return k;
}

__attribute__((unused)) static int close_get(const struct way *w, struct corral_ring *r, unsigned int k)
{
	if (w->zc)
		return w->elem ? corral_ring_dequeue_zc_elem_finish(r, k) : corral_ring_dequeue_zc_finish(r, k);
	return w->elem ? corral_ring_dequeue_elem_finish(r, k) : corral_ring_dequeue_finish(r, k);
}

#define TEST_IN_MODE(fn) \
	do { \
		char name_[80]; \
\
		EACH_MODE(m) \
		{ \
			snprintf(name_, sizeof(name_), "%s_%s", #fn, m->name); \
			TEST_AS(name_, fn); \
		} \
	} while (0)

#endif
