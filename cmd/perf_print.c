/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_print.c - summing up, the tables and the results of `corral perf`. */
#include <stdio.h>
#include <stdlib.h>

#include "measure/clock.h"
#include "perf.h"
#include "table.h"
#include "tool.h"

int perf_sum_up(struct perf *p)
{
	unsigned int i;
	char name[160];

	for (i = 0; i < p->rows * p->cols; i++) {
		struct perf_cell *c = &p->cell[i];

		if (measure_cell_finish(&c->m) != 0)
			return tool_no_memory();
		perf_cell_name(p, i / p->cols, i % p->cols, name, sizeof(name));
		cell_count(&p->tally, name, &c->m);
		if (c->state == CELL_ON && !c->m.rounds && !measure_signal())
			measure_doc_skip(
				p->doc, name,
				"no time: the budget of %g s ended before its first run; take a longer --budget",
				p->o.budget);
	}
	for (i = 0; i < p->places; i++) {
		struct perf_place *place = &p->place[i];

		if (place->rtts && measure_summarize(&place->rtt, place->rtts, place->rtt_count) != 0)
			return tool_no_memory();
	}
	return EXIT_WELL;
}

static json_t *json_result(const struct perf *p, const struct perf_row *r, const struct column *col,
			   const struct measure_cell *m)
{
	json_t *o = json_object();

	json_object_set_new(o, "where", json_string(r->place->name));
	json_object_set_new(o, "lcores", json_string(r->place->at->lcores));
	json_object_set_new(o, "what", json_string("ring"));
	json_object_set_new(o, "impl", json_string(col->peer->name));
	json_object_set_new(o, "impl_version", json_string(col->peer->version));
	json_object_set_new(o, "mode", json_string(col->mode->name));
	json_object_set_new(o, "call", json_string(perf_call_names[r->call]));
	json_object_set_new(o, "esize", json_integer(r->esize));
	json_object_set_new(o, "n", json_integer(r->n));
	json_object_set_new(o, "seconds", measure_json_number(p->seconds));
	measure_cell_json_speed(o, m);
	json_object_set_new(o, "size", json_integer(p->o.size));
	json_object_set_new(o, "wait", json_string(cell_wait_names[r->wait]));
	json_object_set_new(o, "isolated", json_false());
	json_object_set_new(o, "rtt_ns",
			    r->place->rtt_count ? measure_json_summary(&r->place->rtt, false) : json_null());
	measure_cell_json_checks(o, m);
	return o;
}

void perf_json(struct perf *p)
{
	unsigned int row, col;
	char name[160];

	for (row = 0; row < p->rows; row++) {
		for (col = 0; col < p->cols; col++) {
			const struct perf_cell *c = perf_at(p, row, col);

			if (c->m.rounds) {
				measure_doc_result(p->doc, json_result(p, &p->row[row], &p->col[col], &c->m));
			} else if (c->state == CELL_ON && measure_signal()) {
				perf_cell_name(p, row, col, name, sizeof(name));
				measure_doc_skip(p->doc, name, "the run was ended before its first round");
			}
		}
	}
}

/* ---- The tables: rows and columns without any figure are left out ---- */

struct shown {
	unsigned int *row, *col;
	unsigned int rows, cols;
};

static bool show(const struct perf *p, struct shown *shown)
{
	unsigned int row, col, any;

	shown->row = calloc(p->rows + 1, sizeof(*shown->row));
	shown->col = calloc(p->cols + 1, sizeof(*shown->col));
	if (!shown->row || !shown->col)
		return false;
	for (row = 0; row < p->rows; row++) {
		for (any = 0, col = 0; col < p->cols; col++)
			any |= perf_at(p, row, col)->m.rounds;
		if (any)
			shown->row[shown->rows++] = row;
	}
	for (col = 0; col < p->cols; col++) {
		for (any = 0, row = 0; row < p->rows; row++)
			any |= perf_at(p, row, col)->m.rounds;
		if (any)
			shown->col[shown->cols++] = col;
	}
	return true;
}

