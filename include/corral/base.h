/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * base.h - what every room shares: version, attributes, the line size, errors.
 *
 * Errors: a function returns 0 or a count on success and a negative errno on failure; a constructor
 * returns NULL and sets errno. No call prints. Names that end in an underscore are not API.
 */
#ifndef CORRAL_BASE_H
#define CORRAL_BASE_H

#include <stddef.h>
#include <stdint.h>

#define CORRAL_VERSION_MAJOR 0
#define CORRAL_VERSION_MINOR 1
#define CORRAL_VERSION_PATCH 0
#define CORRAL_VERSION "0.1.0"

/*
 * Unit of padding, in bytes: two 64-byte cache lines, because adjacent-line prefetchers pull the
 * neighbour. It is the same on every architecture, since layouts are public.
 */
#define CORRAL_LINE 128

#define CORRAL_ALIGNED(n) __attribute__((aligned(n)))
#define CORRAL_MUST_CHECK __attribute__((warn_unused_result))
#define CORRAL_COLD __attribute__((cold, noinline))
#define corral_likely_(x) __builtin_expect(!!(x), 1)
#define corral_unlikely_(x) __builtin_expect(!!(x), 0)

/*
 * CORRAL_CALL marks the public calls that are inline in the headers. lib/ compiles the same headers once with
 * CORRAL_EXPORT_INLINES set, so that each of them is a symbol of the shared library too (for other languages).
 */
#ifdef CORRAL_NO_FORCED_INLINE_ /* builds that look for faults: with sanitizers, a forced inline costs minutes */
#define CORRAL_INLINE_ inline __attribute__((unused))
#else
#define CORRAL_INLINE_ inline __attribute__((always_inline, unused))
#endif
#ifdef CORRAL_EXPORT_INLINES
#define CORRAL_CALL
#else
#define CORRAL_CALL static CORRAL_INLINE_
#endif
#define CORRAL_HELPER_ static CORRAL_INLINE_

#ifdef __cplusplus
#define CORRAL_BEGIN_DECLS extern "C" {
#define CORRAL_END_DECLS }
#define CORRAL_STATIC_ASSERT(cond, text) static_assert(cond, text)
#else
#define CORRAL_BEGIN_DECLS
#define CORRAL_END_DECLS
#define CORRAL_STATIC_ASSERT(cond, text) _Static_assert(cond, text)
#endif

/*
 * What must hold wherever the code comes by: looked at in builds that look for faults (CORRAL_DEBUG), and by checkers,
 * which define it themselves; free of cost elsewhere.
 */
#ifndef corral_invariant_
#ifdef CORRAL_DEBUG
#define corral_invariant_(cond) ((cond) ? (void)0 : __builtin_trap())
#else
#define corral_invariant_(cond) ((void)0)
#endif
#endif

CORRAL_BEGIN_DECLS

/**
 * Version of the library that runs, "MAJOR.MINOR.PATCH" (CORRAL_VERSION is that of the headers).
 * Any thread, never blocks.
 */
const char *corral_version(void);

/**
 * Text for an error of this library: the system's words, and where there is more to say, the usual cause
 * and what to do about it.
 *
 * @param err  an errno value, positive or negative (-EINVAL and EINVAL mean the same)
 * @return     a string that is never NULL and need not be freed; valid until the same thread calls again
 *
 * Any thread, never blocks.
 */
const char *corral_strerror(int err);

CORRAL_END_DECLS

#endif
