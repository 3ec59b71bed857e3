/* SPDX-License-Identifier: BSD-3-Clause */
/* test_lcore_plan.c - layouts, and plans made of layouts and lists. */
#include "test.h"

#include <corral/lcore.h>

#include <errno.h>
#include <stdlib.h>

static struct corral_cpuset set_of(const char *text)
{
	struct corral_cpuset s;

	CHECK_EQ_INT(corral_cpuset_parse(&s, text, NULL), 0);
	return s;
}

static void layouts_are_read_and_written(void)
{
	static const struct {
		const char *in, *out;
		unsigned int count;
	} good[] = {
		{ "1t@1c", "1t@1c", 1 },
		{ "8t@2c:float", "8t@2c:float", 1 },
		{ "1t@1c,8t@2c,8t@2c:float", "1t@1c 8t@2c 8t@2c:float", 3 },
		{ " 8t@2c , 2t@1c ", "8t@2c 2t@1c", 2 },
		{ "1024t@8192c", "1024t@8192c", 1 },
		{ "2t@4c", "2t@4c", 1 },
	};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct corral_layouts l;
		char text[200] = "";

		CHECK_EQ_INT(corral_layouts_parse(&l, good[i].in, NULL), 0);
		CHECK_EQ_INT(l.count, good[i].count);
		for (unsigned int k = 0; k < l.count; k++) {
			char one[CORRAL_LAYOUT_TEXT];

			CHECK_LT_INT(corral_layout_print(&l.layout[k], one, sizeof(one)), sizeof(one));
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", k ? " " : "", one);
		}
		CHECK_EQ_STR(text, good[i].out);
		corral_layouts_free(&l);
		CHECK_EQ_INT(l.count, 0);
		corral_layouts_free(&l);
	}
}

static void bad_layouts_are_refused_with_their_place(void)
{
	static const struct {
		const char *text;
		size_t pos;
		int err;
	} bad[] = {
		{ "", 0, EINVAL },
		{ " ", 1, EINVAL },
		{ "8", 1, EINVAL },
		{ "8t", 2, EINVAL },
		{ "8t@", 3, EINVAL },
		{ "8t@2", 4, EINVAL },
		{ "t@2c", 0, EINVAL },
		{ "8t2c", 2, EINVAL },
		{ "8t@2c:", 6, EINVAL },
		{ "8t@2c:floats", 11, EINVAL },
		{ "8t@2c:pinned", 6, EINVAL },
		{ "8t@2c,", 6, EINVAL },
		{ "8t@2c,,1t@1c", 6, EINVAL },
		{ "0t@2c", 0, ERANGE },
		{ "8t@0c", 3, ERANGE },
		{ "1025t@1c", 0, ERANGE },
		{ "1t@8193c", 3, ERANGE },
		{ "1t@1c,99999999999t@1c", 6, ERANGE },
		{ "8T@2C", 1, EINVAL },
		{ "8t@2cx", 5, EINVAL },
	};
	struct corral_layouts l;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct corral_lcore_error e = { 0 };
		int rc = corral_layouts_parse(&l, bad[i].text, &e);

		if (rc != -bad[i].err || e.pos != bad[i].pos)
			printf("# \"%s\": %d at %zu: %s\n", bad[i].text, rc, e.pos, e.text);
		CHECK_EQ_INT(rc, -bad[i].err);
		CHECK_EQ_INT(e.pos, bad[i].pos);
		CHECK_EQ_INT(l.count, 0);
		CHECK_EQ_PTR(l.layout, NULL);
	}
}

static void a_long_list_of_layouts(void)
{
	char text[1000 * 6 + 1] = "";
	struct corral_layouts l;

	for (int i = 0; i < 1000; i++)
		strcat(text, i ? ",2t@1c" : "2t@1c");
	CHECK_EQ_INT(corral_layouts_parse(&l, text, NULL), 0);
	CHECK_EQ_INT(l.count, 1000);
	CHECK_EQ_INT(l.layout[999].threads, 2);
	corral_layouts_free(&l);
}

