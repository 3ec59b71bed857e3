/* SPDX-License-Identifier: BSD-3-Clause */
/* ring_steps.c - see ring_steps.h. */
#include "ring_steps.h"

#include <errno.h>

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#endif

#define FENCE 64u /* bytes on each side of a caller's objects that no call may touch */
#define FENCE_BYTE 0x3c

void steps_trace(const char *fmt, ...)
{
	static int on = -1;
	va_list args;

	if (on < 0)
		on = getenv("FUZZ_TRACE") != NULL;
	if (!on)
		return;
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
}

/* ---- A caller's objects, between fences ---- */

struct objs {
	unsigned char *mem, *at;
	size_t bytes, all;
};

static struct objs objs_make(size_t bytes, unsigned int offset)
{
	struct objs o = { .bytes = bytes, .all = FENCE + offset + bytes + FENCE };

	o.mem = fuzz_alloc(o.all);
	o.at = o.mem + FENCE + offset;
	memset(o.mem, FENCE_BYTE, o.all);
	ASAN_POISON_MEMORY_REGION(o.mem, FENCE);
	ASAN_POISON_MEMORY_REGION(o.at + bytes, FENCE);
	return o;
}

/* Bytes from..to-1 of the memory are as they were. */
static void check_fence(const struct objs *o, const unsigned char *from, const unsigned char *to)
{
	for (; from < to; from++)
		MUST(*from == FENCE_BYTE, "wrote at byte %td of %zu", from - o->at, o->bytes);
}

static void objs_free(struct objs *o)
{
	ASAN_UNPOISON_MEMORY_REGION(o->mem, o->all);
	check_fence(o, o->mem, o->at);
	check_fence(o, o->at + o->bytes, o->mem + o->all);
	free(o->mem);
}

/* ---- The array ---- */

static unsigned char *slot(const struct under *u, uint64_t pos)
{
	return u->table + (size_t)(pos % u->r->size) * u->esize;
}

/* k new objects, and a copy of them. */
static void make_up(struct under *u, struct objs *o, unsigned char *copy, unsigned int k)
{
	unsigned int i;

	for (i = 0; i < k; i++)
		elem_make(copy + (size_t)i * u->esize, u->esize, u->number++);
	memcpy(o->at, copy, (size_t)k * u->esize);
}

/* k objects into the array's slots from pos on */
static void array_put(struct under *u, uint64_t pos, const unsigned char *objs, unsigned int k)
{
	unsigned int i;

	for (i = 0; i < k; i++)
		memcpy(slot(u, pos + i), objs + (size_t)i * u->esize, u->esize);
}

/* Are these the k objects from pos on? */
static void check_objs(const struct under *u, uint64_t pos, const unsigned char *objs, unsigned int k)
{
	size_t b;
	unsigned int i;

	for (i = 0; i < k; i++)
		for (b = 0; memcmp(objs + i * (size_t)u->esize, slot(u, pos + i), u->esize) != 0 && b < u->esize; b++)
			MUST(objs[i * (size_t)u->esize + b] == slot(u, pos + i)[b],
			     "byte %zu of object %u of %u is 0x%02x, should be 0x%02x", b, i, k,
			     objs[i * (size_t)u->esize + b], slot(u, pos + i)[b]);
}

/* k objects pass a side's position */
static void pass(struct under *u, enum side side, unsigned int k)
{
	u->pos[side] = (u->pos[side] + k) & (UINT64_MAX >> 1);
	u->have = side == PROD ? u->have + k : u->have - k;
	u->tapped[side] += u->tap && k > 0;
}

static unsigned int room(const struct under *u, enum side side)
{
	return side == PROD ? u->cap - u->have : u->have;
}

