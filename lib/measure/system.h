/* SPDX-License-Identifier: BSD-3-Clause */
/* system.h - what the kernel says about a run: time stolen by the hypervisor, migrations; and how far two cores are. */
#ifndef CORRAL_MEASURE_SYSTEM_H
#define CORRAL_MEASURE_SYSTEM_H

#include <stdio.h>

#include "place.h"

/* Time that the hypervisor took from these CPUs since boot, ms, in steps of 10; negative: the kernel does not say. */
double measure_steal_ms(const struct corral_cpuset *cpus);

/* How often the calling thread has changed its CPU; negative if the kernel does not say. */
long measure_migrations(void);

/* The same of a given /proc/stat and /proc/thread-self/sched, for tests. */
double measure_steal_of(FILE *stat, const struct corral_cpuset *cpus);
long measure_migrations_of(FILE *sched);

/*
 * Nanoseconds of a round trip of a cache line between two CPUs: each sets a word that the other waits for, for some
 * 3 ms; the median of batches. 0 or negative errno.
 */
int measure_rtt(const unsigned int cpu[2], double *ns);

#endif
