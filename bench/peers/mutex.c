/* SPDX-License-Identifier: BSD-3-Clause */
/* mutex.c - a pthread mutex around a ring of mode ST. */
#include <corral/ring.h>

#include <pthread.h>

typedef pthread_mutex_t lock_t_;

CORRAL_HELPER_ void lock_take(lock_t_ *lock)
{
	pthread_mutex_lock(lock);
}

CORRAL_HELPER_ void lock_give(lock_t_ *lock)
{
	pthread_mutex_unlock(lock);
}

#define LOCKED_NAME "mutex"
#define LOCK_INIT(lock) pthread_mutex_init(lock, NULL)
#define LOCK_FINI(lock) pthread_mutex_destroy(lock)
#include "locked.h"
