/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_plan.c - which cells there are: places, calls, sizes and waits by implementations and modes. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "perf.h"
#include "tool.h"

struct perf_cell *perf_at(const struct perf *p, unsigned int row, unsigned int col)
{
	return &p->cell[(size_t)row * p->cols + col];
}

void perf_row_name(const struct perf *p, unsigned int row, char *text, size_t size)
{
	const struct perf_row *r = &p->row[row];
	char n[16] = "", esize[16] = "";

	if (r->call != PERF_ONE && r->call != PERF_EMPTY)
		snprintf(n, sizeof(n), " %u", r->n);
	if (p->o.esize.n > 1)
		snprintf(esize, sizeof(esize), " %uB", r->esize);
	snprintf(text, size, "%.15s %s%s%s%s%s", r->place->name, perf_call_names[r->call], n, esize,
		 p->o.waits.n > 1 ? " " : "", p->o.waits.n > 1 ? cell_wait_names[r->wait] : "");
}

void perf_cell_name(const struct perf *p, unsigned int row, unsigned int col, char *text, size_t size)
{
	char name[96];

	perf_row_name(p, row, name, sizeof(name));
	snprintf(text, size, "%s %s", name, p->col[col].name);
}

/* ---- Places ---- */

static int place_of_list(struct perf *p)
{
	const char *text = p->o.lcores ? p->o.lcores : p->o.lcores_short;
	const char *option = p->o.lcores ? "--lcores" : "-l";
	struct measure_place **at = &p->place[0].at;
	struct corral_lcore_error e;
	unsigned int workers;
	int rc;

	rc = measure_place_lcores(at, text, !p->o.lcores, CORRAL_ROLES_BOTH, &e);
	if (rc == 0 && (*at)->plan.count == 2) {
		measure_place_free(*at);
		rc = measure_place_lcores(at, text, !p->o.lcores, CORRAL_ROLES_SPLIT, &e);
	}
	if (rc == -ENOMEM)
		return tool_no_memory();
	if (rc != 0)
		return tool_bad_text(option, text, &e);
	p->place[0].name = "lcores";
	p->places = 1;
	workers = (*at)->plan.count;
	if (workers > 2)
		return opts_bad(option,
				"%u workers; allowed: one (alone) or two (producer and consumer) behind the main lcore",
				workers);
	return EXIT_WELL;
}

static int place_of_name(struct perf *p, enum perf_where where)
{
	static const struct corral_layout layouts[PERF_WHERES] = {
		[PERF_SINGLE] = { 1, 1, 0 },
		[PERF_ONE_CORE] = { 2, 1, 0 },
		[PERF_TWO_CORES] = { 2, 2, 0 },
	};
	struct perf_place *place = &p->place[p->places];
	struct corral_lcore_error e;
	int rc;

	rc = measure_place_layout(&place->at, &layouts[where],
				  where == PERF_SINGLE ? CORRAL_ROLES_BOTH : CORRAL_ROLES_SPLIT, &e);
	if (rc == -ENOMEM)
		return tool_no_memory();
	if (rc == 0) {
		place->name = perf_where_names[where];
		p->places++;
	} else {
		measure_doc_skip(p->doc, perf_where_names[where], "%s; give it more CPUs (taskset, cpuset)", e.text);
	}
	return EXIT_WELL;
}

static int places(struct perf *p)
{
	int i, code = EXIT_WELL;

	if (p->o.lcores || p->o.lcores_short)
		return place_of_list(p);
	if (!p->o.wheres.n) {
		for (i = 0; i < PERF_WHERES && code == EXIT_WELL; i++)
			code = place_of_name(p, (enum perf_where)i);
		return code;
	}
	opts_once("--where", &p->o.wheres, perf_where_names);
	for (i = 0; i < p->o.wheres.n && code == EXIT_WELL; i++)
		code = place_of_name(p, (enum perf_where)p->o.wheres.v[i]);
	return code;
}

/* ---- Rows ---- */

static bool alone(const struct perf_place *place)
{
	return place->at->plan.count == 1;
}

