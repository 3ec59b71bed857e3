/* SPDX-License-Identifier: BSD-3-Clause */
/* opts.c - parsing the words behind a verb by its table, and printing the table. */
#include "opts.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

#define ALLOWED_TEXT 256

int opts_bad(const char *option, const char *fmt, ...)
{
	char text[2048];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	tool_say("%s: %s", option, text);
	return EXIT_WORDS;
}

char *opts_join(const char *const *words, char *text, size_t size)
{
	size_t used = 0;
	unsigned int i;

	text[0] = '\0';
	for (i = 0; words[i] && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", words[i]);
	return text;
}

static const char *allowed(const struct opts_option *o, char *text, size_t size)
{
	if (o->allowed)
		return o->allowed;
	return o->words ? opts_join(o->words, text, size) : o->arg;
}

static int word_index(const char *const *words, const char *word)
{
	int i;

	for (i = 0; words && words[i]; i++) {
		if (strcmp(words[i], word) == 0)
			return i;
	}
	return -1;
}

/* ---- One value. All return OPTS_GO or an exit code. ---- */

static int parse_word(const struct opts_option *o, const char *text, uint32_t *value)
{
	char buf[ALLOWED_TEXT];
	int i = word_index(o->words, text);

	if (i >= 0) {
		*value = (uint32_t)i;
		return OPTS_GO;
	}
	if (word_index(o->later, text) >= 0)
		return opts_bad(o->name, "%s is not in this version; allowed: %s", text, allowed(o, buf, sizeof(buf)));
	return opts_bad(o->name, "'%s' is unknown; allowed: %s", text, allowed(o, buf, sizeof(buf)));
}

/* The digits that text begins with; false if there are none or they are above 2^32 - 1. */
static bool digits(const char **text, uint32_t *value)
{
	const char *s = *text;
	uint64_t v = 0;

	while (isdigit((unsigned char)*s) && v <= UINT32_MAX)
		v = v * 10 + (uint64_t)(*s++ - '0');
	if (s == *text || v > UINT32_MAX)
		return false;
	*text = s;
	*value = (uint32_t)v;
	return true;
}

static bool in_range(const struct opts_option *o, double v)
{
	return v >= o->lo && v <= o->hi;
}

static int no_number(const struct opts_option *o, const char *text, const char *kind)
{
	char buf[ALLOWED_TEXT];

	return opts_bad(o->name, "'%s' is not %s; allowed: %s, %.10g to %.10g", text, kind,
			allowed(o, buf, sizeof(buf)), o->lo, o->hi);
}

static int parse_uint(const struct opts_option *o, const char *text, uint32_t *value)
{
	const char *s = text;
	uint32_t v;

	if (!digits(&s, &v) || *s || !in_range(o, v))
		return no_number(o, text, "a whole number in the range");
	*value = v;
	return OPTS_GO;
}

static int parse_real(const struct opts_option *o, const char *text, double *value)
{
	char *end = NULL;
	double v = 0;

	/* strtod() takes more than one would want: blanks, inf, nan, hexadecimal */
	if (text[0] && strspn(text, "0123456789.eE+-") == strlen(text))
		v = strtod(text, &end);
	if (!end || end == text || *end || !in_range(o, v))
		return no_number(o, text, "a number in the range");
	*value = v;
	return OPTS_GO;
}

static int parse_range(const struct opts_option *o, const char *text, uint32_t value[2])
{
	const char *s = text;
	uint32_t from, to;

	if (!digits(&s, &from))
		return no_number(o, text, "a range");
	to = from;
	if (*s == '-') {
		s++;
		if (!digits(&s, &to))
			return no_number(o, text, "a range");
	}
	if (*s || !in_range(o, from) || !in_range(o, to))
		return no_number(o, text, "a range");
	if (from > to)
		return opts_bad(o->name, "'%s' falls: the first number must not be above the second", text);
	value[0] = from;
	value[1] = to;
	return OPTS_GO;
}

/* ---- Lists ---- */

static int empty_list(const struct opts_option *o, const char *text)
{
	char buf[ALLOWED_TEXT];

	return opts_bad(o->name, "%s is empty; allowed: %s", text[0] ? "an item of the list" : "the list",
			allowed(o, buf, sizeof(buf)));
}

/* Split a text at its commas. */
static int split(const struct opts_option *o, const char *text, struct opts_list *list)
{
	char *rest;
	int n = 0;

	list->own = strdup(text);
	if (!list->own)
		return tool_no_memory();
	rest = list->own;
	while (rest) {
		if (n == OPTS_LIST_MAX)
			return opts_bad(o->name, "the list is too long; allowed: %d items", OPTS_LIST_MAX);
		list->word[n] = strsep(&rest, ",");
		if (!list->word[n][0])
			return empty_list(o, text);
		n++;
	}
	list->n = n;
	return OPTS_GO;
}

static int parse_list(const struct opts_option *o, const char *text, struct opts_list *list)
{
	struct opts_list got = { 0 };
	int rc = split(o, text, &got);

	if (rc != OPTS_GO) {
		free(got.own);
		return rc;
	}
	free(list->own);
	*list = got;
	return OPTS_GO;
}

static int parse_numbers(const struct opts_option *o, const char *text, struct opts_numbers *numbers)
{
	struct opts_list list = { 0 };
	struct opts_numbers got = { 0 };
	int rc = split(o, text, &list);

	while (rc == OPTS_GO && got.n < list.n) {
		const char *word = list.word[got.n];

		rc = o->kind == OPT_WORDS ? parse_word(o, word, &got.v[got.n]) : parse_uint(o, word, &got.v[got.n]);
		got.n++;
	}
	free(list.own);
	if (rc == OPTS_GO)
		*numbers = got;
	return rc;
}

void opts_once(const char *option, struct opts_numbers *list, const char *const *names)
{
	char number[16];
	int i, j, n = 0;

	for (i = 0; i < list->n; i++) {
		for (j = 0; j < n && list->v[j] != list->v[i]; j++)
			;
		if (j == n) {
			list->v[n++] = list->v[i];
			continue;
		}
		snprintf(number, sizeof(number), "%u", list->v[i]);
		tool_say("%s: %s is named twice; it is measured once", option, names ? names[list->v[i]] : number);
	}
	list->n = n;
}

/* ---- The help ---- */

/* "  --size N      text", further lines of the text below its first. */
static void print_option(const char *left, const char *help)
{
	size_t len;

	for (; *help; help += len + (help[len] == '\n')) {
		len = strcspn(help, "\n");
		printf("  %-30s  %.*s\n", left, (int)len, help);
		left = "";
	}
}

static void print_help(const struct opts_verb *verb)
{
	const struct opts_option *o;
	char left[128];

	printf("corral %s - %s\n\nUsage: corral %s [OPTION]...\n\n%s\nOptions:\n", verb->name, verb->does, verb->name,
	       verb->about);
	for (o = verb->option; o->name; o++) {
		if (o->kind == OPT_LATER)
			continue;
		if (o->kind == OPT_JSON)
			snprintf(left, sizeof(left), "%s[=FILE]", o->name);
		else
			snprintf(left, sizeof(left), "%s%s%s", o->name, o->arg ? " " : "", o->arg ? o->arg : "");
		print_option(left, o->help);
	}
	printf("\nExamples:\n  %s\n  %s\n\n", verb->example[0], verb->example[1]);
	printf("Exit code: 0 all is well; 1 something that moved is lost, double, torn or out of order, or a worker "
	       "is\n"
	       "stuck; 2 a word is off; 3 this machine cannot do it; 128+N ended by signal N. See corral-%s(1).\n",
	       verb->name);
}

/* ---- The words ---- */

static int set(const struct opts_option *o, void *into, const char *value)
{
	void *field = (char *)into + o->at;
	uint32_t word;
	int rc;

	switch (o->kind) {
	case OPT_FLAG:
		*(bool *)field = true;
		return OPTS_GO;
	case OPT_TEXT:
		if (!value[0])
			return empty_list(o, value);
		*(const char **)field = value;
		return OPTS_GO;
	case OPT_UINT:
		return parse_uint(o, value, field);
	case OPT_REAL:
		return parse_real(o, value, field);
	case OPT_RANGE:
		return parse_range(o, value, field);
	case OPT_WORD:
		rc = parse_word(o, value, &word);
		if (rc == OPTS_GO)
			*(int *)field = (int)word;
		return rc;
	case OPT_LIST:
		return parse_list(o, value, field);
	case OPT_NUMBERS:
	case OPT_WORDS:
		return parse_numbers(o, value, field);
	default:
		return OPTS_GO;
	}
}

static int set_json(const struct opts_option *o, struct opts_json *json, const char *value)
{
	if (value && !value[0])
		return opts_bad(o->name, "no file name behind '='; allowed: --json or --json=FILE");
	json->given = true;
	json->file = value;
	return OPTS_GO;
}

static const struct opts_option *find(const struct opts_verb *verb, const char *word, size_t len)
{
	const struct opts_option *o;

	for (o = verb->option; o->name; o++) {
		if (strlen(o->name) == len && memcmp(o->name, word, len) == 0)
			return o;
		if (o->kind == OPT_HELP && len == 2 && memcmp(word, "-h", 2) == 0)
			return o;
	}
	return NULL;
}

/* The option that argv[*at] is; moves *at on when the value is the next word. */
static int one_word(const struct opts_verb *verb, void *into, int argc, char *const *argv, int *at)
{
	const char *word = argv[*at], *value = strchr(word, '=');
	const struct opts_option *o = find(verb, word, value ? (size_t)(value - word) : strlen(word));
	char buf[ALLOWED_TEXT];

	value = value ? value + 1 : NULL;
	if (!o) {
		tool_say("%s '%s'; `corral %s --help` lists what is allowed",
			 word[0] == '-' && word[1] ? "unknown option" : "unexpected word", word, verb->name);
		return EXIT_WORDS;
	}
	if (o->kind == OPT_LATER)
		return opts_bad(o->name, "not in this version; `corral %s --help` lists what is allowed", verb->name);
	if (o->kind == OPT_JSON)
		return set_json(o, (void *)((char *)into + o->at), value);
	if (value && !o->arg)
		return opts_bad(o->name, "it takes no value, but '%s' was given", value);
	if (o->kind == OPT_HELP) {
		print_help(verb);
		return EXIT_WELL;
	}
	if (!value && o->arg) {
		if (*at + 1 >= argc)
			return opts_bad(o->name, "a value is missing; allowed: %s", allowed(o, buf, sizeof(buf)));
		value = argv[++*at];
	}
	return set(o, into, value);
}

int opts_parse(const struct opts_verb *verb, void *into, int argc, char *const *argv)
{
	int i, rc = OPTS_GO;

	for (i = 2; i < argc && rc == OPTS_GO; i++)
		rc = one_word(verb, into, argc, argv, &i);
	if (rc != OPTS_GO)
		opts_drop(verb, into);
	return rc;
}

void opts_drop(const struct opts_verb *verb, void *into)
{
	const struct opts_option *o;

	for (o = verb->option; o->name; o++) {
		struct opts_list *list = (void *)((char *)into + o->at);

		if (o->kind != OPT_LIST || !list->own)
			continue;
		free(list->own);
		*list = (struct opts_list){ 0 };
	}
}
