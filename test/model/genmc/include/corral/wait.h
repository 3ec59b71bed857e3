/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wait.h - GenMC's variant of corral/wait.h: the same types; a step of a wait does nothing, so that GenMC sees a loop
 * that reads until it finds what it needs, and stops such a thread until somebody writes it.
 */
#ifndef CORRAL_WAIT_H
#define CORRAL_WAIT_H

#include <corral/atomic.h>
#include <corral/base.h>

#include <pthread.h>

enum corral_wait_kind { CORRAL_WAIT_DEFAULT = 0, CORRAL_WAIT_PAUSE = 1, CORRAL_WAIT_YIELD = 2, CORRAL_WAIT_SLEEP = 3 };

struct corral_wait_policy {
	enum corral_wait_kind kind;
	uint32_t first_ns, max_ns, yield_ns, yields, sleep_min_ns, sleep_max_ns, slip_ns;
};

struct corral_wait_tune {
	uint32_t kind, first, max, budget, yields, sleep_min_ns, sleep_max_ns, slip;
};

struct corral_wait_stats {
	struct corral_a64 waits, yields, sleeps;
};

struct corral_wait {
	uint32_t paused, next, yields, sleep_ns;
};

#define corral_pause() ((void)0)
#define corral_wait_progress(w) ((void)(w))
#define corral_wait_step(w, tune, stats) ((void)(w))
#define corral_wait_backoff(w, tune, stats) ((void)(w))

CORRAL_HELPER_ uint64_t corral_wait_self_(void)
{
	return (uint64_t)pthread_self() + 1; /* GenMC numbers from 0, which means nobody */
}

CORRAL_HELPER_ int corral_wait_policy_init(struct corral_wait_policy *p, enum corral_wait_kind kind)
{
	p->kind = kind;
	return 0;
}

CORRAL_HELPER_ int corral_wait_policy_tune(struct corral_wait_tune *t, const struct corral_wait_policy *p)
{
	t->kind = p->kind;
	t->slip = 1;
	return 0;
}

#endif