static void add_rows(struct perf *p, struct perf_place *place, enum perf_call call)
{
	const struct perf_opts *o = &p->o;
	bool by_one = call == PERF_ONE || call == PERF_EMPTY;
	int n, e, w, sizes = by_one ? 1 : o->n.n;

	place->used = true;
	for (e = 0; e < o->esize.n; e++) {
		for (n = 0; n < sizes; n++) {
			for (w = 0; w < o->waits.n; w++)
				p->row[p->rows++] = (struct perf_row){ place, call, by_one ? 1 : o->n.v[n],
								       o->esize.v[e], o->waits.v[w] };
		}
	}
}

static int rows(struct perf *p)
{
	struct perf_opts *o = &p->o;
	bool somebody_alone = false;
	unsigned int i;
	int c;

	opts_once("--call", &o->calls, perf_call_names);
	opts_once("--n", &o->n, NULL);
	opts_once("--esize", &o->esize, NULL);
	opts_once("--wait", &o->waits, cell_wait_names);
	p->row = calloc(
		(size_t)p->places * (size_t)o->calls.n * (size_t)o->n.n * (size_t)o->esize.n * (size_t)o->waits.n + 1,
		sizeof(*p->row));
	if (!p->row)
		return tool_no_memory();
	for (i = 0; i < p->places; i++) {
		somebody_alone = somebody_alone || alone(&p->place[i]);
		for (c = 0; c < o->calls.n; c++) {
			if (o->calls.v[c] != PERF_EMPTY || alone(&p->place[i]))
				add_rows(p, &p->place[i], (enum perf_call)o->calls.v[c]);
		}
	}
	for (c = 0; c < o->calls.n && !somebody_alone; c++) {
		if (o->calls.v[c] == PERF_EMPTY)
			measure_doc_skip(p->doc, "empty", "it is asked by one thread alone; take --where single");
	}
	return EXIT_WELL;
}

/* ---- Cells ---- */

static enum peer_access access_of(enum perf_call call)
{
	return call == PERF_PEEK ? PEER_PEEK : call == PERF_ZC ? PEER_ZC : PEER_COPY;
}

/* Said once for a column and a call, not once for every row. */
static void leave_out(struct perf *p, unsigned int col, enum perf_call call)
{
	char what[96];
	unsigned int row;

	snprintf(what, sizeof(what), "%s %s", p->col[col].name, perf_call_names[call]);
	if (column_has(&p->col[col], access_of(call), what, p->doc))
		return;
	for (row = 0; row < p->rows; row++) {
		if (p->row[row].call == call)
			perf_at(p, row, col)->state = CELL_OUT;
	}
}

static int cells(struct perf *p)
{
	unsigned int i, col;
	int c;

	p->cell = calloc((size_t)p->rows * p->cols + 1, sizeof(*p->cell));
	if (!p->cell)
		return tool_no_memory();
	for (i = 0; i < p->rows * p->cols; i++) {
		if (measure_cell_init(&p->cell[i].m, false) != 0)
			return tool_no_memory();
	}
	for (col = 0; col < p->cols; col++) {
		for (c = 0; c < p->o.calls.n; c++)
			leave_out(p, col, (enum perf_call)p->o.calls.v[c]);
	}
	return EXIT_WELL;
}

int perf_plan(struct perf *p)
{
	int code = columns_build(&p->o.impls, &p->o.modes, p->doc, &p->col, &p->cols);

	if (code == EXIT_WELL)
		code = places(p);
	if (code == EXIT_WELL)
		code = rows(p);
	return code == EXIT_WELL ? cells(p) : code;
}

void perf_free(struct perf *p)
{
	unsigned int i;

	for (i = 0; p->cell && i < p->rows * p->cols; i++)
		measure_cell_free(&p->cell[i].m);
	for (i = 0; i < PERF_WHERES; i++) {
		measure_place_free(p->place[i].at);
		free(p->place[i].rtts);
	}
	free(p->cell);
	free(p->row);
	free(p->col);
	json_decref(p->doc);
	perf_opts_drop(&p->o);
}
