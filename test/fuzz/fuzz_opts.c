/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_opts.c - whole command lines: the first line is the verb's letter, each further line a word. What is accepted is
 * within its ranges; what is refused is refused with one message; nothing leaks, whatever comes.
 */
#include "say.h"

#include "cmd/perf.h"
#include "cmd/stress.h"

#define WORDS 24

static void check_lists(const struct opts_list *impls, const struct opts_list *modes)
{
	int i;

	MUST(impls->n >= 1 && impls->n <= OPTS_LIST_MAX, "%d", impls->n);
	MUST(modes->n >= 1 && modes->n <= OPTS_LIST_MAX, "%d", modes->n);
	for (i = 0; i < impls->n; i++)
		MUST(impls->word[i][0], "an empty name");
	for (i = 0; i < modes->n; i++)
		MUST(modes->word[i][0], "an empty name");
}

static int stress(int argc, char **argv)
{
	struct stress_opts o;
	int rc = stress_opts_parse(&o, argc, argv);

	if (rc != OPTS_GO)
		return rc;
	check_lists(&o.impls, &o.modes);
	MUST(o.bulk[0] >= 1 && o.bulk[0] <= o.bulk[1] && o.bulk[1] <= PEER_BULK_MAX, "%u-%u", o.bulk[0], o.bulk[1]);
	MUST(o.esize >= 4 && o.esize <= PEER_ESIZE_MAX && o.esize % 4 == 0, "%u", o.esize);
	MUST(o.size >= 1 && o.size <= CORRAL_CPU_LIMIT << 17, "%u", o.size);
	MUST(o.objects <= o.size, "%u of %u", o.objects, o.size);
	MUST(o.rounds >= 1, "%u", o.rounds);
	MUST(o.seconds > 0, "%f", o.seconds);
	MUST(o.waits.n >= 1, "%d", o.waits.n);
	MUST(!!o.layouts + !!o.lcores + !!o.lcores_short + o.standard <= 1, "several places");
	stress_opts_drop(&o);
	return rc;
}

static int perf(int argc, char **argv)
{
	struct perf_opts o;
	int rc = perf_opts_parse(&o, argc, argv);

	if (rc != OPTS_GO)
		return rc;
	check_lists(&o.impls, &o.modes);
	MUST(o.rounds >= 1, "%u", o.rounds);
	MUST(o.budget > 0, "%f", o.budget);
	perf_opts_drop(&o);
	return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *argv[WORDS + 3] = { 0 }, tool[] = "corral";
	int argc = 2, rc;

	say_nothing();
	said = 0;
	argv[0] = tool;
	argv[1] = fuzz_line(&data, &size);
	if (!argv[1])
		return 0;
	while (argc < WORDS + 2 && (argv[argc] = fuzz_line(&data, &size)) != NULL)
		argc++;
	rc = argv[1][0] == 'p' ? perf(argc, argv) : stress(argc, argv);
	MUST(rc == OPTS_GO || rc == EXIT_WELL || rc == EXIT_WORDS, "%d", rc);
	MUST(rc == EXIT_WORDS ? said == 1 : said == 0, "%u messages with %d", said, rc);
	while (argc > 1)
		free(argv[--argc]);
	return 0;
}
