/* SPDX-License-Identifier: BSD-3-Clause */
/* stress_run.c - the rounds: in each, all cells of a row one after the other, in a random order. */
#include <stdlib.h>

#include "measure/clock.h"
#include "measure/system.h"
#include "stress.h"
#include "tool.h"

struct course {
	struct stress *s;
	unsigned int *order; /* of the columns, anew for each row and round */
	uint64_t random;
	uint64_t runs, all; /* done, planned */
	struct tool_progress progress;
};

static int run_cell(struct course *c, unsigned int row, unsigned int col)
{
	struct stress *s = c->s;
	struct stress_cell *cell = stress_at(s, row, col);
	struct measure_job job = {
		.mode = s->col[col].mode,
		.place = stress_place_of(s, row)->at,
		.kind = s->o.roles == STRESS_SPLIT ? MEASURE_SPLIT : MEASURE_BOTH,
		.access = (enum peer_access)s->o.access,
		.call = PEER_BULK,
		.wait = (enum peer_wait)stress_wait_of(s, row),
		.params = { s->o.size, s->o.esize, (uint32_t)(s->o.ring_wait + 1) },
		.bulk_min = s->o.bulk[0],
		.bulk_max = s->o.bulk[1],
		.objects = s->o.objects,
		.seconds = s->o.seconds,
		.timed_calls = s->o.timing == STRESS_CALL,
		.hist = cell->m.hist,
		.seed = c->runs,
	};
	char name[160];

	stress_cell_name(s, row, col, name, sizeof(name));
	tool_progress_show(&c->progress, (double)c->runs / (double)c->all, name);
	c->runs++;
	return cell_run(name, &job, &cell->m, &cell->state, s->doc);
}

/* What a figure of several cores means depends on how far they are, which a hypervisor may change while we run. */
static void measure_distance(struct stress_place *p)
{
	unsigned int cpu[2];
	double ns;

	if (measure_place_two(p->at, cpu) && measure_rtt(cpu, &ns) == 0)
		p->rtts[p->rtt_count++] = ns;
}

static int run_row(struct course *c, unsigned int row)
{
	struct stress *s = c->s;
	unsigned int i, col;
	int code;

	if (row % (unsigned int)s->o.waits.n == 0)
		measure_distance(stress_place_of(s, row));
	measure_shuffle(c->order, s->cols, &c->random);
	for (i = 0; i < s->cols && !measure_signal(); i++) {
		col = c->order[i];
		if (stress_at(s, row, col)->state != CELL_ON)
			continue;
		code = run_cell(c, row, col);
		if (code != EXIT_WELL)
			return code;
	}
	return EXIT_WELL;
}

static int rounds(struct course *c)
{
	unsigned int round, row;
	int code = EXIT_WELL;

	for (round = 0; round < c->s->o.rounds && code == EXIT_WELL; round++) {
		for (row = 0; row < c->s->rows && code == EXIT_WELL && !measure_signal(); row++)
			code = run_row(c, row);
	}
	return code;
}

static uint64_t cells_on(const struct stress *s)
{
	uint64_t n = 0;
	unsigned int i;

	for (i = 0; i < s->rows * s->cols; i++)
		n += s->cell[i].state == CELL_ON;
	return n;
}

static int room_for_distances(struct stress *s)
{
	unsigned int i;

	for (i = 0; i < s->places; i++) {
		s->place[i].rtts = calloc(s->o.rounds, sizeof(*s->place[i].rtts));
		if (!s->place[i].rtts)
			return tool_no_memory();
	}
	return EXIT_WELL;
}

int stress_run(struct stress *s)
{
	struct course c = { .s = s, .random = UINT64_C(0x139408dcbbf7a44) };
	int code = room_for_distances(s);

	if (code == EXIT_WELL)
		code = cell_pin_main(s->places ? s->place[0].at : NULL);
	if (code != EXIT_WELL)
		return code;
	c.order = calloc(s->cols + 1, sizeof(*c.order));
	if (!c.order)
		return tool_no_memory();
	c.all = cells_on(s) * s->o.rounds;
	if (c.all) {
		measure_clock_init();
		tool_progress_begin(&c.progress, (double)c.all * s->o.seconds);
		code = rounds(&c);
		tool_progress_end(&c.progress);
	}
	free(c.order);
	return code;
}
