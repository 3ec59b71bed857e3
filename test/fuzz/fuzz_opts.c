/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_opts.c - whole command lines: each line of the input is a word, the first is the verb (perf if it begins so,
 * else stress). What is taken is within its ranges, and written out as a command line it is taken for the same; what is
 * refused is refused with one message.
 */
#include "say.h"

#include "cmd/perf.h"
#include "cmd/stress.h"

#define WORDS 40       /* of a line that is made here, at most */
#define WORDS_GIVEN 24 /* of one in an input */

/* ---- A command line ---- */

struct line {
	int n;
	char *word[WORDS + 1];
};

__attribute__((format(printf, 2, 3))) static void add(struct line *l, const char *fmt, ...)
{
	va_list args;

	MUST(l->n < WORDS, "%d words", l->n);
	va_start(args, fmt);
	if (vasprintf(&l->word[l->n++], fmt, args) < 0)
		MUST(0, "out of memory");
	va_end(args);
}

static void line_free(struct line *l)
{
	while (l->n > 0)
		free(l->word[--l->n]);
}

/* An option with a value, unless that is NULL. */
static void add_text(struct line *l, const char *option, const char *value)
{
	if (!value)
		return;
	add(l, "%s", option);
	add(l, "%s", value);
}

static void add_list(struct line *l, const char *option, const struct opts_list *list)
{
	char text[8192] = "";
	size_t used = 0;
	int i;

	for (i = 0; i < list->n; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", i ? "," : "", list->word[i]);
	MUST(used < sizeof(text), "%zu bytes", used);
	add(l, "%s=%s", option, text);
}

/* Numbers, or the names that they stand for. */
static void add_numbers(struct line *l, const char *option, const struct opts_numbers *list, const char *const *names)
{
	char text[8192] = "";
	size_t used = 0;
	int i;

	for (i = 0; i < list->n; i++) {
		used += (size_t)snprintf(text + used, sizeof(text) - used, i ? "," : "");
		if (names)
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s", names[list->v[i]]);
		else
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%u", list->v[i]);
	}
	MUST(used < sizeof(text), "%zu bytes", used);
	if (list->n > 0)
		add(l, "%s=%s", option, text);
}

static void add_json(struct line *l, const struct opts_json *json)
{
	MUST(!json->file || (json->given && json->file[0]), "a file of no name");
	if (json->file)
		add(l, "--json=%s", json->file);
	else if (json->given)
		add(l, "--json");
}

/* ---- What was understood ---- */

static void check_list(const struct opts_list *list)
{
	int i;

	MUST(list->n >= 1 && list->n <= OPTS_LIST_MAX, "%d items", list->n);
	for (i = 0; i < list->n; i++)
		MUST(list->word[i][0] && !strchr(list->word[i], ','), "'%s' is no item", list->word[i]);
}

static void check_numbers(const struct opts_numbers *list, int least, uint32_t lo, uint32_t hi)
{
	int i;

	MUST(list->n >= least && list->n <= OPTS_LIST_MAX, "%d items", list->n);
	for (i = 0; i < list->n; i++)
		MUST(list->v[i] >= lo && list->v[i] <= hi, "%u is not %u to %u", list->v[i], lo, hi);
}

static void check_stress(const struct stress_opts *o)
{
	check_list(&o->impls);
	check_list(&o->modes);
	check_numbers(&o->waits, 1, 0, 1);
	MUST(!!o->layouts + !!o->lcores + !!o->lcores_short + o->standard <= 1, "several kinds of places");
	MUST(o->roles == STRESS_BOTH || o->roles == STRESS_SPLIT, "%d", o->roles);
	MUST(o->access >= 0 && column_access_names[o->access], "%d", o->access);
	MUST(o->size >= 1 && o->size <= 1 << 24, "size %u", o->size);
	MUST(o->bulk[0] >= 1 && o->bulk[0] <= o->bulk[1] && o->bulk[1] <= PEER_BULK_MAX, "bulk %u-%u", o->bulk[0],
	     o->bulk[1]);
	MUST(o->bulk[1] <= o->size, "bulk %u, size %u", o->bulk[1], o->size);
	if (o->roles == STRESS_SPLIT)
		MUST(o->objects == 0, "%u objects", o->objects);
	else
		MUST(o->objects >= o->bulk[1] && o->objects <= o->size, "%u objects", o->objects);
	MUST(o->esize >= 4 && o->esize <= PEER_ESIZE_MAX && o->esize % 4 == 0, "esize %u", o->esize);
	MUST(o->seconds >= 0.001 && o->seconds <= 3600, "%g seconds", o->seconds);
	MUST(o->rounds >= 1 && o->rounds <= 1000, "%u rounds", o->rounds);
	MUST(o->ring_wait >= -1 && (o->ring_wait < 0 || cell_ring_wait_names[o->ring_wait]), "%d", o->ring_wait);
	MUST(o->timing == STRESS_TOTAL || o->timing == STRESS_CALL, "%d", o->timing);
}

static void write_stress(struct line *l, const struct stress_opts *o)
{
	add_text(l, "--layout", o->layouts);
	add_text(l, "--lcores", o->lcores);
	add_text(l, "-l", o->lcores_short);
	if (o->standard)
		add(l, "--standard");
	add(l, "--roles=%s", o->roles == STRESS_SPLIT ? "split" : "both");
	add_list(l, "--impl", &o->impls);
	add_list(l, "--mode", &o->modes);
	add(l, "--access=%s", column_access_names[o->access]);
	add(l, "--size=%u", o->size);
	if (o->objects)
		add(l, "--objects=%u", o->objects);
	add(l, "--bulk=%u-%u", o->bulk[0], o->bulk[1]);
	add(l, "--esize=%u", o->esize);
	add(l, "--seconds=%.17g", o->seconds);
	add(l, "--rounds=%u", o->rounds);
	add_numbers(l, "--wait", &o->waits, cell_wait_names);
	if (o->ring_wait >= 0)
		add(l, "--ring-wait=%s", cell_ring_wait_names[o->ring_wait]);
	add(l, "--timing=%s", o->timing == STRESS_CALL ? "call" : "total");
	if (o->latency)
		add(l, "--latency");
	if (o->strict_noise)
		add(l, "--strict-noise");
	add_json(l, &o->json);
}

static void check_perf(const struct perf_opts *o)
{
	int i;

	check_list(&o->impls);
	check_list(&o->modes);
	check_numbers(&o->wheres, 0, 0, PERF_WHERES - 1);
	check_numbers(&o->calls, 1, PERF_BULK, PERF_EMPTY);
	check_numbers(&o->n, 1, 1, o->size < PEER_BULK_MAX ? o->size : PEER_BULK_MAX);
	check_numbers(&o->esize, 1, 4, PEER_ESIZE_MAX);
	check_numbers(&o->waits, 1, 0, 1);
	for (i = 0; i < o->esize.n; i++)
		MUST(o->esize.v[i] % 4 == 0, "esize %u", o->esize.v[i]);
	MUST((o->wheres.n > 0) + !!o->lcores + !!o->lcores_short <= 1, "several kinds of places");
	MUST(o->size >= 1 && o->size <= 1 << 24, "size %u", o->size);
	MUST(o->rounds >= 1 && o->rounds <= 250, "%u rounds", o->rounds);
	MUST(o->budget >= 0.1 && o->budget <= 86400, "budget %g", o->budget);
	MUST(o->what == 0, "%d", o->what);
}

static void write_perf(struct line *l, const struct perf_opts *o)
{
	add_numbers(l, "--where", &o->wheres, perf_where_names);
	add_text(l, "--lcores", o->lcores);
	add_text(l, "-l", o->lcores_short);
	add_list(l, "--impl", &o->impls);
	add_list(l, "--mode", &o->modes);
	add_numbers(l, "--call", &o->calls, perf_call_names);
	add_numbers(l, "--n", &o->n, NULL);
	add_numbers(l, "--esize", &o->esize, NULL);
	add(l, "--size=%u", o->size);
	add_numbers(l, "--wait", &o->waits, cell_wait_names);
	add(l, "--rounds=%u", o->rounds);
	add(l, "--budget=%.17g", o->budget);
	add(l, "--what=ring");
	if (o->strict_noise)
		add(l, "--strict-noise");
	add_json(l, &o->json);
}

/* Parse a line; what was understood is written into another one. */
static int understand(const struct line *given, struct line *written)
{
	int perf = strncmp(given->word[1], "perf", 4) == 0, rc;
	struct stress_opts s;
	struct perf_opts p;

	said = 0;
	rc = perf ? perf_opts_parse(&p, given->n, given->word) : stress_opts_parse(&s, given->n, given->word);
	MUST(rc == OPTS_GO || rc == EXIT_WELL || rc == EXIT_WORDS, "%d", rc);
	MUST(rc == EXIT_WORDS ? said == 1 : said == 0, "%u messages with %d", said, rc);
	if (rc != OPTS_GO)
		return rc;
	add(written, "corral");
	add(written, "%s", given->word[1]);
	if (perf) {
		check_perf(&p);
		write_perf(written, &p);
		perf_opts_drop(&p);
	} else {
		check_stress(&s);
		write_stress(written, &s);
		stress_opts_drop(&s);
	}
	return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct line given = { 0 }, once = { 0 }, twice = { 0 };
	int i;

	say_nothing();
	add(&given, "corral");
	while (given.n < WORDS_GIVEN && (given.word[given.n] = fuzz_line(&data, &size)) != NULL)
		given.n++;
	if (given.n > 1 && understand(&given, &once) == OPTS_GO) {
		MUST(understand(&once, &twice) == OPTS_GO, "what was understood is refused: %s", said_last);
		MUST(once.n == twice.n, "%d words, then %d", once.n, twice.n);
		for (i = 0; i < once.n; i++)
			MUST(strcmp(once.word[i], twice.word[i]) == 0, "'%s', then '%s'", once.word[i], twice.word[i]);
	}
	line_free(&given);
	line_free(&once);
	line_free(&twice);
	return 0;
}
