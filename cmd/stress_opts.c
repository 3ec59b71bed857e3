/* SPDX-License-Identifier: BSD-3-Clause */
/* stress_opts.c - the words behind `corral stress`. */
#include <string.h>

#include "stress.h"
#include "tool.h"

#define AT(field) offsetof(struct stress_opts, field)

static const char *const role_names[] = { "both", "split", NULL };
static const char *const timing_names[] = { "total", "call", NULL };
static const char *const accesses_later[] = {
	"stage", "sched", "sched:parallel", "sched:atomic", "sched:ordered", NULL
};

static const struct opts_option options[] = {
	{ "--layout", OPT_TEXT, AT(layouts), "Tt@Cc[:float],...",
	  "T threads on C cores: 2t@1c,8t@2c; each pinned to one of the cores,\n"
	  "round robin, or with :float free to run on all of them",
	  .allowed = "layouts such as 2t@1c,8t@2c,8t@2c:float" },
	{ "--standard", OPT_FLAG, AT(standard), NULL,
	  "the layouts of the reference table that fit this machine (default)" },
	{ "--lcores", OPT_TEXT, AT(lcores), "LIST",
	  "lcores as DPDK names them: '6,(10-13)@7,(20-23)@8'; the first one\n"
	  "coordinates and does not work",
	  .allowed = "lcores such as 6,(10-13)@7,(20-23)@8, two or more" },
	{ "-l", OPT_TEXT, AT(lcores_short), "LIST", "the short form: 0-1,3; each lcore on the CPU of its number",
	  .allowed = "lcores such as 0-1,3, two or more" },
	{ "--roles", OPT_WORD, AT(roles), "both|split",
	  "both: every worker takes objects out and puts them back (default);\n"
	  "split: the first half of the workers produces, the other half consumes",
	  .words = role_names },
	{ "--impl", OPT_LIST, AT(impls), "I,...", "corral (default), rte_ring, ck_ring, spinlock, mutex",
	  .allowed = "corral, rte_ring, ck_ring, spinlock, mutex" },
	{ "--mode", OPT_LIST, AT(modes), "M,...",
	  "mt, rts, hts (default: these three), st, or a pair such as mt/hts:\n"
	  "PRODUCER/CONSUMER",
	  .allowed = "mt, rts, hts, st, or a pair PRODUCER/CONSUMER of them such as mt/hts" },
	{ "--access", OPT_WORD, AT(access), "copy|peek|zc", "copy (default), peek (start and finish), zc (zero copy)",
	  .words = column_access_names, .later = accesses_later },
	{ "--size", OPT_UINT, AT(size), "N", "capacity of the ring, objects (default 8192)", 1, 1 << 24 },
	{ "--objects", OPT_UINT, AT(objects), "N",
	  "objects that circulate with --roles both (default: a quarter of size)", 1, 1 << 24 },
	{ "--bulk", OPT_RANGE, AT(bulk), "MIN-MAX|N", "objects a call, random in the range (default 8-32; at most 512)",
	  1, PEER_BULK_MAX },
	{ "--esize", OPT_UINT, AT(esize), "BYTES", "bytes an object, a multiple of 4 up to 256 (default 8)", 4,
	  PEER_ESIZE_MAX },
	{ "--seconds", OPT_REAL, AT(seconds), "S", "length of a run (default 0.25)", 0.001, 3600 },
	{ "--rounds", OPT_UINT, AT(rounds), "R",
	  "runs of each cell; all take turns in each round (default 9; an\n"
	  "interval needs 6)",
	  1, 1000 },
	{ "--wait", OPT_WORDS, AT(waits), "pause|yield,...", "what a worker does when a call gives 0 (default yield)",
	  .words = cell_wait_names, .later = cell_waits_later },
	{ "--ring-wait", OPT_WORD, AT(ring_wait), "pause|yield|sleep",
	  "how a ring waits inside a call (default: the library's choice)", .words = cell_ring_wait_names },
	{ "--timing", OPT_WORD, AT(timing), "total|call",
	  "cycles of the whole loop (default), or of the calls alone, timed one by one", .words = timing_names },
	{ "--latency", OPT_FLAG, AT(latency), NULL,
	  "time every call and tell percentiles (slows what is measured a little)" },
	{ "--strict-noise", OPT_FLAG, AT(strict_noise), NULL, "exit 3 if more than 5 % of the cells are noisy" },
	{ "--json", OPT_JSON, AT(json), NULL,
	  "print one JSON document instead of the table, or write it to FILE\n"
	  "beside the table" },
	{ "--help", OPT_HELP, 0, NULL, "this text" },
	{ "--stages", OPT_LATER },
	{ "--quota", OPT_LATER },
	{ "--isolate", OPT_LATER },
	{ NULL },
};

