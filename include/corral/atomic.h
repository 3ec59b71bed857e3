/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * atomic.h - the only door to atomics: 64- and 32-bit words with an explicit order at each access.
 *
 * In C it is C11 <stdatomic.h>; in C++ the same layout over the __atomic builtins, so that both languages can share
 * one ring. A word is always read and written whole: there is no way to reach half of one. A checker replaces
 * this file (and the system calls behind wait.h) and nothing else: include it through "corral/atomic.h" only.
 */
#ifndef CORRAL_ATOMIC_H
#define CORRAL_ATOMIC_H

#include <corral/base.h>

#ifdef __cplusplus
#define CORRAL_RELAXED __ATOMIC_RELAXED
#define CORRAL_ACQUIRE __ATOMIC_ACQUIRE
#define CORRAL_RELEASE __ATOMIC_RELEASE
#define CORRAL_ACQ_REL __ATOMIC_ACQ_REL
#define CORRAL_ATOMIC_(type) type
#else
#include <stdatomic.h>
#define CORRAL_RELAXED memory_order_relaxed
#define CORRAL_ACQUIRE memory_order_acquire
#define CORRAL_RELEASE memory_order_release
#define CORRAL_ACQ_REL memory_order_acq_rel
#define CORRAL_ATOMIC_(type) _Atomic(type)
#endif

/* clang for i686 says "sometimes" of 64-bit atomics, and has the instruction all the same */
#if (!defined(__GCC_ATOMIC_LLONG_LOCK_FREE) || __GCC_ATOMIC_LLONG_LOCK_FREE < 2) && \
	!defined(__GCC_HAVE_SYNC_COMPARE_AND_SWAP_8)
#error "corral needs 64-bit atomics without a lock; on x86 compile for i586 or later (-march=i686)"
#endif

/* 8-byte alignment is spelled out: i386 aligns a plain 64-bit member to 4, and C++ has no _Atomic here. */
struct corral_a64 {
	CORRAL_ATOMIC_(uint64_t) v CORRAL_ALIGNED(8);
};

struct corral_a32 {
	CORRAL_ATOMIC_(uint32_t) v CORRAL_ALIGNED(4);
};

CORRAL_STATIC_ASSERT(sizeof(struct corral_a64) == 8 && __alignof__(struct corral_a64) == 8, "a64 layout");
CORRAL_STATIC_ASSERT(sizeof(struct corral_a32) == 4 && __alignof__(struct corral_a32) == 4, "a32 layout");

/*
 * corral_load(p, order) · corral_store(p, value, order) · corral_fetch_add(p, value, order)
 * corral_cas(p, &expected, desired, order if it swapped, order if not): non-zero if it swapped; else expected holds
 * what was there. p points to a struct corral_a64 or corral_a32.
 */
#ifdef __cplusplus
#define corral_load(p, order) __atomic_load_n(&(p)->v, order)
#define corral_store(p, value, order) __atomic_store_n(&(p)->v, value, order)
#define corral_fetch_add(p, value, order) __atomic_fetch_add(&(p)->v, value, order)
#define corral_cas(p, expected, desired, yes, no) \
	__atomic_compare_exchange_n(&(p)->v, expected, desired, false, yes, no)
#else
#define corral_load(p, order) atomic_load_explicit(&(p)->v, order)
#define corral_store(p, value, order) atomic_store_explicit(&(p)->v, value, order)
#define corral_fetch_add(p, value, order) atomic_fetch_add_explicit(&(p)->v, value, order)
#define corral_cas(p, expected, desired, yes, no) \
	atomic_compare_exchange_strong_explicit(&(p)->v, expected, desired, yes, no)
#endif

/*
 * Payload: copies between a caller's memory (of any alignment) and slots that the caller has claimed. bytes is a
 * multiple of 4. Plain accesses: the words above give them their order. The last block overlaps the one before it, so
 * that a random length costs one mispredicted branch and no call.
 */
CORRAL_HELPER_ void corral_copy_(void *dst, const void *src, size_t bytes)
{
	char *d = (char *)dst;
	const char *s = (const char *)src;
	size_t i;

	/* gcc warns of lengths that do not happen, where it sees what the pointers point to: hide that. */
	if (!__builtin_constant_p(bytes))
		__asm__("" : "+r"(d), "+r"(s));
	if (bytes > 32) {
		for (i = 0; i < bytes - 32; i += 32)
			__builtin_memcpy(d + i, s + i, 32);
		__builtin_memcpy(d + bytes - 32, s + bytes - 32, 32);
	} else if (bytes > 16) {
		__builtin_memcpy(d, s, 16);
		__builtin_memcpy(d + bytes - 16, s + bytes - 16, 16);
	} else if (bytes > 8) {
		__builtin_memcpy(d, s, 8);
		__builtin_memcpy(d + bytes - 8, s + bytes - 8, 8);
	} else if (bytes == 8) {
		__builtin_memcpy(d, s, 8);
	} else {
		__builtin_memcpy(d, s, 4);
	}
}

/*
 * Write the word at p with what it holds, as its owner: the cache line becomes this CPU's alone. See ring_path.h for
 * what that is good for.
 */
CORRAL_CALL void corral_touch(void *p)
{
	typedef uint32_t __attribute__((may_alias)) word; /* whatever the elements are */
	volatile word *w = (volatile word *)p;

	*w = *w;
}

#define corral_copy_in(slots, objs, bytes) corral_copy_(slots, objs, bytes)
#define corral_copy_out(objs, slots, bytes) corral_copy_(objs, slots, bytes)

#endif
