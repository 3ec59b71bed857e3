/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * atomic.h - the model explorer's variant of corral/atomic.h: the same names and layouts, each access an event of the
 * execution that is explored. Payload is copied in words of four bytes, each a plain access that is looked at for
 * races.
 */
#ifndef CORRAL_ATOMIC_H
#define CORRAL_ATOMIC_H

#include "../../model.h"

#define corral_invariant_(cond) \
	((cond) ? (void)0 : model_fail("%s:%d: broken: %s", model_file(__FILE__), __LINE__, #cond))

#include <corral/base.h>

#define CORRAL_RELAXED MODEL_RELAXED
#define CORRAL_ACQUIRE MODEL_ACQUIRE
#define CORRAL_RELEASE MODEL_RELEASE
#define CORRAL_ACQ_REL MODEL_ACQ_REL
#define CORRAL_SEQ_CST MODEL_SEQ_CST

struct corral_a64 {
	uint64_t v CORRAL_ALIGNED(8);
};

struct corral_a32 {
	uint32_t v CORRAL_ALIGNED(4);
};

/* The value has the word's type, as in C11: a sum that would not fit wraps in it. */
#define corral_load(p, order) ((__typeof__((p)->v))model_load(&(p)->v, sizeof((p)->v), order, __FILE__, __LINE__))
#define corral_store(p, value, order) \
	model_store(&(p)->v, sizeof((p)->v), (__typeof__((p)->v))(value), order, __FILE__, __LINE__)
#define corral_fetch_add(p, value, order) \
	((__typeof__((p)->v))model_fetch_add(&(p)->v, sizeof((p)->v), (__typeof__((p)->v))(value), order, __FILE__, \
					     __LINE__))
#define corral_cas(p, expected, desired, yes, no) \
	model_cas(&(p)->v, sizeof((p)->v), expected, (__typeof__((p)->v))(desired), yes, no, 0, __FILE__, __LINE__)
#define corral_cas_weak(p, expected, desired, yes, no) \
	model_cas(&(p)->v, sizeof((p)->v), expected, (__typeof__((p)->v))(desired), yes, no, 1, __FILE__, __LINE__)
#define corral_fence(order) model_fence(order, __FILE__, __LINE__)

CORRAL_HELPER_ void corral_copy_in_(void *slots, const void *objs, size_t bytes, const char *file, int line)
{
	char *to = (char *)slots;
	const char *from = (const char *)objs;
	uint32_t word;
	size_t i;

	for (i = 0; i < bytes; i += sizeof(word)) {
		__builtin_memcpy(&word, from + i, sizeof(word));
		model_write_at(to + i, sizeof(word), word, file, line);
	}
}

CORRAL_HELPER_ void corral_copy_out_(void *objs, const void *slots, size_t bytes, const char *file, int line)
{
	char *to = (char *)objs;
	const char *from = (const char *)slots;
	uint32_t word;
	size_t i;

	for (i = 0; i < bytes; i += sizeof(word)) {
		word = (uint32_t)model_read_at(from + i, sizeof(word), file, line);
		__builtin_memcpy(to + i, &word, sizeof(word));
	}
}

#define corral_copy_in(slots, objs, bytes) corral_copy_in_(slots, objs, bytes, __FILE__, __LINE__)
#define corral_copy_out(objs, slots, bytes) corral_copy_out_(objs, slots, bytes, __FILE__, __LINE__)

CORRAL_CALL void corral_touch(void *p)
{
	uint32_t *word = (uint32_t *)p;

	model_write(word, model_read(word));
}

#endif
