/* SPDX-License-Identifier: BSD-3-Clause */
/* place.c - places from layouts, lists and CPUs. */
#include "place.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct measure_place *new_place(const char *name)
{
	struct measure_place *p = calloc(1, sizeof(*p));

	if (p)
		snprintf(p->name, sizeof(p->name), "%s", name);
	return p;
}

/* What follows from the plan. */
static int finish(struct measure_place **out, struct measure_place *p)
{
	unsigned int i, c;
	size_t len;

	for (i = 0; i < p->plan.count; i++) {
		const struct corral_cpuset *set = &p->plan.worker[i].cpus;

		for (c = corral_cpuset_next(set, 0); c != CORRAL_LCORE_NONE; c = corral_cpuset_next(set, c + 1))
			corral_cpuset_add(&p->used, c);
	}
	len = corral_lcore_plan_print(&p->plan, NULL, 0);
	p->lcores = malloc(len + 1);
	if (!p->lcores) {
		measure_place_free(p);
		return -ENOMEM;
	}
	corral_lcore_plan_print(&p->plan, p->lcores, len + 1);
	*out = p;
	return 0;
}

int measure_place_layout(struct measure_place **place, const struct corral_layout *layout, enum corral_roles roles,
			 struct corral_lcore_error *e)
{
	char name[CORRAL_LAYOUT_TEXT];
	struct measure_place *p;
	int rc;

	*place = NULL;
	corral_layout_print(layout, name, sizeof(name));
	p = new_place(name);
	if (!p)
		return -ENOMEM;
	rc = corral_lcore_plan_layout(&p->plan, layout, roles, NULL, e);
	if (rc != 0) {
		free(p);
		return rc;
	}
	return finish(place, p);
}

static int from_list(struct measure_place **place, const char *name, const char *text, bool short_form,
		     enum corral_roles roles, const struct corral_cpuset *allowed, struct corral_lcore_error *e)
{
	struct corral_lcores list = { 0 };
	struct measure_place *p;
	int rc;

	*place = NULL;
	p = new_place(name);
	if (!p)
		return -ENOMEM;
	rc = short_form ? corral_lcores_parse_short(&list, text, allowed, e)
			: corral_lcores_parse(&list, text, allowed, e);
	if (rc == 0)
		rc = corral_lcore_plan_list(&p->plan, &list, roles, e);
	corral_lcores_free(&list);
	if (rc != 0) {
		free(p);
		return rc;
	}
	return finish(place, p);
}

int measure_place_lcores(struct measure_place **place, const char *text, bool short_form, enum corral_roles roles,
			 struct corral_lcore_error *e)
{
	return from_list(place, "lcores", text, short_form, roles, NULL, e);
}

struct measure_place *measure_place_cpus(const char *name, const unsigned int *cpus, unsigned int n,
					 enum corral_roles roles)
{
	struct corral_cpuset set = { 0 }; /* the caller may be pinned elsewhere by now */
	struct measure_place *p;
	char text[256];
	size_t used;
	unsigned int i;
	int rc;

	used = (size_t)snprintf(text, sizeof(text), "%u@%u", n, cpus[0]);
	for (i = 0; i < n; i++)
		corral_cpuset_add(&set, cpus[i]);
	for (i = 0; i < n && used < sizeof(text); i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, ",%u@%u", i, cpus[i]);
	rc = used < sizeof(text) ? from_list(&p, name, text, false, roles, &set, NULL) : -EINVAL;
	if (rc != 0) {
		errno = -rc;
		return NULL;
	}
	p->plan.has_main = 0;
	return p;
}

void measure_place_free(struct measure_place *place)
{
	if (!place)
		return;
	corral_lcore_plan_free(&place->plan);
	free(place->lcores);
	free(place);
}

bool measure_place_two(const struct measure_place *place, unsigned int cpu[2])
{
	cpu[0] = corral_cpuset_next(&place->used, 0);
	cpu[1] = corral_cpuset_next(&place->used, cpu[0] + 1);
	return cpu[1] != CORRAL_LCORE_NONE;
}
