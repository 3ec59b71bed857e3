/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_lcore.c - sets of CPUs, the --lcores grammar and its short form: what is understood, what is refused with which
 * words at which place.
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

/* ---- Sets ---- */

static void an_empty_set_is_empty(void)
{
	struct corral_cpuset set, other = { 0 };
	char text[8] = "untouch";

	memset(&set, 0xff, sizeof(set));
	corral_cpuset_zero(&set);
	CHECK_EQ_INT(corral_cpuset_count(&set), 0);
	CHECK_EQ_INT(corral_cpuset_has(&set, 0), 0);
	CHECK_EQ_INT(corral_cpuset_next(&set, 0), CORRAL_LCORE_NONE);
	CHECK_EQ_INT(corral_cpuset_equal(&set, &other), 1);
	CHECK_EQ_INT(corral_cpuset_print(&set, text, sizeof(text)), 0);
	CHECK_EQ_STR(text, "");
}

static void a_set_reaches_the_last_cpu_and_no_further(void)
{
	struct corral_cpuset set, empty;

	corral_cpuset_zero(&set);
	corral_cpuset_zero(&empty);
	CHECK_EQ_INT(corral_cpuset_add(&set, CORRAL_CPU_LIMIT), -ERANGE);
	CHECK_EQ_INT(corral_cpuset_add(&set, UINT32_MAX), -ERANGE);
	CHECK_EQ_INT(corral_cpuset_equal(&set, &empty), 1);
	CHECK_EQ_INT(corral_cpuset_add(&set, CORRAL_CPU_LIMIT - 1), 0);
	CHECK_EQ_INT(corral_cpuset_has(&set, CORRAL_CPU_LIMIT - 1), 1);
	CHECK_EQ_INT(corral_cpuset_has(&set, CORRAL_CPU_LIMIT - 2), 0);
	CHECK_EQ_INT(corral_cpuset_has(&set, CORRAL_CPU_LIMIT), 0);
	CHECK_EQ_INT(corral_cpuset_has(&set, UINT32_MAX), 0);
	CHECK_EQ_INT(corral_cpuset_count(&set), 1);
	CHECK_EQ_INT(corral_cpuset_equal(&set, &empty), 0);
	CHECK_EQ_INT(corral_cpuset_next(&set, 0), CORRAL_CPU_LIMIT - 1);
	CHECK_EQ_INT(corral_cpuset_next(&set, CORRAL_CPU_LIMIT - 1), CORRAL_CPU_LIMIT - 1);
	CHECK_EQ_INT(corral_cpuset_next(&set, CORRAL_CPU_LIMIT), CORRAL_LCORE_NONE);
	CHECK_EQ_INT(corral_cpuset_next(&set, UINT32_MAX), CORRAL_LCORE_NONE);
}

/* Bit by bit: neighbours stay out, and the walk stops at each member once. */
static void every_cpu_can_be_in_a_set(void)
{
	struct corral_cpuset set;
	unsigned int cpu;

	for (cpu = 0; cpu < CORRAL_CPU_LIMIT; cpu++) {
		corral_cpuset_zero(&set);
		CHECK_EQ_INT(corral_cpuset_add(&set, cpu), 0);
		CHECK_EQ_INT(corral_cpuset_count(&set), 1);
		CHECK_EQ_INT(corral_cpuset_next(&set, 0), cpu);
		CHECK_EQ_INT(corral_cpuset_next(&set, cpu), cpu);
		CHECK_EQ_INT(corral_cpuset_next(&set, cpu + 1), CORRAL_LCORE_NONE);
	}
}