/* What a call gives that wants n: the number, or an errno; and what it says is left. */
static int expect(struct under *u, enum side side, unsigned int n, int fixed, unsigned int *left)
{
	unsigned int k;

	*left = 0;
	if (u->open[side] && u->mode[side]->sync == CORRAL_RING_SYNC_ST)
		return -EBUSY;
	if (n > 0 && u->open[side])
		return -EDEADLK;
	k = n <= room(u, side) ? n : fixed ? 0 : room(u, side);
	*left = room(u, side) - k;
	u->refused[side] += n > 0 && k == 0 && (u->flags & CORRAL_RING_F_STATS);
	return (int)k;
}

static unsigned int esize_of(const struct under *u, int elem, const struct wish *w)
{
	if (!elem)
		return sizeof(void *);
	return w->wrong_esize ? u->esize + 4 : u->esize;
}

/* ---- Calls that copy ---- */

static const struct call *nth_call(enum side side, unsigned int n)
{
	unsigned int half = call_count / 2; /* the producers' come first */

	return &calls[side == PROD ? n % half : half + n % half];
}

static void check_left(const struct wish *w, unsigned int left, unsigned int want)
{
	MUST(!w->left || left == want, "what is left: %u, should be %u", left, want);
}

void step_move(struct under *u, enum side side, const struct wish *w)
{
	const struct call *c = nth_call(side, w->which);
	unsigned int n = c->how == SINGLE ? 1 : w->n, esize = esize_of(u, c->elem, w), left = 12345, want_left = 0, k;
	int rc, want;
	unsigned char *copy;
	struct objs o;

	if (esize != u->esize)
		want = -EINVAL;
	else if (c->by_name && c->sync != u->mode[side]->sync)
		want = -ENOTSUP;
	else
		want = expect(u, side, n, c->how != BURST, &want_left);
	k = want > 0 ? (unsigned int)want : 0;
	if (c->how == SINGLE && want == 0)
		want = side == PROD ? -ENOBUFS : -ENOENT;
	/* room for what moves and no more, but a single pointer is read by the caller itself */
	if (c->how == SINGLE && !c->elem)
		o = objs_make(sizeof(void *), 0);
	else
		o = objs_make((size_t)k * u->esize, w->offset);
	copy = fuzz_alloc((size_t)k * u->esize);
	if (side == PROD) {
		make_up(u, &o, copy, k);
		array_put(u, u->pos[PROD], copy, k);
	}
	rc = c->move(u->r, o.at, esize, n, w->left ? &left : NULL);
	steps_trace("%s esize %u n %u%s: %d", c->name, esize, n, w->left ? " left" : "", rc);
	MUST(rc == want, "%d, should be %d", rc, want);
	if (c->how != SINGLE)
		check_left(w, left, want_left);
	if (side == PROD)
		MUST(memcmp(o.at, copy, (size_t)k * u->esize) == 0, "the caller's objects have changed");
	else
		check_objs(u, u->pos[CONS], o.at, k);
	pass(u, side, k);
	free(copy);
	objs_free(&o);
}

/* ---- Peek and zero copy: start ---- */

struct start {
	const char *name;
	int fixed, elem, zc;
	int (*fn)(struct corral_ring *r, void *objs, unsigned int esize, unsigned int n, struct corral_ring_zc_data *z,
		  unsigned int *left);
};

#define START(name, ...) \
	static int name(struct corral_ring *r, void *objs, unsigned int esize, unsigned int n, \
			struct corral_ring_zc_data *z, unsigned int *left) \
	{ \
		(void)objs, (void)esize, (void)z; \
		return corral_ring_##name(__VA_ARGS__); \
	}
