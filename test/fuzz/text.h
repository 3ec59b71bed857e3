/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.h - what the targets of lib/lcore share: a reader of numbers of their own, and checks of all that the library
 * writes (sets, plans, errors) against what was to be written.
 */
#ifndef CORRAL_FUZZ_TEXT_H
#define CORRAL_FUZZ_TEXT_H

#include "fuzz.h"

#include <corral/lcore.h>

#include <errno.h>

/* ---- A reader that shares nothing with the library's ---- */

__attribute__((unused)) static const char *text_blank(const char *p)
{
	return p + strspn(p, " \t");
}

/* Steps over one character, and blanks before it: 1, else 0. */
__attribute__((unused)) static int text_eat(const char **p, char c)
{
	const char *q = text_blank(*p);

	if (*q != c)
		return 0;
	*p = q + 1;
	return 1;
}

/* Steps over a number up to max, and blanks before it: 1, else 0. */
__attribute__((unused)) static int text_number(const char **p, uint32_t max, uint32_t *n)
{
	const char *q = text_blank(*p);
	size_t digits = strspn(q, "0123456789"), zeros = strspn(q, "0");

	if (digits == 0 || digits > zeros + 9)
		return 0;
	*n = (uint32_t)strtoul(q, NULL, 10);
	*p = q + digits;
	return *n <= max;
}

/* "N" or "N-M" */
__attribute__((unused)) static int text_range(const char **p, uint32_t max, uint32_t *first, uint32_t *last)
{
	if (!text_number(p, max, first))
		return 0;
	*last = *first;
	return !text_eat(p, '-') || (text_number(p, max, last) && *last >= *first);
}

/* ---- What the library prints ---- */

typedef size_t text_printer(const void *arg, char *buf, size_t len);

/* Whatever the size of the buffer: the start of the whole text, a terminator, the whole length, nothing behind. */
__attribute__((unused)) static void text_print(text_printer *print, const void *arg, const char *whole)
{
	size_t all = strlen(whole), room[] = { 1, all / 2, all, all + 1 }, i;

	MUST(print(arg, NULL, 0) == all, "without a buffer");
	for (i = 0; i < sizeof(room) / sizeof(room[0]); i++) {
		char *buf = fuzz_alloc(room[i] + 1);

		memset(buf, 'X', room[i] + 1);
		MUST(print(arg, buf, room[i]) == all, "into %zu bytes", room[i]);
		MUST(buf[room[i]] == 'X', "behind a buffer of %zu", room[i]);
		if (room[i] > 0) {
			MUST(strlen(buf) == (room[i] <= all ? room[i] - 1 : all), "'%s' in %zu bytes", buf, room[i]);
			MUST(memcmp(buf, whole, strlen(buf)) == 0, "'%s' is no start of '%s'", buf, whole);
		}
		free(buf);
	}
}

__attribute__((unused)) static size_t text_plan(const void *plan, char *buf, size_t len)
{
	return corral_lcore_plan_print(plan, buf, len);
}

/* A plan, printed and read again: the same lcores in the same order, the main one first where there is one. */
__attribute__((unused)) static void text_print_plan(const struct corral_lcore_plan *plan,
						    const struct corral_cpuset *allowed)
{
	size_t len = corral_lcore_plan_print(plan, NULL, 0);
	unsigned int i, main = plan->has_main ? 1 : 0;
	char *text = fuzz_alloc(len + 1);
	struct corral_lcores list;

	MUST(corral_lcore_plan_print(plan, text, len + 1) == len, "the second time");
	text_print(text_plan, plan, text);
	MUST(corral_lcores_parse(&list, text, allowed, NULL) == 0, "'%s'", text);
	MUST(list.count == plan->count + main, "%u lcores from '%s'", list.count, text);
	for (i = 0; i < list.count; i++) {
		const struct corral_lcore *want = i < main ? &plan->main : &plan->worker[i - main];

		MUST(list.lcore[i].id == want->id && corral_cpuset_equal(&list.lcore[i].cpus, &want->cpus),
		     "lcore %u in '%s'", i, text);
	}
	corral_lcores_free(&list);
	free(text);
}

/* ---- Errors ---- */

/*
 * Bytes of the character at s, or 0 if it must not reach a terminal as it is: no UTF-8, a control character, or one of
 * U+2000..U+200F, U+2028..U+206F.
 */
