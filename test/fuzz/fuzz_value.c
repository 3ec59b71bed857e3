/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_value.c - one option, one value: the first byte says which kind, and whether as "--option=value" or two words,
 * the rest is the value. It is read a second time, by readers that are written apart from the tool's: what they make of
 * it must be the same.
 */
#include "say.h"

#include <ctype.h>

#define LO 3
#define HI 70000

struct values {
	uint32_t number, range[2];
	double real;
	int word;
	struct opts_list list;
	struct opts_numbers numbers, words;
	struct opts_json json;
	const char *text;
};

static const char *const words[] = { "pause", "yield", "sleep", NULL };

static const struct opts_option options[] = {
	{ "--number", OPT_UINT, offsetof(struct values, number), "N", "", .lo = LO, .hi = HI },
	{ "--range", OPT_RANGE, offsetof(struct values, range), "MIN-MAX|N", "", .lo = LO, .hi = HI },
	{ "--real", OPT_REAL, offsetof(struct values, real), "S", "", .lo = 0.5, .hi = 1000 },
	{ "--word", OPT_WORD, offsetof(struct values, word), "W", "", .words = words },
	{ "--list", OPT_LIST, offsetof(struct values, list), "L,...", "", .allowed = "words" },
	{ "--numbers", OPT_NUMBERS, offsetof(struct values, numbers), "N,...", "", .lo = LO, .hi = HI },
	{ "--words", OPT_WORDS, offsetof(struct values, words), "W,...", "", .words = words },
	{ "--text", OPT_TEXT, offsetof(struct values, text), "T", "" },
	{ 0 },
};
static const struct opts_verb verb = { "fuzz", "", "", options, { "", "" } };
#define KINDS (sizeof(options) / sizeof(options[0]) - 1)

/* A whole number LO..HI from the first n bytes, or 0. */
static uint32_t number(const char *s, size_t n)
{
	uint64_t v = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		if (!isdigit((unsigned char)s[i]))
			return 0;
		v = v * 10 + (uint64_t)(s[i] - '0');
		if (v > HI)
			return 0;
	}
	return n > 0 && v >= LO ? (uint32_t)v : 0;
}

/* The number that is all of the text: digits, a point among them, an exponent; else 0. */
static double real(const char *s)
{
	const char *p = s + (*s == '+' || *s == '-');
	size_t whole = strspn(p, "0123456789"), part = 0;

	p += whole;
	if (*p == '.')
		p += 1 + (part = strspn(p + 1, "0123456789"));
	if (whole + part == 0)
		return 0;
	if (*p == 'e' || *p == 'E') {
		p += 1 + (p[1] == '+' || p[1] == '-');
		if (!isdigit((unsigned char)*p))
			return 0;
		p += strspn(p, "0123456789");
	}
	return *p ? 0 : atof(s);
}

static int word_of(const char *s, size_t n)
{
	int i;

	for (i = 0; words[i]; i++)
		if (strlen(words[i]) == n && memcmp(words[i], s, n) == 0)
			return i;
	return -1;
}

/* Each item of a list is looked at; the number of items, or 0 if the list is none. */
static int list_of(const char *s, enum opts_kind kind, const struct values *v, int got)
{
	int n = 0, taken = kind == OPT_NUMBERS ? v->numbers.n : kind == OPT_WORDS ? v->words.n : v->list.n;

	for (;; s++) {
		size_t len = strcspn(s, ",");

		if (len == 0 || n == OPTS_LIST_MAX)
			return 0;
		if (kind == OPT_NUMBERS && number(s, len) == 0)
			return 0;
		if (kind == OPT_WORDS && word_of(s, len) < 0)
			return 0;
		if (got && kind == OPT_NUMBERS)
			MUST(v->numbers.v[n] == number(s, len), "item %d", n);
		if (got && kind == OPT_WORDS)
			MUST((int)v->words.v[n] == word_of(s, len), "item %d", n);
		if (got && kind == OPT_LIST)
			MUST(strlen(v->list.word[n]) == len && memcmp(v->list.word[n], s, len) == 0, "item %d", n);
		n++;
		s += len;
		if (*s)
			continue;
		MUST(!got || taken == n, "%d items of %d", taken, n);
		return n;
	}
}

/* What the value means: is it good, and if it was taken, was it taken for that? */
static int good(enum opts_kind kind, const char *s, const struct values *v, int got)
{
	size_t n = strlen(s), dash = strcspn(s, "-");
	uint32_t from, to;

	switch (kind) {
	case OPT_UINT:
		if (got)
			MUST(v->number == number(s, n), "%u of '%s'", v->number, s);
		return number(s, n) != 0;
	case OPT_RANGE:
		from = number(s, dash);
		to = s[dash] ? number(s + dash + 1, n - dash - 1) : from;
		if (got)
			MUST(v->range[0] == from && v->range[1] == to, "%u-%u of '%s'", v->range[0], v->range[1], s);
		return from != 0 && to != 0 && from <= to;
	case OPT_WORD:
		if (got)
			MUST(v->word == word_of(s, n), "%d of '%s'", v->word, s);
		return word_of(s, n) >= 0;
	case OPT_REAL:
		if (got)
			MUST(!(v->real > real(s)) && !(v->real < real(s)), "%g of '%s'", v->real, s);
		return real(s) >= 0.5 && real(s) <= 1000;
	case OPT_TEXT:
		if (got)
			MUST(strcmp(v->text, s) == 0, "'%s' of '%s'", v->text, s);
		return n > 0;
	default:
		return list_of(s, kind, v, got) > 0;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned int byte = fuzz_byte(&data, &size);
	const struct opts_option *o = &options[byte % KINDS];
	char *value = fuzz_text(data, size), *joined = fuzz_alloc(strlen(value) + 16);
	char tool[] = "corral", name[] = "fuzz", option[16];
	char *two[] = { tool, name, option, value, NULL }, *one[] = { tool, name, joined, NULL };
	struct values v = { 0 };
	int rc;

	snprintf(option, sizeof(option), "%s", o->name);
	sprintf(joined, "%s=%s", o->name, value);
	said = 0;
	rc = byte / KINDS % 2 ? opts_parse(&verb, &v, 3, one) : opts_parse(&verb, &v, 4, two);
	MUST(rc == OPTS_GO || rc == EXIT_WORDS, "%d", rc);
	MUST(said == (rc != OPTS_GO), "%u messages with %d, the last: %s", said, rc, said_last);
	MUST(good(o->kind, value, &v, rc == OPTS_GO) == (rc == OPTS_GO), "%s '%s' gives %d", o->name, value, rc);
	if (rc == OPTS_GO)
		opts_drop(&verb, &v);
	free(joined);
	free(value);
	return 0;
}