START(enqueue_bulk_start, r, n, left)
START(enqueue_burst_start, r, n, left)
START(enqueue_bulk_elem_start, r, n, left)
START(enqueue_burst_elem_start, r, n, left)
START(enqueue_zc_bulk_start, r, n, z, left)
START(enqueue_zc_burst_start, r, n, z, left)
START(enqueue_zc_bulk_elem_start, r, esize, n, z, left)
START(enqueue_zc_burst_elem_start, r, esize, n, z, left)
START(dequeue_bulk_start, r, (void **)objs, n, left)
START(dequeue_burst_start, r, (void **)objs, n, left)
START(dequeue_bulk_elem_start, r, objs, esize, n, left)
START(dequeue_burst_elem_start, r, objs, esize, n, left)
START(dequeue_zc_bulk_start, r, n, z, left)
START(dequeue_zc_burst_start, r, n, z, left)
START(dequeue_zc_bulk_elem_start, r, esize, n, z, left)
START(dequeue_zc_burst_elem_start, r, esize, n, z, left)

#define STARTS 8
static const struct start starts_of[2][STARTS] = {
	{
		{ "enqueue_bulk_start", 1, 0, 0, enqueue_bulk_start },
		{ "enqueue_burst_start", 0, 0, 0, enqueue_burst_start },
		{ "enqueue_bulk_elem_start", 1, 1, 0, enqueue_bulk_elem_start },
		{ "enqueue_burst_elem_start", 0, 1, 0, enqueue_burst_elem_start },
		{ "enqueue_zc_bulk_start", 1, 0, 1, enqueue_zc_bulk_start },
		{ "enqueue_zc_burst_start", 0, 0, 1, enqueue_zc_burst_start },
		{ "enqueue_zc_bulk_elem_start", 1, 1, 1, enqueue_zc_bulk_elem_start },
		{ "enqueue_zc_burst_elem_start", 0, 1, 1, enqueue_zc_burst_elem_start },
	},
	{
		{ "dequeue_bulk_start", 1, 0, 0, dequeue_bulk_start },
		{ "dequeue_burst_start", 0, 0, 0, dequeue_burst_start },
		{ "dequeue_bulk_elem_start", 1, 1, 0, dequeue_bulk_elem_start },
		{ "dequeue_burst_elem_start", 0, 1, 0, dequeue_burst_elem_start },
		{ "dequeue_zc_bulk_start", 1, 0, 1, dequeue_zc_bulk_start },
		{ "dequeue_zc_burst_start", 0, 0, 1, dequeue_zc_burst_start },
		{ "dequeue_zc_bulk_elem_start", 1, 1, 1, dequeue_zc_bulk_elem_start },
		{ "dequeue_zc_burst_elem_start", 0, 1, 1, dequeue_zc_burst_elem_start },
	},
};

/* The segments of k slots from the side's position on; producers write new objects into them, consumers look. */
static void use_segments(struct under *u, enum side side, const struct corral_ring_zc_data *z, unsigned int k)
{
	unsigned int index = (unsigned int)(u->pos[side] % u->r->size), end = u->r->size - index;
	unsigned char *table = (unsigned char *)u->r + u->r->table, *copy;
	struct objs o;

	if (k == 0) {
		MUST(!z->ptr1 && !z->ptr2 && !z->n1, "nothing is claimed, but %p %p %u", z->ptr1, z->ptr2, z->n1);
		return;
	}
	MUST(z->n1 == (k < end ? k : end), "first segment of %u objects, %u in all", z->n1, k);
	MUST(z->ptr1 == table + (size_t)index * u->esize, "the first segment is elsewhere");
	MUST(z->ptr2 == (k > end ? table : NULL), "the second segment");
	if (side == CONS) {
		check_objs(u, u->pos[CONS], z->ptr1, z->n1);
		if (z->ptr2)
			check_objs(u, u->pos[CONS] + z->n1, z->ptr2, k - z->n1);
		return;
	}
	o = objs_make((size_t)k * u->esize, 0);
	copy = fuzz_alloc(o.bytes);
	make_up(u, &o, copy, k);
	memcpy(z->ptr1, o.at, (size_t)z->n1 * u->esize);
	if (z->ptr2)
		memcpy(z->ptr2, o.at + (size_t)z->n1 * u->esize, (size_t)(k - z->n1) * u->esize);
	array_put(u, u->pos[PROD], copy, k);
	free(copy);
	objs_free(&o);
}

