/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_lcore_plan.c - layouts (8t@2c:float) as text, and which worker runs where: plans of layouts and of lists.
 */
#include "test.h"

#include <corral/lcore.h>

#include <errno.h>

static struct corral_cpuset set_of(const char *cpus)
{
	struct corral_cpuset set;

	corral_cpuset_zero(&set);
	if (cpus[0])
		CHECK_EQ_INT(corral_cpuset_parse(&set, cpus, NULL), 0);
	return set;
}

static struct corral_layout layout_of(const char *text)
{
	struct corral_layouts list;
	struct corral_layout l;

	CHECK_EQ_INT(corral_layouts_parse(&list, text, NULL), 0);
	CHECK_EQ_INT(list.count, 1);
	l = list.layout[0];
	corral_layouts_free(&list);
	return l;
}

/* ---- Layouts ---- */

static void layouts_are_read_and_written(void)
{
	static const char *const pairs[][2] = {
		{ "1t@1c", "1t@1c" },
		{ "8t@2c:float", "8t@2c:float" },
		{ "1t@1c,2t@2c,8t@2c:float", "1t@1c,2t@2c,8t@2c:float" },
		{ " 8 t @ 2 c : float ,\t016t@4c ", "8t@2c:float,16t@4c" },
		{ "1024t@8192c", "1024t@8192c" },
		{ "1t@1c,1t@1c", "1t@1c,1t@1c" },
		{ "1024t@8192c:float", "1024t@8192c:float" },
	};
	char text[128], one[CORRAL_LAYOUT_TEXT];
	struct corral_layouts l;
	unsigned int n;
	size_t i;

	for (i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		CHECK_EQ_INT(corral_layouts_parse(&l, pairs[i][0], NULL), 0);
		text[0] = '\0';
		for (n = 0; n < l.count; n++) {
			CHECK(corral_layout_print(&l.layout[n], one, sizeof(one)) < sizeof(one));
			strcat(strcat(text, n ? "," : ""), one);
		}
		CHECK_EQ_STR(text, pairs[i][1]);
		corral_layouts_free(&l);
		CHECK_EQ_INT(l.count, 0);
		CHECK_EQ_PTR(l.layout, NULL);
	}
}

static void a_layout_is_printed_within_its_buffer(void)
{
	struct corral_layout l = layout_of("8t@2c:float");
	char buf[16];
	size_t len;

	CHECK_EQ_INT(corral_layout_print(&l, NULL, 0), 11);
	for (len = 0; len < sizeof(buf) - 1; len++) {
		memset(buf, '#', sizeof(buf));
		CHECK_EQ_INT(corral_layout_print(&l, buf, len), 11);
		CHECK(buf[len] == '#');
		if (len > 0)
			CHECK(!strncmp(buf, "8t@2c:float", strlen(buf)) && strlen(buf) == (len > 11 ? 11 : len - 1));
	}
}

static void bad_layouts_are_refused_with_their_place(void)
{
	static const struct {
		const char *text;
		int err;
		size_t pos;
		const char *words;
	} bad[] = {
		{ "", -EINVAL, 0, "the list of layouts is empty" },
		{ "  ", -EINVAL, 2, "the list of layouts is empty" },
		{ "t@2c", -EINVAL, 0, "expected a number, found 't'" },
		{ "8x@2c", -EINVAL, 1, "found 'x'" },
		{ "8T@2C", -EINVAL, 1, "found 'T'" },
		{ "8@2c", -EINVAL, 1, "expected 't' after the count of threads" },
		{ "8", -EINVAL, 1, "expected 't' after the count of threads" },
		{ "8t", -EINVAL, 2, "expected '@' between threads and cores" },
		{ "8t2c", -EINVAL, 2, "found '2'" },
		{ "8t@", -EINVAL, 3, "expected a number, found the end" },
		{ "8t@2", -EINVAL, 4, "expected 'c' after the count of cores" },
		{ "8t@2x", -EINVAL, 4, "found 'x'" },
		{ "8t@2c:", -EINVAL, 6, "only 'float' may stand after ':'" },
		{ "8t@2c:flo", -EINVAL, 6, "only 'float'" },
		{ "8t@2c:fixed", -EINVAL, 6, "only 'float'" },
		{ "8t@2c: Float", -EINVAL, 7, "only 'float'" },
		{ "8t@2c:floats", -EINVAL, 11, "expected ',' or the end, found 's'" },
		{ "8t@2c,", -EINVAL, 6, "found the end" },
		{ "8t@2c,,1t@1c", -EINVAL, 6, "found ','" },
		{ "8t@2c 1t@1c", -EINVAL, 6, "found '1'" },
		{ "-1t@1c", -EINVAL, 0, "found '-'" },
		{ "8t\xe2\x80\xa8@2c", -EINVAL, 2, "byte 0xe2" },
		{ "0t@1c", -ERANGE, 0, "a count of threads is 1 to 1024" },
		{ "1t@0c", -ERANGE, 3, "a count of cores is 1 to 8192" },
		{ "1025t@1c", -ERANGE, 0, "up to 1024" },
		{ "1t@1c,1t@8193c", -ERANGE, 9, "up to 8192" },
		{ "99999999999999999999999t@1c", -ERANGE, 0, "too large" },
		{ "4294967297t@1c", -ERANGE, 0, "too large" },
	};
	struct corral_layout junk;
	struct corral_lcore_error e;
	struct corral_layouts l;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		int err;

		l = (struct corral_layouts){ 7, &junk };
		err = corral_layouts_parse(&l, bad[i].text, &e);
		if (err != bad[i].err || e.pos != bad[i].pos)
			test_fail_(__FILE__, __LINE__, "\"%s\": %d at %zu (%s), should be %d at %zu", bad[i].text, err,
				   e.pos, e.text, bad[i].err, bad[i].pos);
		CHECK_HAS_STR(e.text, bad[i].words);
		CHECK_EQ_INT(l.count, 0);
		CHECK_EQ_PTR(l.layout, NULL);
		CHECK_EQ_INT(corral_layouts_parse(&l, bad[i].text, NULL), bad[i].err);
	}
}