static void sets_are_read_and_written(void)
{
	static const char *const pairs[][2] = {
		{ "0", "0" },
		{ "0-3,8", "0-3,8" },
		{ " 8 , 0 - 3\t", "0-3,8" },
		{ "3,2,1,1-2", "1-3" },
		{ "63-64,31-32", "31-32,63-64" },
		{ "1023-1025,8191", "1023-1025,8191" },
		{ "3-3", "3" },
		{ "007", "7" },
		{ "0-8191", "0-8191" },
	};
	struct corral_cpuset set;
	char text[64];
	size_t i;

	for (i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		set = set_of(pairs[i][0]);
		CHECK_EQ_INT(corral_cpuset_print(&set, text, sizeof(text)), strlen(pairs[i][1]));
		CHECK_EQ_STR(text, pairs[i][1]);
	}
}

static void a_short_buffer_gets_the_start_and_the_length(void)
{
	struct corral_cpuset set = set_of("10-12,20");
	char text[16] = "untouched";

	CHECK_EQ_INT(corral_cpuset_print(&set, NULL, 0), 8);
	CHECK_EQ_INT(corral_cpuset_print(&set, text, 0), 8);
	CHECK_EQ_STR(text, "untouched");
	CHECK_EQ_INT(corral_cpuset_print(&set, text, 1), 8);
	CHECK_EQ_STR(text, "");
	CHECK_EQ_INT(corral_cpuset_print(&set, text, 4), 8);
	CHECK_EQ_STR(text, "10-");
	CHECK_EQ_INT(corral_cpuset_print(&set, text, 8), 8);
	CHECK_EQ_STR(text, "10-12,2");
	CHECK_EQ_INT(corral_cpuset_print(&set, text, 9), 8);
	CHECK_EQ_STR(text, "10-12,20");
}

/* What is wrong with a text: the error, the byte that it is about, words of the message. */
struct bad {
	const char *text;
	int err;
	size_t pos;
	const char *words;
	const char *allowed; /* NULL: 0-7 */
};

static void check_bad(const struct bad *b, int err, const struct corral_lcore_error *e)
{
	if (err != b->err)
		test_fail_(__FILE__, __LINE__, "\"%s\": %d, should be %d", b->text, err, b->err);
	if (e->pos != b->pos)
		test_fail_(__FILE__, __LINE__, "\"%s\": pos is %zu, should be %zu (%s)", b->text, e->pos, b->pos,
			   e->text);
	CHECK_HAS_STR(e->text, b->words);
}

static void a_bad_set_leaves_the_old_one(void)
{
	static const struct bad bad[] = {
		{ "", -EINVAL, 0, "the list of CPUs is empty" },
		{ "   ", -EINVAL, 3, "the list of CPUs is empty" },
		{ "1,", -EINVAL, 2, "expected a number, found the end" },
		{ ",1", -EINVAL, 0, "found ','" },
		{ "1,,2", -EINVAL, 2, "found ','" },
		{ "3-1", -EINVAL, 0, "range 3-1 descends" },
		{ "0, 3-1", -EINVAL, 3, "range 3-1 descends" },
		{ "1-", -EINVAL, 2, "found the end" },
		{ "-1", -EINVAL, 0, "found '-'" },
		{ "1-2-3", -EINVAL, 3, "',' or the end" },
		{ "0x3", -EINVAL, 1, "found 'x'" },
		{ "1;2", -EINVAL, 1, "found ';'" },
		{ "1 2", -EINVAL, 2, "found '2'" },
		{ "1\n", -EINVAL, 1, "byte 0x0a" },
		{ "(1)", -EINVAL, 0, "found '('" },
		{ "0-8192", -ERANGE, 2, "up to 8191" },
		{ "8192", -ERANGE, 0, "too large" },
		{ "99999999999999999999999999", -ERANGE, 0, "too large" },
	};
	struct corral_cpuset set = set_of("5"), before = set;
	struct corral_lcore_error e;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		check_bad(&bad[i], corral_cpuset_parse(&set, bad[i].text, &e), &e);
		CHECK_EQ_INT(corral_cpuset_equal(&set, &before), 1);
		CHECK_EQ_INT(corral_cpuset_parse(&set, bad[i].text, NULL), bad[i].err);
	}
}

/* ---- Lists of lcores ---- */