static void the_standard_rows_are_those_of_the_reference_table(void)
{
	static const char *const rows[] = { "1t@1c",   "2t@2c",	      "4t@4c",	      "8t@8c",	     "16t@16c",
					    "32t@32c", "2t@1c",	      "4t@2c",	      "8t@2c",	     "16t@2c",
					    "32t@2c",  "8t@2c:float", "16t@4c:float", "32t@4c:float" };
	unsigned int count;
	const struct corral_layout *l = corral_layout_standard(&count);

	CHECK_EQ_INT(count, sizeof(rows) / sizeof(rows[0]));
	for (unsigned int i = 0; i < count; i++) {
		char text[CORRAL_LAYOUT_TEXT];

		corral_layout_print(&l[i], text, sizeof(text));
		CHECK_EQ_STR(text, rows[i]);
	}
}

static const char *plan_text(const struct corral_lcore_plan *p)
{
	static char text[8192];

	CHECK_LT_INT(corral_lcore_plan_print(p, text, sizeof(text)), sizeof(text));
	return text;
}

static void layouts_become_plans(void)
{
	static const struct {
		struct corral_layout l;
		enum corral_roles roles;
		const char *allowed, *text;
		unsigned int producers, cores;
	} good[] = {
		{ { 1, 1, 0 }, CORRAL_ROLES_BOTH, "0-1", "0@0", 1, 1 },
		{ { 4, 2, 0 }, CORRAL_ROLES_BOTH, "0-1", "0@0,1@1,2@0,3@1", 4, 2 },
		{ { 4, 2, 0 }, CORRAL_ROLES_BOTH, "5,9-11", "0@5,1@9,2@5,3@9", 4, 2 },
		{ { 2, 2, 1 }, CORRAL_ROLES_BOTH, "3,5", "0@(3,5),1@(3,5)", 2, 2 },
		{ { 2, 2, 0 }, CORRAL_ROLES_SPLIT, "0-1", "0@0,1@1", 1, 2 },
		{ { 2, 1, 0 }, CORRAL_ROLES_SPLIT, "0-1", "0@0,1@0", 1, 1 },
		{ { 4, 2, 0 }, CORRAL_ROLES_SPLIT, "0-1", "0@0,1@0,2@1,3@1", 2, 2 },
		{ { 8, 4, 0 }, CORRAL_ROLES_SPLIT, "0-3", "0@0,1@1,2@0,3@1,4@2,5@3,6@2,7@3", 4, 4 },
		{ { 3, 3, 0 }, CORRAL_ROLES_SPLIT, "0-3", "0@0,1@1,2@2", 1, 3 },
		{ { 2, 2, 1 }, CORRAL_ROLES_SPLIT, "0-3", "0@(0-1),1@(0-1)", 1, 2 },
	};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct corral_cpuset allowed = set_of(good[i].allowed), again_allowed = set_of("0-63");
		struct corral_lcore_plan p;
		struct corral_lcores again;

		CHECK_EQ_INT(corral_lcore_plan_layout(&p, &good[i].l, good[i].roles, &allowed, NULL), 0);
		CHECK_EQ_INT(p.count, good[i].l.threads);
		CHECK_EQ_INT(p.producers, good[i].producers);
		CHECK_EQ_INT(p.cores, good[i].cores);
		CHECK_EQ_INT(p.has_main, 0);
		CHECK_EQ_INT(p.floating, good[i].l.floating);
		/* as lcores: the same text or an equal one */
		CHECK_EQ_INT(corral_lcores_parse(&again, plan_text(&p), &again_allowed, NULL), 0);
		CHECK_EQ_INT(again.count, p.count);
		for (unsigned int k = 0; k < p.count; k++) {
			CHECK_EQ_INT(again.lcore[k].id, p.worker[k].id);
			CHECK(corral_cpuset_equal(&again.lcore[k].cpus, &p.worker[k].cpus));
		}
		corral_lcores_free(&again);
		CHECK_EQ_INT(corral_lcores_parse(&again, good[i].text, &again_allowed, NULL), 0);
		CHECK_EQ_INT(again.count, p.count);
		for (unsigned int k = 0; k < p.count; k++)
			CHECK(corral_cpuset_equal(&again.lcore[k].cpus, &p.worker[k].cpus));
		corral_lcores_free(&again);
		corral_lcore_plan_free(&p);
		CHECK_EQ_INT(p.count, 0);
		corral_lcore_plan_free(&p);
	}
}