static void a_long_list_of_layouts(void)
{
	static char text[6 * 5000 + 1];
	struct corral_layouts list;
	unsigned int n;

	for (n = 0; n < 5000; n++)
		memcpy(text + 6 * n, "8t@2c,", 7);
	text[6 * 5000 - 1] = '\0';
	CHECK_EQ_INT(corral_layouts_parse(&list, text, NULL), 0);
	CHECK_EQ_INT(list.count, 5000);
	for (n = 1; n <= list.count; n++)
		CHECK_EQ_INT(list.layout[n - 1].threads, 8);
	corral_layouts_free(&list);
	corral_layouts_free(&list);
	CHECK_EQ_INT(list.count, 0);
}

static void the_standard_rows_are_those_of_the_reference_table(void)
{
	const struct corral_layout *l;
	char all[256] = "", one[CORRAL_LAYOUT_TEXT];
	unsigned int count, i;

	l = corral_layout_standard(&count);
	for (i = 0; i < count; i++) {
		CHECK(corral_layout_print(&l[i], one, sizeof(one)) < sizeof(one));
		strcat(strcat(all, one), " ");
	}
	CHECK_EQ_STR(all, "1t@1c 2t@2c 4t@4c 8t@8c 16t@16c 32t@32c 2t@1c 4t@2c 8t@2c 16t@2c 32t@2c "
			  "8t@2c:float 16t@4c:float 32t@4c:float ");
}

/* ---- Plans ---- */

struct planned {
	const char *what; /* a layout or a list */
	enum corral_roles roles;
	const char *allowed;
	const char *want; /* as corral_lcore_plan_print() writes it */
	unsigned int producers, cores;
	int floating;
};

static void check_plan(const struct corral_lcore_plan *p, const struct planned *c)
{
	char text[4096];

	CHECK_EQ_INT(corral_lcore_plan_print(p, text, sizeof(text)), strlen(c->want));
	CHECK_EQ_STR(text, c->want);
	if (p->producers != c->producers || p->cores != c->cores || p->floating != c->floating)
		test_fail_(__FILE__, __LINE__, "%s: %u producers, %u cores, floating %d, should be %u, %u, %d", c->what,
			   p->producers, p->cores, p->floating, c->producers, c->cores, c->floating);
}

