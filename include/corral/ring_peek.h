/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring_peek.h - peek: look at what would be dequeued, or make sure of room, and decide after. "corral/ring.h" brings
 * it.
 *
 * start claims, finish publishes k of what was claimed, 0 <= k <= reserved; the rest is as if it had never been
 * claimed. Between the two the thread holds its side: others of the side wait (HTS), so do not dawdle. Only sides of
 * mode ST and HTS can do it; others answer -ENOTSUP.
 *
 *   corral_ring_enqueue_{bulk,burst}[_elem]_start(r, n, &free_space)             reserves room
 *   corral_ring_enqueue[_elem]_finish(r, objs, [esize,] k)                       copies k objects in and publishes them
 *   corral_ring_dequeue_{bulk,burst}[_elem]_start(r, objs, [esize,] n, &available) copies out what would be dequeued
 *   corral_ring_dequeue[_elem]_finish(r, k)                      takes the first k of them; 0 leaves all
 *
 * start returns the number reserved, 0..n; after 0 nothing is open and finish must not be called. -ENOTSUP: the
 * side's mode has no peek. -EINVAL: esize. -EBUSY: a peek is open on this ST side. -EDEADLK: this very thread
 * has one open on this HTS side. finish returns 0; -EINVAL: k is more than was reserved (the peek stays open),
 * no peek is open, or esize; -EPERM: another thread has it (HTS). The thread that started finishes; on an ST
 * side the role may be handed over in between.
 */
#ifndef CORRAL_RING_PEEK_H
#define CORRAL_RING_PEEK_H

#include <corral/ring_path.h>

CORRAL_BEGIN_DECLS

/* Claim for a peek and leave it open: its end goes to the head word, which in these modes nobody else touches. */
CORRAL_HELPER_ int corral_ring_open_as_(struct corral_ring *r, enum corral_ring_sync sync, struct corral_ring_claim_ *c)
{
	uint32_t k;

	if (sync == CORRAL_RING_SYNC_ST && corral_load(&c->me->head, CORRAL_RELAXED) != 0)
		return -EBUSY;
	if (c->n == 0)
		return 0;
	k = corral_ring_claim_do_(c, sync);
	if (k == 0) {
		corral_ring_note_refused_(r, c);
		return c->err;
	}
	corral_store(&c->me->head, (c->pos + 2 * (uint64_t)k) | 1, CORRAL_RELAXED);
	if (sync == CORRAL_RING_SYNC_MT_HTS)
		corral_store(&c->me->owner, corral_wait_self_(), CORRAL_RELAXED);
	return (int)k;
}

CORRAL_HELPER_ int corral_ring_open_(struct corral_ring *r, enum corral_ring_end_ end, struct corral_ring_claim_ *c,
				     unsigned int *left)
{
	int k = -ENOTSUP;

	if (left != NULL)
		*left = 0;
	switch (end == CORRAL_RING_PROD_ ? r->prod_sync : r->cons_sync) {
	case CORRAL_RING_SYNC_ST:
		k = corral_ring_open_as_(r, CORRAL_RING_SYNC_ST, c);
		break;
	case CORRAL_RING_SYNC_MT_HTS:
		k = corral_ring_open_as_(r, CORRAL_RING_SYNC_MT_HTS, c);
		break;
	default:
		break;
	}
	if (k >= 0 && c->n == 0)
		return corral_ring_none_(r, end, left);
	if (left != NULL && k >= 0)
		*left = corral_ring_left_(r, c, (uint32_t)k);
	return k;
}

/* May this thread finish the open peek with k? Sets c->pos. */
CORRAL_HELPER_ int corral_ring_may_finish_(enum corral_ring_sync sync, struct corral_ring_claim_ *c, uint32_t k)
{
	uint64_t end = corral_load(&c->me->head, CORRAL_RELAXED);

	if (sync != CORRAL_RING_SYNC_ST && sync != CORRAL_RING_SYNC_MT_HTS)
		return -ENOTSUP;
	if (end == 0)
		return -EINVAL;
	if (sync == CORRAL_RING_SYNC_MT_HTS && corral_load(&c->me->owner, CORRAL_RELAXED) != corral_wait_self_())
		return -EPERM;
	c->pos = corral_load(&c->me->tail, CORRAL_RELAXED) & ~UINT64_C(1);
	return 2 * (uint64_t)k > (end & ~UINT64_C(1)) - c->pos ? -EINVAL : 0;
}

/* Close the peek and publish k. */
CORRAL_HELPER_ void corral_ring_close_(struct corral_ring *r, enum corral_ring_end_ end, enum corral_ring_sync sync,
				       struct corral_ring_claim_ *c, uint32_t k)
{
	if (k != 0)
		corral_ring_tap_check_(r, end, c->pos, k);
	if (sync == CORRAL_RING_SYNC_MT_HTS)
		corral_store(&c->me->owner, 0, CORRAL_RELAXED);
	corral_store(&c->me->head, 0, CORRAL_RELAXED);
	corral_ring_publish_do_(c, sync, k);
}

/* objs NULL: nothing to copy (the objects are in place, or were copied out at start) */
CORRAL_HELPER_ int corral_ring_finish_(struct corral_ring *r, enum corral_ring_end_ end, void *objs, uint32_t esize,
				       uint32_t k)
{
	enum corral_ring_sync sync = (enum corral_ring_sync)(end == CORRAL_RING_PROD_ ? r->prod_sync : r->cons_sync);
	struct corral_ring_claim_ c = corral_ring_claim_init_(r, end, k, 1, 0);
	int rc;

	if (r->esize != esize)
		return -EINVAL;
	rc = corral_ring_may_finish_(sync, &c, k);
	if (rc != 0)
		return rc;
	if (k != 0 && (objs != NULL || end == CORRAL_RING_CONS_))
		corral_ring_copy_(r, end, c.pos, objs, esize, k);
	corral_ring_close_(r, end, sync, &c, k);
	return 0;
}

