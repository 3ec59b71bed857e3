/* SPDX-License-Identifier: BSD-3-Clause */
/* stress_print.c - the table of `corral stress` and the lines below it. */
#include <stdio.h>

#include "measure/clock.h"
#include "measure/hist.h"
#include "stress.h"
#include "table.h"
#include "tool.h"

#define LABEL "%-28s"

static void print_head(const struct stress *s)
{
	unsigned int i, rounds = 0;
	bool interval = false;

	for (i = 0; i < s->rows * s->cols; i++) {
		rounds = s->cell[i].m.rounds > rounds ? s->cell[i].m.rounds : rounds;
		interval = interval || measure_has_interval(&s->cell[i].m.speed);
	}
	printf("Mobj/s: millions of objects a second, median of %u round%s of %g s", rounds, rounds == 1 ? "" : "s",
	       s->o.seconds);
	if (interval)
		printf(", %s half of its 95 %% interval", tool_plus_minus());
	printf("\nroles %s, ", s->o.roles == STRESS_SPLIT ? "split" : "both");
	if (s->o.roles == STRESS_BOTH)
		printf("%u objects, ", s->o.objects);
	printf("size %u, %u bytes an object, bulk %u", s->o.size, s->o.esize, s->o.bulk[0]);
	if (s->o.bulk[1] != s->o.bulk[0])
		printf("..%u", s->o.bulk[1]);
	printf(", access %s", column_access_names[s->o.access]);
	if (s->o.waits.n == 1)
		printf(", wait %s", cell_wait_names[s->o.waits.v[0]]);
	if (s->o.ring_wait >= 0)
		printf(", ring wait %s", cell_ring_wait_names[s->o.ring_wait]);
	if (s->o.timing == STRESS_CALL)
		printf(", cycles of the calls alone");
	puts("\n");
}

static void fill_row(const struct stress *s, struct table *t, unsigned int row)
{
	unsigned int col, best = s->cols;

	if (s->o.waits.n > 1)
		snprintf(t->name[row], TABLE_TEXT, "%.30s %s", stress_place_of(s, row)->at->name,
			 cell_wait_names[stress_wait_of(s, row)]);
	else
		snprintf(t->name[row], TABLE_TEXT, "%.30s", stress_place_of(s, row)->at->name);
	for (col = 0; col < s->cols; col++) {
		const struct measure_cell *m = &stress_at(s, row, col)->m;

		if (!m->rounds)
			continue;
		table_median(table_at(t, row, col)->text, TABLE_TEXT, &m->speed, m->noisy);
		if (!measure_cell_bad(m) &&
		    (best == s->cols || m->speed.median > stress_at(s, row, best)->m.speed.median))
			best = col;
	}
	if (best < s->cols && s->cols > 1)
		table_at(t, row, best)->best = true;
}

static int print_table(const struct stress *s)
{
	struct table *t = table_new(s->rows, s->cols);
	unsigned int row, col;

	if (!t)
		return tool_no_memory();
	snprintf(t->corner, sizeof(t->corner), "layout");
	for (col = 0; col < s->cols; col++) {
		snprintf(t->head[col][0], TABLE_TEXT, "%s ", s->col[col].peer->name);
		snprintf(t->head[col][1], TABLE_TEXT, "%s ", s->col[col].mode->name);
	}
	for (row = 0; row < s->rows; row++)
		fill_row(s, t, row);
	table_print(t);
	putchar('\n');
	table_free(t);
	return EXIT_WELL;
}

static void print_aggregate(const char *name, const struct measure_cell *m)
{
	const struct measure_summary *c = &m->cycles_per_obj;
	char median[24], min[24], max[24];

	printf("AGGREGATE " LABEL " DEQ+ENQ %10s cycles/obj (%s to %s; %s)\n", name,
	       table_number(median, sizeof(median), c->median), table_number(min, sizeof(min), c->min),
	       table_number(max, sizeof(max), c->max), MEASURE_CLOCK_NAME);
}

static void print_latency(const char *name, const struct measure_cell *m)
{
	static const struct {
		const char *name;
		double q;
	} at[] = { { "p50", 0.5 }, { "p99", 0.99 }, { "p99.9", 0.999 }, { "p99.99", 0.9999 } };
	unsigned int i;

	if (!m->hist || !m->hist->calls)
		return;
	printf("CALL_NS " LABEL, name);
	for (i = 0; i < sizeof(at) / sizeof(at[0]); i++)
		printf("  %s %.0f", at[i].name, measure_hist_quantile(m->hist, at[i].q) * 1e9 / measure_clock_hz());
	printf("  max %.0f ns of %llu calls\n", measure_clock_ns(m->hist->max), (unsigned long long)m->hist->calls);
}

/* A line for each cell that was measured. */
static void print_cells(const struct stress *s, void (*print)(const char *name, const struct measure_cell *m))
{
	unsigned int row, col;
	char name[160];

	for (row = 0; row < s->rows; row++) {
		for (col = 0; col < s->cols; col++) {
			if (!stress_at(s, row, col)->m.rounds)
				continue;
			stress_cell_name(s, row, col, name, sizeof(name));
			print(name, &stress_at(s, row, col)->m);
		}
	}
}

static void print_ratio(const struct stress *s, const char *name, const struct stress_ratio *r, bool *told)
{
	if (!*told)
		puts("(RATIO: a mode of corral by the best mode of each other implementation in that row, round by "
		     "round)");
	*told = true;
	printf("RATIO " LABEL " %.2fx of %s", name, r->s.median, s->col[r->col].name);
	if (measure_has_interval(&r->s))
		printf(" (95 %%: %.2f to %.2f)", r->s.lo, r->s.hi);
	putchar('\n');
}

static void print_ratios(const struct stress *s)
{
	unsigned int row, col, i;
	bool told = false;
	char name[160];

	for (row = 0; row < s->rows; row++) {
		for (col = 0; col < s->cols; col++) {
			const struct stress_cell *c = stress_at(s, row, col);

			stress_cell_name(s, row, col, name, sizeof(name));
			for (i = 0; i < c->ratios; i++)
				print_ratio(s, name, &c->ratio[i], &told);
		}
	}
}

static void print_distances(const struct stress *s)
{
	bool told = false;
	unsigned int i;

	for (i = 0; i < s->places; i++) {
		const struct stress_place *p = &s->place[i];

		if (!p->rtt_count)
			continue;
		if (!told)
			puts("(RTT: how far two cores are; figures of several cores compare only where it is alike)");
		told = true;
		printf("RTT " LABEL
		       " %.0f ns for a cache line from its first core to its second and back (%.0f to %.0f)\n",
		       p->at->name, p->rtt.median, p->rtt.min, p->rtt.max);
	}
}

int stress_print(struct stress *s)
{
	int code;

	print_head(s);
	code = print_table(s);
	print_cells(s, print_aggregate);
	print_cells(s, print_latency);
	print_ratios(s);
	print_distances(s);
	return code;
}
