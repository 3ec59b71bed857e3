/* SPDX-License-Identifier: BSD-3-Clause */
/* stress.c - `corral stress`, from the words to the exit code. */
#include "stress.h"

#include <stdio.h>
#include <unistd.h>

#include "tool.h"

/* All that was measured, judged and written. */
static int report(struct stress *s, struct tool_output *out)
{
	int code = stress_sum_up(s);

	if (code != EXIT_WELL) {
		measure_sink_drop(&out->sink);
		return code;
	}
	code = cell_verdict(&s->tally, s->doc, s->o.strict_noise);
	if (out->document)
		stress_json(s);
	if (out->table && s->tally.cells && stress_print(s) != EXIT_WELL)
		code = code == EXIT_WELL ? EXIT_CANNOT : code;
	return tool_output_close(out, s->doc, code);
}

static int work(struct stress *s, struct tool_output *out)
{
	int code = stress_plan(s);

	if (code == EXIT_WELL) {
		cell_say_skipped(&s->tally, s->doc);
		code = stress_run(s);
		s->tally.stuck = code == EXIT_FAULT;
	}
	if (code == EXIT_WELL || s->tally.stuck)
		return report(s, out);
	measure_sink_drop(&out->sink);
	return code;
}

int stress_main(int argc, char **argv)
{
	struct stress s = { 0 };
	struct tool_output out;
	int code = stress_opts_parse(&s.o, argc, argv);

	if (code != OPTS_GO)
		return code;
	code = tool_output_open(&out, &s.o.json);
	if (code == EXIT_WELL) {
		measure_signals_catch();
		s.doc = measure_doc_new("stress", argc, argv);
		code = work(&s, &out);
	}
	if (s.tally.stuck) {
		fflush(stdout);
		_exit(code); /* workers still run: nothing that they use may go, and no destructor may wait for them */
	}
	stress_free(&s);
	return code;
}
