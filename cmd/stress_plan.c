/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stress_plan.c - which cells there are: layouts by implementations and modes; what cannot be is skipped, and it is
 * said why.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stress.h"
#include "tool.h"

struct stress_cell *stress_at(const struct stress *s, unsigned int row, unsigned int col)
{
	return &s->cell[(size_t)row * s->cols + col];
}

struct stress_place *stress_place_of(const struct stress *s, unsigned int row)
{
	return &s->place[row / (unsigned int)s->o.waits.n];
}

uint32_t stress_wait_of(const struct stress *s, unsigned int row)
{
	return s->o.waits.v[row % (unsigned int)s->o.waits.n];
}

void stress_cell_name(const struct stress *s, unsigned int row, unsigned int col, char *text, size_t size)
{
	bool waits = s->o.waits.n > 1;

	snprintf(text, size, "%s %s%s%s", stress_place_of(s, row)->at->name, s->col[col].name, waits ? " " : "",
		 waits ? cell_wait_names[stress_wait_of(s, row)] : "");
}

static enum corral_roles roles(const struct stress *s)
{
	return s->o.roles == STRESS_SPLIT ? CORRAL_ROLES_SPLIT : CORRAL_ROLES_BOTH;
}

static bool same(const struct corral_layout *a, const struct corral_layout *b)
{
	return a->threads == b->threads && a->cores == b->cores && a->floating == b->floating;
}

static bool named_before(const struct corral_layout *layout, unsigned int i, const char *name)
{
	unsigned int j;

	for (j = 0; j < i && !same(&layout[j], &layout[i]); j++)
		;
	if (j == i)
		return false;
	tool_say("--layout: %s is named twice; it is measured once", name);
	return true;
}

static int places_of_layouts(struct stress *s, const struct corral_layout *layout, unsigned int n)
{
	char name[CORRAL_LAYOUT_TEXT];
	struct corral_lcore_error e;
	unsigned int i;
	int rc;

	s->place = calloc(n, sizeof(*s->place));
	if (!s->place)
		return tool_no_memory();
	for (i = 0; i < n; i++) {
		corral_layout_print(&layout[i], name, sizeof(name));
		if (named_before(layout, i, name))
			continue;
		rc = measure_place_layout(&s->place[s->places].at, &layout[i], roles(s), &e);
		if (rc == 0)
			s->places++;
		else if (rc == -ENOMEM)
			return tool_no_memory();
		else if (rc == -ERANGE && s->o.layouts)
			measure_doc_skip(s->doc, name, "%s; take fewer cores, or give it more CPUs (taskset, cpuset)",
					 e.text);
		else
			measure_doc_skip(s->doc, name, "%s", e.text);
	}
	return EXIT_WELL;
}

static int places_of_text(struct stress *s)
{
	struct corral_layouts layouts;
	struct corral_lcore_error e;
	int rc = corral_layouts_parse(&layouts, s->o.layouts, &e);

	if (rc == -ENOMEM)
		return tool_no_memory();
	if (rc != 0)
		return tool_bad_text("--layout", s->o.layouts, &e);
	rc = places_of_layouts(s, layouts.layout, layouts.count);
	corral_layouts_free(&layouts);
	return rc;
}

static int place_of_list(struct stress *s)
{
	const char *text = s->o.lcores ? s->o.lcores : s->o.lcores_short;
	struct corral_lcore_error e;
	int rc;

	s->place = calloc(1, sizeof(*s->place));
	if (!s->place)
		return tool_no_memory();
	rc = measure_place_lcores(&s->place[0].at, text, !s->o.lcores, roles(s), &e);
	if (rc == -ENOMEM)
		return tool_no_memory();
	if (rc != 0)
		return tool_bad_text(s->o.lcores ? "--lcores" : "-l", text, &e);
	s->places = 1;
	return EXIT_WELL;
}

static int places(struct stress *s)
{
	const struct corral_layout *standard;
	unsigned int n;

	if (s->o.lcores || s->o.lcores_short)
		return place_of_list(s);
	if (s->o.layouts)
		return places_of_text(s);
	standard = corral_layout_standard(&n);
	return places_of_layouts(s, standard, n);
}

/* Columns that cannot do what is asked in any row. */
static void drop_columns(struct stress *s)
{
	unsigned int i, n = 0;

	for (i = 0; i < s->cols; i++) {
		if (column_has(&s->col[i], (enum peer_access)s->o.access, s->col[i].name, s->doc))
			s->col[n++] = s->col[i];
	}
	s->cols = n;
}

/* Why a cell cannot be; text is empty if it can. */
static void objection(const struct stress *s, unsigned int row, unsigned int col, char *text, size_t size)
{
	const struct corral_lcore_plan *plan = &stress_place_of(s, row)->at->plan;
	const struct column *c = &s->col[col];
	bool split = s->o.roles == STRESS_SPLIT;
	unsigned int side = split ? plan->count - plan->producers : plan->count;
	char remedy[160];

	text[0] = '\0';
	if (c->mode->max_side && side > c->mode->max_side)
		snprintf(text, size, "%s a side only; %sa layout of fewer threads",
			 c->mode->max_side == 1 ? "one worker" : "few workers",
			 column_remedy(c, (enum peer_access)s->o.access, remedy, sizeof(remedy)));
	else if (split && s->o.esize == 4 && plan->producers > STRESS_PRODUCERS_4)
		snprintf(text, size, "more producers than %u bytes can tell apart (%u); take a larger --esize",
			 s->o.esize, STRESS_PRODUCERS_4);
}

static int cells(struct stress *s)
{
	unsigned int row, col;
	char name[160], why[320];

	s->rows = s->places * (unsigned int)s->o.waits.n;
	s->cell = calloc((size_t)s->rows * s->cols + 1, sizeof(*s->cell));
	if (!s->cell)
		return tool_no_memory();
	for (row = 0; row < s->rows; row++) {
		for (col = 0; col < s->cols; col++) {
			struct stress_cell *c = stress_at(s, row, col);

			if (measure_cell_init(&c->m, s->o.latency) != 0)
				return tool_no_memory();
			objection(s, row, col, why, sizeof(why));
			if (!why[0])
				continue;
			c->state = CELL_OUT;
			stress_cell_name(s, row, col, name, sizeof(name));
			measure_doc_skip(s->doc, name, "%s", why);
		}
	}
	return EXIT_WELL;
}

int stress_plan(struct stress *s)
{
	int code;

	opts_once("--wait", &s->o.waits, cell_wait_names);
	code = columns_build(&s->o.impls, &s->o.modes, s->doc, &s->col, &s->cols);
	if (code == EXIT_WELL) {
		drop_columns(s);
		code = places(s);
	}
	return code == EXIT_WELL ? cells(s) : code;
}

void stress_free(struct stress *s)
{
	unsigned int i;

	for (i = 0; s->cell && i < s->rows * s->cols; i++) {
		measure_cell_free(&s->cell[i].m);
		free(s->cell[i].ratio);
	}
	for (i = 0; i < s->places; i++) {
		measure_place_free(s->place[i].at);
		free(s->place[i].rtts);
	}
	free(s->cell);
	free(s->place);
	free(s->col);
	json_decref(s->doc);
	stress_opts_drop(&s->o);
}
