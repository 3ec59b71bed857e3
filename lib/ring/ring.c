/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring.c - the cold half of the ring room: sizes, creation in the caller's memory, policies, counters, dump. The list
 * of named rings is in registry.c, the data path in the public headers.
 */
#include "ring_internal.h"

#include <corral/ring.h>

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define PROD_MODES \
	(CORRAL_RING_F_SP_ENQ | CORRAL_RING_F_MP_RTS_ENQ | CORRAL_RING_F_MP_HTS_ENQ | CORRAL_RING_F_MP_STRICT_ENQ)
#define CONS_MODES \
	(CORRAL_RING_F_SC_DEQ | CORRAL_RING_F_MC_RTS_DEQ | CORRAL_RING_F_MC_HTS_DEQ | CORRAL_RING_F_MC_STRICT_DEQ)
#define ALL_FLAGS (PROD_MODES | CONS_MODES | CORRAL_RING_F_EXACT_SZ | CORRAL_RING_F_NO_SLIP | CORRAL_RING_F_STATS)

static uint32_t next_pow2(uint32_t n)
{
	return n <= 1 ? 1 : 1u << (32 - __builtin_clz(n - 1));
}

static int is_ring(const struct corral_ring *r)
{
	return r != NULL && r->magic == CORRAL_RING_MAGIC && r->layout == CORRAL_RING_LAYOUT;
}

int64_t corral_ring_get_memsize_elem(unsigned int esize, unsigned int count)
{
	uint64_t bytes;

	if (esize == 0 || esize % 4 != 0 || esize > CORRAL_RING_ESIZE_MAX)
		return -EINVAL;
	if (count == 0 || count > CORRAL_RING_SIZE_MAX)
		return -EINVAL;
	bytes = sizeof(struct corral_ring) + (uint64_t)next_pow2(count) * esize;
	bytes = (bytes + CORRAL_LINE - 1) / CORRAL_LINE * CORRAL_LINE + CORRAL_RING_GUARD;
	if (bytes > SIZE_MAX / 2)
		return -EOVERFLOW;
	return (int64_t)bytes;
}

int64_t corral_ring_get_memsize(unsigned int count)
{
	return corral_ring_get_memsize_elem(sizeof(void *), count);
}

static enum corral_ring_sync prod_sync(unsigned int flags)
{
	if (flags & CORRAL_RING_F_SP_ENQ)
		return CORRAL_RING_SYNC_ST;
	if (flags & CORRAL_RING_F_MP_RTS_ENQ)
		return CORRAL_RING_SYNC_MT_RTS;
	if (flags & CORRAL_RING_F_MP_HTS_ENQ)
		return CORRAL_RING_SYNC_MT_HTS;
	return CORRAL_RING_SYNC_MT;
}

static enum corral_ring_sync cons_sync(unsigned int flags)
{
	if (flags & CORRAL_RING_F_SC_DEQ)
		return CORRAL_RING_SYNC_ST;
	if (flags & CORRAL_RING_F_MC_RTS_DEQ)
		return CORRAL_RING_SYNC_MT_RTS;
	if (flags & CORRAL_RING_F_MC_HTS_DEQ)
		return CORRAL_RING_SYNC_MT_HTS;
	return CORRAL_RING_SYNC_MT;
}

/* More than one bit set? */
static int several(unsigned int flags)
{
	return (flags & (flags - 1)) != 0;
}

static void side_start(struct corral_ring_side *side, enum corral_ring_sync sync, uint64_t start)
{
	uint64_t head = 0;

	if (sync == CORRAL_RING_SYNC_MT)
		head = start << 1;
	else if (sync == CORRAL_RING_SYNC_MT_RTS)
		head = start << 16;
	corral_store(&side->tail, start << 1, CORRAL_RELAXED);
	corral_store(&side->head, head, CORRAL_RELAXED);
	corral_store(&side->opp, start << 1, CORRAL_RELAXED);
	corral_store(&side->slip, 0, CORRAL_RELAXED);
	corral_store(&side->owner, 0, CORRAL_RELAXED);
	corral_store(&side->slips, 0, CORRAL_RELAXED);
}

