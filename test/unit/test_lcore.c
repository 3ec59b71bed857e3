/* SPDX-License-Identifier: BSD-3-Clause */
/* test_lcore.c - sets of CPUs, lists of lcores, and how errors are shown. */
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

static const char *text_of(const struct corral_cpuset *s)
{
	static char text[4096];

	CHECK_LT_INT(corral_cpuset_print(s, text, sizeof(text)), sizeof(text));
	return text;
}

static void an_empty_set_is_empty(void)
{
	struct corral_cpuset s;

	memset(&s, 0xff, sizeof(s));
	corral_cpuset_zero(&s);
	CHECK_EQ_INT(corral_cpuset_count(&s), 0);
	CHECK_EQ_INT(corral_cpuset_next(&s, 0), CORRAL_LCORE_NONE);
	CHECK_EQ_STR(text_of(&s), "");
	for (unsigned int c = 0; c < CORRAL_CPU_LIMIT; c += 61)
		CHECK(!corral_cpuset_has(&s, c));
}

static void a_set_reaches_the_last_cpu_and_no_further(void)
{
	struct corral_cpuset s, t;

	corral_cpuset_zero(&s);
	CHECK_EQ_INT(corral_cpuset_add(&s, CORRAL_CPU_LIMIT - 1), 0);
	CHECK_EQ_INT(corral_cpuset_add(&s, CORRAL_CPU_LIMIT), -ERANGE);
	CHECK_EQ_INT(corral_cpuset_add(&s, UINT32_MAX), -ERANGE);
	CHECK_EQ_INT(corral_cpuset_count(&s), 1);
	CHECK(corral_cpuset_has(&s, CORRAL_CPU_LIMIT - 1));
	CHECK(!corral_cpuset_has(&s, CORRAL_CPU_LIMIT));
	CHECK(!corral_cpuset_has(&s, UINT32_MAX));
	CHECK_EQ_INT(corral_cpuset_next(&s, 0), CORRAL_CPU_LIMIT - 1);
	CHECK_EQ_INT(corral_cpuset_next(&s, CORRAL_CPU_LIMIT - 1), CORRAL_CPU_LIMIT - 1);
	CHECK_EQ_INT(corral_cpuset_next(&s, CORRAL_CPU_LIMIT), CORRAL_LCORE_NONE);
	CHECK_EQ_INT(corral_cpuset_next(&s, UINT32_MAX), CORRAL_LCORE_NONE);
	corral_cpuset_zero(&t);
	CHECK(!corral_cpuset_equal(&s, &t));
	CHECK_EQ_INT(corral_cpuset_add(&t, CORRAL_CPU_LIMIT - 1), 0);
	CHECK(corral_cpuset_equal(&s, &t));
}

static void sets_are_read_and_written(void)
{
	static const struct {
		const char *in, *out;
		unsigned int count;
	} good[] = {
		{ "0", "0", 1 },
		{ "0-3", "0-3", 4 },
		{ "0-3,8", "0-3,8", 5 },
		{ "8,0-3", "0-3,8", 5 },
		{ "1,2,3", "1-3", 3 },
		{ "1,2", "1-2", 2 },
		{ "5-5", "5", 1 },
		{ "1-4,2-6,3", "1-6", 6 },
		{ " 1 - 2 ,\t4 ", "1-2,4", 3 },
		{ "8191", "8191", 1 },
		{ "0-8191", "0-8191", 8192 },
		{ "0,2,4,6", "0,2,4,6", 4 },
		{ "63,64,65", "63-65", 3 },
		{ "007", "7", 1 },
	};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct corral_cpuset s = set_of(good[i].in);

		CHECK_EQ_STR(text_of(&s), good[i].out);
		CHECK_EQ_INT(corral_cpuset_count(&s), good[i].count);
	}
}

static void a_short_buffer_gets_the_start_and_the_length(void)
{
	struct corral_cpuset s = set_of("0-3,8,10");
	char buf[16];

	for (size_t len = 0; len <= 9; len++) {
		memset(buf, 'x', sizeof(buf));
		CHECK_EQ_INT(corral_cpuset_print(&s, len ? buf : NULL, len), 8);
		if (len != 0) {
			CHECK_EQ_INT(strlen(buf), len <= 8 ? len - 1 : 8);
			CHECK(strncmp(buf, "0-3,8,10", strlen(buf)) == 0);
		}
		CHECK_EQ_INT(buf[len], 'x');
	}
}