static void layouts_become_plans(void)
{
	static const struct planned cases[] = {
		{ "1t@1c", CORRAL_ROLES_BOTH, "0-3", "0@0", 1, 1, 0 },
		{ "2t@2c", CORRAL_ROLES_BOTH, "0-7", "0@0,1@1", 2, 2, 0 },
		{ "2t@1c", CORRAL_ROLES_BOTH, "0-7", "(0-1)@0", 2, 1, 0 },
		{ "4t@2c", CORRAL_ROLES_BOTH, "0-7", "0@0,1@1,2@0,3@1", 4, 2, 0 },
		{ "4t@3c", CORRAL_ROLES_BOTH, "4,9-10,1024", "0@4,1@9,2@10,3@4", 4, 3, 0 },
		{ "2t@2c", CORRAL_ROLES_BOTH, "63,8191", "0@63,1@8191", 2, 2, 0 },
		{ "1t@3c", CORRAL_ROLES_BOTH, "0-7", "0@0", 1, 1, 0 },
		{ "8t@2c:float", CORRAL_ROLES_BOTH, "4,9-10", "(0-7)@(4,9)", 8, 2, 1 },
		{ "2t@1c:float", CORRAL_ROLES_BOTH, "3", "(0-1)@3", 2, 1, 0 },
		{ "1t@2c:float", CORRAL_ROLES_BOTH, "0-7", "0@(0-1)", 1, 2, 1 },
		/* the halves have halves of the cores, the larger one the consumers */
		{ "4t@2c", CORRAL_ROLES_SPLIT, "0-7", "(0-1)@0,(2-3)@1", 2, 2, 0 },
		{ "8t@4c", CORRAL_ROLES_SPLIT, "0-7", "0@0,1@1,2@0,3@1,4@2,5@3,6@2,7@3", 4, 4, 0 },
		{ "4t@4c", CORRAL_ROLES_SPLIT, "1,3,5,7", "0@1,1@3,2@5,3@7", 2, 4, 0 },
		{ "2t@1c", CORRAL_ROLES_SPLIT, "6-7", "(0-1)@6", 1, 1, 0 },
		{ "4t@2c:float", CORRAL_ROLES_SPLIT, "0-7", "(0-3)@(0-1)", 2, 2, 1 },
		{ "5t@3c", CORRAL_ROLES_SPLIT, "0-2", "(0-1)@0,2@1,3@2,4@1", 2, 3, 0 },
		{ "3t@2c", CORRAL_ROLES_SPLIT, "0-2", "0@0,(1-2)@1", 1, 2, 0 },
		{ "3t@1c", CORRAL_ROLES_SPLIT, "0-2", "(0-2)@0", 1, 1, 0 },
		{ "2t@3c", CORRAL_ROLES_SPLIT, "0-2", "0@0,1@1", 1, 2, 0 },
	};
	struct corral_lcore_plan p;
	struct corral_cpuset allowed;
	struct corral_layout l;
	unsigned int w;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		allowed = set_of(cases[i].allowed);
		l = layout_of(cases[i].what);
		CHECK_EQ_INT(corral_lcore_plan_layout(&p, &l, cases[i].roles, &allowed, NULL), 0);
		check_plan(&p, &cases[i]);
		CHECK_EQ_INT(p.count, l.threads);
		CHECK_EQ_INT(p.has_main, 0);
		for (w = 0; w < p.count; w++)
			CHECK_EQ_INT(p.worker[w].id, w);
		corral_lcore_plan_free(&p);
		CHECK_EQ_INT(p.count, 0);
		CHECK_EQ_PTR(p.worker, NULL);
	}
}

static void every_standard_row_fits_a_machine_of_64_cpus_with_holes(void)
{
	struct corral_cpuset allowed = set_of("1,3,5,7,20-31,40-61,63");
	const struct corral_layout *l;
	struct corral_lcore_plan p;
	unsigned int count, i, w;

	l = corral_layout_standard(&count);
	for (i = 0; i < count; i++) {
		CHECK_EQ_INT(corral_lcore_plan_layout(&p, &l[i], CORRAL_ROLES_BOTH, &allowed, NULL), 0);
		CHECK_EQ_INT(p.count, l[i].threads);
		CHECK_EQ_INT(p.cores, l[i].cores);
		CHECK_EQ_INT(p.floating, l[i].floating && l[i].cores > 1);
		for (w = 0; w < p.count; w++) {
			CHECK(corral_cpuset_has(&allowed, corral_cpuset_next(&p.worker[w].cpus, 0)));
			CHECK_EQ_INT(corral_cpuset_count(&p.worker[w].cpus), l[i].floating ? l[i].cores : 1);
		}
		corral_lcore_plan_free(&p);
	}
}