/* Each lcore with its CPUs: "0@1-3 2@1-3". */
static const char *spell(const struct corral_lcores *l)
{
	static char text[8192];
	char cpus[1024];
	size_t used = 0;
	unsigned int i;

	text[0] = '\0';
	for (i = 0; i < l->count; i++) {
		CHECK_LT_INT(corral_cpuset_print(&l->lcore[i].cpus, cpus, sizeof(cpus)), sizeof(cpus));
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%u@%s", i ? " " : "", l->lcore[i].id,
					 cpus);
		CHECK_LT_INT(used, sizeof(text));
	}
	return text;
}

struct good {
	const char *text, *want;
	const char *allowed; /* NULL: 0-31 */
};

typedef int parse_fn(struct corral_lcores *out, const char *text, const struct corral_cpuset *allowed,
		     struct corral_lcore_error *e);

static void check_good(parse_fn *parse, const struct good *g)
{
	struct corral_cpuset allowed = set_of(g->allowed ? g->allowed : "0-31");
	struct corral_lcore_error e = { 0 };
	struct corral_lcores l;
	int err = parse(&l, g->text, &allowed, &e);

	if (err)
		test_fail_(__FILE__, __LINE__, "\"%s\": %d, %zu: %s", g->text, err, e.pos, e.text);
	CHECK_EQ_STR(spell(&l), g->want);
	corral_lcores_free(&l);
	CHECK_EQ_INT(l.count, 0);
	CHECK_EQ_PTR(l.lcore, NULL);
}

static void good_lists_are_understood(void)
{
	static const struct good good[] = {
		{ "6,(10-13)@7,(20-23)@8", "6@6 10@7 11@7 12@7 13@7 20@8 21@8 22@8 23@8" },
		{ "6,10-11@7,(20-21)@(8,9)", "6@6 10@7 11@7 20@8-9 21@8-9" },
		{ "(0-3)@10", "0@10 1@10 2@10 3@10" },
		{ "6,(10-12)@(7,8)", "6@6 10@7-8 11@7-8 12@7-8" },
		{ "1-4", "1@1 2@2 3@3 4@4" },
		{ "0@1", "0@1" },
		{ "25-26", "25@25 26@26" },
		{ "(0,2-4)@(1-3)", "0@1-3 2@1-3 3@1-3 4@1-3" },
		{ "0@1-3", "0@1-3" },
		{ "(0-3)", "0@0-3 1@0-3 2@0-3 3@0-3" },
		{ "(1,3)", "1@1,3 3@1,3" },
		{ "(5)", "5@5" },
		{ "1-2@3", "1@3 2@3" },
		{ "0-1@0-1", "0@0-1 1@0-1" },
		{ "3-3", "3@3" },
		{ "9,3,(7,1)@0", "9@9 3@3 7@0 1@0" },
		{ "0@0,1@0,2@(0,0-1,1)", "0@0 1@0 2@0-1" },
		{ " 5 , 0 - 1 ", "5@5 0@0 1@1" },
		{ "\t( 6 , 7 ) @ ( 8 - 9 )\t", "6@8-9 7@8-9" },
		{ "0000001@002", "1@2" },
		{ "1023@8191", "1023@8191", "8191" },
		{ "0@(1000-1030,5000),1@1024", "0@1000-1030,5000 1@1024", "1000-8191" },
		{ "0@1,1@3,2@63", "0@1 1@3 2@63", "1,3,62-63" },
	};
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		check_good(corral_lcores_parse, &good[i]);
}

static void check_refused(parse_fn *parse, const struct bad *b)
{
	struct corral_cpuset allowed = set_of(b->allowed ? b->allowed : "0-7");
	struct corral_lcore junk;
	struct corral_lcores l = { 7, &junk };
	struct corral_lcore_error e;

	check_bad(b, parse(&l, b->text, &allowed, &e), &e);
	CHECK_EQ_INT(l.count, 0);
	CHECK_EQ_PTR(l.lcore, NULL);
	CHECK_EQ_INT(parse(&l, b->text, &allowed, NULL), b->err);
}

