/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cell.h - a cell is one thing measured at one place in one way; it gathers what its rounds gave.
 *
 * A cell is noisy if the hypervisor stole more than 2 % of its CPUs' time, or if the 95 % interval of its median
 * reaches further than 20 % from it. That is a remark, not a fault.
 */
#ifndef CORRAL_MEASURE_CELL_H
#define CORRAL_MEASURE_CELL_H

#include <jansson.h>

#include "run.h"
#include "stats.h"

struct measure_cell {
	unsigned int rounds, room;
	double *mobj_s; /* one a round, as are the cycles */
	double *cycles;
	struct peer_hist *hist; /* NULL: calls are not timed one by one */
	uint64_t lost, duplicated, corrupt, disorder, short_calls;
	double steal_ms, cpu_ms; /* negative steal: unknown */
	long migrations;	 /* negative: unknown */
	double min_share, max_share;
	/* set by measure_cell_finish() */
	struct measure_summary speed, cycles_per_obj;
	bool noisy;
};

/* 0 or -ENOMEM. */
int measure_cell_init(struct measure_cell *cell, bool latency);
void measure_cell_free(struct measure_cell *cell);

/* Add a round. 0 or -ENOMEM. */
int measure_cell_add(struct measure_cell *cell, const struct measure_job *job, const struct measure_outcome *out);

/* Sum up; may be called again after more rounds. 0 or -ENOMEM. */
int measure_cell_finish(struct measure_cell *cell);

/* Something that moved is lost, double, torn or out of order. */
bool measure_cell_bad(const struct measure_cell *cell);

/* "3 lost, 1 duplicated", "" if all is well. */
void measure_cell_faults(const struct measure_cell *cell, char *text, size_t size);

/* Add rounds, mobj_s, cycles_per_obj and clock to a result. */
void measure_cell_json_speed(json_t *result, const struct measure_cell *cell);

/* Add what was checked and what the kernel says: per_thread to noisy. */
void measure_cell_json_checks(json_t *result, const struct measure_cell *cell);

#endif