static uint32_t default_htd_max(enum corral_ring_sync sync, uint32_t capacity)
{
	if (sync != CORRAL_RING_SYNC_MT_RTS)
		return UINT32_MAX;
	return capacity < 8 ? 1 : capacity / 8;
}

/* Objects that a look at the opposite side should find; a small ring cannot get ahead by whole lines. */
static uint32_t poor_look(const struct corral_ring *r)
{
	if (r->capacity < 256 || (r->flags & CORRAL_RING_F_NO_SLIP) || r->wait.slip == 0)
		return 0;
	return 64;
}

static int set_wait(struct corral_ring *r, const struct corral_wait_policy *p)
{
	int rc = corral_wait_policy_tune(&r->wait, p);

	if (rc != 0)
		return rc;
	r->poor = poor_look(r);
	corral_store(&r->prod.slip, 0, CORRAL_RELAXED);
	corral_store(&r->cons.slip, 0, CORRAL_RELAXED);
	return 0;
}

int64_t corral_ring_check(const char *name, unsigned int esize, unsigned int count, unsigned int flags)
{
	if ((flags & ~ALL_FLAGS) || several(flags & PROD_MODES) || several(flags & CONS_MODES))
		return -EINVAL;
	if (name != NULL && strnlen(name, CORRAL_RING_NAMESIZE) == CORRAL_RING_NAMESIZE)
		return -ENAMETOOLONG;
	return corral_ring_get_memsize_elem(esize, count);
}

int corral_ring_init_at(struct corral_ring *r, const char *name, unsigned int esize, unsigned int count,
			unsigned int flags, uint64_t start)
{
	int64_t memsize = corral_ring_check(name, esize, count, flags);
	struct corral_wait_policy policy;

	if (r == NULL || (uintptr_t)r % CORRAL_LINE != 0)
		return -EINVAL;
	if (memsize < 0)
		return (int)memsize;
	memset(r, 0, sizeof(*r));
	r->layout = CORRAL_RING_LAYOUT;
	r->flags = flags;
	r->esize = esize;
	r->size = next_pow2(count);
	r->mask = r->size - 1;
	r->capacity = count;
	r->prod_sync = prod_sync(flags);
	r->cons_sync = cons_sync(flags);
	r->table = sizeof(*r);
	r->memsize = (uint64_t)memsize;
	corral_wait_policy_init(&policy, CORRAL_WAIT_DEFAULT);
	set_wait(r, &policy);
	if (name != NULL)
		memcpy(r->name, name, strlen(name));
	side_start(&r->prod, prod_sync(flags), start);
	side_start(&r->cons, cons_sync(flags), start);
	corral_store(&r->prod.htd_max, default_htd_max(prod_sync(flags), count), CORRAL_RELAXED);
	corral_store(&r->cons.htd_max, default_htd_max(cons_sync(flags), count), CORRAL_RELAXED);
	r->magic = CORRAL_RING_MAGIC;
	return 0;
}

int corral_ring_init_elem(struct corral_ring *r, const char *name, unsigned int esize, unsigned int count,
			  unsigned int flags)
{
	return corral_ring_init_at(r, name, esize, count, flags, 0);
}

int corral_ring_init(struct corral_ring *r, const char *name, unsigned int count, unsigned int flags)
{
	return corral_ring_init_elem(r, name, sizeof(void *), count, flags);
}

static void count_reset(struct corral_ring_counts *c)
{
	corral_store(&c->wait.waits, 0, CORRAL_RELAXED);
	corral_store(&c->wait.yields, 0, CORRAL_RELAXED);
	corral_store(&c->wait.sleeps, 0, CORRAL_RELAXED);
	corral_store(&c->refused, 0, CORRAL_RELAXED);
	corral_store(&c->tapped, 0, CORRAL_RELAXED);
}

int corral_ring_reset(struct corral_ring *r)
{
	if (!is_ring(r))
		return -EINVAL;
	side_start(&r->prod, prod_sync(r->flags), 0);
	side_start(&r->cons, cons_sync(r->flags), 0);
	count_reset(&r->prod_count);
	count_reset(&r->cons_count);
	return 0;
}

