/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_ring.c - any sequence of calls on a ring of any modes, element size, capacity and start, against an array. Six
 * bytes choose the ring, then each step has a byte for its kind and a few for its details. FUZZ_TRACE=1 prints them.
 */
#include "ring_steps.h"

#include <errno.h>

#define MOST_STEPS 400

static unsigned int flag_of(enum side side, unsigned int which)
{
	if (which >= mode_count)
		return 0; /* the default: no flag */
	return side == PROD ? modes[which].prod_flag : modes[which].cons_flag;
}

static const struct mode *mode_of(unsigned int which)
{
	return &modes[which < mode_count ? which : 0]; /* the default is MT */
}

static void ring_of(struct under *u, const uint8_t **data, size_t *size)
{
	static const unsigned int more[] = { CORRAL_RING_F_STATS, CORRAL_RING_F_NO_SLIP, CORRAL_RING_F_EXACT_SZ };
	unsigned int prod = fuzz_byte(data, size) % (mode_count + 1), cons = fuzz_byte(data, size) % (mode_count + 1);
	unsigned int esize = fuzz_byte(data, size), cap = fuzz_byte(data, size), start = fuzz_byte(data, size);
	unsigned int flags = fuzz_byte(data, size), i;
	size_t bytes;

	memset(u, 0, sizeof(*u));
	u->mode[PROD] = mode_of(prod);
	u->mode[CONS] = mode_of(cons);
	u->esize = esize % 4 == 0 ? sizeof(void *) : 4 * (1 + esize % 37);
	u->cap = cap < 240 ? 1 + cap % 48 : cap + 8; /* above 256 rings slip */
	u->flags = flag_of(PROD, prod) | flag_of(CONS, cons);
	for (i = 0; i < 3; i++)
		u->flags |= flags >> i & 1 ? more[i] : 0;
	u->pos[PROD] = (starts[start % start_count] - start / start_count) & (UINT64_MAX >> 1);
	u->pos[CONS] = u->pos[PROD];
	u->r = ring_make(u->flags, u->esize, u->cap, u->pos[PROD]);
	bytes = (size_t)u->r->size * u->esize;
	u->table = fuzz_alloc(bytes);
	memcpy(u->table, (char *)u->r + u->r->table, bytes);
	steps_trace("ring %s->%s, esize %u, capacity %u, start 0x%llx, flags 0x%x", u->mode[PROD]->name,
		    u->mode[CONS]->name, u->esize, u->cap, (unsigned long long)u->pos[PROD], u->flags);
}

static void check_table(const struct under *u)
{
	const unsigned char *table = (const unsigned char *)u->r + u->r->table, *end = (unsigned char *)u->r;
	size_t bytes = (size_t)u->r->size * u->esize, i;

	for (i = 0; memcmp(table, u->table, bytes) != 0 && i < bytes; i++)
		MUST(table[i] == u->table[i], "byte %zu of slot %zu is 0x%02x, should be 0x%02x", i % u->esize,
		     i / u->esize, table[i], u->table[i]);
	/* as ring_make() left it */
	for (end += u->r->memsize, table += bytes; table < end; table++)
		MUST(*table == 0xa5, "wrote behind the table");
}

static void check_ring(const struct under *u)
{
	const struct corral_ring *r = u->r;

	MUST(corral_ring_count(r) == u->have, "count is %u, should be %u", corral_ring_count(r), u->have);
	MUST(corral_ring_free_count(r) == u->cap - u->have, "free_count is %u", corral_ring_free_count(r));
	MUST(corral_ring_empty(r) == (u->have == 0), "empty is %d", corral_ring_empty(r));
	MUST(corral_ring_full(r) == (u->have == u->cap), "full is %d", corral_ring_full(r));
	MUST(corral_load(&r->prod.tail, CORRAL_RELAXED) >> 1 == u->pos[PROD], "the producers' position");
	MUST(corral_load(&r->cons.tail, CORRAL_RELAXED) >> 1 == u->pos[CONS], "the consumers' position");
	check_table(u);
}

/* What does not change in a ring's life. */
static void check_make(const struct under *u)
{
	MUST(corral_ring_get_prod_sync_type(u->r) == (int)u->mode[PROD]->sync, "producers");
	MUST(corral_ring_get_cons_sync_type(u->r) == (int)u->mode[CONS]->sync, "consumers");
	MUST(corral_ring_is_prod_single(u->r) == (u->mode[PROD]->sync == CORRAL_RING_SYNC_ST), "producers");
	MUST(corral_ring_is_cons_single(u->r) == (u->mode[CONS]->sync == CORRAL_RING_SYNC_ST), "consumers");
	MUST(corral_ring_get_capacity(u->r) == u->cap, "%u", corral_ring_get_capacity(u->r));
	MUST(corral_ring_get_size(u->r) >= u->cap && corral_ring_get_size(u->r) < 2 * u->cap, "%u",
	     corral_ring_get_size(u->r));
}

