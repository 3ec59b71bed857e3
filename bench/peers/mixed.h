/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mixed.h - loops of a ring whose sides differ, PROD and CONS: from the calls of both modes, which have their own loops
 * by then. A worker of one side runs that mode's loop; only those that do both have loops of their own. A template, as
 * loop.h.
 */
#ifndef MIXED_COMMON
#define MIXED_COMMON
#define MIXED_PASTE_(p, c, name) p##_##c##_##name
#define MIXED_NAME_(p, c, name) MIXED_PASTE_(p, c, name)
#define SIDE_PASTE_(side, name) side##_##name
#define SIDE_NAME_(side, name) SIDE_PASTE_(side, name)

#define MIXED_LIST(X) \
	X(both, BOTH, COPY, BULK, 8, 0) \
	X(both, BOTH, COPY, BULK, 8, 1) \
	X(roundtrip, ROUNDTRIP, COPY, BULK, 8, 0)
#endif

#define LOOP(name) MIXED_NAME_(PROD, CONS, name)

#ifndef LOOP_SMALL
CORRAL_HELPER_ uint32_t LOOP(enq_by)(void *q, enum peer_access access, enum peer_call call, const void *objs,
				     uint32_t esize, uint32_t n)
{
	(void)access; /* copies only */
	return SIDE_NAME_(PROD, enq)(q, call, objs, esize, n);
}

CORRAL_HELPER_ uint32_t LOOP(deq_by)(void *q, enum peer_access access, enum peer_call call, void *objs, uint32_t esize,
				     uint32_t n)
{
	(void)access;
	return SIDE_NAME_(CONS, deq)(q, call, objs, esize, n);
}

#include "loop_roles.h"

MIXED_LIST(LOOP_DEFINE)
static const struct loop_special LOOP(specials)[] = { MIXED_LIST(LOOP_ROW) };
#endif

static int LOOP(run)(struct peer_worker *w)
{
	static const struct loop_calls calls = { SIDE_NAME_(PROD, enq_out), SIDE_NAME_(CONS, deq_out) };
#ifndef LOOP_SMALL
	const struct loop_special *s = loop_find(w, LOOP(specials), sizeof(LOOP(specials)) / sizeof(LOOP(specials)[0]));

	if (s) {
		s->run(w);
		return 0;
	}
#endif
	if (w->role == PEER_PRODUCE)
		return SIDE_NAME_(PROD, run)(w);
	if (w->role == PEER_CONSUME || w->role == PEER_EMPTY)
		return SIDE_NAME_(CONS, run)(w);
#ifdef LOOP_PEEK
	if (w->access != PEER_COPY && w->call != PEER_BULK)
		return -ENOTSUP;
#else
	if (w->access != PEER_COPY)
		return -ENOTSUP;
#endif
	return loop_run_any(w, &calls);
}

#undef LOOP_PEEK
#undef LOOP
#undef PROD
#undef CONS
