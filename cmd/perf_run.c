/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_run.c - the rounds within the budget: every cell gets its share first; then the cell with the widest interval
 * gets one more run, again and again, until the time is over or none is wide.
 */
#include <corral/wait.h>

#include <math.h>
#include <stdlib.h>

#include "measure/clock.h"
#include "measure/system.h"
#include "perf.h"
#include "tool.h"

#define SHARE 0.75     /* of the budget, for the rounds of all; the rest is for the widest */
#define OVERHEAD 0.002 /* seconds that a run takes beside what is measured */
#define SHORTEST 0.002 /* run, seconds */
#define LONGEST 0.1
#define GOOD 0.01 /* half an interval by its median, that needs no more runs */
#define MORE 4	  /* times as many rounds that the widest may get */

struct course {
	struct perf *p;
	unsigned int *order;
	uint64_t random, runs;
	uint64_t begin, end; /* ns */
	struct tool_progress progress;
};

static int run_cell(struct course *c, unsigned int i)
{
	struct perf *p = c->p;
	const struct perf_row *r = &p->row[i / p->cols];
	struct perf_cell *cell = &p->cell[i];
	struct measure_job job = {
		.mode = p->col[i % p->cols].mode,
		.place = r->place->at,
		.kind = r->call == PERF_EMPTY		? MEASURE_EMPTY
			: r->place->at->plan.count == 2 ? MEASURE_SPLIT
							: MEASURE_ROUNDTRIP,
		.access = r->call == PERF_PEEK ? PEER_PEEK
			  : r->call == PERF_ZC ? PEER_ZC
					       : PEER_COPY,
		.call = r->call == PERF_ONE	? PEER_SINGLE
			: r->call == PERF_BURST ? PEER_BURST
						: PEER_BULK,
		.wait = (enum peer_wait)r->wait,
		.params = { p->o.size, r->esize, CORRAL_WAIT_DEFAULT },
		.bulk_min = r->n,
		.bulk_max = r->n,
		.seconds = p->seconds,
		.seed = ++c->runs,
	};
	char name[160];

	perf_cell_name(p, i / p->cols, i % p->cols, name, sizeof(name));
	tool_progress_show(&c->progress, (double)(measure_now_ns() - c->begin) / (double)(c->end - c->begin), name);
	return cell_run(name, &job, &cell->m, &cell->state, p->doc);
}

static bool time_left(const struct course *c)
{
	return !measure_signal() && measure_now_ns() + (uint64_t)((c->p->seconds + OVERHEAD) * 1e9) <= c->end;
}

static void measure_distances(struct perf *p)
{
	unsigned int i, cpu[2];
	double ns;

	for (i = 0; i < p->places; i++) {
		struct perf_place *place = &p->place[i];

		if (place->used && measure_place_two(place->at, cpu) && measure_rtt(cpu, &ns) == 0)
			place->rtts[place->rtt_count++] = ns;
	}
}

/* All cells in turn. */
static int rounds(struct course *c)
{
	struct perf *p = c->p;
	unsigned int round, i, n = p->rows * p->cols;
	int code = EXIT_WELL;

	for (round = 0; round < p->o.rounds; round++) {
		if (!time_left(c))
			return EXIT_WELL;
		measure_distances(p);
		measure_shuffle(c->order, n, &c->random);
		for (i = 0; i < n && code == EXIT_WELL && time_left(c); i++) {
			if (p->cell[c->order[i]].state == CELL_ON)
				code = run_cell(c, c->order[i]);
		}
		if (code != EXIT_WELL)
			return code;
	}
	return EXIT_WELL;
}

/* The cell with the widest interval; rows * cols: none needs more runs. -1: no memory. */
static long widest(const struct perf *p)
{
	unsigned int i, n = p->rows * p->cols, best = n;
	double width, most = GOOD;

	for (i = 0; i < n; i++) {
		struct perf_cell *c = &p->cell[i];

		if (c->state != CELL_ON || c->m.rounds >= MORE * p->o.rounds)
			continue;
		if (measure_cell_finish(&c->m) != 0)
			return -1;
		width = measure_has_interval(&c->m.speed) ? measure_half_width(&c->m.speed) : HUGE_VAL;
		if (width > most) {
			most = width;
			best = i;
		}
	}
	return best;
}

static int more_rounds(struct course *c)
{
	struct perf *p = c->p;
	int code = EXIT_WELL;
	long i;

	while (code == EXIT_WELL && time_left(c)) {
		i = widest(p);
		if (i < 0)
			return tool_no_memory();
		if (i == (long)p->rows * p->cols)
			return EXIT_WELL;
		code = run_cell(c, (unsigned int)i);
	}
	return code;
}

static void share_out(struct course *c, unsigned int cells)
{
	struct perf *p = c->p;
	double s = SHARE * p->o.budget / ((double)cells * p->o.rounds) - OVERHEAD;

	p->seconds = s < SHORTEST ? SHORTEST : s > LONGEST ? LONGEST : s;
	c->begin = measure_now_ns();
	c->end = c->begin + (uint64_t)(p->o.budget * 1e9);
}

static unsigned int cells_on(const struct perf *p)
{
	unsigned int i, n = 0;

	for (i = 0; i < p->rows * p->cols; i++)
		n += p->cell[i].state == CELL_ON;
	return n;
}

static int room(struct course *c)
{
	struct perf *p = c->p;
	unsigned int i;

	for (i = 0; i < p->places; i++) {
		p->place[i].rtts = calloc(p->o.rounds, sizeof(*p->place[i].rtts));
		if (!p->place[i].rtts)
			return tool_no_memory();
	}
	c->order = calloc((size_t)p->rows * p->cols + 1, sizeof(*c->order));
	return c->order ? EXIT_WELL : tool_no_memory();
}

int perf_run(struct perf *p)
{
	struct course c = { .p = p, .random = UINT64_C(0x139408dcbbf7a44) };
	unsigned int cells = cells_on(p);
	int code = cells ? room(&c) : EXIT_WELL;

	if (code == EXIT_WELL && cells)
		code = cell_pin_main(p->places ? p->place[0].at : NULL);
	if (code == EXIT_WELL && cells) {
		share_out(&c, cells);
		measure_clock_init();
		tool_progress_begin(&c.progress, p->o.budget);
		code = rounds(&c);
		if (code == EXIT_WELL)
			code = more_rounds(&c);
		tool_progress_end(&c.progress);
	}
	free(c.order);
	return code;
}
