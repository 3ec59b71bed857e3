/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * main.c - the model explorer as a test: first its own exam, then every ring scenario. Prints TAP.
 */
#include "litmus.h"
#include "model.h"
#include "ring_cases.h"
#include "ring_promises.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANDOM_PROGRAMS 2000

struct options {
	int exam;
	int rings;
	unsigned long random;
	const char *filter;
};

static int stop_at_first;
static uint64_t tests, failures, scenarios, executions, waiting, graphs;

static void report(const char *name, const struct model_result *r, int failed)
{
	if (model_names_only) {
		printf("%s\n", name);
		return;
	}
	tests++;
	scenarios++;
	executions += r->complete;
	waiting += r->waiting;
	graphs += r->graphs;
	if (failed && r->failed)
		printf("# because: %s\n", r->why);
	printf("%sok %" PRIu64 " - %s # %" PRIu64 " executions, %" PRIu64 " cut, %" PRIu64 " events\n",
	       failed ? "not " : "", tests, name, r->complete, r->waiting, r->graphs);
	fflush(stdout);
	if (!failed)
		return;
	failures++;
	if (stop_at_first) {
		printf("1..%" PRIu64 "\n", tests);
		exit(1);
	}
}

static void random_programs(unsigned long n)
{
	struct model_result r;
	uint64_t found = 0, bad = 0;
	unsigned long seed;

	for (seed = 1; seed <= n && bad == 0; seed++) {
		if (litmus_random(seed, &r) != 0) {
			bad++;
			printf("# seed %lu\n", seed);
		}
		found += r.complete + r.waiting;
	}
	tests++;
	failures += bad;
	printf("%sok %" PRIu64 " - %lu random programs: as brute force finds them # %" PRIu64 " executions\n",
	       bad != 0 ? "not " : "", tests, n, found);
	fflush(stdout);
}

__attribute__((noreturn)) static void usage(void)
{
	fputs("usage: test_model [--exam | --rings] [--stop] [--random N] [--list] [TEXT]\n"
	      "  --exam      the litmus tests alone\n"
	      "  --rings     the scenarios of rings alone\n"
	      "  --stop      no further than to the first failure\n"
	      "  --random N  so many random programs in the exam (2000)\n"
	      "  --list      names only\n"
	      "  TEXT        those alone whose name has TEXT in it\n",
	      stderr);
	exit(2);
}

static unsigned long number(const char *text)
{
	char *rest;
	unsigned long n = strtoul(text, &rest, 10);

	if (*text < '0' || *text > '9' || *rest != '\0')
		usage();
	return n;
}

static void parse(int argc, char **argv, struct options *o)
{
	int i;

	for (i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--exam") == 0)
			o->rings = 0;
		else if (strcmp(argv[i], "--rings") == 0)
			o->exam = 0;
		else if (strcmp(argv[i], "--stop") == 0)
			stop_at_first = 1;
		else if (strcmp(argv[i], "--list") == 0)
			model_names_only = 1;
		else if (strcmp(argv[i], "--random") == 0 && i + 1 < argc)
			o->random = number(argv[++i]);
		else if (argv[i][0] == '-' || o->filter != NULL)
			usage();
		else
			o->filter = argv[i];
	}
	if (!o->exam && !o->rings)
		usage();
}

int main(int argc, char **argv)
{
	struct options o = { 1, 1, RANDOM_PROGRAMS, NULL };

	parse(argc, argv, &o);
	if (o.exam)
		litmus(o.filter, report);
	if (o.exam && o.random != 0 && o.filter == NULL && !model_names_only)
		random_programs(o.random);
	if (o.rings) {
		ring_promises(o.filter, report);
		ring_cases(o.filter, report);
	}
	if (model_names_only)
		return 0;
	if (tests == 0) {
		fprintf(stderr, "test_model: no test has \"%s\" in its name\n", o.filter == NULL ? "" : o.filter);
		return 2;
	}
	printf("# %" PRIu64 " scenarios: %" PRIu64 " executions, %" PRIu64 " cut, %" PRIu64 " events\n", scenarios,
	       executions, waiting, graphs);
	printf("1..%" PRIu64 "\n", tests);
	return failures != 0;
}
