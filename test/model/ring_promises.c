/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring_promises.c - see ring_promises.h.
 *
 * `data` is what a thread wrote with a plain store before its call. Whoever then learns of that call from the ring
 * reads it: that must be no race, and the new value. Positions begin just below RTS's wrap of 48 bits.
 */
#include "ring_promises.h"

#include "ring_world.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define CAPACITY 2
#define START UINT64_C(0xffffffffffff)

struct promise {
	const char *name;
	void (*thread[3])(void);
	unsigned int has;	    /* objects in the ring at the start */
	unsigned int cons : 1;	    /* the mode is the consumers'; else the producers'. The other side's is mt. */
	unsigned int many : 1;	    /* for modes of several threads */
	unsigned int peek : 1;	    /* for modes that have peek and several threads */
	unsigned int htd_max_0 : 1; /* RTS: one claim at a time */
};

static struct corral_ring *r;
static uint32_t *data;
static struct corral_a32 *opened;

/* A number that is the thread's own */
static uint32_t own(void)
{
	return model_self() + 1;
}

static int put(void)
{
	uint32_t obj = own();

	return corral_ring_enqueue_elem(r, &obj, sizeof(obj));
}

static int put_two(void)
{
	uint32_t obj[2] = { own(), own() };

	return corral_ring_enqueue_bulk_elem(r, obj, sizeof(obj[0]), 2, NULL);
}

static int get(void)
{
	uint32_t obj;

	return corral_ring_dequeue_elem(r, &obj, sizeof(obj));
}

static void write_and_put(void)
{
	model_write(data, 1);
	MODEL_ASSERT(put() == 0);
}

static void count_sees(void)
{
	if (corral_ring_count(r) != 0)
		MODEL_ASSERT(model_read(data) == 1);
}

static void no_objects_sees(void)
{
	unsigned int available;

	MODEL_ASSERT(corral_ring_dequeue_bulk_elem(r, NULL, sizeof(uint32_t), 0, &available) == 0);
	if (available != 0)
		MODEL_ASSERT(model_read(data) == 1);
}

static void get_sees(void)
{
	if (get() == 0)
		MODEL_ASSERT(model_read(data) == 1);
}

static void write_and_get(void)
{
	model_write(data, 1);
	MODEL_ASSERT(get() == 0);
}

static void empty_sees(void)
{
	if (corral_ring_empty(r))
		MODEL_ASSERT(model_read(data) == 1);
}

/* There is room for one. */
static void put_two_sees(void)
{
	if (put_two() == 2)
		MODEL_ASSERT(model_read(data) == 1);
}

static void open_write_finish(void)
{
	uint32_t obj = own();

	MODEL_ASSERT(corral_ring_enqueue_bulk_elem_start(r, 1, NULL) == 1);
	corral_store(opened, 1, CORRAL_RELEASE);
	model_write(data, 1);
	MODEL_ASSERT(corral_ring_enqueue_elem_finish(r, &obj, sizeof(obj), 1) == 0);
}

static void flush_sees(void)
{
	if (corral_load(opened, CORRAL_ACQUIRE) == 0)
		return;
	model_call("flush");
	MODEL_ASSERT(corral_ring_flush(r) == 0);
	MODEL_ASSERT(model_read(data) == 1);
}

static void put_one(void)
{
	MODEL_ASSERT(put() == 0);
}

static void get_own(void)
{
	model_call("count");
	MODEL_ASSERT(corral_ring_count(r) >= 1);
	model_call("get");
	MODEL_ASSERT(get() == 0);
}

static void put_flush_get(void)
{
	put_one();
	model_call("flush");
	MODEL_ASSERT(corral_ring_flush(r) == 0);
	get_own();
}

static void put_get(void)
{
	put_one();
	get_own();
}

static void get_any(void)
{
	int rc = get();

	MODEL_ASSERT(rc == 0 || rc == -ENOENT);
}

static void count_is_right(void)
{
	model_call("count");
	MODEL_ASSERT(corral_ring_count(r) <= CAPACITY);
	model_call("free_count");
	MODEL_ASSERT(corral_ring_free_count(r) <= CAPACITY);
}