static const struct opts_verb verb = {
	"stress",
	"many threads on one ring: throughput, call times, and whether anything is lost",
	"Runs every implementation and mode on every layout, in turn inside each round, and checks that\n"
	"every object is found exactly once afterwards. The table has millions of objects a second (median,\n"
	"and half of its 95 % interval); AGGREGATE lines have cycles an object, RATIO lines compare round by\n"
	"round.\n",
	options,
	{ "corral stress --layout 1t@1c,2t@1c --seconds 0.05",
	  "corral stress --impl corral,spinlock --mode rts,hts --layout 4t@1c --rounds 5 --json" },
};

static const struct stress_opts defaults = {
	.impls = { 1, { "corral" } },
	.modes = { 3, { "mt", "rts", "hts" } },
	.size = 8192,
	.bulk = { 8, 32 },
	.esize = 8,
	.seconds = 0.25,
	.rounds = 9,
	.waits = { 1, { PEER_WAIT_YIELD } },
	.ring_wait = -1,
};

static int check_objects(struct stress_opts *o)
{
	if (o->roles == STRESS_SPLIT) {
		if (o->objects)
			return opts_bad("--objects",
					"it does not apply with --roles split, where nothing returns; leave it out");
		if (o->bulk[1] > o->size)
			return opts_bad("--bulk",
					"a call for %u can never be served from %u of --size; allowed: 1 to that",
					o->bulk[1], o->size);
		return OPTS_GO;
	}
	if (!o->objects) {
		o->objects = o->size / 4 > o->bulk[1] ? o->size / 4 : o->bulk[1];
		o->objects = o->objects < o->size ? o->objects : o->size;
	}
	if (o->objects > o->size)
		return opts_bad("--objects", "%u objects do not fit a ring of --size %u; allowed: 1 to size",
				o->objects, o->size);
	if (o->bulk[1] > o->objects)
		return opts_bad("--bulk", "a call for %u can never be served from %u --objects; allowed: 1 to that",
				o->bulk[1], o->objects);
	return OPTS_GO;
}

static int check(struct stress_opts *o)
{
	if (!!o->layouts + !!o->lcores + !!o->lcores_short + o->standard > 1)
		return opts_bad("--layout",
				"--layout, --standard, --lcores and -l exclude each other; give one of them");
	if (o->esize % 4)
		return opts_bad("--esize", "%u is not a multiple of 4; allowed: 4 to %d", o->esize, PEER_ESIZE_MAX);
	if (!columns_check(&o->impls, &o->modes))
		return EXIT_WORDS;
	return check_objects(o);
}

int stress_opts_parse(struct stress_opts *o, int argc, char *const *argv)
{
	int rc;

	*o = defaults;
	rc = opts_parse(&verb, o, argc, argv);
	if (rc != OPTS_GO)
		return rc;
	rc = check(o);
	if (rc != OPTS_GO)
		stress_opts_drop(o);
	return rc;
}

void stress_opts_drop(struct stress_opts *o)
{
	opts_drop(&verb, o);
}