static const struct bad bad_grammar[] = {
	{ "", -EINVAL, 0, "the list of lcores is empty" },
	{ "   ", -EINVAL, 3, "the list of lcores is empty" },
	{ ",", -EINVAL, 0, "expected a number or '(', found ','" },
	{ "1,", -EINVAL, 2, "found the end" },
	{ "1,,2", -EINVAL, 2, "found ','" },
	{ "()", -EINVAL, 1, "expected a number, found ')'" },
	{ "(1,)@2", -EINVAL, 3, "expected a number, found ')'" },
	{ "(,1)@2", -EINVAL, 1, "found ','" },
	{ "4-1", -EINVAL, 0, "range 4-1 descends: write the lower number first" },
	{ "0@(1,3-2)", -EINVAL, 5, "range 3-2 descends" },
	{ "1-,2", -EINVAL, 2, "found ','" },
	{ "1--2", -EINVAL, 2, "found '-'" },
	{ "1-2-3", -EINVAL, 3, "found '-'" },
	{ "(1-2-3)", -EINVAL, 4, "expected ',' or ')', found '-'" },
	{ "1-2x", -EINVAL, 3, "found 'x'" },
	{ "0x1", -EINVAL, 1, "found 'x'" },
	{ "1 2", -EINVAL, 2, "found '2'" },
	{ "+1", -EINVAL, 0, "found '+'" },
	{ "-1", -EINVAL, 0, "found '-'" },
	{ "1.5", -EINVAL, 1, "found '.'" },
	{ "1;2", -EINVAL, 1, "expected ',' or the end, found ';'" },
	{ "1\n", -EINVAL, 1, "byte 0x0a, which is not plain ASCII" },
	{ "1,\x01", -EINVAL, 2, "byte 0x01" },
	{ "1\xff", -EINVAL, 1, "byte 0xff" },
	{ "(1", -EINVAL, 0, "this '(' is never closed" },
	{ "1,(2,", -EINVAL, 2, "this '(' is never closed" },
	{ "1@(2-3", -EINVAL, 2, "this '(' is never closed" },
	{ "1)", -EINVAL, 1, "found ')'" },
	{ "((1))@2", -EINVAL, 1, "expected a number, found '('" },
	{ "(1)(2)", -EINVAL, 3, "found '('" },
	{ "(1@2)", -EINVAL, 2, "found '@'" },
	{ "1@", -EINVAL, 2, "no CPUs after '@'" },
	{ "1@ ", -EINVAL, 3, "no CPUs after '@'" },
	{ "1@,2", -EINVAL, 2, "no CPUs after '@'" },
	{ "1@()", -EINVAL, 3, "found ')'" },
	{ "1@)@(", -EINVAL, 2, "expected a number or '(', found ')'" },
	{ "1@2@3", -EINVAL, 3, "found '@'" },
	{ "1@@2", -EINVAL, 2, "found '@'" },
	{ "@1", -EINVAL, 0, "no lcores before '@'" },
	{ "1,@2", -EINVAL, 2, "no lcores before '@'" },
};

