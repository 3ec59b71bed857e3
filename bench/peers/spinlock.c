/* SPDX-License-Identifier: BSD-3-Clause */
/* spinlock.c - a spinlock around a ring of mode ST: test and test-and-set, with a pause, as most people write it. */
#include <corral/ring.h>

typedef struct corral_a32 lock_t_;

CORRAL_HELPER_ void lock_take(lock_t_ *lock)
{
	uint32_t was = 0;

	while (!corral_cas(lock, &was, 1, CORRAL_ACQUIRE, CORRAL_RELAXED)) {
		while (corral_load(lock, CORRAL_RELAXED) != 0)
			corral_pause();
		was = 0;
	}
}

CORRAL_HELPER_ void lock_give(lock_t_ *lock)
{
	corral_store(lock, 0, CORRAL_RELEASE);
}

#define LOCKED_NAME "spinlock"
#define LOCK_INIT(lock) corral_store(lock, 0, CORRAL_RELAXED)
#define LOCK_FINI(lock) ((void)(lock))
#include "locked.h"