__attribute__((unused)) static size_t text_char(const char *s)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *c = (const unsigned char *)s;
	uint32_t code;
	size_t n, i;

	if (c[0] < 0x80)
		return c[0] >= ' ' && c[0] < 0x7f;
	for (n = 0; n < 8 && c[0] & (0x80 >> n); n++)
		;
	if (n < 2 || n > 4)
		return 0;
	code = c[0] & (0x7fu >> n);
	for (i = 1; i < n; i++) {
		if (c[i] >> 6 != 2)
			return 0;
		code = code << 6 | (c[i] & 0x3f);
	}
	if (code < least[n] || code > 0x10ffff || code >> 11 == 0x1b || (code >= 0x80 && code < 0xa0))
		return 0;
	return (code >= 0x2000 && code <= 0x200f) || (code >= 0x2028 && code <= 0x206f) ? 0 : n;
}

/* One column for each character that is shown as it is, and for each byte that is not. */
__attribute__((unused)) static size_t text_column(const char *s, char *out)
{
	size_t n = text_char(s);

	memcpy(out, s, n);
	out[n] = '\0';
	if (n == 0)
		strcpy(out, *s == '\t' ? " " : "?");
	return n > 0 ? n : 1;
}

/* What is to be shown, from the place where each column begins. */
__attribute__((unused)) static void text_expect(const struct corral_lcore_error *e, const char *text, char *out)
{
	size_t len = strlen(text), columns = 0, caret = 0, first, last, at, i;
	size_t *begin = fuzz_alloc((len + 1) * sizeof(*begin));
	char one[8];

	for (at = 0; at < len; at += text_column(text + at, one)) {
		caret += at < e->pos;
		begin[columns++] = at;
	}
	first = caret > 60 ? caret - 60 : 0;
	last = columns - caret > 40 ? caret + 40 : columns;
	out += sprintf(out, "%s\n%s", e->text, first ? "..." : "");
	for (i = first; i < last; i++) {
		text_column(text + begin[i], one);
		out += sprintf(out, "%s", one);
	}
	sprintf(out, "%s\n%*s^\n", last < columns ? "..." : "", (int)(caret - first + (first ? 3 : 0)), "");
	free(begin);
}

struct text_error {
	const struct corral_lcore_error *e;
	const char *text;
};

__attribute__((unused)) static size_t text_show(const void *arg, char *buf, size_t len)
{
	const struct text_error *t = arg;

	return corral_lcore_error_show(t->e, t->text, buf, len);
}

__attribute__((unused)) static void text_check_show(const struct corral_lcore_error *e, const char *text)
{
	char want[4 * CORRAL_LCORE_SHOW_MAX], got[CORRAL_LCORE_SHOW_MAX];
	struct text_error t = { e, text };

	if (e->pos <= strlen(text))
		text_expect(e, text, want);
	else
		snprintf(want, sizeof(want), "%s\n", e->text);
	MUST(strlen(want) < sizeof(got), "%zu bytes", strlen(want));
	corral_lcore_error_show(e, text, got, sizeof(got));
	MUST(strcmp(got, want) == 0, "it says\n%s, not\n%s", got, want);
	text_print(text_show, &t, want);
}

/* The error of a text that was refused: a line that says something, and a place inside the text. */
__attribute__((unused)) static void text_check_error(const struct corral_lcore_error *e, const char *text)
{
	size_t len = strnlen(e->text, sizeof(e->text)), i;

	MUST(len > 0 && len < sizeof(e->text), "a message of %zu bytes", len);
	for (i = 0; i < len; i++)
		MUST(e->text[i] >= 0x20 && e->text[i] < 0x7f, "byte 0x%02x in the message", (unsigned char)e->text[i]);
	MUST(e->pos <= strlen(text), "the place is byte %zu of %zu", e->pos, strlen(text));
	text_check_show(e, text);
}

/* Sets to choose from by a byte of the input. */
__attribute__((unused)) static struct corral_cpuset text_allowed(unsigned int byte)
{
	static const char *const some[] = { "0-7", "0-31", "1,3,5,7,20-31,40-61,63", "0-8191", "0", "" };
	enum { SOME = sizeof(some) / sizeof(some[0]) };
	static struct corral_cpuset set[SOME];
	unsigned int i = byte % SOME;

	if (some[i][0] && corral_cpuset_count(&set[i]) == 0)
		MUST(corral_cpuset_parse(&set[i], some[i], NULL) == 0, "%s", some[i]);
	return set[i];
}

#endif