static void every_standard_row_fits_a_machine_of_64_cpus_with_holes(void)
{
	struct corral_cpuset allowed;
	struct corral_lcore_plan p;
	unsigned int count;
	const struct corral_layout *l = corral_layout_standard(&count);

	corral_cpuset_zero(&allowed);
	for (unsigned int c = 0; c < 64; c++)
		CHECK_EQ_INT(corral_cpuset_add(&allowed, 3 * c + 1), 0);
	for (unsigned int i = 0; i < count; i++)
		for (int roles = CORRAL_ROLES_BOTH; roles <= CORRAL_ROLES_SPLIT; roles++) {
			if (roles == CORRAL_ROLES_SPLIT && l[i].threads == 1)
				continue;
			CHECK_EQ_INT(corral_lcore_plan_layout(&p, &l[i], (enum corral_roles)roles, &allowed, NULL), 0);
			CHECK_EQ_INT(p.cores, l[i].cores);
			for (unsigned int k = 0; k < p.count; k++) {
				unsigned int cpu = corral_cpuset_next(&p.worker[k].cpus, 0);

				CHECK_EQ_INT(corral_cpuset_count(&p.worker[k].cpus), l[i].floating ? l[i].cores : 1);
				CHECK(corral_cpuset_has(&allowed, cpu));
				CHECK_LT_INT(cpu, 3 * l[i].cores + 1); /* the lowest ones */
			}
			corral_lcore_plan_free(&p);
		}
}

static void a_layout_that_needs_more_cores_is_refused(void)
{
	struct corral_layout l = { 4, 4, 0 };
	struct corral_cpuset allowed = set_of("0-2");
	struct corral_lcore_error e = { 0 };
	struct corral_lcore_plan p;

	CHECK_EQ_INT(corral_lcore_plan_layout(&p, &l, CORRAL_ROLES_BOTH, &allowed, &e), -ERANGE);
	CHECK_EQ_STR(e.text, "4t@4c needs 4 cores, this process may use 3");
	CHECK(e.pos == CORRAL_LCORE_NO_PLACE);
	CHECK_EQ_INT(p.count, 0);
	CHECK_EQ_PTR(p.worker, NULL);
}

static void one_thread_cannot_split_its_roles(void)
{
	struct corral_layout l = { 1, 1, 0 };
	struct corral_cpuset allowed = set_of("0-2");
	struct corral_lcore_error e = { 0 };
	struct corral_lcore_plan p;

	CHECK_EQ_INT(corral_lcore_plan_layout(&p, &l, CORRAL_ROLES_SPLIT, &allowed, &e), -EINVAL);
	CHECK_HAS_STR(e.text, "1t@1c: split roles need two threads or more");
}

static void a_layout_out_of_its_limits_is_refused(void)
{
	static const struct corral_layout bad[] = { { 0, 1, 0 }, { 1, 0, 0 }, { 1025, 1, 0 }, { 1, 8193, 0 } };
	struct corral_cpuset allowed = set_of("0-8191");
	struct corral_lcore_plan p;

	for (size_t i = 0; i < 4; i++)
		CHECK_EQ_INT(corral_lcore_plan_layout(&p, &bad[i], CORRAL_ROLES_BOTH, &allowed, NULL), -EINVAL);
}

