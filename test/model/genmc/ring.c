/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring.c - one scenario of a ring as a program for GenMC. run.sh writes the header that says which (SCENARIO_*, T0 to
 * T3, see there), doc/memory-model.md what comes out. The ring is the real one, headers and lib/ring; corral/atomic.h
 * and corral/wait.h alone are GenMC's variants.
 *
 * Checked: no object is lost, doubled, torn or invented, and each consumer gets a producer's objects in their order;
 * what the ring's own invariants say; and by GenMC itself races (RC11) and threads that wait for ever.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#ifndef ENOTSUP /* GenMC's errno.h is short */
#define ENOTSUP 95
#endif

#define memset(p, c, n) ((void)0) /* of the ring: it is static, hence zero, and must not be written bytewise */
#define fprintf(f, ...) ((void)0) /* no scenario dumps a ring, and GenMC's stubs of these do not compile */
#define fputs(s, f) ((void)0)
#define fputc(c, f) ((void)0)
#define fflush(f) 0
#define ferror(f) 0
#define corral_invariant_(cond) assert(cond)

#include "lib/ring/ring.c"
#include "lib/ring/slip.c"

#define THREADS 4
#define OBJS 6 /* of one producer, and that one consumer gets */
#define HAS_PRODUCER (THREADS + 1)
#define ESIZE (4 * SCENARIO_WORDS)

struct obj {
	uint32_t word[SCENARIO_WORDS];
};

/* What a thread did. No initializers and copies of it: GenMC does not know all of memset and memcpy. */
struct me {
	unsigned int id;
	unsigned int puts;
	unsigned int gets;
	uint32_t got[OBJS];
};

static char memory[sizeof(struct corral_ring) + 4 * ESIZE + 256] CORRAL_ALIGNED(CORRAL_LINE);
#define ring ((struct corral_ring *)(void *)memory)

static struct me done[THREADS + 2]; /* the threads, main at the end, and who put what is there at the start */
static struct corral_a32 opened;
static volatile int data; /* volatile: or the compiler reads it before the call that guards it */

static uint32_t name_of(unsigned int producer, unsigned int number)
{
	return (producer + 1) << 8 | number; /* never 0: what a slot holds at first */
}

static void make(struct obj *o, const struct me *me, unsigned int n)
{
	unsigned int i, w;

	for (i = 0; i < n; i++)
		for (w = 0; w < SCENARIO_WORDS; w++)
			o[i].word[w] = name_of(me->id, me->puts + i);
}

static void take(struct me *me, const struct obj *o, unsigned int n)
{
	unsigned int i, w;

	for (i = 0; i < n; i++) {
		for (w = 1; w < SCENARIO_WORDS; w++)
			assert(o[i].word[w] == o[i].word[0]); /* torn */
		assert(me->gets < OBJS);
		me->got[me->gets++] = o[i].word[0];
	}
}

static void put(struct me *me, unsigned int n, int fixed)
{
	struct obj o[3];
	int k;

	make(o, me, n);
	k = fixed ? corral_ring_enqueue_bulk_elem(ring, o, ESIZE, n, NULL)
		  : corral_ring_enqueue_burst_elem(ring, o, ESIZE, n, NULL);
	assert(k >= 0 && k <= (int)n && (!fixed || k == 0 || k == (int)n));
	me->puts += (unsigned int)k;
}

static void get(struct me *me, unsigned int n, int fixed)
{
	struct obj o[3];
	int k;

	k = fixed ? corral_ring_dequeue_bulk_elem(ring, o, ESIZE, n, NULL)
		  : corral_ring_dequeue_burst_elem(ring, o, ESIZE, n, NULL);
	assert(k >= 0 && k <= (int)n && (!fixed || k == 0 || k == (int)n));
	take(me, o, (unsigned int)k);
}

static void peek_put(struct me *me, unsigned int n, unsigned int k)
{
	struct obj o[3];

	if (corral_ring_enqueue_bulk_elem_start(ring, n, NULL) == 0)
		return;
	make(o, me, k);
	assert(corral_ring_enqueue_elem_finish(ring, o, ESIZE, k) == 0);
	me->puts += k;
}

static void peek_get(struct me *me, unsigned int n, unsigned int k)
{
	struct obj o[3];

	if (corral_ring_dequeue_bulk_elem_start(ring, o, ESIZE, n, NULL) == 0)
		return;
	take(me, o, k);
	assert(corral_ring_dequeue_elem_finish(ring, k) == 0);
}

static char *zc_slot(const struct corral_ring_zc_data *z, unsigned int i)
{
	return i < z->n1 ? (char *)z->ptr1 + i * ESIZE : (char *)z->ptr2 + (i - z->n1) * ESIZE;
}

static void zc_put(struct me *me, unsigned int n, unsigned int k)
{
	struct corral_ring_zc_data z;
	struct obj o[3];
	unsigned int i;

	if (corral_ring_enqueue_zc_bulk_elem_start(ring, ESIZE, n, &z, NULL) == 0)
		return;
	make(o, me, n);
	for (i = 0; i < n; i++) {
		if (i >= k) /* the slots are ours, whatever we publish: nobody may see these */
			o[i].word[0] = 0xffff;
		corral_copy_in(zc_slot(&z, i), &o[i], ESIZE);
	}
	assert(corral_ring_enqueue_zc_elem_finish(ring, k) == 0);
	me->puts += k;
}

