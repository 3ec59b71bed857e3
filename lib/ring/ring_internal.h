/* SPDX-License-Identifier: BSD-3-Clause */
/* ring_internal.h - what the files of lib/ring and the tests share. Not installed, not exported. */
#ifndef CORRAL_RING_INTERNAL_H
#define CORRAL_RING_INTERNAL_H

#include <corral/ring_core.h>

#define CORRAL_RING_TABLE_ALIGN 128u
#define CORRAL_RING_GUARD 128u /* after the table: prefetchers would pull what lies behind */

/* Would a ring of these be made? Its bytes (corral_ring_get_memsize_elem), or what init answers. */
__attribute__((visibility("hidden"))) int64_t corral_ring_check(const char *name, unsigned int esize,
								unsigned int count, unsigned int flags);

/*
 * As corral_ring_init_elem(), with the positions starting anywhere instead of at 0, so that tests can begin just
 * below the wraps: of 32 bits, of RTS's 48, and of the word's 63.
 */
__attribute__((visibility("hidden"))) int corral_ring_init_at(struct corral_ring *r, const char *name,
							      unsigned int esize, unsigned int count,
							      unsigned int flags, uint64_t start);

#endif
