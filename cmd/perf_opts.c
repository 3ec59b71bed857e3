/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_opts.c - the words behind `corral perf`. */
#include "perf.h"
#include "tool.h"

#define AT(field) offsetof(struct perf_opts, field)

const char *const perf_where_names[] = { "single", "one-core", "two-cores", NULL };
const char *const perf_call_names[] = { "bulk", "burst", "single", "peek", "zc", "empty", NULL };

static const char *const wheres_later[] = { "ht", "numa", NULL };
static const char *const calls_later[] = { "wait", NULL };
static const char *const what_names[] = { "ring", NULL };
static const char *const whats_later[] = { "pool", "stack", "stage", "rcu", NULL };

static const struct opts_option options[] = {
	{ "--where", OPT_WORDS, AT(wheres), "PLACE,...",
	  "single (one thread puts and takes), one-core, two-cores (a producer and\n"
	  "a consumer); default: all that exist here",
	  .words = perf_where_names, .later = wheres_later },
	{ "--lcores", OPT_TEXT, AT(lcores), "LIST",
	  "instead: an lcore list; its first lcore coordinates, and the one or two\n"
	  "others work: alone, or as producer and consumer",
	  .allowed = "lcores such as 0@0,1@0,2@1, two or three" },
	{ "-l", OPT_TEXT, AT(lcores_short), "LIST", "the short form: 0-2",
	  .allowed = "lcores such as 0-2, two or three" },
	{ "--impl", OPT_LIST, AT(impls), "I,...", "corral (default), rte_ring, ck_ring, spinlock, mutex",
	  .allowed = "corral, rte_ring, ck_ring, spinlock, mutex" },
	{ "--mode", OPT_LIST, AT(modes), "M,...",
	  "mt, st (default: these two), rts, hts, or a pair such as mt/hts:\n"
	  "PRODUCER/CONSUMER",
	  .allowed = "mt, rts, hts, st, or a pair PRODUCER/CONSUMER of them such as mt/hts" },
	{ "--call", OPT_WORDS, AT(calls), "CALL,...",
	  "bulk (default), burst, single, peek, zc; empty: asking an empty ring,\n"
	  "by one thread",
	  .words = perf_call_names, .later = calls_later },
	{ "--n", OPT_NUMBERS, AT(n), "N,...", "objects a call, at most 512 (default 1,8,32); single has 1", 1,
	  PEER_BULK_MAX },
	{ "--esize", OPT_NUMBERS, AT(esize), "BYTES,...", "bytes an object, multiples of 4 up to 256 (default 8)", 4,
	  PEER_ESIZE_MAX },
	{ "--size", OPT_UINT, AT(size), "N", "capacity of the ring, objects (default 1024)", 1, 1 << 24 },
	{ "--wait", OPT_WORDS, AT(waits), "pause|yield,...", "what a worker does when a call gives 0 (default yield)",
	  .words = cell_wait_names, .later = cell_waits_later },
	{ "--rounds", OPT_UINT, AT(rounds), "R",
	  "runs of each cell (default 9; an interval needs 6); the widest get up\n"
	  "to four times as many",
	  1, 250 },
	{ "--budget", OPT_REAL, AT(budget), "SECONDS", "the whole run ends by then (default 60)", 0.1, 86400 },
	{ "--what", OPT_WORD, AT(what), "ring", "what is measured: ring", .words = what_names, .later = whats_later },
	{ "--strict-noise", OPT_FLAG, AT(strict_noise), NULL, "exit 3 if more than 5 % of the cells are noisy" },
	{ "--json", OPT_JSON, AT(json), NULL,
	  "print one JSON document instead of the table, or write it to FILE\n"
	  "beside the table" },
	{ "--help", OPT_HELP, 0, NULL, "this text" },
	{ "--isolate", OPT_LATER },
	{ NULL },
};

static const struct opts_verb verb = {
	"perf",
	"what a call costs: one thread, and pairs on one core or two",
	"Measures a call by one thread that puts n objects and takes them, and by a producer and a consumer on\n"
	"one core and on two. Cells take turns; the whole run ends within the budget, and what is left of it\n"
	"goes to the cells with the widest intervals. The tables have cycles an object (all threads' cycles)\n"
	"and millions of objects a second: medians, and half of the 95 % interval.\n",
	options,
	{ "corral perf --where single --n 8 --budget 2",
	  "corral perf --impl corral,mutex --mode st --call bulk,empty --n 1,32 --budget 5 --json" },
};

static const struct perf_opts defaults = {
	.impls = { 1, { "corral" } },
	.modes = { 2, { "mt", "st" } },
	.calls = { 1, { PERF_BULK } },
	.n = { 3, { 1, 8, 32 } },
	.esize = { 1, { 8 } },
	.size = 1024,
	.waits = { 1, { PEER_WAIT_YIELD } },
	.rounds = 9,
	.budget = 60,
};

static int check(const struct perf_opts *o)
{
	int i;

	if (!!o->wheres.n + !!o->lcores + !!o->lcores_short > 1)
		return opts_bad("--where", "--where, --lcores and -l exclude each other; give one of them");
	for (i = 0; i < o->esize.n; i++) {
		if (o->esize.v[i] % 4)
			return opts_bad("--esize", "%u is not a multiple of 4; allowed: 4 to %d", o->esize.v[i],
					PEER_ESIZE_MAX);
	}
	for (i = 0; i < o->n.n; i++) {
		if (o->n.v[i] > o->size)
			return opts_bad("--n", "no call for %u fits a ring of --size %u; allowed: 1 to size", o->n.v[i],
					o->size);
	}
	return columns_check(&o->impls, &o->modes) ? OPTS_GO : EXIT_WORDS;
}

int perf_opts_parse(struct perf_opts *o, int argc, char *const *argv)
{
	int rc;

	*o = defaults;
	rc = opts_parse(&verb, o, argc, argv);
	if (rc != OPTS_GO)
		return rc;
	rc = check(o);
	if (rc != OPTS_GO)
		perf_opts_drop(o);
	return rc;
}

void perf_opts_drop(struct perf_opts *o)
{
	opts_drop(&verb, o);
}