CORRAL_HELPER_ int corral_ring_peek_out_(struct corral_ring *r, void *objs, uint32_t esize, uint32_t n, int fixed,
					 unsigned int *left)
{
	struct corral_ring_claim_ c = corral_ring_claim_init_(r, CORRAL_RING_CONS_, n, fixed, left != NULL);
	int k;

	if (r->esize != esize)
		return corral_ring_refuse_(r, esize, left);
	k = corral_ring_open_(r, CORRAL_RING_CONS_, &c, left);
	if (k > 0)
		corral_ring_copy_(r, CORRAL_RING_CONS_, c.pos, objs, esize, (uint32_t)k);
	return k;
}

CORRAL_HELPER_ int corral_ring_peek_in_(struct corral_ring *r, uint32_t esize, uint32_t n, int fixed,
					unsigned int *left)
{
	struct corral_ring_claim_ c = corral_ring_claim_init_(r, CORRAL_RING_PROD_, n, fixed, left != NULL);

	if (r->esize != esize)
		return corral_ring_refuse_(r, esize, left);
	return corral_ring_open_(r, CORRAL_RING_PROD_, &c, left);
}

/** Reserve room for n elements, all or none. See the top of this file for all of these. */
CORRAL_MUST_CHECK CORRAL_CALL int corral_ring_enqueue_bulk_elem_start(struct corral_ring *r, unsigned int n,
								      unsigned int *free_space)
{
	return corral_ring_peek_in_(r, r->esize, n, 1, free_space);
}

/** Reserve room for up to n elements. */
CORRAL_MUST_CHECK CORRAL_CALL int corral_ring_enqueue_burst_elem_start(struct corral_ring *r, unsigned int n,
								       unsigned int *free_space)
{
	return corral_ring_peek_in_(r, r->esize, n, 0, free_space);
}

/** Reserve room for n pointers, all or none. */
CORRAL_MUST_CHECK CORRAL_CALL int corral_ring_enqueue_bulk_start(struct corral_ring *r, unsigned int n,
								 unsigned int *free_space)
{
	return corral_ring_peek_in_(r, sizeof(void *), n, 1, free_space);
}

/** Reserve room for up to n pointers. */
CORRAL_MUST_CHECK CORRAL_CALL int corral_ring_enqueue_burst_start(struct corral_ring *r, unsigned int n,
								  unsigned int *free_space)
{
	return corral_ring_peek_in_(r, sizeof(void *), n, 0, free_space);
}

/** Put k elements of the room reserved and publish them; k = 0 gives the room back. */
CORRAL_MUST_CHECK CORRAL_CALL int corral_ring_enqueue_elem_finish(struct corral_ring *r, const void *objs,
								  unsigned int esize, unsigned int k)
{
	return corral_ring_finish_(r, CORRAL_RING_PROD_, (void *)(uintptr_t)objs, esize, k);
}

/** Put k pointers of the room reserved and publish them; k = 0 gives the room back. */
CORRAL_MUST_CHECK CORRAL_CALL int corral_ring_enqueue_finish(struct corral_ring *r, void *const *objs, unsigned int k)
{
	return corral_ring_finish_(r, CORRAL_RING_PROD_, (void *)(uintptr_t)objs, sizeof(void *), k);
}

/** Copy n elements out, all or none, without taking them yet. */
CORRAL_MUST_CHECK CORRAL_CALL int corral_ring_dequeue_bulk_elem_start(struct corral_ring *r, void *objs,
								      unsigned int esize, unsigned int n,
								      unsigned int *available)
{
	return corral_ring_peek_out_(r, objs, esize, n, 1, available);
}

/** Copy up to n elements out without taking them yet. */
CORRAL_MUST_CHECK CORRAL_CALL int corral_ring_dequeue_burst_elem_start(struct corral_ring *r, void *objs,
								       unsigned int esize, unsigned int n,
								       unsigned int *available)
{
	return corral_ring_peek_out_(r, objs, esize, n, 0, available);
}

/** Copy n pointers out, all or none, without taking them yet. */
CORRAL_MUST_CHECK CORRAL_CALL int corral_ring_dequeue_bulk_start(struct corral_ring *r, void **objs, unsigned int n,
								 unsigned int *available)
{
	return corral_ring_peek_out_(r, objs, sizeof(void *), n, 1, available);
}

/** Copy up to n pointers out without taking them yet. */
CORRAL_MUST_CHECK CORRAL_CALL int corral_ring_dequeue_burst_start(struct corral_ring *r, void **objs, unsigned int n,
								  unsigned int *available)
{
	return corral_ring_peek_out_(r, objs, sizeof(void *), n, 0, available);
}

/** Take the first k of the elements looked at; k = 0 leaves all where they are. */
CORRAL_MUST_CHECK CORRAL_CALL int corral_ring_dequeue_elem_finish(struct corral_ring *r, unsigned int k)
{
	return corral_ring_finish_(r, CORRAL_RING_CONS_, NULL, r->esize, k);
}

/** Take the first k of the pointers looked at; k = 0 leaves all where they are. */
CORRAL_MUST_CHECK CORRAL_CALL int corral_ring_dequeue_finish(struct corral_ring *r, unsigned int k)
{
	return corral_ring_finish_(r, CORRAL_RING_CONS_, NULL, sizeof(void *), k);
}

CORRAL_END_DECLS

#endif
