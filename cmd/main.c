/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c - the corral tool: verbs, and nothing else. */
#include <corral/base.h>

#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "perf.h"
#include "stress.h"
#include "tool.h"

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *does;
} verbs[] = {
	{ "stress", stress_main, "many threads on one ring: throughput, call times, and whether anything is lost" },
	{ "perf", perf_main, "what a call costs: one thread, and pairs on one core or two" },
};
#define VERBS (sizeof(verbs) / sizeof(verbs[0]))

/* Verbs of the contract that this version has not. */
static const char *const later[] = { "pktio-perf", "isolate", "noise", "topo",	 "ifs",	    "replay",
				     "forward",	   "capture", "ring",  "report", "compare", NULL };

static void usage(void)
{
	unsigned int i;

	puts("corral " CORRAL_VERSION " - rings that keep their speed where threads share cores\n\n"
	     "Usage: corral VERB [OPTION]...\n\nVerbs:");
	for (i = 0; i < VERBS; i++)
		printf("  %-10s  %s\n", verbs[i].name, verbs[i].does);
	puts("\n`corral VERB --help` explains one; `corral --version` tells the version.");
}

static int unknown(const char *word)
{
	char names[64] = "";
	size_t used = 0;
	unsigned int i;

	for (i = 0; later[i]; i++) {
		if (strcmp(word, later[i]) != 0)
			continue;
		tool_say("'%s' is not in this version; `corral` alone lists the verbs", word);
		return EXIT_WORDS;
	}
	for (i = 0; i < VERBS && used < sizeof(names); i++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s", i ? ", " : "", verbs[i].name);
	tool_say("'%s' is no verb; allowed: %s", word, names);
	return EXIT_WORDS;
}

static int dispatch(int argc, char **argv)
{
	unsigned int i;

	if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
		usage();
		return EXIT_WELL;
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts("corral " CORRAL_VERSION);
		return EXIT_WELL;
	}
	for (i = 0; i < VERBS; i++) {
		if (strcmp(argv[1], verbs[i].name) != 0)
			continue;
		tool_verb_name(verbs[i].name);
		return verbs[i].run(argc, argv);
	}
	return unknown(argv[1]);
}

int main(int argc, char **argv)
{
	int code;

	setlocale(LC_CTYPE, "");  /* for "±"; numbers keep their point */
	signal(SIGPIPE, SIG_IGN); /* a reader that leaves is a write error, and is told as one */
	code = dispatch(argc, argv);
	errno = 0;
	if (fflush(stdout) != 0 || ferror(stdout)) {
		tool_say("cannot write to standard output: %s", errno ? strerror(errno) : "an earlier write failed");
		code = code ? code : EXIT_CANNOT;
	}
	return code;
}
