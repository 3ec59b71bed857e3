/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_lcores.c - any text as a list of lcores, long and short, and the plans of it. The first byte: which CPUs. */
#include "text.h"

/* A list by another reader. Lcores of one part share their CPUs: so few sets that an array of them is enough. */
struct list {
	unsigned int count;
	struct {
		uint32_t id;
		int own;	  /* the CPU of its number alone */
		unsigned int set; /* else: which one */
	} lcore[CORRAL_LCORE_LIMIT];
	unsigned char seen[CORRAL_LCORE_LIMIT];
	unsigned int sets;
	struct corral_cpuset set[CORRAL_LCORE_LIMIT];
};

/* "N", "N-M" or a group of them: marks them in its own set, lcores also in the list. 1: a group, 0: not, -1: no. */
static int read_set(const char **p, struct list *l, int lcores, const struct corral_cpuset *allowed,
		    struct corral_cpuset *set)
{
	int group = text_eat(p, '(');
	uint32_t first, last;

	corral_cpuset_zero(set);
	do {
		if (!text_range(p, lcores ? CORRAL_LCORE_LIMIT - 1 : CORRAL_CPU_LIMIT - 1, &first, &last))
			return -1;
		for (; first <= last; first++) {
			MUST(corral_cpuset_add(set, first) == 0, "%u", first);
			if (!lcores && !corral_cpuset_has(allowed, first))
				return -1;
			if (lcores && l->seen[first]++)
				return -1;
			if (lcores)
				l->lcore[l->count++].id = first;
		}
	} while (group && text_eat(p, ','));
	return !group || text_eat(p, ')') ? group : -1;
}

static int read_part(const char **p, struct list *l, int shortly, const struct corral_cpuset *allowed)
{
	unsigned int i, begin = l->count;
	struct corral_cpuset *set = &l->set[l->sets];
	int group = read_set(p, l, 1, allowed, set), mapped = 0;

	if (group < 0 || (shortly && group))
		return 0;
	if (!shortly && text_eat(p, '@')) {
		mapped = 1;
		if (read_set(p, l, 0, allowed, set) < 0)
			return 0;
	}
	for (i = begin; i < l->count; i++) {
		if (!mapped && !corral_cpuset_has(allowed, l->lcore[i].id))
			return 0;
		l->lcore[i].own = !mapped && !group;
		l->lcore[i].set = l->sets;
	}
	l->sets++;
	return 1;
}

static int read_list(const char *p, struct list *l, int shortly, const struct corral_cpuset *allowed)
{
	l->count = l->sets = 0;
	memset(l->seen, 0, sizeof(l->seen));
	do {
		if (!read_part(&p, l, shortly, allowed))
			return 0;
	} while (text_eat(&p, ','));
	return *text_blank(p) == '\0';
}

static void check_list(const struct corral_lcores *l, const struct list *want)
{
	struct corral_cpuset own;
	unsigned int i;

	MUST(l->count == want->count, "%u lcores, should be %u", l->count, want->count);
	for (i = 0; i < l->count; i++) {
		const struct corral_cpuset *set = want->lcore[i].own ? &own : &want->set[want->lcore[i].set];

		corral_cpuset_zero(&own);
		MUST(corral_cpuset_add(&own, want->lcore[i].id) == 0, "%u", want->lcore[i].id);
		MUST(l->lcore[i].id == want->lcore[i].id, "lcore %u is %u", i, l->lcore[i].id);
		MUST(corral_cpuset_equal(&l->lcore[i].cpus, set), "the CPUs of lcore %u", i);
	}
}

static void check_plan(const struct corral_lcores *l, enum corral_roles roles, const struct corral_cpuset *allowed)
{
	unsigned int i, least = roles == CORRAL_ROLES_SPLIT ? 3 : 2;
	struct corral_lcore_plan plan;
	struct corral_lcore_error e;
	int rc = corral_lcore_plan_list(&plan, l, roles, &e), floating = 0;

	MUST((rc == 0) == (l->count >= least), "%u lcores gave %d", l->count, rc);
	if (rc) {
		MUST(rc == -EINVAL && e.pos == CORRAL_LCORE_NO_PLACE && e.text[0], "%d at %zu", rc, e.pos);
		MUST(plan.count == 0 && !plan.worker, "a plan in spite of %d", rc);
		return;
	}
	MUST(plan.count == l->count - 1 && plan.has_main, "%u workers", plan.count);
	MUST(plan.producers == (roles == CORRAL_ROLES_SPLIT ? plan.count / 2 : plan.count), "%u", plan.producers);
	for (i = 0; i < l->count; i++) {
		const struct corral_lcore *to = i ? &plan.worker[i - 1] : &plan.main;

		MUST(to->id == l->lcore[i].id && corral_cpuset_equal(&to->cpus, &l->lcore[i].cpus), "lcore %u", i);
		floating |= i && corral_cpuset_count(&to->cpus) > 1;
	}
	MUST(plan.floating == floating, "floating is %d", plan.floating);
	text_print_plan(&plan, allowed);
	corral_lcore_plan_free(&plan);
}

static void check(const char *text, int shortly, const struct corral_cpuset *allowed)
{
	int (*parse)(struct corral_lcores *, const char *, const struct corral_cpuset *, struct corral_lcore_error *) =
		shortly ? corral_lcores_parse_short : corral_lcores_parse;
	static struct list want;
	struct corral_lcore_error e;
	struct corral_lcores l;
	int rc, ok = read_list(text, &want, shortly, allowed);

	rc = parse(&l, text, allowed, &e);
	MUST((rc == 0) == ok, "'%s' (%s) gave %d (%s)", text, shortly ? "short" : "long", rc, rc ? e.text : "");
	if (ok) {
		check_list(&l, &want);
		check_plan(&l, CORRAL_ROLES_BOTH, allowed);
		if (l.count <= 128) /* long ones take long */
			check_plan(&l, CORRAL_ROLES_SPLIT, allowed);
	} else {
		MUST(rc == -EINVAL || rc == -ERANGE || rc == -EEXIST || rc == -ENODEV, "%d", rc);
		MUST(l.count == 0 && !l.lcore, "a list in spite of %d", rc);
		text_check_error(&e, text);
	}
	corral_lcores_free(&l);
	MUST(parse(&l, text, allowed, NULL) == rc, "without an error to note");
	corral_lcores_free(&l);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct corral_cpuset allowed = text_allowed(fuzz_byte(&data, &size));
	char *text = fuzz_text(data, size);

	check(text, 0, &allowed);
	check(text, 1, &allowed);
	free(text);
	return 0;
}
