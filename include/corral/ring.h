/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring.h - bounded FIFO rings for threads that share CPUs: the data path that copies.
 *
 * A sync mode (ring_st.h, ring_mt.h, ring_rts.h, ring_hts.h) is claim and publish on one side; all calls are composed
 * of them here, once, with mode, element size and the rest as compile-time constants. Names and meanings are those
 * that DPDK users know, with these differences: a ring holds exactly what was asked, a call that does not fit the
 * ring is refused with a negative errno instead of corrupting it, and results are int.
 *
 * The calls, [] meaning "with or without":
 *
 *   corral_ring_[mp_|sp_|mp_rts_|mp_hts_]enqueue[_bulk|_burst][_elem](r, objs, [esize,] [n, &free_space])
 *   corral_ring_[mc_|sc_|mc_rts_|mc_hts_]dequeue[_bulk|_burst][_elem](r, objs, [esize,] [n, &available])
 *
 * Without a mode in its name a call fits every ring. One with a mode is refused on a ring of another mode; it saves a
 * switch.
 *
 *   objs   the objects (enqueue), or room for them (dequeue): pointers, or with _elem esize bytes each; any alignment
 *   esize  bytes an element: what the ring was made for (4..CORRAL_RING_ESIZE_MAX); best a constant
 *   n      how many; 0 is allowed and does nothing. bulk: all n or none. burst: as many as go, 0..n.
 *   free_space, available   NULL, or set to what is left after the call, also on failure to move: the truth at the
 *          time, which costs a look at the opposite side. 0 when an errno is returned.
 *
 * Return: bulk and burst the number moved, 0..n; the single calls 0, or -ENOBUFS (full), -ENOENT (empty). All:
 * -EINVAL if esize is not the ring's; -ENOTSUP if the call's mode is not the ring's; -EBUSY if on an ST side a peek
 * is open; -EDEADLK if on an HTS side this very thread has one open.
 *
 * Threads: as many at once on a side as its mode allows. No call sleeps for the ring to fill or empty. A call may
 * wait for others of its own side (MT: for all that claimed before; HTS: for the one inside; RTS: while too many
 * claims are open; ST: for none), by the ring's wait policy: pause, then yield, then short sleeps. Not from a signal
 * handler that may have interrupted a call on the same side. The table "what a mode owes its user" is in
 * corral_ring(7).
 */
#ifndef CORRAL_RING_H
#define CORRAL_RING_H

#include <corral/ring_core.h>
#include <corral/ring_path.h>
#include <corral/ring_peek.h>
#include <corral/ring_zc.h>

#include <errno.h>

CORRAL_BEGIN_DECLS

/* bulk's result as the single calls' */
CORRAL_HELPER_ int corral_ring_single_(int moved, int none)
{
	if (corral_likely_(moved > 0))
		return 0;
	return moved == 0 ? none : moved;
}

/*
 * The six calls of one side and mode; MOVE(r, objs, esize, n, fixed, left) moves.
 * Kept as a macro so that what the comment at the top says is true of all of them.
 */
#define CORRAL_RING_CALLS_(prefix, verb, objs_t, table_t, elems_t, none, left_name, MOVE) \
	CORRAL_MUST_CHECK CORRAL_CALL int corral_ring_##prefix##verb(struct corral_ring *r, objs_t obj) \
	{ \
		return corral_ring_single_(MOVE(r, CORRAL_RING_OBJ_##verb##_(obj), sizeof(void *), 1, 1, NULL), none); \
	} \
	CORRAL_MUST_CHECK CORRAL_CALL int corral_ring_##prefix##verb##_elem(struct corral_ring *r, elems_t obj, \
									    unsigned int esize) \
	{ \
		return corral_ring_single_(MOVE(r, (void *)(uintptr_t)obj, esize, 1, 1, NULL), none); \
	} \
	CORRAL_MUST_CHECK CORRAL_CALL int corral_ring_##prefix##verb##_bulk(struct corral_ring *r, table_t objs, \
									    unsigned int n, unsigned int *left_name) \
	{ \
		return MOVE(r, (void *)(uintptr_t)objs, sizeof(void *), n, 1, left_name); \
	} \
	CORRAL_MUST_CHECK CORRAL_CALL int corral_ring_##prefix##verb##_bulk_elem( \
		struct corral_ring *r, elems_t objs, unsigned int esize, unsigned int n, unsigned int *left_name) \
	{ \
		return MOVE(r, (void *)(uintptr_t)objs, esize, n, 1, left_name); \
	} \
	CORRAL_MUST_CHECK CORRAL_CALL int corral_ring_##prefix##verb##_burst(struct corral_ring *r, table_t objs, \
									     unsigned int n, unsigned int *left_name) \
	{ \
		return MOVE(r, (void *)(uintptr_t)objs, sizeof(void *), n, 0, left_name); \
	} \
	CORRAL_MUST_CHECK CORRAL_CALL int corral_ring_##prefix##verb##_burst_elem( \
		struct corral_ring *r, elems_t objs, unsigned int esize, unsigned int n, unsigned int *left_name) \
	{ \
		return MOVE(r, (void *)(uintptr_t)objs, esize, n, 0, left_name); \
	}

#define CORRAL_RING_OBJ_enqueue_(obj) ((void *)&(obj))
#define CORRAL_RING_OBJ_dequeue_(obj) ((void *)(obj))

