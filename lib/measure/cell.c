/* SPDX-License-Identifier: BSD-3-Clause */
/* cell.c - rounds into summaries. */
#include "cell.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "doc.h"

int measure_cell_init(struct measure_cell *cell, bool latency)
{
	memset(cell, 0, sizeof(*cell));
	cell->min_share = 1;
	if (latency) {
		cell->hist = calloc(1, sizeof(*cell->hist));
		if (!cell->hist)
			return -ENOMEM;
	}
	return 0;
}

void measure_cell_free(struct measure_cell *cell)
{
	free(cell->mobj_s);
	free(cell->cycles);
	free(cell->hist);
	memset(cell, 0, sizeof(*cell));
}

static int more_room(struct measure_cell *cell)
{
	unsigned int room = cell->room ? 2 * cell->room : 16;
	double *mobj_s, *cycles;

	if (cell->rounds < cell->room)
		return 0;
	mobj_s = realloc(cell->mobj_s, room * sizeof(*mobj_s));
	if (!mobj_s)
		return -ENOMEM;
	cell->mobj_s = mobj_s;
	cycles = realloc(cell->cycles, room * sizeof(*cycles));
	if (!cycles)
		return -ENOMEM;
	cell->cycles = cycles;
	cell->room = room;
	return 0;
}

int measure_cell_add(struct measure_cell *cell, const struct measure_job *job, const struct measure_outcome *out)
{
	int rc = more_room(cell);

	if (rc != 0)
		return rc;
	cell->mobj_s[cell->rounds] = out->mobj_s;
	cell->cycles[cell->rounds] = out->cycles_per_obj;
	cell->rounds++;
	cell->lost += out->lost;
	cell->duplicated += out->duplicated;
	cell->corrupt += out->corrupt;
	cell->disorder += out->disorder;
	cell->short_calls += out->short_calls;
	cell->steal_ms = cell->steal_ms < 0 || out->steal_ms < 0 ? -1 : cell->steal_ms + out->steal_ms;
	cell->cpu_ms += out->seconds * 1e3 * corral_cpuset_count(&job->place->used);
	cell->migrations = cell->migrations < 0 || out->migrations < 0 ? -1 : cell->migrations + out->migrations;
	cell->min_share = out->min_share < cell->min_share ? out->min_share : cell->min_share;
	cell->max_share = out->max_share > cell->max_share ? out->max_share : cell->max_share;
	return 0;
}

int measure_cell_finish(struct measure_cell *cell)
{
	int rc = measure_summarize(&cell->speed, cell->mobj_s, cell->rounds);

	if (rc == 0)
		rc = measure_summarize(&cell->cycles_per_obj, cell->cycles, cell->rounds);
	cell->noisy = measure_is_wide(&cell->speed) || cell->steal_ms > 0.02 * cell->cpu_ms;
	return rc;
}

bool measure_cell_bad(const struct measure_cell *cell)
{
	return cell->lost || cell->duplicated || cell->corrupt || cell->disorder;
}

void measure_cell_faults(const struct measure_cell *cell, char *text, size_t size)
{
	const struct {
		uint64_t n;
		const char *what;
	} faults[] = { { cell->lost, "lost" },
		       { cell->duplicated, "duplicated" },
		       { cell->corrupt, "corrupt" },
		       { cell->disorder, "out of order" } };
	size_t used = 0;
	unsigned int i;

	text[0] = '\0';
	for (i = 0; i < sizeof(faults) / sizeof(faults[0]) && used < size; i++) {
		if (faults[i].n)
			used += (size_t)snprintf(text + used, size - used, "%s%llu %s", used ? ", " : "",
						 (unsigned long long)faults[i].n, faults[i].what);
	}
}

void measure_cell_json_speed(json_t *o, const struct measure_cell *cell)
{
	json_object_set_new(o, "rounds", measure_json_numbers(cell->mobj_s, cell->rounds));
	json_object_set_new(o, "mobj_s", measure_json_summary(&cell->speed, true));
	json_object_set_new(o, "cycles_per_obj", measure_json_summary(&cell->cycles_per_obj, false));
	json_object_set_new(o, "clock", json_string(MEASURE_CLOCK_NAME));
}

void measure_cell_json_checks(json_t *o, const struct measure_cell *cell)
{
	json_t *per_thread = json_object();

	json_object_set_new(per_thread, "min_share", measure_json_number(cell->min_share));
	json_object_set_new(per_thread, "max_share", measure_json_number(cell->max_share));
	json_object_set_new(o, "per_thread", per_thread);
	json_object_set_new(o, "lost", json_integer((json_int_t)cell->lost));
	json_object_set_new(o, "duplicated", json_integer((json_int_t)cell->duplicated));
	json_object_set_new(o, "corrupt", json_integer((json_int_t)cell->corrupt));
	json_object_set_new(o, "disorder", json_integer((json_int_t)cell->disorder));
	json_object_set_new(o, "short_calls", json_integer((json_int_t)cell->short_calls));
	json_object_set_new(o, "steal_ms", cell->steal_ms < 0 ? json_null() : measure_json_number(cell->steal_ms));
	json_object_set_new(o, "migrations", cell->migrations < 0 ? json_null() : json_integer(cell->migrations));
	json_object_set_new(o, "noisy", json_boolean(cell->noisy));
}
