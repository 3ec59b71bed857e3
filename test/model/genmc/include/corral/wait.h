/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wait.h - GenMC's variant of corral/wait.h: the same types. A thread that waits is stopped, and GenMC looks at the
 * executions in which it found what it needs at once. Loops around corral_wait_step() GenMC sees through by itself,
 * as they do nothing but read, and reports a thread that waits for what nobody will write. The claim of HTS remembers
 * what it saw, which GenMC does not see through: corral_wait_backoff() stops the thread; whether it waits for ever is
 * for the explorer to say.
 */
#ifndef CORRAL_WAIT_H
#define CORRAL_WAIT_H

#include <corral/atomic.h>
#include <corral/base.h>

#include <genmc.h>
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
#define corral_wait_backoff(w, tune, stats) __VERIFIER_assume(0)

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