static void a_bad_set_leaves_the_old_one(void)
{
	static const struct {
		const char *text;
		size_t pos;
		int err;
	} bad[] = {
		{ "", 0, EINVAL },
		{ "  ", 2, EINVAL },
		{ ",", 0, EINVAL },
		{ "1,", 2, EINVAL },
		{ "1,,2", 2, EINVAL },
		{ "1-", 2, EINVAL },
		{ "-1", 0, EINVAL },
		{ "3-1", 0, EINVAL },
		{ "1 2", 2, EINVAL },
		{ "x", 0, EINVAL },
		{ "1,x", 2, EINVAL },
		{ "0x3", 1, EINVAL },
		{ "1.5", 1, EINVAL },
		{ "8192", 0, ERANGE },
		{ "0-8192", 2, ERANGE },
		{ "99999999999999999999", 0, ERANGE },
		{ "1,4294967296", 2, ERANGE },
		{ "1\xff", 1, EINVAL },
		{ "(1)", 0, EINVAL },
	};
	struct corral_lcore_error e;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct corral_cpuset s = set_of("5,7"), before = s;

		memset(&e, 0, sizeof(e));
		if (corral_cpuset_parse(&s, bad[i].text, &e) != -bad[i].err)
			CHECK_EQ_STR(bad[i].text, "refused otherwise");
		CHECK(corral_cpuset_equal(&s, &before));
		if (e.pos != bad[i].pos)
			CHECK_EQ_STR(bad[i].text, e.text);
		CHECK(e.text[0] != '\0' && strchr(e.text, '\n') == NULL);
		CHECK_EQ_INT(corral_cpuset_parse(&s, bad[i].text, NULL), -bad[i].err); /* nobody asks why */
	}
}

/* ---- lists of lcores ---- */

/* "id:cpus id:cpus …" */
static const char *list_text(const struct corral_lcores *l)
{
	static char text[8192];
	size_t n = 0;

	text[0] = '\0';
	for (unsigned int i = 0; i < l->count; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%u:%s", i ? " " : "", l->lcore[i].id,
				      text_of(&l->lcore[i].cpus));
	return text;
}

static void good_lists_are_understood(void)
{
	static const struct {
		const char *in, *out;
	} good[] = {
		{ "1", "1:1" },
		{ "1-4", "1:1 2:2 3:3 4:4" },
		{ "0@1", "0:1" },
		{ "6,(10-13)@7,(20-23)@8", "6:6 10:7 11:7 12:7 13:7 20:8 21:8 22:8 23:8" },
		{ "(0-3)@10", "0:10 1:10 2:10 3:10" },
		{ "6,(10-17)@(7,8)", "6:6 10:7-8 11:7-8 12:7-8 13:7-8 14:7-8 15:7-8 16:7-8 17:7-8" },
		{ "(1,3)", "1:1,3 3:1,3" },
		{ "(1-3)", "1:1-3 2:1-3 3:1-3" },
		{ "1@(2-4,6)", "1:2-4,6" },
		{ "1-2@3", "1:3 2:3" },
		{ "5@3,4@3", "5:3 4:3" },
		{ " 1 , ( 2 - 3 ) @ ( 4 , 5 ) ", "1:1 2:4-5 3:4-5" },
		{ "1023@0", "1023:0" },
		{ "3,1,2", "3:3 1:1 2:2" },
	};
	struct corral_cpuset allowed = set_of("0-63");
	struct corral_lcores l;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct corral_lcore_error e = { 0 };

		if (corral_lcores_parse(&l, good[i].in, &allowed, &e) != 0)
			CHECK_EQ_STR(good[i].in, e.text);
		CHECK_EQ_STR(list_text(&l), good[i].out);
		corral_lcores_free(&l);
		CHECK_EQ_INT(l.count, 0);
	}
}