#define CORRAL_RING_ENQUEUES_(prefix, MOVE) \
	CORRAL_RING_CALLS_(prefix, enqueue, void *, void *const *, const void *, -ENOBUFS, free_space, MOVE)
#define CORRAL_RING_DEQUEUES_(prefix, MOVE) \
	CORRAL_RING_CALLS_(prefix, dequeue, void **, void **, void *, -ENOENT, available, MOVE)

#define CORRAL_RING_PUT_ANY_(r, o, e, n, f, l) corral_ring_move_any_(r, CORRAL_RING_PROD_, o, e, n, f, l)
#define CORRAL_RING_PUT_MT_(r, o, e, n, f, l) \
	corral_ring_move_(r, CORRAL_RING_PROD_, CORRAL_RING_SYNC_MT, o, e, n, f, l)
#define CORRAL_RING_PUT_ST_(r, o, e, n, f, l) \
	corral_ring_move_(r, CORRAL_RING_PROD_, CORRAL_RING_SYNC_ST, o, e, n, f, l)
#define CORRAL_RING_PUT_RTS_(r, o, e, n, f, l) \
	corral_ring_move_(r, CORRAL_RING_PROD_, CORRAL_RING_SYNC_MT_RTS, o, e, n, f, l)
#define CORRAL_RING_PUT_HTS_(r, o, e, n, f, l) \
	corral_ring_move_(r, CORRAL_RING_PROD_, CORRAL_RING_SYNC_MT_HTS, o, e, n, f, l)
#define CORRAL_RING_GET_ANY_(r, o, e, n, f, l) corral_ring_move_any_(r, CORRAL_RING_CONS_, o, e, n, f, l)
#define CORRAL_RING_GET_MT_(r, o, e, n, f, l) \
	corral_ring_move_(r, CORRAL_RING_CONS_, CORRAL_RING_SYNC_MT, o, e, n, f, l)
#define CORRAL_RING_GET_ST_(r, o, e, n, f, l) \
	corral_ring_move_(r, CORRAL_RING_CONS_, CORRAL_RING_SYNC_ST, o, e, n, f, l)
#define CORRAL_RING_GET_RTS_(r, o, e, n, f, l) \
	corral_ring_move_(r, CORRAL_RING_CONS_, CORRAL_RING_SYNC_MT_RTS, o, e, n, f, l)
#define CORRAL_RING_GET_HTS_(r, o, e, n, f, l) \
	corral_ring_move_(r, CORRAL_RING_CONS_, CORRAL_RING_SYNC_MT_HTS, o, e, n, f, l)

/* corral_ring_enqueue, _elem, _bulk, _bulk_elem, _burst, _burst_elem; then by name: mp_, sp_, mp_rts_, mp_hts_ */
CORRAL_RING_ENQUEUES_(, CORRAL_RING_PUT_ANY_)
CORRAL_RING_ENQUEUES_(mp_, CORRAL_RING_PUT_MT_)
CORRAL_RING_ENQUEUES_(sp_, CORRAL_RING_PUT_ST_)
CORRAL_RING_ENQUEUES_(mp_rts_, CORRAL_RING_PUT_RTS_)
CORRAL_RING_ENQUEUES_(mp_hts_, CORRAL_RING_PUT_HTS_)
/* corral_ring_dequeue, … ; then by name: mc_, sc_, mc_rts_, mc_hts_ */
CORRAL_RING_DEQUEUES_(, CORRAL_RING_GET_ANY_)
CORRAL_RING_DEQUEUES_(mc_, CORRAL_RING_GET_MT_)
CORRAL_RING_DEQUEUES_(sc_, CORRAL_RING_GET_ST_)
CORRAL_RING_DEQUEUES_(mc_rts_, CORRAL_RING_GET_RTS_)
CORRAL_RING_DEQUEUES_(mc_hts_, CORRAL_RING_GET_HTS_)

/**
 * Objects in the ring: published and not yet given back as space. A snapshot; 0..capacity. Any thread, never blocks.
 */
CORRAL_CALL unsigned int corral_ring_count(const struct corral_ring *r)
{
	return corral_ring_used_(r);
}

/** Room for so many objects: capacity - count. A snapshot. Any thread, never blocks. */
CORRAL_CALL unsigned int corral_ring_free_count(const struct corral_ring *r)
{
	return r->capacity - corral_ring_count(r);
}

/** 1 if free_count is 0, else 0. A snapshot. Any thread, never blocks. */
CORRAL_CALL int corral_ring_full(const struct corral_ring *r)
{
	return corral_ring_free_count(r) == 0;
}

/** 1 if count is 0, else 0. A snapshot. Any thread, never blocks. */
CORRAL_CALL int corral_ring_empty(const struct corral_ring *r)
{
	return corral_ring_count(r) == 0;
}

/** Slots of the table: the next power of two of the capacity. Any thread. */
CORRAL_CALL unsigned int corral_ring_get_size(const struct corral_ring *r)
{
	return r->size;
}

/** Objects that the ring holds: exactly what was asked. Any thread. */
CORRAL_CALL unsigned int corral_ring_get_capacity(const struct corral_ring *r)
{
	return r->capacity;
}

CORRAL_END_DECLS

#endif
