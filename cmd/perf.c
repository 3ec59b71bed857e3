/* SPDX-License-Identifier: BSD-3-Clause */
/* perf.c - `corral perf`, from the words to the exit code. */
#include "perf.h"

#include <stdio.h>
#include <unistd.h>

#include "tool.h"

/* All that was measured, judged and written. */
static int report(struct perf *p, struct tool_output *out)
{
	int code = perf_sum_up(p);

	if (code != EXIT_WELL) {
		measure_sink_drop(&out->sink);
		return code;
	}
	code = cell_verdict(&p->tally, p->doc, p->o.strict_noise);
	if (out->document)
		perf_json(p);
	if (out->table && p->tally.cells && perf_print(p) != EXIT_WELL)
		code = code == EXIT_WELL ? EXIT_CANNOT : code;
	return tool_output_close(out, p->doc, code);
}

static int work(struct perf *p, struct tool_output *out)
{
	int code = perf_plan(p);

	if (code == EXIT_WELL) {
		cell_say_skipped(&p->tally, p->doc);
		code = perf_run(p);
		p->tally.stuck = code == EXIT_FAULT;
	}
	if (code == EXIT_WELL || p->tally.stuck)
		return report(p, out);
	measure_sink_drop(&out->sink);
	return code;
}

int perf_main(int argc, char **argv)
{
	struct perf p = { 0 };
	struct tool_output out;
	int code = perf_opts_parse(&p.o, argc, argv);

	if (code != OPTS_GO)
		return code;
	code = tool_output_open(&out, &p.o.json);
	if (code == EXIT_WELL) {
		measure_signals_catch();
		p.doc = measure_doc_new("perf", argc, argv);
		code = work(&p, &out);
	}
	if (p.tally.stuck) {
		fflush(stdout);
		_exit(code); /* workers still run: nothing that they use may go, and no destructor may wait for them */
	}
	perf_free(&p);
	return code;
}
