/* SPDX-License-Identifier: BSD-3-Clause */
/* sys.c - see sys.h. */
#include "sys.h"

#include "model.h"

int model_sched_yield(void)
{
	return 0;
}

int model_clock_nanosleep(clockid_t clock, int flags, const struct timespec *t, struct timespec *left)
{
	(void)clock;
	(void)flags;
	(void)t;
	(void)left;
	return 0;
}

pthread_t model_pthread_self(void)
{
	return (pthread_t)model_self() + 1; /* 0 is nobody */
}
