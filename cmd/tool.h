/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tool.h - what every verb does the same way: messages, progress, where the result goes, exit codes.
 */
#ifndef CORRAL_CMD_TOOL_H
#define CORRAL_CMD_TOOL_H

#include <corral/lcore.h>

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "measure/doc.h"

/* 128+N: a signal N ended the run. */
enum tool_exit {
	EXIT_WELL = 0,	 /* all is well */
	EXIT_FAULT = 1,	 /* it ran, and what it checks does not hold */
	EXIT_WORDS = 2,	 /* the words are off */
	EXIT_CANNOT = 3, /* this machine or this user cannot do it */
};

struct opts_json;

/* The verb that messages begin with; NULL: none yet. */
void tool_verb_name(const char *name);

/* One line on standard error: "corral VERB: …". Progress that stands there is wiped first. */
__attribute__((format(printf, 1, 2))) void tool_say(const char *fmt, ...);

/* A text of the user is wrong: say what, with the place marked. Returns EXIT_WORDS. */
int tool_bad_text(const char *option, const char *text, const struct corral_lcore_error *e);

/* There is no memory: say so. Returns EXIT_CANNOT. */
int tool_no_memory(void);

/* Where a verb's result goes: the table to standard output, or the document there, or both. */
struct tool_output {
	bool document; /* wanted at all */
	bool table;
	struct measure_sink sink;
	const char *file; /* NULL: standard output */
};

/* Before the work, so that a file that cannot be written costs no time. 0 or an exit code. */
int tool_output_open(struct tool_output *out, const struct opts_json *json);
/* Write what is to be written; code is the verb's so far. Returns it, or what replaces it when writing fails. */
int tool_output_close(struct tool_output *out, const json_t *doc, int code);

/* Progress of something that is expected to take so many seconds; shown on a terminal if they are more than two. */
struct tool_progress {
	uint64_t begin; /* ns */
	uint64_t shown; /* ns */
	bool on;
};
void tool_progress_begin(struct tool_progress *p, double seconds);
/* part: how much is done, 0 to 1; what: what comes next. */
void tool_progress_show(struct tool_progress *p, double part, const char *what);
void tool_progress_end(struct tool_progress *p);

/* Width of the terminal (or COLUMNS), 100 if there is none. */
unsigned int tool_columns(int fd);

/* "±" where the locale has it, else "+-". */
const char *tool_plus_minus(void);

#endif
