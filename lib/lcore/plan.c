/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan.c - from a layout or a list of lcores to the CPUs of each worker, and a plan as text.
 */
#include <corral/lcore.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "scan.h"

static int plan_alloc(struct corral_lcore_plan *plan, unsigned int workers, struct corral_lcore_error *e)
{
	plan->worker = calloc(workers, sizeof(*plan->worker));
	if (!plan->worker)
		return corral_lcore_fail_(e, ENOMEM, CORRAL_LCORE_NO_PLACE, "out of memory");
	plan->count = workers;
	return 0;
}

/* Workers from..to-1 round robin on the given cores. */
static void pin_round_robin(struct corral_lcore_plan *plan, unsigned int from, unsigned int to, const uint32_t *core,
			    unsigned int cores)
{
	unsigned int i;

	for (i = from; i < to; i++)
		(void)corral_cpuset_add(&plan->worker[i].cpus, core[(i - from) % cores]);
}

/* Needs plan->producers; core: l->cores CPUs. */
static void place_workers(struct corral_lcore_plan *plan, const struct corral_layout *l, const uint32_t *core)
{
	unsigned int half = plan->producers < plan->count ? l->cores / 2 : 0;
	unsigned int i, c;

	for (i = 0; i < plan->count; i++) {
		plan->worker[i].id = i;
		for (c = 0; l->floating && c < l->cores; c++)
			(void)corral_cpuset_add(&plan->worker[i].cpus, core[c]);
	}
	if (l->floating)
		return;
	if (plan->producers == plan->count) {
		pin_round_robin(plan, 0, plan->count, core, l->cores);
	} else if (half == 0) { /* one core for both halves */
		pin_round_robin(plan, 0, plan->count, core, 1);
	} else {
		pin_round_robin(plan, 0, plan->producers, core, half);
		pin_round_robin(plan, plan->producers, plan->count, core + half, l->cores - half);
	}
}

static int check_layout(const struct corral_layout *l, enum corral_roles roles, unsigned int have,
			struct corral_lcore_error *e)
{
	char name[CORRAL_LAYOUT_TEXT];

	if (l->threads < 1 || l->threads > CORRAL_LCORE_LIMIT || l->cores < 1 || l->cores > CORRAL_CPU_LIMIT)
		return corral_lcore_fail_(e, EINVAL, CORRAL_LCORE_NO_PLACE,
					  "a layout has 1 to %u threads on 1 to %u cores", CORRAL_LCORE_LIMIT,
					  CORRAL_CPU_LIMIT);
	corral_layout_print(l, name, sizeof(name));
	if (roles == CORRAL_ROLES_SPLIT && l->threads < 2)
		return corral_lcore_fail_(e, EINVAL, CORRAL_LCORE_NO_PLACE, "%s: split roles need two threads or more",
					  name);
	if (l->cores > have)
		return corral_lcore_fail_(e, ERANGE, CORRAL_LCORE_NO_PLACE,
					  "%s needs %u cores, this process may use %u", name, l->cores, have);
	return 0;
}

/* The CPUs that the workers may use in all, and whether some worker may move. */
static void sum_up(struct corral_lcore_plan *plan)
{
	struct corral_cpuset all;
	unsigned int i;
	size_t w;

	corral_cpuset_zero(&all);
	for (i = 0; i < plan->count; i++) {
		for (w = 0; w < sizeof(all.word) / sizeof(all.word[0]); w++)
			all.word[w] |= plan->worker[i].cpus.word[w];
		plan->floating |= corral_cpuset_count(&plan->worker[i].cpus) > 1;
	}
	plan->cores = corral_cpuset_count(&all);
}

int corral_lcore_plan_layout(struct corral_lcore_plan *plan, const struct corral_layout *l, enum corral_roles roles,
			     const struct corral_cpuset *allowed, struct corral_lcore_error *e)
{
	struct corral_cpuset mine;
	uint32_t *core, i, cpu;
	int err;

	memset(plan, 0, sizeof(*plan));
	if (!allowed) {
		err = corral_lcore_allowed(&mine);
		if (err < 0)
			return corral_lcore_fail_(e, -err, CORRAL_LCORE_NO_PLACE,
						  "cannot learn which CPUs may be used");
		allowed = &mine;
	}
	err = check_layout(l, roles, corral_cpuset_count(allowed), e);
	if (!err)
		err = plan_alloc(plan, l->threads, e);
	if (err)
		return err;
	core = calloc(l->cores, sizeof(*core));
	if (!core) {
		corral_lcore_plan_free(plan);
		return corral_lcore_fail_(e, ENOMEM, CORRAL_LCORE_NO_PLACE, "out of memory");
	}
	for (i = 0, cpu = 0; i < l->cores; i++, cpu++)
		core[i] = cpu = corral_cpuset_next(allowed, cpu);
	plan->producers = roles == CORRAL_ROLES_SPLIT ? l->threads / 2 : l->threads;
	place_workers(plan, l, core);
	free(core);
	sum_up(plan);
	return 0;
}

int corral_lcore_plan_list(struct corral_lcore_plan *plan, const struct corral_lcores *l, enum corral_roles roles,
			   struct corral_lcore_error *e)
{
	unsigned int workers = l->count ? l->count - 1 : 0;
	int err;

	memset(plan, 0, sizeof(*plan));
	if (workers < 1)
		return corral_lcore_fail_(e, EINVAL, CORRAL_LCORE_NO_PLACE,
					  "no worker: the first lcore only coordinates, so a list needs two or more");
	if (roles == CORRAL_ROLES_SPLIT && workers < 2)
		return corral_lcore_fail_(e, EINVAL, CORRAL_LCORE_NO_PLACE,
					  "one worker: split roles need two or more behind the main lcore");
	err = plan_alloc(plan, workers, e);
	if (err)
		return err;
	plan->has_main = 1;
	plan->main = l->lcore[0];
	memcpy(plan->worker, l->lcore + 1, workers * sizeof(*plan->worker));
	plan->producers = roles == CORRAL_ROLES_SPLIT ? workers / 2 : workers;
	sum_up(plan);
	return 0;
}

void corral_lcore_plan_free(struct corral_lcore_plan *plan)
{
	free(plan->worker);
	memset(plan, 0, sizeof(*plan));
}

static void print_lcores(struct text_out *o, uint32_t first, uint32_t last, const struct corral_cpuset *cpus)
{
	const char *comma = o->need ? "," : "";
	int one = corral_cpuset_count(cpus) == 1;

	if (first == last)
		corral_text_add_(o, "%s%u@", comma, first);
	else
		corral_text_add_(o, "%s(%u-%u)@", comma, first, last);
	corral_text_add_(o, one ? "" : "(");
	corral_text_set_(o, cpus);
	corral_text_add_(o, one ? "" : ")");
}

size_t corral_lcore_plan_print(const struct corral_lcore_plan *plan, char *buf, size_t len)
{
	struct text_out o = { buf, len, 0 };
	unsigned int i, next;

	if (len > 0)
		buf[0] = '\0';
	if (plan->has_main)
		print_lcores(&o, plan->main.id, plan->main.id, &plan->main.cpus);
	for (i = 0; i < plan->count; i = next) {
		const struct corral_lcore *w = plan->worker;

		for (next = i + 1; next < plan->count; next++)
			if (w[next].id != w[next - 1].id + 1 || !corral_cpuset_equal(&w[next].cpus, &w[i].cpus))
				break;
		print_lcores(&o, w[i].id, w[next - 1].id, &w[i].cpus);
	}
	return o.need;
}
