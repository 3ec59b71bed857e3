/* SPDX-License-Identifier: BSD-3-Clause */
/* perf.h - `corral perf`: what a call costs. What its parts hand to each other. */
#ifndef CORRAL_CMD_PERF_H
#define CORRAL_CMD_PERF_H

#include "cells.h"
#include "columns.h"
#include "measure/place.h"
#include "opts.h"

enum perf_where { PERF_SINGLE, PERF_ONE_CORE, PERF_TWO_CORES, PERF_WHERES };
enum perf_call { PERF_BULK, PERF_BURST, PERF_ONE, PERF_PEEK, PERF_ZC, PERF_EMPTY };

/* Words of options; an index is a value. End with NULL. */
extern const char *const perf_where_names[];
extern const char *const perf_call_names[];

struct perf_opts {
	/* one of these three at most; none: all places that exist here */
	struct opts_numbers wheres;
	const char *lcores;
	const char *lcores_short;
	struct opts_list impls, modes;
	struct opts_numbers calls; /* enum perf_call */
	struct opts_numbers n;	   /* objects a call */
	struct opts_numbers esize;
	uint32_t size;
	struct opts_numbers waits; /* enum peer_wait */
	uint32_t rounds;
	double budget; /* seconds */
	int what;
	bool strict_noise;
	struct opts_json json;
};

/* OPTS_GO: drop them in the end. Else an exit code, and nothing to drop. */
int perf_opts_parse(struct perf_opts *o, int argc, char *const *argv);
void perf_opts_drop(struct perf_opts *o);

struct perf_place {
	const char *name; /* "two-cores", "lcores" */
	struct measure_place *at;
	bool used;    /* some row is there */
	double *rtts; /* ns between its two cores and back, one a round */
	unsigned int rtt_count;
	struct measure_summary rtt;
};

struct perf_row {
	struct perf_place *place;
	enum perf_call call;
	uint32_t n, esize, wait;
};

struct perf_cell {
	enum cell_state state;
	struct measure_cell m;
};

struct perf {
	struct perf_opts o;
	struct perf_place place[PERF_WHERES];
	unsigned int places;
	struct perf_row *row;
	unsigned int rows;
	struct column *col;
	unsigned int cols;
	struct perf_cell *cell; /* rows * cols */
	double seconds;		/* of a run */
	struct cell_tally tally;
	json_t *doc;
};

/* All return EXIT_WELL or an exit code. */
int perf_plan(struct perf *p);
int perf_run(struct perf *p);
int perf_sum_up(struct perf *p);
void perf_json(struct perf *p);
int perf_print(const struct perf *p);
void perf_free(struct perf *p);

struct perf_cell *perf_at(const struct perf *p, unsigned int row, unsigned int col);
/* "two-cores bulk 8", with what there are several of: "two-cores bulk 8 16B pause". */
void perf_row_name(const struct perf *p, unsigned int row, char *text, size_t size);
void perf_cell_name(const struct perf *p, unsigned int row, unsigned int col, char *text, size_t size);

int perf_main(int argc, char **argv);

#endif