static const struct bad bad_numbers[] = {
	{ "1024@0", -ERANGE, 0, "an lcore is a number up to 1023" },
	{ "0-1024", -ERANGE, 2, "an lcore is a number up to 1023" },
	{ "2000", -ERANGE, 0, "too large" },
	{ "0@8192", -ERANGE, 2, "a CPU is a number up to 8191" },
	{ "0@(1-8192)", -ERANGE, 5, "a CPU is a number up to 8191" },
	{ "4294967296@0", -ERANGE, 0, "too large" },
	{ "4294967297", -ERANGE, 0, "too large" },
	{ "18446744073709551616@0", -ERANGE, 0, "too large" },
	{ "18446744073709551617", -ERANGE, 0, "too large" },
	{ "1@99999999999", -ERANGE, 2, "too large" },
	{ "1,1", -EEXIST, 2, "lcore 1 is in the list already" },
	{ "0-3,2", -EEXIST, 4, "lcore 2 is" },
	{ "2,0-3", -EEXIST, 2, "lcore 2 is" },
	{ "(1,1)@2", -EEXIST, 3, "lcore 1 is" },
	{ "(0,0-2)", -EEXIST, 3, "lcore 0 is" },
	{ "(0-3)@1,5,(4,2)@7", -EEXIST, 13, "lcore 2 is" },
	{ "8", -ENODEV, 0, "CPU 8 is not one that may be used here (allowed: 0-7)" },
	{ "1,6-9", -ENODEV, 2, "CPU 8 is" },
	{ "1,(6-9)", -ENODEV, 3, "CPU 8 is" },
	{ "0@8", -ENODEV, 2, "CPU 8 is" },
	{ "0@(1,4-6)", -ENODEV, 5, "CPU 4 is not one that may be used here (allowed: 0-3,5-7)", "0-3,5-7" },
	{ "0@(1,4)", -ENODEV, 2 + 3, "CPU 4 is", "0-3" },
	{ "0", -ENODEV, 0, "(allowed: none)", "" },
	{ "0@8191", -ENODEV, 2, "CPU 8191 is", "0-8190" },
	{ "0@0-8191", -ENODEV, 2, "CPU 2 is", "0-1" },
};

static void bad_lists_are_refused_with_their_place(void)
{
	size_t i;

	for (i = 0; i < sizeof(bad_grammar) / sizeof(bad_grammar[0]); i++)
		check_refused(corral_lcores_parse, &bad_grammar[i]);
	for (i = 0; i < sizeof(bad_numbers) / sizeof(bad_numbers[0]); i++)
		check_refused(corral_lcores_parse, &bad_numbers[i]);
}

static void the_short_list_takes_numbers_and_ranges_alone(void)
{
	static const struct good good[] = {
		{ "25-26", "25@25 26@26" },
		{ "3", "3@3" },
		{ "3 , 0-1\t", "3@3 0@0 1@1" },
	};
	static const struct bad bad[] = {
		{ "", -EINVAL, 0, "the list of lcores is empty" },
		{ "(1-2)", -EINVAL, 0, "'(' has no meaning in the short list: use --lcores" },
		{ "1@2", -EINVAL, 1, "'@' has no meaning in the short list: use --lcores" },
		{ "1,2 (", -EINVAL, 4, "'(' has no meaning" },
		{ "1,@", -EINVAL, 2, "'@' has no meaning" },
		{ "1,,2", -EINVAL, 2, "found ','" },
		{ "1x", -EINVAL, 1, "found 'x'" },
		{ "25-26", -ENODEV, 0, "CPU 25 is" },
		{ "1,1", -EEXIST, 2, "lcore 1 is" },
		{ "4-1", -EINVAL, 0, "range 4-1 descends" },
		{ "1024", -ERANGE, 0, "too large" },
	};
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		check_good(corral_lcores_parse_short, &good[i]);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		check_refused(corral_lcores_parse_short, &bad[i]);
}

/* Without a set of allowed CPUs the thread's own counts. */
static void a_list_is_held_against_what_this_thread_may_use(void)
{
	struct corral_cpuset mine;
	struct corral_lcore_error e;
	struct corral_lcores l;
	unsigned int cpu, other;
	char text[32];

	CHECK_GE_INT(corral_lcore_allowed(&mine), 1);
	cpu = corral_cpuset_next(&mine, 0);
	snprintf(text, sizeof(text), "5@%u", cpu);
	CHECK_EQ_INT(corral_lcores_parse(&l, text, NULL, &e), 0);
	CHECK_EQ_INT(l.count, 1);
	CHECK_EQ_INT(corral_cpuset_has(&l.lcore[0].cpus, cpu), 1);
	corral_lcores_free(&l);

	for (other = 0; corral_cpuset_has(&mine, other); other++)
		;
	snprintf(text, sizeof(text), "5@%u", other);
	CHECK_EQ_INT(corral_lcores_parse(&l, text, NULL, &e), -ENODEV);
	CHECK_EQ_INT(e.pos, 2);
	snprintf(text, sizeof(text), "%u", other);
	CHECK_EQ_INT(corral_lcores_parse_short(&l, text, NULL, &e), other < CORRAL_LCORE_LIMIT ? -ENODEV : -ERANGE);
}

