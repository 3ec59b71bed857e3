/* SPDX-License-Identifier: BSD-3-Clause */
/* stress_json.c - summing up the rounds, comparing columns, and the results of the document. */
#include <stdlib.h>
#include <string.h>

#include "stress.h"
#include "tool.h"

static bool is_ours(const struct stress *s, unsigned int col)
{
	return strcmp(s->col[col].peer->name, "corral") == 0;
}

/* The column of the fastest mode of that peer in a row; cols if it has none there. */
static unsigned int best_of(const struct stress *s, unsigned int row, const struct peer *peer)
{
	unsigned int col, best = s->cols;

	for (col = 0; col < s->cols; col++) {
		const struct stress_cell *c = stress_at(s, row, col);

		if (s->col[col].peer == peer && c->m.rounds &&
		    (best == s->cols || c->m.speed.median > stress_at(s, row, best)->m.speed.median))
			best = col;
	}
	return best;
}

/* Against the best mode of each other implementation, in the order of the columns. */
static int compare(struct stress *s, unsigned int row, unsigned int col)
{
	struct stress_cell *c = stress_at(s, row, col);
	const struct peer *last = NULL;
	unsigned int other, best, n;

	c->ratio = calloc(s->cols, sizeof(*c->ratio));
	if (!c->ratio)
		return tool_no_memory();
	for (other = 0; other < s->cols; other++) {
		const struct peer *peer = s->col[other].peer;

		if (is_ours(s, other) || peer == last)
			continue; /* the columns of a peer stand together */
		last = peer;
		best = best_of(s, row, peer);
		if (best == s->cols)
			continue;
		n = stress_at(s, row, best)->m.rounds;
		n = n < c->m.rounds ? n : c->m.rounds;
		c->ratio[c->ratios].col = best;
		if (measure_ratios(&c->ratio[c->ratios].s, c->m.mobj_s, stress_at(s, row, best)->m.mobj_s, n) != 0)
			return tool_no_memory();
		c->ratios += c->ratio[c->ratios].s.n > 0;
	}
	return EXIT_WELL;
}

static int finish_cells(struct stress *s)
{
	unsigned int row, col;
	char name[160];

	for (row = 0; row < s->rows; row++) {
		for (col = 0; col < s->cols; col++) {
			struct stress_cell *c = stress_at(s, row, col);

			if (measure_cell_finish(&c->m) != 0)
				return tool_no_memory();
			stress_cell_name(s, row, col, name, sizeof(name));
			cell_count(&s->tally, name, &c->m);
		}
	}
	return EXIT_WELL;
}

int stress_sum_up(struct stress *s)
{
	unsigned int row, col, i;
	int code = finish_cells(s);

	for (i = 0; i < s->places && code == EXIT_WELL; i++) {
		struct stress_place *p = &s->place[i];

		if (p->rtts && measure_summarize(&p->rtt, p->rtts, p->rtt_count) != 0)
			code = tool_no_memory();
	}
	for (row = 0; row < s->rows; row++) {
		for (col = 0; col < s->cols && code == EXIT_WELL; col++) {
			if (is_ours(s, col) && stress_at(s, row, col)->m.rounds)
				code = compare(s, row, col);
		}
	}
	return code;
}

static json_t *versus(const struct stress *s, const struct stress_cell *c)
{
	json_t *vs = json_array(), *o;
	unsigned int i;

	for (i = 0; i < c->ratios; i++) {
		const struct stress_ratio *r = &c->ratio[i];

		o = json_object();
		json_object_set_new(o, "impl", json_string(s->col[r->col].peer->name));
		json_object_set_new(o, "mode", json_string(s->col[r->col].mode->name));
		json_object_set_new(o, "ratio", measure_json_number(r->s.median));
		json_object_set_new(o, "ci95",
				    json_pack("[o,o]", measure_json_number(r->s.lo), measure_json_number(r->s.hi)));
		json_array_append_new(vs, o);
	}
	return vs;
}

static void json_words(const struct stress *s, unsigned int row, const struct column *col, json_t *o)
{
	const struct measure_place *p = stress_place_of(s, row)->at;

	json_object_set_new(o, "layout", json_string(p->name));
	json_object_set_new(o, "lcores", json_string(p->lcores));
	json_object_set_new(o, "threads", json_integer(p->plan.count));
	json_object_set_new(o, "cores", json_integer(p->plan.cores));
	json_object_set_new(o, "roles", json_string(s->o.roles == STRESS_SPLIT ? "split" : "both"));
	json_object_set_new(o, "impl", json_string(col->peer->name));
	json_object_set_new(o, "impl_version", json_string(col->peer->version));
	json_object_set_new(o, "mode", json_string(col->mode->name));
	json_object_set_new(o, "prod_mode", json_string(col->mode->prod_mode));
	json_object_set_new(o, "cons_mode", json_string(col->mode->cons_mode));
	json_object_set_new(o, "access", json_string(column_access_names[s->o.access]));
	json_object_set_new(o, "esize", json_integer(s->o.esize));
	json_object_set_new(o, "size", json_integer(s->o.size));
	json_object_set_new(o, "objects", s->o.roles == STRESS_SPLIT ? json_null() : json_integer(s->o.objects));
	json_object_set_new(o, "bulk", json_pack("[i,i]", (int)s->o.bulk[0], (int)s->o.bulk[1]));
	json_object_set_new(o, "seconds", measure_json_number(s->o.seconds));
}

static json_t *json_result(const struct stress *s, unsigned int row, unsigned int col)
{
	const struct stress_cell *c = stress_at(s, row, col);
	const struct stress_place *p = stress_place_of(s, row);
	json_t *o = json_object();

	json_words(s, row, &s->col[col], o);
	measure_cell_json_speed(o, &c->m);
	json_object_set_new(o, "wait", json_string(cell_wait_names[stress_wait_of(s, row)]));
	json_object_set_new(o, "ring_wait",
			    json_string(s->o.ring_wait < 0 ? "default" : cell_ring_wait_names[s->o.ring_wait]));
	json_object_set_new(o, "timing", json_string(s->o.timing == STRESS_CALL ? "call" : "total"));
	json_object_set_new(o, "stages", json_integer(0));
	json_object_set_new(o, "quota_pct", json_null());
	json_object_set_new(o, "isolated", json_false());
	json_object_set_new(o, "rtt_ns", p->rtt_count ? measure_json_summary(&p->rtt, false) : json_null());
	if (c->m.hist)
		json_object_set_new(o, "call_ns", measure_json_latency(c->m.hist));
	measure_cell_json_checks(o, &c->m);
	json_object_set_new(o, "vs", versus(s, c));
	return o;
}

void stress_json(struct stress *s)
{
	unsigned int row, col;
	char name[160];

	for (row = 0; row < s->rows; row++) {
		for (col = 0; col < s->cols; col++) {
			const struct stress_cell *c = stress_at(s, row, col);

			if (c->m.rounds) {
				measure_doc_result(s->doc, json_result(s, row, col));
			} else if (c->state == CELL_ON) {
				stress_cell_name(s, row, col, name, sizeof(name));
				measure_doc_skip(s->doc, name, "the run was ended before its first round");
			}
		}
	}
}
