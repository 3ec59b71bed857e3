/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring_zc.h - zero copy: read or write the slots in place. "corral/ring.h" brings it.
 *
 * As peek (ring_peek.h: same modes, errors and rules), but start hands out the slots themselves: zcd->ptr1 with
 * zcd->n1 elements, and where they pass the end of the table zcd->ptr2 with the rest, else NULL. They are the
 * caller's from start to finish and not a moment longer.
 *
 *   corral_ring_{enqueue,dequeue}_zc_{bulk,burst}[_elem]_start(r, [esize,] n, &zcd, &left)
 *   corral_ring_{enqueue,dequeue}_zc[_elem]_finish(r, k)
 */
#ifndef CORRAL_RING_ZC_H
#define CORRAL_RING_ZC_H

#include <corral/ring_peek.h>

CORRAL_BEGIN_DECLS

CORRAL_HELPER_ int corral_ring_zc_start_(struct corral_ring *r, enum corral_ring_end_ end, uint32_t esize, uint32_t n,
					 int fixed, struct corral_ring_zc_data *zcd, unsigned int *left)
{
	struct corral_ring_claim_ c = corral_ring_claim_init_(r, end, n, fixed, left != NULL);
	uint32_t index, first;
	int k;

	zcd->ptr1 = zcd->ptr2 = NULL;
	zcd->n1 = 0;
	if (r->esize != esize)
		return corral_ring_refuse_(r, esize, left);
	k = corral_ring_open_(r, end, &c, left);
	if (k <= 0)
		return k;
	index = (uint32_t)(c.pos >> 1) & r->mask;
	first = r->size - index;
	zcd->ptr1 = corral_ring_slot_(r, index, esize);
	zcd->n1 = first < (uint32_t)k ? first : (uint32_t)k;
	if (first < (uint32_t)k)
		zcd->ptr2 = corral_ring_slot_(r, 0, esize);
	return k;
}

#define CORRAL_RING_ZC_CALLS_(verb, END, left_name) \
	CORRAL_MUST_CHECK CORRAL_CALL int corral_ring_##verb##_zc_bulk_elem_start( \
		struct corral_ring *r, unsigned int esize, unsigned int n, struct corral_ring_zc_data *zcd, \
		unsigned int *left_name) \
	{ \
		return corral_ring_zc_start_(r, END, esize, n, 1, zcd, left_name); \
	} \
	CORRAL_MUST_CHECK CORRAL_CALL int corral_ring_##verb##_zc_burst_elem_start( \
		struct corral_ring *r, unsigned int esize, unsigned int n, struct corral_ring_zc_data *zcd, \
		unsigned int *left_name) \
	{ \
		return corral_ring_zc_start_(r, END, esize, n, 0, zcd, left_name); \
	} \
	CORRAL_MUST_CHECK CORRAL_CALL int corral_ring_##verb##_zc_bulk_start( \
		struct corral_ring *r, unsigned int n, struct corral_ring_zc_data *zcd, unsigned int *left_name) \
	{ \
		return corral_ring_zc_start_(r, END, sizeof(void *), n, 1, zcd, left_name); \
	} \
	CORRAL_MUST_CHECK CORRAL_CALL int corral_ring_##verb##_zc_burst_start( \
		struct corral_ring *r, unsigned int n, struct corral_ring_zc_data *zcd, unsigned int *left_name) \
	{ \
		return corral_ring_zc_start_(r, END, sizeof(void *), n, 0, zcd, left_name); \
	} \
	CORRAL_MUST_CHECK CORRAL_CALL int corral_ring_##verb##_zc_elem_finish(struct corral_ring *r, unsigned int k) \
	{ \
		return corral_ring_finish_(r, END, NULL, r->esize, k); \
	} \
	CORRAL_MUST_CHECK CORRAL_CALL int corral_ring_##verb##_zc_finish(struct corral_ring *r, unsigned int k) \
	{ \
		return corral_ring_finish_(r, END, NULL, sizeof(void *), k); \
	}

CORRAL_RING_ZC_CALLS_(enqueue, CORRAL_RING_PROD_, free_space)
CORRAL_RING_ZC_CALLS_(dequeue, CORRAL_RING_CONS_, available)

CORRAL_END_DECLS

#endif