static void a_layout_that_needs_more_cores_is_refused(void)
{
	struct corral_cpuset allowed = set_of("0-1"), none = set_of("");
	struct corral_layout l = layout_of("8t@8c"), one = layout_of("1t@1c"), fits = layout_of("8t@2c");
	struct corral_lcore_error e;
	struct corral_lcore_plan p;

	memset(&p, 0xff, sizeof(p));
	CHECK_EQ_INT(corral_lcore_plan_layout(&p, &l, CORRAL_ROLES_BOTH, &allowed, &e), -ERANGE);
	CHECK_EQ_STR(e.text, "8t@8c needs 8 cores, this process may use 2");
	CHECK(e.pos == CORRAL_LCORE_NO_PLACE);
	CHECK_EQ_INT(p.count, 0);
	CHECK_EQ_PTR(p.worker, NULL);
	CHECK_EQ_INT(corral_lcore_plan_layout(&p, &one, CORRAL_ROLES_BOTH, &none, NULL), -ERANGE);
	CHECK_EQ_INT(corral_lcore_plan_layout(&p, &fits, CORRAL_ROLES_BOTH, &allowed, NULL), 0);
	corral_lcore_plan_free(&p);
}

/* Without a set of allowed CPUs the thread's own counts. */
static void a_layout_takes_cores_that_this_thread_may_use(void)
{
	struct corral_layout l = layout_of("1t@1c"), more;
	struct corral_lcore_plan p;
	struct corral_cpuset mine;

	CHECK_GE_INT(corral_lcore_allowed(&mine), 1);
	CHECK_EQ_INT(corral_lcore_plan_layout(&p, &l, CORRAL_ROLES_BOTH, NULL, NULL), 0);
	CHECK_EQ_INT(corral_cpuset_next(&p.worker[0].cpus, 0), corral_cpuset_next(&mine, 0));
	corral_lcore_plan_free(&p);
	more = (struct corral_layout){ .threads = 1, .cores = corral_cpuset_count(&mine) };
	CHECK_EQ_INT(corral_lcore_plan_layout(&p, &more, CORRAL_ROLES_BOTH, NULL, NULL), 0);
	corral_lcore_plan_free(&p);
	more.cores++;
	CHECK_EQ_INT(corral_lcore_plan_layout(&p, &more, CORRAL_ROLES_BOTH, NULL, NULL),
		     more.cores > CORRAL_CPU_LIMIT ? -EINVAL : -ERANGE);
}

static void one_thread_cannot_split_its_roles(void)
{
	struct corral_cpuset allowed = set_of("0-1");
	struct corral_layout l = layout_of("1t@1c");
	struct corral_lcore_error e;
	struct corral_lcore_plan p;

	CHECK_EQ_INT(corral_lcore_plan_layout(&p, &l, CORRAL_ROLES_SPLIT, &allowed, &e), -EINVAL);
	CHECK_EQ_STR(e.text, "1t@1c: split roles need two threads or more");
	CHECK(e.pos == CORRAL_LCORE_NO_PLACE);
	CHECK_EQ_PTR(p.worker, NULL);
}

static void a_layout_out_of_its_limits_is_refused(void)
{
	static const struct corral_layout bad[] = {
		{ 0, 1, 0 },
		{ 1, 0, 0 },
		{ CORRAL_LCORE_LIMIT + 1, 1, 0 },
		{ 1, CORRAL_CPU_LIMIT + 1, 0 },
		{ 0, 0, 1 },
		{ UINT32_MAX, 1, 1 },
		{ 1, UINT32_MAX, 1 },
	};
	struct corral_cpuset allowed = set_of("0-8191");
	struct corral_layout largest = { CORRAL_LCORE_LIMIT, CORRAL_CPU_LIMIT, 1 };
	struct corral_lcore_plan p;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		CHECK_EQ_INT(corral_lcore_plan_layout(&p, &bad[i], CORRAL_ROLES_BOTH, &allowed, NULL), -EINVAL);
		CHECK_EQ_INT(p.count, 0);
	}
	CHECK_EQ_INT(corral_lcore_plan_layout(&p, &largest, CORRAL_ROLES_BOTH, &allowed, NULL), 0);
	CHECK_EQ_INT(p.cores, CORRAL_CPU_LIMIT);
	corral_lcore_plan_free(&p);
}