static void a_long_list_of_allowed_cpus_is_cut_in_the_message(void)
{
	struct corral_cpuset allowed;
	struct corral_lcore_error e;
	struct corral_lcores l;
	unsigned int cpu;

	corral_cpuset_zero(&allowed);
	for (cpu = 0; cpu < 2000; cpu += 2)
		CHECK_EQ_INT(corral_cpuset_add(&allowed, cpu), 0);
	CHECK_EQ_INT(corral_lcores_parse(&l, "0@(0,2,4,7)", &allowed, &e), -ENODEV);
	CHECK_EQ_INT(e.pos, 9);
	CHECK_HAS_STR(e.text, "CPU 7 is not one that may be used here (allowed: 0,2,4,6,8,");
	CHECK_HAS_STR(e.text, "...)");
}

static void all_lcores_fit_in_one_list(void)
{
	struct corral_cpuset allowed = set_of("0-7");
	static char text[16 * CORRAL_LCORE_LIMIT];
	struct corral_lcores l;
	unsigned int i;
	size_t used = 0;

	CHECK_EQ_INT(corral_lcores_parse(&l, "(0-1023)@3", &allowed, NULL), 0);
	CHECK_EQ_INT(l.count, CORRAL_LCORE_LIMIT);
	CHECK_EQ_INT(l.lcore[1023].id, 1023);
	corral_lcores_free(&l);

	for (i = CORRAL_LCORE_LIMIT; i-- > 0;)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%u@3%s", i, i ? "," : "");
	CHECK_EQ_INT(corral_lcores_parse(&l, text, &allowed, NULL), 0);
	CHECK_EQ_INT(l.count, CORRAL_LCORE_LIMIT);
	for (i = 0; i < l.count; i++) {
		CHECK_EQ_INT(l.lcore[i].id, CORRAL_LCORE_LIMIT - 1 - i);
		CHECK_EQ_INT(corral_cpuset_count(&l.lcore[i].cpus), 1);
		CHECK_EQ_INT(corral_cpuset_has(&l.lcore[i].cpus, 3), 1);
	}
	corral_lcores_free(&l);
}

static void freeing_nothing_is_fine(void)
{
	struct corral_lcores l = { 0, NULL };

	corral_lcores_free(&l);
	corral_lcores_free(&l);
	CHECK_EQ_INT(l.count, 0);
	CHECK_EQ_PTR(l.lcore, NULL);
}

/* ---- Any text at all ---- */

/* What was understood is written and read again; what was not has words and a place in the text. */
static void try_text(const char *text, const struct corral_cpuset *allowed)
{
	char show[CORRAL_LCORE_SHOW_MAX], again[16384];
	struct corral_lcore_plan plan;
	struct corral_lcore_error e;
	struct corral_lcores l, l2;
	unsigned int i, cpu;

	if (corral_lcores_parse(&l, text, allowed, &e)) {
		CHECK(e.pos <= strlen(text));
		CHECK(e.text[0] && strlen(e.text) < sizeof(e.text) && !strchr(e.text, '\n'));
		CHECK(corral_lcore_error_show(&e, text, show, sizeof(show)) < sizeof(show));
		return;
	}
	CHECK(l.count >= 1 && l.count <= CORRAL_LCORE_LIMIT);
	for (i = 0; i < l.count; i++) {
		cpu = corral_cpuset_next(&l.lcore[i].cpus, 0);
		CHECK(cpu != CORRAL_LCORE_NONE);
		for (; cpu != CORRAL_LCORE_NONE; cpu = corral_cpuset_next(&l.lcore[i].cpus, cpu + 1))
			CHECK(corral_cpuset_has(allowed, cpu));
	}
	CHECK_EQ_INT(corral_lcore_plan_list(&plan, &l, CORRAL_ROLES_BOTH, NULL), l.count > 1 ? 0 : -EINVAL);
	if (l.count > 1) {
		CHECK(corral_lcore_plan_print(&plan, again, sizeof(again)) < sizeof(again));
		corral_lcore_plan_free(&plan);
		CHECK_EQ_INT(corral_lcores_parse(&l2, again, allowed, NULL), 0);
		CHECK_EQ_INT(l2.count, l.count);
		for (i = 0; i < l.count; i++)
			CHECK(l2.lcore[i].id == l.lcore[i].id &&
			      corral_cpuset_equal(&l2.lcore[i].cpus, &l.lcore[i].cpus));
		corral_lcores_free(&l2);
	}
	corral_lcores_free(&l);
}

