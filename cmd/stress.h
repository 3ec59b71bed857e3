/* SPDX-License-Identifier: BSD-3-Clause */
/* stress.h - `corral stress`: many threads on one ring. What its parts hand to each other. */
#ifndef CORRAL_CMD_STRESS_H
#define CORRAL_CMD_STRESS_H

#include "cells.h"
#include "columns.h"
#include "measure/place.h"
#include "opts.h"

/* How many producers elements of 4 bytes can tell apart (bench/peers/payload.h). */
#define STRESS_PRODUCERS_4 256u

enum stress_roles { STRESS_BOTH, STRESS_SPLIT };
enum stress_timing { STRESS_TOTAL, STRESS_CALL };

struct stress_opts {
	/* one of these four at most; none: standard */
	const char *layouts;
	const char *lcores;
	const char *lcores_short;
	bool standard;
	int roles; /* enum stress_roles */
	struct opts_list impls, modes;
	int access; /* enum peer_access */
	uint32_t size;
	uint32_t objects; /* 0 until it is known: a quarter of size */
	uint32_t bulk[2];
	uint32_t esize;
	double seconds;
	uint32_t rounds;
	struct opts_numbers waits; /* enum peer_wait */
	int ring_wait;		   /* enum corral_wait_kind less one; -1: the library's choice */
	int timing;		   /* enum stress_timing */
	bool latency;
	bool strict_noise;
	struct opts_json json;
};

/* OPTS_GO: drop them in the end. Else an exit code, and nothing to drop. */
int stress_opts_parse(struct stress_opts *o, int argc, char *const *argv);
void stress_opts_drop(struct stress_opts *o);

/* How a mode of corral stands to the best mode of another implementation in its row, round by round. */
struct stress_ratio {
	unsigned int col; /* of the other */
	struct measure_summary s;
};

struct stress_cell {
	enum cell_state state;
	struct measure_cell m;
	struct stress_ratio *ratio; /* only corral's cells have some */
	unsigned int ratios;
};

struct stress_place {
	struct measure_place *at;
	double *rtts; /* ns from its first core to its second and back, one a round */
	unsigned int rtt_count;
	struct measure_summary rtt;
};

/* Row r of the table is place r / waits with wait r % waits. */
struct stress {
	struct stress_opts o;
	struct stress_place *place;
	unsigned int places;
	unsigned int rows;
	struct column *col;
	unsigned int cols;
	struct stress_cell *cell; /* rows * cols */
	struct cell_tally tally;
	json_t *doc;
};

/* All return EXIT_WELL or an exit code. */
int stress_plan(struct stress *s);
int stress_run(struct stress *s);
int stress_sum_up(struct stress *s);
void stress_json(struct stress *s);
int stress_print(struct stress *s);

struct stress_cell *stress_at(const struct stress *s, unsigned int row, unsigned int col);
struct stress_place *stress_place_of(const struct stress *s, unsigned int row);
uint32_t stress_wait_of(const struct stress *s, unsigned int row);
/* "8t@2c corral/hts"; with the wait where there are several. */
void stress_cell_name(const struct stress *s, unsigned int row, unsigned int col, char *text, size_t size);

void stress_free(struct stress *s);

int stress_main(int argc, char **argv);

#endif
