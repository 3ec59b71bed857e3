/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * place.h - where the workers of a cell run: a layout (8t@2c, 8t@2c:float), an lcore list, or CPUs by number.
 * A thin coat over the plans of lcore.h.
 */
#ifndef CORRAL_MEASURE_PLACE_H
#define CORRAL_MEASURE_PLACE_H

#include <stdbool.h>

#include <corral/lcore.h>

struct measure_place {
	char name[64]; /* "8t@2c", "lcores", "two-cores" */
	char *lcores;  /* the plan in the grammar of --lcores */
	struct corral_lcore_plan plan;
	struct corral_cpuset used; /* all CPUs that workers may run on */
};

/*
 * 0; -ERANGE: this process may use fewer cores, or -EINVAL: split roles and one thread (e says so: skip it); or another
 * negative errno. *place is NULL on failure.
 */
int measure_place_layout(struct measure_place **place, const struct corral_layout *layout, enum corral_roles roles,
			 struct corral_lcore_error *e);

/* 0 or negative errno; e->pos is CORRAL_LCORE_NO_PLACE if the list is right but has not the workers needed. */
int measure_place_lcores(struct measure_place **place, const char *text, bool short_form, enum corral_roles roles,
			 struct corral_lcore_error *e);

/* One worker on each of the CPUs given, the main thread unpinned. NULL and errno on failure. */
struct measure_place *measure_place_cpus(const char *name, const unsigned int *cpus, unsigned int n,
					 enum corral_roles roles);

void measure_place_free(struct measure_place *place);

/* The first two CPUs that workers of this place may run on; false if there is one only. */
bool measure_place_two(const struct measure_place *place, unsigned int cpu[2]);

#endif