static void bad_lists_are_refused_with_their_place(void)
{
	static const struct {
		const char *text;
		size_t pos;
		int err;
		const char *words;
	} bad[] = {
		{ "", 0, EINVAL, "empty" },
		{ "  ", 2, EINVAL, "empty" },
		{ ",1", 0, EINVAL, "expected" },
		{ "1,", 2, EINVAL, "expected" },
		{ "1,,2", 2, EINVAL, "expected" },
		{ "1x", 1, EINVAL, "'x'" },
		{ "(1-3", 0, EINVAL, "never closed" },
		{ "1,(2,3", 2, EINVAL, "never closed" },
		{ "(1@2)", 2, EINVAL, "expected" },
		{ "()", 1, EINVAL, "expected" },
		{ "@3", 0, EINVAL, "no lcores before '@'" },
		{ "3@", 2, EINVAL, "no CPUs after '@'" },
		{ "3@,4", 2, EINVAL, "no CPUs after '@'" },
		{ "4-2", 0, EINVAL, "descends" },
		{ "1@4-2", 2, EINVAL, "descends" },
		{ "1024", 0, ERANGE, "1023" },
		{ "1@8192", 2, ERANGE, "8191" },
		{ "1,2,1", 4, EEXIST, "lcore 1" },
		{ "1-3,2@0", 4, EEXIST, "lcore 2" },
		{ "(1,1)@2", 3, EEXIST, "lcore 1" },
		{ "64", 0, ENODEV, "CPU 64" },
		{ "1,2@64", 4, ENODEV, "CPU 64" },
		{ "1,60-70", 2, ENODEV, "CPU 64" },
		{ "1@(2,90)", 5, ENODEV, "CPU 90" },
		{ "1;2", 1, EINVAL, "';'" },
		{ "1\x80", 1, EINVAL, "0x80" },
		{ "1\n2", 1, EINVAL, "expected" },
	};
	struct corral_cpuset allowed = set_of("0-63");
	struct corral_lcores l;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct corral_lcore_error e = { 0 };
		int rc = corral_lcores_parse(&l, bad[i].text, &allowed, &e);

		if (rc != -bad[i].err || e.pos != bad[i].pos || strstr(e.text, bad[i].words) == NULL) {
			printf("# \"%s\": %d at %zu: %s\n", bad[i].text, rc, e.pos, e.text);
			CHECK(rc == -bad[i].err && e.pos == bad[i].pos);
			CHECK_HAS_STR(e.text, bad[i].words);
		}
		CHECK_EQ_INT(l.count, 0);
		CHECK_EQ_PTR(l.lcore, NULL);
	}
}

static void the_short_list_takes_numbers_and_ranges_alone(void)
{
	struct corral_cpuset allowed = set_of("0-63");
	struct corral_lcore_error e = { 0 };
	struct corral_lcores l;

	CHECK_EQ_INT(corral_lcores_parse_short(&l, "25-26,30", &allowed, &e), 0);
	CHECK_EQ_STR(list_text(&l), "25:25 26:26 30:30");
	corral_lcores_free(&l);
	CHECK_EQ_INT(corral_lcores_parse_short(&l, "1@2", &allowed, &e), -EINVAL);
	CHECK_EQ_INT(e.pos, 1);
	CHECK_HAS_STR(e.text, "--lcores");
	CHECK_EQ_INT(corral_lcores_parse_short(&l, "(1)", &allowed, &e), -EINVAL);
	CHECK_EQ_INT(e.pos, 0);
	CHECK_EQ_INT(corral_lcores_parse_short(&l, "", &allowed, &e), -EINVAL);
	CHECK_EQ_INT(corral_lcores_parse_short(&l, "1,64", &allowed, &e), -ENODEV);
	CHECK_EQ_INT(e.pos, 2);
}

static void a_long_list_of_allowed_cpus_is_cut_in_the_message(void)
{
	struct corral_lcore_error e = { 0 };
	struct corral_cpuset allowed;
	struct corral_lcores l;

	corral_cpuset_zero(&allowed);
	for (unsigned int c = 0; c < 4000; c += 2)
		CHECK_EQ_INT(corral_cpuset_add(&allowed, c), 0);
	CHECK_EQ_INT(corral_lcores_parse(&l, "1", &allowed, &e), -ENODEV);
	CHECK_HAS_STR(e.text, "CPU 1 ");
	CHECK_LT_INT(strlen(e.text), sizeof(e.text));
	corral_cpuset_zero(&allowed);
	CHECK_EQ_INT(corral_lcores_parse(&l, "1", &allowed, &e), -ENODEV);
	CHECK_HAS_STR(e.text, "none");
}

