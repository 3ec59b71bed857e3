/* SPDX-License-Identifier: BSD-3-Clause */
/* cells.h - what stress and perf do alike with the cells they measure: one run, the count of all, the verdict. */
#ifndef CORRAL_CMD_CELLS_H
#define CORRAL_CMD_CELLS_H

#include <jansson.h>

#include "measure/cell.h"
#include "measure/run.h"

/* Words of options; an index is a value of enum peer_wait. End with NULL. */
extern const char *const cell_wait_names[];
extern const char *const cell_waits_later[];
/* An index plus one is a value of enum corral_wait_kind. */
extern const char *const cell_ring_wait_names[];

enum cell_state {
	CELL_ON,
	CELL_OUT,   /* left out; skipped says why */
	CELL_STUCK, /* its workers never stopped */
};

/* What is to be said of all cells together. */
struct cell_tally {
	unsigned int cells; /* that have a round or more */
	unsigned int noisy;
	unsigned int bad;
	unsigned int stuck;
	unsigned int few, fewest; /* cells without an interval, and the fewest rounds of these */
	unsigned int said;	  /* entries of skipped that were told */
};

/* Tell on standard error what was skipped since the last call. */
void cell_say_skipped(struct cell_tally *tally, const json_t *doc);

/* Put the main thread where a list of lcores wants it. place: NULL, or any of the run. EXIT_WELL or an exit code. */
int cell_pin_main(const struct measure_place *place);

/*
 * One round of a cell. A failure is noted in skipped and *state, faults are told at once. EXIT_WELL, or EXIT_FAULT if
 * the workers are stuck: then print what there is, and end the process.
 */
int cell_run(const char *name, struct measure_job *job, struct measure_cell *cell, enum cell_state *state, json_t *doc);

/* A finished cell. */
void cell_count(struct cell_tally *tally, const char *name, const struct measure_cell *cell);

/* Say how it went. The exit code of the verb. */
int cell_verdict(struct cell_tally *tally, const json_t *doc, bool strict_noise);

#endif
