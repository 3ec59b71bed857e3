/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * atomic.h - GenMC's variant of corral/atomic.h: the same names and layouts over its <stdatomic.h>. Payload is copied
 * word by word, as GenMC wants each location accessed at one width, and has no inline assembly.
 */
#ifndef CORRAL_ATOMIC_H
#define CORRAL_ATOMIC_H

#include <corral/base.h>

#include <stdatomic.h>

#define CORRAL_RELAXED memory_order_relaxed
#define CORRAL_ACQUIRE memory_order_acquire
#define CORRAL_RELEASE memory_order_release
#define CORRAL_ACQ_REL memory_order_acq_rel

struct corral_a64 {
	_Atomic(uint64_t) v CORRAL_ALIGNED(8);
};

struct corral_a32 {
	_Atomic(uint32_t) v CORRAL_ALIGNED(4);
};

#define corral_load(p, order) atomic_load_explicit(&(p)->v, order)
#define corral_store(p, value, order) atomic_store_explicit(&(p)->v, value, order)
#define corral_fetch_add(p, value, order) atomic_fetch_add_explicit(&(p)->v, value, order)
#define corral_cas(p, expected, desired, yes, no) \
	atomic_compare_exchange_strong_explicit(&(p)->v, expected, desired, yes, no)

/* volatile: or the compiler makes calls, wider accesses, or moves a plain read before the load that guards it */
CORRAL_HELPER_ void corral_copy_(void *dst, const void *src, size_t bytes)
{
	volatile uint32_t *d = (volatile uint32_t *)dst;
	const volatile uint32_t *s = (const volatile uint32_t *)src;

	for (; bytes != 0; bytes -= 4) /* counted so: GenMC does not know llvm.umax */
		*d++ = *s++;
}

CORRAL_CALL void corral_touch(void *p)
{
	volatile uint32_t *w = (volatile uint32_t *)p;

	*w = *w;
}

#define corral_copy_in(slots, objs, bytes) corral_copy_(slots, objs, bytes)
#define corral_copy_out(objs, slots, bytes) corral_copy_(objs, slots, bytes)

#endif