static void lists_become_plans(void)
{
	static const struct planned cases[] = {
		{ "6,(10-13)@7,(20-23)@8", CORRAL_ROLES_BOTH, "0-31", "6@6,(10-13)@7,(20-23)@8", 8, 2, 0 },
		{ "6,(10-13)@7,(20-23)@8", CORRAL_ROLES_SPLIT, "0-31", "6@6,(10-13)@7,(20-23)@8", 4, 2, 0 },
		{ "(0-3)@10", CORRAL_ROLES_BOTH, "0-31", "0@10,(1-3)@10", 3, 1, 0 },
		{ "6,(10-17)@(7,8)", CORRAL_ROLES_BOTH, "0-31", "6@6,(10-17)@(7-8)", 8, 2, 1 },
		{ "1-4", CORRAL_ROLES_BOTH, "0-31", "1@1,2@2,3@3,4@4", 3, 3, 0 },
		{ "1-4", CORRAL_ROLES_SPLIT, "0-31", "1@1,2@2,3@3,4@4", 1, 3, 0 },
		{ "3@(1,3),5@2,4@2", CORRAL_ROLES_BOTH, "0-7", "3@(1,3),5@2,4@2", 2, 1, 0 },
	};
	struct corral_cpuset allowed;
	struct corral_lcore_plan p;
	struct corral_lcores l;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		allowed = set_of(cases[i].allowed);
		CHECK_EQ_INT(corral_lcores_parse(&l, cases[i].what, &allowed, NULL), 0);
		CHECK_EQ_INT(corral_lcore_plan_list(&p, &l, cases[i].roles, NULL), 0);
		CHECK_EQ_INT(p.count, l.count - 1);
		CHECK_EQ_INT(p.has_main, 1);
		CHECK_EQ_INT(p.main.id, l.lcore[0].id);
		corral_lcores_free(&l); /* a plan is a copy */
		check_plan(&p, &cases[i]);
		corral_lcore_plan_free(&p);
		CHECK_EQ_INT(p.has_main, 0);
	}
}

static void a_list_without_workers_has_no_plan(void)
{
	struct corral_cpuset allowed = set_of("0-31");
	struct corral_lcores l, empty = { 0, NULL };
	struct corral_lcore_error e;
	struct corral_lcore_plan p;

	CHECK_EQ_INT(corral_lcores_parse(&l, "7", &allowed, NULL), 0);
	CHECK_EQ_INT(corral_lcore_plan_list(&p, &l, CORRAL_ROLES_BOTH, &e), -EINVAL);
	CHECK_HAS_STR(e.text, "no worker");
	CHECK(e.pos == CORRAL_LCORE_NO_PLACE);
	CHECK_EQ_PTR(p.worker, NULL);
	corral_lcores_free(&l);
	CHECK_EQ_INT(corral_lcore_plan_list(&p, &empty, CORRAL_ROLES_BOTH, NULL), -EINVAL);

	CHECK_EQ_INT(corral_lcores_parse(&l, "7,8", &allowed, NULL), 0);
	CHECK_EQ_INT(corral_lcore_plan_list(&p, &l, CORRAL_ROLES_BOTH, NULL), 0);
	corral_lcore_plan_free(&p);
	CHECK_EQ_INT(corral_lcore_plan_list(&p, &l, CORRAL_ROLES_SPLIT, &e), -EINVAL);
	CHECK_HAS_STR(e.text, "one worker");
	corral_lcores_free(&l);
}

static void a_plan_is_printed_within_its_buffer(void)
{
	struct corral_cpuset allowed = set_of("0-1");
	struct corral_layout l = layout_of("4t@2c");
	struct corral_lcore_plan p;
	char buf[20];
	size_t len;

	CHECK_EQ_INT(corral_lcore_plan_layout(&p, &l, CORRAL_ROLES_BOTH, &allowed, NULL), 0);
	CHECK_EQ_INT(corral_lcore_plan_print(&p, NULL, 0), 15);
	for (len = 0; len < sizeof(buf) - 1; len++) {
		memset(buf, '#', sizeof(buf));
		CHECK_EQ_INT(corral_lcore_plan_print(&p, buf, len), 15);
		CHECK(buf[len] == '#');
		if (len > 0)
			CHECK(!strncmp(buf, "0@0,1@1,2@0,3@1", strlen(buf)) &&
			      strlen(buf) == (len > 15 ? 15 : len - 1));
	}
	corral_lcore_plan_free(&p);
	corral_lcore_plan_free(&p);
}

int main(void)
{
	TEST(layouts_are_read_and_written);
	TEST(a_layout_is_printed_within_its_buffer);
	TEST(bad_layouts_are_refused_with_their_place);
	TEST(a_long_list_of_layouts);
	TEST(the_standard_rows_are_those_of_the_reference_table);
	TEST(layouts_become_plans);
	TEST(every_standard_row_fits_a_machine_of_64_cpus_with_holes);
	TEST(a_layout_that_needs_more_cores_is_refused);
	TEST(a_layout_takes_cores_that_this_thread_may_use);
	TEST(one_thread_cannot_split_its_roles);
	TEST(a_layout_out_of_its_limits_is_refused);
	TEST(lists_become_plans);
	TEST(a_list_without_workers_has_no_plan);
	TEST(a_plan_is_printed_within_its_buffer);
	return test_end();
}
