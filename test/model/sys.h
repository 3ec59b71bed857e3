/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sys.h - included before lib/wait/wait.c when the explorer compiles it: its system calls are the explorer's, to which
 * a yield and a sleep are nothing, and a thread is what the explorer runs.
 */
#ifndef CORRAL_TEST_SYS_H
#define CORRAL_TEST_SYS_H

/* first: their declarations must not be renamed */
#include <pthread.h>
#include <sched.h>
#include <time.h>

int model_sched_yield(void);
int model_clock_nanosleep(clockid_t clock, int flags, const struct timespec *t, struct timespec *left);
pthread_t model_pthread_self(void);

#define sched_yield model_sched_yield
#define clock_nanosleep model_clock_nanosleep
#define pthread_self model_pthread_self

#endif
