/* SPDX-License-Identifier: BSD-3-Clause */
/* verify.h - filling a queue before a run, and accounting for every object after it. Inside lib/measure. */
#ifndef CORRAL_MEASURE_VERIFY_H
#define CORRAL_MEASURE_VERIFY_H

#include "run.h"

/* Put job->objects new objects into the queue. 0, -ENOSPC if it does not take them, -ENOMEM. */
int measure_fill(const struct measure_job *job, void *queue);

/* Drain the queue and set lost, duplicated, corrupt and disorder of out. 0 or -ENOMEM. */
int measure_verify(const struct measure_job *job, void *queue, const struct peer_worker *workers, unsigned int n,
		   struct measure_outcome *out);

#endif