void step_start(struct under *u, enum side side, const struct wish *w)
{
	const struct start *s = &starts_of[side][w->which % STARTS];
	struct corral_ring_zc_data z = { &z, &z, 99 };
	unsigned int esize, left = 12345, want_left = 0, k;
	struct objs o;
	int rc, want;

	/* reserving room takes no size */
	esize = side == PROD && s->elem && !s->zc ? u->esize : esize_of(u, s->elem, w);
	if (esize != u->esize)
		want = -EINVAL;
	else if (!u->mode[side]->peeks)
		want = -ENOTSUP;
	else
		want = expect(u, side, w->n, s->fixed, &want_left);
	k = want > 0 ? (unsigned int)want : 0;
	o = objs_make(side == CONS && !s->zc ? (size_t)k * u->esize : 0, w->offset);
	rc = s->fn(u->r, o.at, esize, w->n, &z, w->left ? &left : NULL);
	steps_trace("%s esize %u n %u%s: %d", s->name, esize, w->n, w->left ? " left" : "", rc);
	MUST(rc == want, "%d, should be %d", rc, want);
	check_left(w, left, want_left);
	if (s->zc)
		use_segments(u, side, &z, k);
	else if (side == CONS)
		check_objs(u, u->pos[CONS], o.at, k);
	if (k > 0)
		u->open[side] = k;
	objs_free(&o);
}

/* ---- Peek and zero copy: finish ---- */

/* One of four ways to finish; the first two of the producers bring objects. */
static int finish(struct under *u, enum side side, unsigned int which, const void *objs, unsigned int esize,
		  unsigned int k)
{
	switch (which % 4) {
	case 0:
		return side == PROD ? corral_ring_enqueue_elem_finish(u->r, objs, esize, k)
				    : corral_ring_dequeue_elem_finish(u->r, k);
	case 1:
		return side == PROD ? corral_ring_enqueue_finish(u->r, (void *const *)objs, k)
				    : corral_ring_dequeue_finish(u->r, k);
	case 2:
		return side == PROD ? corral_ring_enqueue_zc_elem_finish(u->r, k)
				    : corral_ring_dequeue_zc_elem_finish(u->r, k);
	default:
		return side == PROD ? corral_ring_enqueue_zc_finish(u->r, k) : corral_ring_dequeue_zc_finish(u->r, k);
	}
}

/* Without objects (zero copy) what stands in the slots is published, whatever it is. */
void step_finish(struct under *u, enum side side, const struct wish *w)
{
	static const char *const kind[] = { "_elem", "", "_zc_elem", "_zc" };
	unsigned int which = w->which % 4, esize = u->esize, k = w->n, copied = 0;
	unsigned char *copy;
	struct objs o;
	int rc, want = 0;

	if (which % 2 == 1)
		esize = sizeof(void *);
	else if (side == PROD && which == 0)
		esize = esize_of(u, 1, w);
	if (esize != u->esize)
		want = -EINVAL;
	else if (!u->mode[side]->peeks)
		want = -ENOTSUP;
	else if (u->open[side] == 0 || k > u->open[side])
		want = -EINVAL;
	if (want == 0 && side == PROD && which < 2)
		copied = k;
	o = objs_make((size_t)copied * u->esize, w->offset);
	copy = fuzz_alloc(o.bytes);
	make_up(u, &o, copy, copied);
	array_put(u, u->pos[PROD], copy, copied);
	rc = finish(u, side, which, o.at, esize, k);
	steps_trace("%s%s_finish esize %u k %u of %u: %d", side == PROD ? "enqueue" : "dequeue", kind[which], esize, k,
		    u->open[side], rc);
	MUST(rc == want, "%d, should be %d", rc, want);
	if (rc == 0) {
		pass(u, side, k);
		u->open[side] = 0;
	}
	free(copy);
	objs_free(&o);
}