static void zc_get(struct me *me, unsigned int n, unsigned int k)
{
	struct corral_ring_zc_data z;
	struct obj o[3];
	unsigned int i;

	if (corral_ring_dequeue_zc_bulk_elem_start(ring, ESIZE, n, &z, NULL) == 0)
		return;
	for (i = 0; i < k; i++)
		corral_copy_out(&o[i], zc_slot(&z, i), ESIZE);
	take(me, o, k);
	assert(corral_ring_dequeue_zc_elem_finish(ring, k) == 0);
}

/* For promises: data is written between the two halves of a peek, and who flushes after the first sees it. */
static void open_write_finish(struct me *me)
{
	struct obj o[3];

	assert(corral_ring_enqueue_bulk_elem_start(ring, 1, NULL) == 1);
	corral_store(&opened, 1, CORRAL_RELEASE);
	data = 1;
	make(o, me, 1);
	assert(corral_ring_enqueue_elem_finish(ring, o, ESIZE, 1) == 0);
	me->puts++;
}

static void flush_sees(void)
{
	if (corral_load(&opened, CORRAL_ACQUIRE) == 0)
		return;
	assert(corral_ring_flush(ring) == 0);
	assert(data == 1);
}

/* The steps of a scenario, as run.sh writes them: P(2) is "P2" of test/model/ring_world.h. */
#define P(n) put(me, n, 1);
#define p(n) put(me, n, 0);
#define G(n) get(me, n, 1);
#define g(n) get(me, n, 0);
#define Q(n, k) peek_put(me, n, k);
#define Y(n, k) zc_put(me, n, k);
#define K(n, k) peek_get(me, n, k);
#define Z(n, k) zc_get(me, n, k);
#define F assert(corral_ring_flush(ring) == 0);
/*
 * Promises, as in test/model/ring_promises.c. W: writes data. C, E: who finds objects, or none, sees it; D, R: so does
 * who gets an object, or puts two. H: what one has put is there. O, S: flush.
 */
#define W data = 1;
#define C \
	if (corral_ring_count(ring) != 0) \
		assert(data == 1);
#define E \
	if (corral_ring_empty(ring)) \
		assert(data == 1);
#define D \
	get(me, 1, 1); \
	if (me->gets != 0) \
		assert(data == 1);
#define R \
	put(me, 2, 1); \
	if (me->puts != 0) \
		assert(data == 1);
#define H assert(corral_ring_count(ring) >= me->puts);
#define O open_write_finish(me);
#define S flush_sees();

#define THREAD(number, steps) \
	static void *thread##number(void *arg) \
	{ \
		struct me *me = arg; \
\
		steps; \
		return NULL; \
	}

THREAD(0, T0)
THREAD(1, T1)
#ifdef T2
THREAD(2, T2)
#endif
#ifdef T3
THREAD(3, T3)
#endif

static void begin(void)
{
	struct me *me = &done[HAS_PRODUCER];
	unsigned int t;

	for (t = 0; t < THREADS + 2; t++)
		done[t].id = t;
	assert(corral_ring_init_at(ring, NULL, ESIZE, SCENARIO_CAP, SCENARIO_FLAGS, SCENARIO_AT) == 0);
	if (SCENARIO_SLIP >= 1)
		ring->poor = 1;
	if (SCENARIO_SLIP >= 2) {
		corral_store(&ring->prod.slip, CORRAL_RING_SLIP_FAST_, CORRAL_RELAXED);
		corral_store(&ring->cons.slip, CORRAL_RING_SLIP_FAST_, CORRAL_RELAXED);
	}
	if (SCENARIO_HAS != 0)
		put(me, SCENARIO_HAS, 1);
}

/* What one consumer got: each object was put, nobody got it before, and each producer's come in their order. */
static unsigned int check_gets(const struct me *who, unsigned int *seen)
{
	unsigned int i, producer, number;
	int last[THREADS + 2];

	for (i = 0; i < THREADS + 2; i++)
		last[i] = -1;
	for (i = 0; i < who->gets; i++) {
		producer = (who->got[i] >> 8) - 1;
		number = who->got[i] & 0xff;
		assert(producer < THREADS + 2 && number < done[producer].puts);
		assert((seen[producer] & 1u << number) == 0);
		assert((int)number > last[producer]);
		seen[producer] |= 1u << number;
		last[producer] = (int)number;
	}
	return who->gets;
}

/* The rest is taken out; then every object put was got. */
static void end(void)
{
	unsigned int seen[THREADS + 2], puts = 0, gets = 0, t;
	struct me *me = &done[THREADS];

	for (t = 0; t <= SCENARIO_CAP; t++)
		get(me, 1, 1);
	assert(corral_ring_empty(ring));
	for (t = 0; t < THREADS + 2; t++)
		seen[t] = 0;
	for (t = 0; t < THREADS + 2; t++) {
		puts += done[t].puts;
		gets += check_gets(&done[t], seen);
	}
	assert(puts == gets);
}

int main(void)
{
	pthread_t t[THREADS];

	begin();
	pthread_create(&t[0], NULL, thread0, &done[0]);
	pthread_create(&t[1], NULL, thread1, &done[1]);
#ifdef T2
	pthread_create(&t[2], NULL, thread2, &done[2]);
#endif
#ifdef T3
	pthread_create(&t[3], NULL, thread3, &done[3]);
#endif
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
#ifdef T2
	pthread_join(t[2], NULL);
#endif
#ifdef T3
	pthread_join(t[3], NULL);
#endif
	end();
	return 0;
}
