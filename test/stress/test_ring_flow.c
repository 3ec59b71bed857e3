/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_ring_flow.c - producers and consumers in threads, each pair of modes, small rings that are full, empty and wrap
 * all the time: no object is lost, doubled or torn, and those of one producer come in order.
 */
#include "stress.h"
#include "test.h"

#include <sched.h>

#define PRODUCERS_MOST 4
#define CONSUMERS_MOST 4
#define PRODUCER_SHIFT 24 /* an object's number: its producer, and the producer's count */

struct flow {
	struct corral_ring *r;
	unsigned int producers, consumers;
	uint32_t each; /* objects a producer */
	uint64_t seed;
	struct corral_a32 taken;       /* by all consumers */
	uint8_t *seen[CONSUMERS_MOST]; /* by number; a consumer's own */
};

static void produce(struct flow *f, unsigned int me)
{
	char elems[BURST_MOST * ESIZE_MOST];
	uint32_t next = 0, n, i;
	struct mover v;

	mover_init(&v, f->r, PROD, f->seed + me);
	while (next < f->each) {
		n = 1 + mover_random(&v, BURST_MOST);
		n = n < f->each - next ? n : f->each - next;
		for (i = 0; i < n; i++)
			elem_make(elems + (size_t)i * f->r->esize, f->r->esize, me << PRODUCER_SHIFT | (next + i));
		n = mover_put(&v, elems, n);
		next += n;
		if (n == 0)
			sched_yield();
	}
}

/* An object that has come out: whole, in order, and not by this consumer before. */
static void check_one(struct flow *f, const char *elem, uint8_t *seen, int64_t *last)
{
	uint32_t number = elem_number(elem), from = number >> PRODUCER_SHIFT,
		 count = number & ((1u << PRODUCER_SHIFT) - 1);

	if (from >= f->producers || count >= f->each || !elem_is(elem, f->r->esize, number))
		bail("an object that nobody made, or a torn one: 0x%" PRIx32, number);
	if (last[from] >= (int64_t)count)
		bail("producer %" PRIu32 ": %" PRIu32 " comes after %" PRId64, from, count, last[from]);
	last[from] = count;
	seen[from * f->each + count]++;
}

static void consume(struct flow *f, unsigned int me)
{
	int64_t last[PRODUCERS_MOST] = { -1, -1, -1, -1 };
	uint32_t total = f->producers * f->each, got;
	char elems[BURST_MOST * ESIZE_MOST];
	struct mover v;

	mover_init(&v, f->r, CONS, f->seed + 100 + me);
	while (corral_load(&f->taken, CORRAL_RELAXED) < total) {
		got = mover_get(&v, elems, 1 + mover_random(&v, BURST_MOST));
		for (uint32_t i = 0; i < got; i++)
			check_one(f, elems + (size_t)i * f->r->esize, f->seen[me], last);
		if (got != 0)
			corral_fetch_add(&f->taken, got, CORRAL_RELAXED);
		else
			sched_yield();
	}
}

static void work(unsigned int number, void *arg)
{
	struct flow *f = arg;

	if (number < f->producers)
		produce(f, number);
	else
		consume(f, number - f->producers);
}

static void run(struct flow *f)
{
	uint32_t total = f->producers * f->each;

	corral_store(&f->taken, 0, CORRAL_RELAXED);
	for (unsigned int c = 0; c < f->consumers; c++) {
		f->seen[c] = calloc(total, 1);
		CHECK(f->seen[c] != NULL);
	}
	crew_run(f->producers + f->consumers, work, f);
	for (uint32_t i = 0; i < total; i++) {
		unsigned int times = 0;

		for (unsigned int c = 0; c < f->consumers; c++)
			times += f->seen[c][i];
		if (times != 1)
			bail("object 0x%" PRIx32 " came out %u times", i / f->each << PRODUCER_SHIFT | i % f->each,
			     times);
	}
	CHECK(corral_ring_empty(f->r));
	CHECK_EQ_INT(corral_ring_flush(f->r), 0);
	for (unsigned int c = 0; c < f->consumers; c++)
		free(f->seen[c]);
}

static const struct mode *pm, *cm;

/* One round: a ring of that shape, and as many threads as the modes allow. */
static void flow(void)
{
	static const struct {
		unsigned int esize, capacity, htd_max, more_flags;
		uint32_t objects;
	} shapes[] = {
		{ sizeof(void *), 16, 4, 0, 36000 },	     { 4, 1, 0, 0, 3000 },
		{ 12, 7, 100, CORRAL_RING_F_STATS, 18000 },  { 64, 300, 8, 0, 72000 }, /* the only one that may slip */
		{ 16, 33, 1, CORRAL_RING_F_NO_SLIP, 24000 }, { 20, 3, 3, 0, 9000 },
	};
	static uint64_t round;

	for (unsigned int i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		struct flow f = { .producers = pm->sync == CORRAL_RING_SYNC_ST ? 1 : 2 + i % 2,
				  .consumers = cm->sync == CORRAL_RING_SYNC_ST ? 1 : 3 - i % 2,
				  .seed = ++round * 1000 };

		f.each = scaled(shapes[i].objects / f.producers);
		if (f.each > 1u << (PRODUCER_SHIFT - 2)) /* of a very long run */
			f.each = 1u << (PRODUCER_SHIFT - 2);
		f.r = ring_make(pm->prod_flag | cm->cons_flag | shapes[i].more_flags, shapes[i].esize,
				shapes[i].capacity, starts[(round + round / start_count) % start_count] - f.each / 2);
		if (pm->sync == CORRAL_RING_SYNC_MT_RTS)
			CHECK_EQ_INT(corral_ring_set_prod_htd_max(f.r, shapes[i].htd_max), 0);
		if (cm->sync == CORRAL_RING_SYNC_MT_RTS)
			CHECK_EQ_INT(corral_ring_set_cons_htd_max(f.r, shapes[i].htd_max), 0);
		run(&f);
		ring_unmake(f.r);
	}
}

int main(void)
{
	char name[80];

	for (pm = modes; pm < modes + mode_count; pm++)
		for (cm = modes; cm < modes + mode_count; cm++) {
			snprintf(name, sizeof(name), "flow_%s_to_%s", pm->name, cm->name);
			TEST_AS(name, flow);
		}
	return test_end();
}