static void all_lcores_fit_in_one_list(void)
{
	struct corral_cpuset allowed = set_of("0-8191");
	struct corral_lcores l;

	CHECK_EQ_INT(corral_lcores_parse(&l, "0-1023", &allowed, NULL), 0);
	CHECK_EQ_INT(l.count, CORRAL_LCORE_LIMIT);
	CHECK_EQ_INT(l.lcore[1023].id, 1023);
	corral_lcores_free(&l);
	CHECK_EQ_INT(corral_lcores_parse(&l, "(0-1023)@(0-8191)", &allowed, NULL), 0);
	CHECK_EQ_INT(corral_cpuset_count(&l.lcore[1000].cpus), 8192);
	corral_lcores_free(&l);
}

static void freeing_nothing_is_fine(void)
{
	struct corral_lcores l = { 0 };

	corral_lcores_free(&l);
	corral_lcores_free(&l);
}

static void the_callers_own_cpus_are_the_default(void)
{
	struct corral_cpuset allowed;
	struct corral_lcore_error e;
	struct corral_lcores l;
	char text[32];
	unsigned int c;

	CHECK_GE_INT(corral_lcore_allowed(&allowed), 1);
	c = corral_cpuset_next(&allowed, 0);
	snprintf(text, sizeof(text), "0@%u", c);
	CHECK_EQ_INT(corral_lcores_parse(&l, text, NULL, NULL), 0);
	corral_lcores_free(&l);
	for (c = 0; corral_cpuset_has(&allowed, c); c++)
		;
	snprintf(text, sizeof(text), "0@%u", c);
	CHECK_EQ_INT(corral_lcores_parse(&l, text, NULL, &e), -ENODEV);
}

/* Whatever stands in a text: refused within it, or understood. */
static void look(const char *text)
{
	struct corral_cpuset allowed = set_of("0-31");
	struct corral_lcore_error e;
	struct corral_lcores l;
	char shown[CORRAL_LCORE_SHOW_MAX];
	int rc;

	memset(&e, 0, sizeof(e));
	rc = corral_lcores_parse(&l, text, &allowed, &e);
	if (rc == 0) {
		CHECK_GE_INT(l.count, 1);
		corral_lcores_free(&l);
		return;
	}
	CHECK(rc == -EINVAL || rc == -ERANGE || rc == -EEXIST || rc == -ENODEV);
	CHECK_LE_INT(e.pos, strlen(text));
	CHECK(e.text[0] != '\0');
	CHECK_LT_INT(corral_lcore_error_show(&e, text, shown, sizeof(shown)), sizeof(shown));
}

static void every_byte_in_every_place(void)
{
	char text[] = "6,(10-13)@7,(20-23)@(8,9)";

	for (size_t i = 0; i < sizeof(text) - 1; i++) {
		char was = text[i];

		for (int b = 0; b < 256; b++) {
			text[i] = (char)b;
			look(text);
		}
		text[i] = was;
	}
}

static void words_of_chance(void)
{
	static const char letters[] = "0123456789,-@() 00112233xt:";
	char text[40];
	uint64_t s = 88172645463325252u;

	for (int i = 0; i < 20000; i++) {
		size_t n;

		s ^= s << 13, s ^= s >> 7, s ^= s << 17;
		n = (s >> 40) % (sizeof(text) - 1);
		for (size_t k = 0; k < n; k++) {
			s ^= s << 13, s ^= s >> 7, s ^= s << 17;
			text[k] = letters[(s >> 33) % (sizeof(letters) - 1)];
		}
		text[n] = '\0';
		look(text);
	}
}

static void very_long_texts(void)
{
	size_t n = 100000;
	char *text = malloc(n + 1);

	CHECK(text != NULL);
	memset(text, '(', n);
	text[n] = '\0';
	look(text);
	memset(text, '1', n);
	look(text);
	for (size_t i = 0; i < n; i++)
		text[i] = i % 2 ? ',' : '1';
	look(text);
	free(text);
}

/* ---- showing errors ---- */