int corral_ring_set_wait(struct corral_ring *r, const struct corral_wait_policy *p)
{
	if (!is_ring(r))
		return -EINVAL;
	return set_wait(r, p);
}

int corral_ring_get_prod_sync_type(const struct corral_ring *r)
{
	return (int)r->prod_sync;
}

int corral_ring_get_cons_sync_type(const struct corral_ring *r)
{
	return (int)r->cons_sync;
}

int corral_ring_is_prod_single(const struct corral_ring *r)
{
	return r->prod_sync == CORRAL_RING_SYNC_ST;
}

int corral_ring_is_cons_single(const struct corral_ring *r)
{
	return r->cons_sync == CORRAL_RING_SYNC_ST;
}

static int set_htd_max(struct corral_ring_side *side, uint32_t sync, uint32_t v)
{
	if (sync != CORRAL_RING_SYNC_MT_RTS)
		return -ENOTSUP;
	corral_store(&side->htd_max, v, CORRAL_RELAXED);
	return 0;
}

int corral_ring_set_prod_htd_max(struct corral_ring *r, uint32_t v)
{
	return set_htd_max(&r->prod, r->prod_sync, v);
}

int corral_ring_set_cons_htd_max(struct corral_ring *r, uint32_t v)
{
	return set_htd_max(&r->cons, r->cons_sync, v);
}

uint32_t corral_ring_get_prod_htd_max(const struct corral_ring *r)
{
	return corral_load(&r->prod.htd_max, CORRAL_RELAXED);
}

uint32_t corral_ring_get_cons_htd_max(const struct corral_ring *r)
{
	return corral_load(&r->cons.htd_max, CORRAL_RELAXED);
}

/* Is everything claimed up to `head` (the side's head word when the flush began) published? */
static int flushed(const struct corral_ring *r, uint64_t head)
{
	/* A1 pairs with R1: who flushed may rely on what was put in */
	uint64_t tail = corral_load(&r->prod.tail, CORRAL_ACQUIRE);

	switch (r->prod_sync) {
	case CORRAL_RING_SYNC_MT:
		return (int64_t)(tail - head) >= 0;
	case CORRAL_RING_SYNC_MT_RTS:
		return corral_ring_rts_diff_(tail, head) >= 0;
	case CORRAL_RING_SYNC_MT_HTS:
		return !(tail & 1) || tail != head; /* head: the tail word as it was */
	default:
		return 1;
	}
}

int corral_ring_flush(struct corral_ring *r)
{
	struct corral_wait w = { 0, 0, 0, 0 };
	uint64_t head;

	if (!is_ring(r))
		return -EINVAL;
	if (r->prod_sync == CORRAL_RING_SYNC_MT_HTS && corral_ring_hts_mine_(&r->prod))
		return -EDEADLK;
	if (r->prod_sync == CORRAL_RING_SYNC_MT_HTS)
		head = corral_load(&r->prod.tail, CORRAL_RELAXED);
	else
		head = corral_load(&r->prod.head, CORRAL_RELAXED);
	if (r->prod_sync == CORRAL_RING_SYNC_ST)
		return head != 0 ? -EBUSY : 0;
	while (!flushed(r, head))
		corral_wait_step(&w, &r->wait, &r->prod_count.wait);
	return 0;
}

int corral_ring_get_stats(const struct corral_ring *r, struct corral_ring_stats *s)
{
	if (!is_ring(r) || s == NULL)
		return -EINVAL;
	s->full = corral_load(&r->prod_count.refused, CORRAL_RELAXED);
	s->empty = corral_load(&r->cons_count.refused, CORRAL_RELAXED);
	s->prod_waits = corral_load(&r->prod_count.wait.waits, CORRAL_RELAXED);
	s->prod_yields = corral_load(&r->prod_count.wait.yields, CORRAL_RELAXED);
	s->prod_sleeps = corral_load(&r->prod_count.wait.sleeps, CORRAL_RELAXED);
	s->cons_waits = corral_load(&r->cons_count.wait.waits, CORRAL_RELAXED);
	s->cons_yields = corral_load(&r->cons_count.wait.yields, CORRAL_RELAXED);
	s->cons_sleeps = corral_load(&r->cons_count.wait.sleeps, CORRAL_RELAXED);
	s->prod_slips = corral_load(&r->prod.slips, CORRAL_RELAXED);
	s->cons_slips = corral_load(&r->cons.slips, CORRAL_RELAXED);
	return 0;
}

