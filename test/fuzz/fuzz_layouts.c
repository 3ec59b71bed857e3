/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_layouts.c - any text as a list of layouts, and the plans of what was understood. The first byte: which CPUs. */
#include "text.h"

#define MOST 4096 /* layouts in an input */

struct read {
	unsigned int count;
	struct corral_layout layout[MOST];
};

/* By another reader: 1 if it is a list of layouts. */
static int read_layouts(const char *p, struct read *to)
{
	to->count = 0;
	do {
		struct corral_layout *l = &to->layout[to->count];

		MUST(to->count < MOST, "an input too long for this target");
		if (!text_number(&p, CORRAL_LCORE_LIMIT, &l->threads) || l->threads == 0 || !text_eat(&p, 't') ||
		    !text_eat(&p, '@') || !text_number(&p, CORRAL_CPU_LIMIT, &l->cores) || l->cores == 0 ||
		    !text_eat(&p, 'c'))
			return 0;
		l->floating = (uint32_t)text_eat(&p, ':');
		if (l->floating) {
			p = text_blank(p);
			if (strncmp(p, "float", 5) != 0)
				return 0;
			p += 5;
		}
		to->count++;
	} while (text_eat(&p, ','));
	return *text_blank(p) == '\0';
}

static int same(const struct corral_layout *a, const struct corral_layout *b)
{
	return a->threads == b->threads && a->cores == b->cores && !a->floating == !b->floating;
}

static size_t print_layout(const void *l, char *buf, size_t len)
{
	return corral_layout_print(l, buf, len);
}

static void check_text(const struct corral_layout *l)
{
	char text[CORRAL_LAYOUT_TEXT];
	struct corral_layouts again;

	MUST(corral_layout_print(l, text, sizeof(text)) < sizeof(text), "%s...", text);
	text_print(print_layout, l, text);
	MUST(corral_layouts_parse(&again, text, NULL) == 0, "'%s'", text);
	MUST(again.count == 1 && same(again.layout, l), "'%s'", text);
	corral_layouts_free(&again);
}

/* The n-th CPU of a set, from 0. */
static uint32_t nth(const struct corral_cpuset *set, uint32_t n)
{
	uint32_t cpu;

	for (cpu = 0; n > 0 || !corral_cpuset_has(set, cpu); cpu++)
		n -= (uint32_t)corral_cpuset_has(set, cpu);
	return cpu;
}

/* Where worker i belongs, as CLI.md's words have it. */
static struct corral_cpuset place(const struct corral_layout *l, int split, const struct corral_cpuset *allowed,
				  uint32_t i)
{
	uint32_t half = l->cores / 2, c;
	struct corral_cpuset cpus;

	corral_cpuset_zero(&cpus);
	if (l->floating) {
		for (c = 0; c < l->cores; c++)
			MUST(corral_cpuset_add(&cpus, nth(allowed, c)) == 0, "core %u", c);
		return cpus;
	}
	if (!split || half == 0)
		c = i % l->cores;
	else if (i < l->threads / 2)
		c = i % half;
	else
		c = half + (i - l->threads / 2) % (l->cores - half);
	MUST(corral_cpuset_add(&cpus, nth(allowed, c)) == 0, "core %u", c);
	return cpus;
}

static void check_workers(const struct corral_lcore_plan *plan, const struct corral_layout *l, int split,
			  const struct corral_cpuset *allowed)
{
	struct corral_cpuset used, want;
	uint32_t i, cpu;

	corral_cpuset_zero(&used);
	for (i = 0; i < plan->count; i++) {
		if (i == 0 || !l->floating)
			want = place(l, split, allowed, i);
		MUST(plan->worker[i].id == i, "worker %u is %u", i, plan->worker[i].id);
		MUST(corral_cpuset_equal(&plan->worker[i].cpus, &want), "the CPUs of worker %u", i);
		if (i > 0 && l->floating)
			continue;
		for (cpu = corral_cpuset_next(&want, 0); cpu != CORRAL_LCORE_NONE;
		     cpu = corral_cpuset_next(&want, cpu + 1))
			MUST(corral_cpuset_add(&used, cpu) == 0, "CPU %u", cpu);
	}
	MUST(plan->cores == corral_cpuset_count(&used), "%u cores", plan->cores);
	MUST(plan->floating == (l->floating && l->cores > 1), "floating is %d", plan->floating);
}

static void check_plan(const struct corral_layout *l, int split, const struct corral_cpuset *allowed)
{
	int rc, ok = l->cores <= corral_cpuset_count(allowed) && (!split || l->threads > 1);
	struct corral_lcore_plan plan;
	struct corral_lcore_error e;

	rc = corral_lcore_plan_layout(&plan, l, split ? CORRAL_ROLES_SPLIT : CORRAL_ROLES_BOTH, allowed, &e);
	MUST((rc == 0) == ok, "%ut@%uc gave %d (%s)", l->threads, l->cores, rc, rc ? e.text : "");
	if (!ok) {
		MUST(rc == (split && l->threads < 2 ? -EINVAL : -ERANGE), "%d", rc);
		MUST(e.text[0] && e.pos == CORRAL_LCORE_NO_PLACE, "'%s' at %zu", e.text, e.pos);
		MUST(plan.count == 0 && !plan.worker, "%u workers", plan.count);
		return;
	}
	MUST(plan.count == l->threads && !plan.has_main, "%u workers", plan.count);
	MUST(plan.producers == (split ? l->threads / 2 : l->threads), "%u producers", plan.producers);
	check_workers(&plan, l, split, allowed);
	text_print_plan(&plan, allowed);
	corral_lcore_plan_free(&plan);
}

static void check_layouts(const struct corral_layouts *l, const struct read *want, const struct corral_cpuset *allowed)
{
	unsigned int i;

	MUST(l->count == want->count, "%u layouts", l->count);
	for (i = 0; i < l->count; i++) {
		MUST(same(&l->layout[i], &want->layout[i]), "layout %u", i);
		check_text(&l->layout[i]);
		/* the first ones will do, and the plain ones: this target looks up each CPU in the slowest way */
		if (i < 4 && (uint64_t)l->layout[i].threads * l->layout[i].cores <= 2048) {
			check_plan(&l->layout[i], 0, allowed);
			check_plan(&l->layout[i], 1, allowed);
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct read want;
	struct corral_cpuset allowed = text_allowed(fuzz_byte(&data, &size));
	char *text = fuzz_text(data, size);
	struct corral_lcore_error e;
	struct corral_layouts l;
	int rc, ok = strlen(text) < MOST && read_layouts(text, &want);

	if (strlen(text) < MOST) {
		rc = corral_layouts_parse(&l, text, &e);
		MUST((rc == 0) == ok, "'%s' gave %d (%s)", text, rc, rc ? e.text : "");
		if (ok) {
			check_layouts(&l, &want, &allowed);
		} else {
			MUST(rc == -EINVAL || rc == -ERANGE, "%d", rc);
			MUST(l.count == 0 && !l.layout, "%u layouts", l.count);
			text_check_error(&e, text);
		}
		corral_layouts_free(&l);
		MUST(corral_layouts_parse(&l, text, NULL) == rc, "without an error to note");
		corral_layouts_free(&l);
	}
	free(text);
	return 0;
}
