/* SPDX-License-Identifier: BSD-3-Clause */
/* cells.c - running, counting and judging cells. */
#include "cells.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "measure/doc.h"
#include "tool.h"

#define PATIENCE 60.0 /* seconds from stop until workers count as stuck */
#define CUT_SHARE 0.1 /* of a run, that one ended by a signal must have lasted to count */

const char *const cell_wait_names[] = { "pause", "yield", NULL };
const char *const cell_waits_later[] = { "park", NULL };
const char *const cell_ring_wait_names[] = { "pause", "yield", "sleep", NULL };

void cell_say_skipped(struct cell_tally *tally, const json_t *doc)
{
	const json_t *skipped = json_object_get(doc, "skipped");

	for (; tally->said < json_array_size(skipped); tally->said++) {
		const json_t *entry = json_array_get(skipped, tally->said);
		const char *what = json_string_value(json_object_get(entry, "what"));
		const char *why = json_string_value(json_object_get(entry, "why"));

		if (strncmp(what, why, strlen(what)) == 0)
			tool_say("skipped: %s", why);
		else
			tool_say("skipped: %s: %s", what, why);
	}
}

int cell_pin_main(const struct measure_place *place)
{
	int rc = place && place->plan.has_main ? corral_lcore_pin(&place->plan.main.cpus) : 0;

	if (rc == 0)
		return EXIT_WELL;
	tool_say("the main lcore cannot be pinned: %s", strerror(-rc));
	return EXIT_CANNOT;
}

static void waiting(void *arg, double seconds)
{
	const char *name = arg;

	if ((unsigned int)seconds % 5 == 0)
		tool_say("%s: its workers have not stopped for %.0f s; waiting for up to %.0f s", name, seconds,
			 PATIENCE);
}

static void leave_out(const char *name, const struct measure_cell *cell, enum cell_state *state, json_t *doc,
		      const char *why)
{
	*state = CELL_OUT;
	if (cell->rounds == 0)
		measure_doc_skip(doc, name, "%s", why);
	else
		measure_doc_skip(doc, name, "after %u %s: %s", cell->rounds, cell->rounds == 1 ? "round" : "rounds",
				 why);
}

static void say_faults(const char *name, unsigned int round, const struct measure_outcome *out)
{
	if (measure_outcome_bad(out))
		tool_say("%s, round %u: %llu lost, %llu duplicated, %llu corrupt, %llu out of order", name, round,
			 (unsigned long long)out->lost, (unsigned long long)out->duplicated,
			 (unsigned long long)out->corrupt, (unsigned long long)out->disorder);
}

int cell_run(const char *name, struct measure_job *job, struct measure_cell *cell, enum cell_state *state, json_t *doc)
{
	char label[256];
	struct measure_outcome out;
	int rc;

	snprintf(label, sizeof(label), "%s", name);
	job->patience = PATIENCE;
	job->waiting = waiting;
	job->arg = label;
	rc = measure_run(job, &out);
	if (rc == -ETIMEDOUT) {
		tool_say("%s is stuck: its workers did not stop within %.0f s; ending here", name, PATIENCE);
		leave_out(name, cell, state, doc, "stuck: its workers did not stop");
		*state = CELL_STUCK;
		return EXIT_FAULT;
	}
	if (rc == -ENOTSUP)
		leave_out(name, cell, state, doc, "it has not this combination of role, access, call and size");
	else if (rc != 0)
		leave_out(name, cell, state, doc, out.why);
	if (rc != 0)
		return EXIT_WELL;
	say_faults(name, cell->rounds + 1, &out);
	if (out.cut && out.seconds < CUT_SHARE * job->seconds && !measure_outcome_bad(&out))
		return EXIT_WELL; /* too short to say anything */
	if (measure_cell_add(cell, job, &out) != 0)
		leave_out(name, cell, state, doc, "out of memory");
	return EXIT_WELL;
}

void cell_count(struct cell_tally *tally, const char *name, const struct measure_cell *cell)
{
	char faults[128];

	if (cell->rounds == 0)
		return;
	tally->cells++;
	tally->noisy += cell->noisy;
	if (!measure_has_interval(&cell->speed)) {
		tally->fewest = tally->few && tally->fewest < cell->rounds ? tally->fewest : cell->rounds;
		tally->few++;
	}
	if (!measure_cell_bad(cell))
		return;
	tally->bad++;
	measure_cell_faults(cell, faults, sizeof(faults));
	tool_say("FAILED: %s: %s", name, faults);
}

int cell_verdict(struct cell_tally *tally, const json_t *doc, bool strict_noise)
{
	int sig = measure_signal();

	cell_say_skipped(tally, doc);
	if (tally->noisy)
		tool_say("%u of %u cells are noisy (~): time stolen, or an interval wider than 20 %% of the median",
			 tally->noisy, tally->cells);
	if (tally->few)
		tool_say("%u %s too few for a 95 %% interval (%d or more)", tally->fewest,
			 tally->fewest == 1 ? "round is" : "rounds are", MEASURE_ROUNDS_95);
	if (sig)
		tool_say("ended early by signal %d (%s): the result is not complete", sig, strsignal(sig));
	if (tally->bad || tally->stuck)
		return EXIT_FAULT;
	if (sig)
		return 128 + sig;
	if (!tally->cells) {
		tool_say("nothing could be measured; what was skipped says why");
		return EXIT_CANNOT;
	}
	if (strict_noise && tally->noisy * 20 > tally->cells) {
		tool_say(
			"--strict-noise: more than 5 %% of the cells are noisy; use a quieter machine, or longer runs");
		return EXIT_CANNOT;
	}
	return EXIT_WELL;
}