static const char *sync_name(uint32_t sync)
{
	static const char *const names[] = { "MT", "ST", "RTS", "HTS" };

	return sync < 4 ? names[sync] : "?";
}

static void side_dump(FILE *f, const char *who, uint32_t sync, const struct corral_ring_side *side)
{
	uint64_t tail = corral_load(&side->tail, CORRAL_RELAXED);
	uint64_t head = corral_load(&side->head, CORRAL_RELAXED);

	fprintf(f, "  %s: %s, position %" PRIu64, who, sync_name(sync), tail >> 1);
	if (sync == CORRAL_RING_SYNC_MT)
		fprintf(f, ", claimed to %" PRIu64, head >> 1);
	else if (sync == CORRAL_RING_SYNC_MT_RTS)
		fprintf(f, ", claimed to %" PRIu64 " (mod 2^48), in flight %" PRIu64 ", htd_max %" PRIu32, head >> 16,
			head & CORRAL_RTS_COUNT_, corral_load(&side->htd_max, CORRAL_RELAXED));
	else if (head != 0)
		fprintf(f, ", peek open to %" PRIu64, head >> 1);
	else if (tail & 1)
		fputs(", busy", f);
	fputc('\n', f);
}

int corral_ring_dump(FILE *f, const struct corral_ring *r)
{
	struct corral_ring_stats s;

	if (f == NULL || corral_ring_get_stats(r, &s) != 0)
		return -EINVAL;
	fprintf(f, "ring <%s>@%p\n", r->name, (const void *)r);
	fprintf(f,
		"  capacity %" PRIu32 " objects of %" PRIu32 " bytes, table %" PRIu32 " slots, %" PRIu64
		" bytes, flags 0x%" PRIx32 "\n",
		r->capacity, r->esize, r->size, r->memsize, r->flags);
	fprintf(f, "  used %u, free %u\n", corral_ring_count(r), corral_ring_free_count(r));
	side_dump(f, "producers", r->prod_sync, &r->prod);
	side_dump(f, "consumers", r->cons_sync, &r->cons);
	if (r->flags & CORRAL_RING_F_STATS)
		fprintf(f, "  found full %" PRIu64 ", found empty %" PRIu64 "\n", s.full, s.empty);
	fprintf(f,
		"  producers waited %" PRIu64 " times (%" PRIu64 " yields, %" PRIu64 " sleeps), consumers %" PRIu64
		" (%" PRIu64 ", %" PRIu64 ")\n",
		s.prod_waits, s.prod_yields, s.prod_sleeps, s.cons_waits, s.cons_yields, s.cons_sleeps);
	fprintf(f, "  producers slipped %" PRIu64 " times, consumers %" PRIu64 "\n", s.prod_slips, s.cons_slips);
	return fflush(f) != 0 || ferror(f) ? -EIO : 0;
}

int corral_ring_busy_(unsigned int *left)
{
	if (left != NULL)
		*left = 0;
	return -EBUSY;
}

int corral_ring_refuse_(const struct corral_ring *r, unsigned int esize, unsigned int *left)
{
	if (left != NULL)
		*left = 0;
	return r->esize != esize ? -EINVAL : -ENOTSUP;
}

void corral_ring_refused_(struct corral_ring_counts *c)
{
	corral_fetch_add(&c->refused, 1, CORRAL_RELAXED);
}

/*
 * pos is doubled, and of an RTS side counted modulo 2^48. What a capture will be called through. Programs built
 * today call it when the tap word is set, so that a later library can look into them; until then a set word
 * only counts.
 */
void corral_ring_tap_(struct corral_ring *r, int cons, uint64_t pos, uint32_t n)
{
	struct corral_ring_counts *c = cons ? &r->cons_count : &r->prod_count;

	(void)pos;
	(void)n;
	corral_fetch_add(&c->tapped, 1, CORRAL_RELAXED);
}