static void lists_become_plans(void)
{
	struct corral_cpuset allowed = set_of("0-63");
	struct corral_lcore_plan p;
	struct corral_lcores l;

	CHECK_EQ_INT(corral_lcores_parse(&l, "6,(10-12)@7,(20-21)@(8,9)", &allowed, NULL), 0);
	CHECK_EQ_INT(corral_lcore_plan_list(&p, &l, CORRAL_ROLES_BOTH, NULL), 0);
	CHECK_EQ_INT(p.has_main, 1);
	CHECK_EQ_INT(p.main.id, 6);
	CHECK_EQ_INT(p.count, 5);
	CHECK_EQ_INT(p.producers, 5);
	CHECK_EQ_INT(p.cores, 3);
	CHECK_EQ_INT(p.floating, 1);
	CHECK_EQ_INT(p.worker[0].id, 10);
	CHECK_EQ_INT(p.worker[4].id, 21);
	corral_lcore_plan_free(&p);
	CHECK_EQ_INT(corral_lcore_plan_list(&p, &l, CORRAL_ROLES_SPLIT, NULL), 0);
	CHECK_EQ_INT(p.producers, 2); /* half, rounded down */
	corral_lcores_free(&l);	      /* the plan has a copy */
	CHECK_EQ_INT(p.worker[1].id, 11);
	CHECK(corral_cpuset_has(&p.worker[4].cpus, 9));
	corral_lcore_plan_free(&p);
}

static void a_list_without_workers_has_no_plan(void)
{
	struct corral_cpuset allowed = set_of("0-63");
	struct corral_lcore_error e = { 0 };
	struct corral_lcore_plan p;
	struct corral_lcores l;

	CHECK_EQ_INT(corral_lcores_parse(&l, "3", &allowed, NULL), 0);
	CHECK_EQ_INT(corral_lcore_plan_list(&p, &l, CORRAL_ROLES_BOTH, &e), -EINVAL);
	CHECK_HAS_STR(e.text, "no worker");
	corral_lcores_free(&l);
	CHECK_EQ_INT(corral_lcores_parse(&l, "3,4", &allowed, NULL), 0);
	CHECK_EQ_INT(corral_lcore_plan_list(&p, &l, CORRAL_ROLES_SPLIT, &e), -EINVAL);
	CHECK_HAS_STR(e.text, "one worker");
	CHECK_EQ_INT(corral_lcore_plan_list(&p, &l, CORRAL_ROLES_BOTH, &e), 0);
	corral_lcore_plan_free(&p);
	corral_lcores_free(&l);
}

static void a_plan_is_printed_within_its_buffer(void)
{
	struct corral_layout l = { 4, 2, 1 };
	struct corral_cpuset allowed = set_of("0-1");
	struct corral_lcore_plan p;
	char whole[200], buf[200];
	size_t n;

	CHECK_EQ_INT(corral_lcore_plan_layout(&p, &l, CORRAL_ROLES_BOTH, &allowed, NULL), 0);
	n = corral_lcore_plan_print(&p, whole, sizeof(whole));
	CHECK_EQ_INT(corral_lcore_plan_print(&p, NULL, 0), n);
	for (size_t len = 1; len <= n + 1; len++) {
		memset(buf, 'x', sizeof(buf));
		CHECK_EQ_INT(corral_lcore_plan_print(&p, buf, len), n);
		CHECK_EQ_INT(strlen(buf), len - 1);
		CHECK(strncmp(buf, whole, len - 1) == 0);
		CHECK_EQ_INT(buf[len], 'x');
	}
	corral_lcore_plan_free(&p);
}

int main(void)
{
	TEST(layouts_are_read_and_written);
	TEST(bad_layouts_are_refused_with_their_place);
	TEST(a_long_list_of_layouts);
	TEST(the_standard_rows_are_those_of_the_reference_table);
	TEST(layouts_become_plans);
	TEST(every_standard_row_fits_a_machine_of_64_cpus_with_holes);
	TEST(a_layout_that_needs_more_cores_is_refused);
	TEST(one_thread_cannot_split_its_roles);
	TEST(a_layout_out_of_its_limits_is_refused);
	TEST(lists_become_plans);
	TEST(a_list_without_workers_has_no_plan);
	TEST(a_plan_is_printed_within_its_buffer);
	return test_end();
}