static void every_byte_in_every_place(void)
{
	static const char good[] = "6,(3-5)@7,(0,2)@(1-2,4)";
	struct corral_cpuset allowed = set_of("0-7");
	char text[64];
	size_t i;
	int c;

	for (i = 0; i <= strlen(good); i++) {
		for (c = 0; c < 256; c++) {
			memcpy(text, good, sizeof(good)); /* instead of what stands there */
			text[i] = (char)c;
			text[sizeof(good)] = '\0';
			try_text(text, &allowed);
			/* and before it */
			snprintf(text, sizeof(text), "%.*s%c%s", (int)i, good, c, good + i);
			try_text(text, &allowed);
		}
		snprintf(text, sizeof(text), "%.*s", (int)i, good);
		try_text(text, &allowed);
	}
}

static void words_of_chance(void)
{
	static const char letters[] = "0011234567899,,,,--@@@(((()))) \tx";
	struct corral_cpuset allowed = set_of("0-7,60-1100,8191");
	uint32_t state = 1;
	char text[41];
	unsigned int i, n, len;

	for (i = 0; i < 20000; i++) {
		len = i % (sizeof(text) - 1);
		for (n = 0; n < len; n++) {
			state = state * 1664525 + 1013904223;
			text[n] = letters[(state >> 16) % (sizeof(letters) - 1)];
		}
		text[len] = '\0';
		try_text(text, &allowed);
	}
}

static void very_long_texts(void)
{
	static const char *const units[] = { "(", "0", "1,", "(1)@", " ", "9-2", "(0-3)@1,", "\xe2\x80\x93" };
	struct corral_cpuset allowed = set_of("0-9");
	static char text[100001];
	size_t i, n, len = sizeof(text) - 1;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		for (n = 0; n < len; n++)
			text[n] = units[i][n % strlen(units[i])];
		text[len] = '\0';
		try_text(text, &allowed);
	}
	memset(text, '0', len);
	memcpy(text + len - 3, "1@2", 3); /* leading zeros, as many as one likes */
	check_good(corral_lcores_parse, &(struct good){ text, "1@2" });
}

int main(void)
{
	TEST(an_empty_set_is_empty);
	TEST(a_set_reaches_the_last_cpu_and_no_further);
	TEST(every_cpu_can_be_in_a_set);
	TEST(sets_are_read_and_written);
	TEST(a_short_buffer_gets_the_start_and_the_length);
	TEST(a_bad_set_leaves_the_old_one);
	TEST(good_lists_are_understood);
	TEST(bad_lists_are_refused_with_their_place);
	TEST(the_short_list_takes_numbers_and_ranges_alone);
	TEST(a_list_is_held_against_what_this_thread_may_use);
	TEST(a_long_list_of_allowed_cpus_is_cut_in_the_message);
	TEST(all_lcores_fit_in_one_list);
	TEST(freeing_nothing_is_fine);
	TEST(every_byte_in_every_place);
	TEST(words_of_chance);
	TEST(very_long_texts);
	return test_end();
}