static void check_stats(const struct under *u)
{
	struct corral_ring_stats s;

	MUST(corral_ring_get_stats(u->r, &s) == 0, "statistics");
	MUST(s.full == u->refused[PROD] && s.empty == u->refused[CONS], "full %llu, empty %llu",
	     (unsigned long long)s.full, (unsigned long long)s.empty);
	MUST(!s.prod_waits && !s.prod_yields && !s.prod_sleeps, "a producer alone waited");
	MUST(!s.cons_waits && !s.cons_yields && !s.cons_sleeps, "a consumer alone waited");
	MUST(corral_load(&u->r->prod_count.tapped, CORRAL_RELAXED) == u->tapped[PROD], "enqueues shown");
	MUST(corral_load(&u->r->cons_count.tapped, CORRAL_RELAXED) == u->tapped[CONS], "dequeues shown");
}

static void step_flush(struct under *u)
{
	int want = 0, rc = corral_ring_flush(u->r);

	if (u->open[PROD])
		want = u->mode[PROD]->sync == CORRAL_RING_SYNC_ST ? -EBUSY : -EDEADLK;
	steps_trace("flush: %d", rc);
	MUST(rc == want, "%d, should be %d", rc, want);
}

static void step_htd_max(struct under *u, enum side side, uint32_t v)
{
	int rts = u->mode[side]->sync == CORRAL_RING_SYNC_MT_RTS, rc;

	rc = side == PROD ? corral_ring_set_prod_htd_max(u->r, v) : corral_ring_set_cons_htd_max(u->r, v);
	steps_trace("set_%s_htd_max %u: %d", side == PROD ? "prod" : "cons", v, rc);
	MUST(rc == (rts ? 0 : -ENOTSUP), "%d", rc);
	rc = (side == PROD ? corral_ring_get_prod_htd_max(u->r) : corral_ring_get_cons_htd_max(u->r)) ==
	     (rts ? v : UINT32_MAX);
	MUST(rc, "htd_max");
}

static void step_reset(struct under *u)
{
	steps_trace("reset");
	MUST(corral_ring_reset(u->r) == 0, "reset");
	memset(u->pos, 0, sizeof(u->pos));
	memset(u->open, 0, sizeof(u->open));
	memset(u->refused, 0, sizeof(u->refused));
	memset(u->tapped, 0, sizeof(u->tapped));
	u->have = 0;
}

static void step_other(struct under *u, unsigned int which, unsigned int v)
{
	switch (which % 8) {
	case 0:
		step_reset(u);
		break;
	case 1:
		u->tap = !u->tap;
		steps_trace("tap %d", u->tap);
		corral_store(&u->r->tap, (uint64_t)u->tap, CORRAL_RELAXED);
		break;
	case 2:
	case 3:
		step_htd_max(u, which % 2 ? PROD : CONS, v < 200 ? v : v << 24);
		break;
	case 4:
	case 5:
		step_flush(u);
		break;
	default:
		check_stats(u);
		break;
	}
}

/* How many: mostly about what the ring holds, sometimes more than it ever could. */
static unsigned int count_of(const struct under *u, unsigned int byte)
{
	static const unsigned int most[] = { UINT32_MAX, 0x80000000u, 0x7fffffff, 0x10000, 0xffff, 4096 };

	if (byte >= 250)
		return most[byte - 250];
	return u->cap < 248 ? byte % (u->cap + 2) : byte * 2;
}

static void step(struct under *u, const uint8_t **data, size_t *size)
{
	unsigned int kind = fuzz_byte(data, size);
	struct wish w = { .which = fuzz_byte(data, size) };
	unsigned int n = fuzz_byte(data, size), more = kind / 16;
	enum side side = kind & 1 ? CONS : PROD;

	w.n = count_of(u, n);
	w.left = more & 1;
	w.offset = more / 2;
	switch (kind % 16 / 2) {
	case 0: /* whatever call; half of them have the wrong mode in their names */
		w.wrong_esize = n == 7;
		step_move(u, side, &w);
		break;
	case 1: /* one that fits */
	case 2:
		w.which = w.which % 3 * 2 + (w.which % 8 < 7); /* of the first six, those of elements */
		step_move(u, side, &w);
		break;
	case 3:
		w.wrong_esize = n == 7;
		step_start(u, side, &w);
		break;
	case 4:
		w.which = w.which % 2 ? w.which | 2 : w.which; /* of elements */
		step_start(u, side, &w);
		break;
	case 5:
	case 6:
		w.wrong_esize = n == 7;
		w.n = n < 200 ? n % (u->open[side] + 1) : n < 250 ? u->open[side] + 1 : w.n;
		step_finish(u, side, &w);
		break;
	default:
		step_other(u, w.which, n);
		break;
	}
}

/* What is inside comes out at the end, in order. */
static void drain(struct under *u)
{
	struct wish w = { .which = 5, .n = u->cap };

	if (u->open[CONS]) {
		struct wish none = { .which = 0, .n = 0 };

		step_finish(u, CONS, &none);
	}
	step_move(u, CONS, &w); /* dequeue_burst_elem: all of it at once */
	MUST(u->have == 0, "%u are left", u->have);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned int steps;
	struct under u;

	ring_of(&u, &data, &size);
	check_make(&u);
	check_ring(&u);
	for (steps = 0; size > 0 && steps < MOST_STEPS; steps++) {
		step(&u, &data, &size);
		check_ring(&u);
	}
	drain(&u);
	check_ring(&u);
	check_stats(&u);
	check_make(&u);
	free(u.table);
	ring_unmake(u.r);
	return 0;
}