static const char *shown(size_t pos, const char *text)
{
	static char buf[CORRAL_LCORE_SHOW_MAX];
	struct corral_lcore_error e = { pos, "message" };

	CHECK_LT_INT(corral_lcore_error_show(&e, text, buf, sizeof(buf)), sizeof(buf));
	return buf;
}

static void an_error_is_shown_with_a_caret(void)
{
	CHECK_HAS_STR(shown(2, "1,x"), "message\n");
	CHECK_HAS_STR(shown(2, "1,x"), "1,x\n");
	CHECK_HAS_STR(shown(CORRAL_LCORE_NO_PLACE, "1,x"), "message\n");
	CHECK(strchr(shown(CORRAL_LCORE_NO_PLACE, "1,x"), '^') == NULL);
	CHECK(strchr(shown(0, NULL), '^') == NULL);
	for (size_t pos = 0; pos <= 3; pos++) {
		const char *text = shown(pos, "1,x"), *line = strstr(text, "1,x"), *caret = strchr(text, '^');
		const char *last = strrchr(text, '\n');

		CHECK(line != NULL && caret != NULL && last != NULL && last[1] == '\0');
		/* the caret stands as far into its line as the place into the text */
		while (line > text && line[-1] != '\n')
			line--;
		CHECK_EQ_INT(caret - strchr(line, '\n') - 1, (strstr(text, "1,x") - line) + (ptrdiff_t)pos);
	}
}

static void what_disturbs_a_terminal_is_not_shown(void)
{
	const char *text = shown(1, "1\x1b[31m\x01\x7f\xff\xc2\x85,\xc3\xa9");

	for (const char *c = text; *c; c++)
		CHECK(*c == '\n' || (unsigned char)*c >= 0x20);
	CHECK(strchr(text, '\x1b') == NULL && strchr(text, '\x7f') == NULL && strchr(text, '\xff') == NULL);
	CHECK_HAS_STR(text, "?");
	CHECK_HAS_STR(text, "\xc3\xa9"); /* a letter of another language is none of that */
}

static void a_long_text_is_cut_around_the_place(void)
{
	char text[5001];
	const char *out;

	memset(text, '1', 5000);
	text[5000] = '\0';
	text[2500] = 'X';
	out = shown(2500, text);
	CHECK_HAS_STR(out, "X");
	CHECK_HAS_STR(out, "...");
	CHECK_LT_INT(strlen(out), 400);
	CHECK_HAS_STR(shown(5000, text), "^");
	CHECK_HAS_STR(shown(0, text), "^");
}

static void a_short_buffer_is_never_overrun(void)
{
	struct corral_lcore_error e = { 2, "message" };
	size_t whole = corral_lcore_error_show(&e, "1,x", NULL, 0);
	char buf[64];

	CHECK_GT_INT(whole, 10);
	for (size_t len = 1; len <= sizeof(buf) - 1; len++) {
		memset(buf, 'x', sizeof(buf));
		CHECK_EQ_INT(corral_lcore_error_show(&e, "1,x", buf, len), whole);
		CHECK_EQ_INT(strlen(buf), len <= whole ? len - 1 : whole);
		CHECK_EQ_INT(buf[len], 'x');
	}
}

int main(void)
{
	TEST(an_empty_set_is_empty);
	TEST(a_set_reaches_the_last_cpu_and_no_further);
	TEST(sets_are_read_and_written);
	TEST(a_short_buffer_gets_the_start_and_the_length);
	TEST(a_bad_set_leaves_the_old_one);
	TEST(good_lists_are_understood);
	TEST(bad_lists_are_refused_with_their_place);
	TEST(the_short_list_takes_numbers_and_ranges_alone);
	TEST(a_long_list_of_allowed_cpus_is_cut_in_the_message);
	TEST(all_lcores_fit_in_one_list);
	TEST(freeing_nothing_is_fine);
	TEST(the_callers_own_cpus_are_the_default);
	TEST(every_byte_in_every_place);
	TEST(words_of_chance);
	TEST(very_long_texts);
	TEST(an_error_is_shown_with_a_caret);
	TEST(what_disturbs_a_terminal_is_not_shown);
	TEST(a_long_text_is_cut_around_the_place);
	TEST(a_short_buffer_is_never_overrun);
	return test_end();
}