static const struct measure_cell *shown_at(const struct perf *p, const struct shown *shown, unsigned int row,
					   unsigned int col)
{
	return &perf_at(p, shown->row[row], shown->col[col])->m;
}

static void fill_row(const struct perf *p, const struct shown *shown, struct table *t, unsigned int row, bool cycles)
{
	unsigned int col, best = t->cols;

	for (col = 0; col < t->cols; col++) {
		const struct measure_cell *m = shown_at(p, shown, row, col);

		if (!m->rounds)
			continue;
		table_median(table_at(t, row, col)->text, TABLE_TEXT, cycles ? &m->cycles_per_obj : &m->speed,
			     m->noisy);
		if (!measure_cell_bad(m) &&
		    (best == t->cols || m->speed.median > shown_at(p, shown, row, best)->speed.median))
			best = col;
	}
	if (best < t->cols && t->cols > 1)
		table_at(t, row, best)->best = true;
}

static int print_table(const struct perf *p, const struct shown *shown, bool cycles)
{
	struct table *t = table_new(shown->rows, shown->cols);
	unsigned int row, col;

	if (!t)
		return tool_no_memory();
	snprintf(t->corner, sizeof(t->corner), cycles ? "cycles/object" : "Mobj/s");
	for (col = 0; col < shown->cols; col++) {
		snprintf(t->head[col][0], TABLE_TEXT, "%s ", p->col[shown->col[col]].peer->name);
		snprintf(t->head[col][1], TABLE_TEXT, "%s ", p->col[shown->col[col]].mode->name);
	}
	for (row = 0; row < shown->rows; row++) {
		perf_row_name(p, shown->row[row], t->name[row], TABLE_TEXT);
		fill_row(p, shown, t, row, cycles);
	}
	table_print(t);
	table_free(t);
	return EXIT_WELL;
}

static void print_head(const struct perf *p)
{
	unsigned int i, fewest = 0;
	bool interval = false, empty = false;

	for (i = 0; i < p->rows * p->cols; i++) {
		const struct measure_cell *m = &p->cell[i].m;

		interval = interval || measure_has_interval(&m->speed);
		empty = empty || (m->rounds && p->row[i / p->cols].call == PERF_EMPTY);
		if (m->rounds && (!fewest || m->rounds < fewest))
			fewest = m->rounds;
	}
	printf("Medians");
	if (interval)
		printf(", %s half of the 95 %% interval", tool_plus_minus());
	printf("; runs of %.3g s, at least %u a cell; clock %s\nsize %u, ", p->seconds, fewest, MEASURE_CLOCK_NAME,
	       p->o.size);
	if (p->o.esize.n == 1)
		printf("%u bytes an object", p->o.esize.v[0]);
	else
		printf("bytes an object: B");
	if (p->o.waits.n == 1)
		printf(", wait %s", cell_wait_names[p->o.waits.v[0]]);
	printf("; cycles are those of all threads%s\n\n", empty ? "; empty: a call counts as an object" : "");
}

static void print_distances(const struct perf *p)
{
	unsigned int i;
	bool any = false;

	for (i = 0; i < p->places; i++) {
		const struct perf_place *place = &p->place[i];

		if (!place->rtt_count)
			continue;
		if (!any)
			putchar('\n');
		any = true;
		printf("RTT %s %.0f ns for a cache line from its first core to its second and back (%.0f to "
		       "%.0f)\n",
		       place->name, place->rtt.median, place->rtt.min, place->rtt.max);
	}
}

int perf_print(const struct perf *p)
{
	struct shown shown = { 0 };
	int code = EXIT_CANNOT;

	print_head(p);
	if (!show(p, &shown)) {
		code = tool_no_memory();
	} else if (print_table(p, &shown, true) == EXIT_WELL) {
		putchar('\n');
		code = print_table(p, &shown, false);
	}
	print_distances(p);
	free(shown.row);
	free(shown.col);
	return code;
}