static void calls_in_open_peek(void)
{
	uint32_t obj = own();

	MODEL_ASSERT(corral_ring_enqueue_bulk_elem_start(r, 1, NULL) == 1);
	model_call("enqueue in an open peek");
	MODEL_ASSERT(put() == -EDEADLK);
	model_call("start in an open peek");
	MODEL_ASSERT(corral_ring_enqueue_bulk_elem_start(r, 1, NULL) == -EDEADLK);
	model_call("flush in an open peek");
	MODEL_ASSERT(corral_ring_flush(r) == -EDEADLK);
	model_call("finish");
	MODEL_ASSERT(corral_ring_enqueue_elem_finish(r, &obj, sizeof(obj), 1) == 0);
}

static const struct promise promises[] = {
	{ "count sees an enqueue and what came before it", .thread = { write_and_put, count_sees } },
	{ "a call of no objects sees it too", .thread = { write_and_put, no_objects_sees } },
	{ "a dequeue sees what came before the enqueue", .thread = { write_and_put, get_sees } },
	{ "empty sees a dequeue and what came before it", .thread = { write_and_get, empty_sees }, .has = 1,
	  .cons = 1 },
	{ "an enqueue that needs the room sees what came before the dequeue", .thread = { write_and_get, put_two_sees },
	  .has = 1, .cons = 1 },
	{ "flush waits for the finish and sees what came before it", .thread = { open_write_finish, flush_sees },
	  .peek = 1 },
	{ "after flush one's own object is there", .thread = { put_one, put_flush_get }, .many = 1 },
	{ "a count beside calls of both sides", .thread = { put_one, get_any, count_is_right } },
	{ "who has the open peek does not wait for itself", .thread = { put_one, calls_in_open_peek }, .peek = 1 },
	{ "with htd_max 0 one's own object is there at once", .thread = { put_one, put_get }, .many = 1,
	  .htd_max_0 = 1 },
};

/* A promise of one mode. */
struct kept {
	const struct promise *promise;
	const struct ring_world_mode *mode;
};

static void setup(const void *arg)
{
	const struct kept *k = arg;
	const struct ring_world_mode *mt = &ring_world_modes[1];
	unsigned int i;

	r = ring_world_make(k->promise->cons ? mt : k->mode, k->promise->cons ? k->mode : mt, sizeof(uint32_t),
			    CAPACITY, START);
	if (k->promise->htd_max_0)
		(void)corral_ring_set_prod_htd_max(r, 0); /* -ENOTSUP: the mode has none and always does so */
	data = model_alloc(sizeof(*data));
	model_name(data, "data");
	opened = model_alloc(sizeof(*opened));
	model_name(opened, "opened");
	for (i = 0; i < k->promise->has; i++)
		MODEL_ASSERT(put() == 0);
}

static void run_thread(unsigned int t, const void *arg)
{
	((const struct kept *)arg)->promise->thread[t]();
}

static void explore(const struct promise *p, const struct ring_world_mode *mode, const char *filter,
		    model_report report)
{
	struct kept kept = { p, mode };
	struct model_scenario s = { NULL, p->thread[2] != NULL ? 3 : 2, setup, run_thread, NULL, &kept };
	struct model_result result;
	char name[128];
	int failed;

	if ((p->many && !mode->many) || (p->peek && !(mode->many && mode->peek)))
		return;
	snprintf(name, sizeof(name), "%s: %s", mode->name, p->name);
	if (filter != NULL && strstr(name, filter) == NULL)
		return;
	s.name = name;
	failed = model_explore(&s, &result) != 0;
	report(name, &result, failed);
}

void ring_promises(const char *filter, model_report report)
{
	size_t i, m;

	for (i = 0; i < sizeof(promises) / sizeof(promises[0]); i++)
		for (m = 0; m < RING_WORLD_MODES; m++)
			explore(&promises[i], &ring_world_modes[m], filter, report);
}
