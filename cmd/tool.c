/* SPDX-License-Identifier: BSD-3-Clause */
/* tool.c - messages, progress and output of all verbs. */
#include "tool.h"

#include <errno.h>
#include <langinfo.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "measure/run.h"
#include "opts.h"

#define WIPE "\r\033[K"

static const char *verb;
static bool progress_there; /* a line without its end stands on standard error */

void tool_verb_name(const char *name)
{
	verb = name;
}

void tool_say(const char *fmt, ...)
{
	va_list ap;

	fflush(stdout); /* where both go to one place, they stand in the order of their time */
	fprintf(stderr, "%scorral%s%s: ", progress_there ? WIPE : "", verb ? " " : "", verb ? verb : "");
	progress_there = false;
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

int tool_bad_text(const char *option, const char *text, const struct corral_lcore_error *e)
{
	char shown[CORRAL_LCORE_SHOW_MAX];
	size_t len = corral_lcore_error_show(e, text, shown, sizeof(shown));

	if (len > 0 && len < sizeof(shown))
		shown[len - 1] = '\0'; /* the last newline is tool_say()'s */
	return opts_bad(option, "%s", shown);
}

int tool_no_memory(void)
{
	tool_say("out of memory");
	return EXIT_CANNOT;
}

int tool_output_open(struct tool_output *out, const struct opts_json *json)
{
	int rc;

	*out = (struct tool_output){ .document = json->given, .table = !json->given || json->file, .file = json->file };
	rc = measure_sink_open(&out->sink, json->file);
	if (rc == 0)
		return EXIT_WELL;
	tool_say("--json: cannot write %s: %s; give a file in a folder that you may write", json->file, strerror(-rc));
	return EXIT_CANNOT;
}

/* A fault that was found outweighs a result that cannot be written. */
static int worse(int code)
{
	return code == EXIT_FAULT ? code : EXIT_CANNOT;
}

int tool_output_close(struct tool_output *out, const json_t *doc, int code)
{
	int rc;

	errno = 0;
	if (fflush(stdout) != 0 || ferror(stdout)) {
		tool_say("cannot write to standard output: %s; the table is lost or not whole",
			 errno ? strerror(errno) : "an earlier write failed");
		code = worse(code);
		clearerr(stdout); /* said once is enough */
	}
	if (!out->document) {
		measure_sink_drop(&out->sink);
		return code;
	}
	rc = measure_sink_write(&out->sink, doc);
	if (rc == 0)
		return code;
	tool_say("cannot write %s: %s; the result is lost", out->file ? out->file : "to standard output",
		 strerror(-rc));
	return worse(code);
}

void tool_progress_begin(struct tool_progress *p, double seconds)
{
	p->begin = measure_now_ns();
	p->shown = 0;
	p->on = seconds > 2 && isatty(STDERR_FILENO);
}

void tool_progress_show(struct tool_progress *p, double part, const char *what)
{
	uint64_t now = measure_now_ns();
	double passed = (double)(now - p->begin) / 1e9;
	char line[256];

	if (!p->on || now - p->shown < 200000000u)
		return;
	p->shown = now;
	part = part > 1 ? 1 : part;
	if (passed > 1 && part > 0)
		snprintf(line, sizeof(line), "%3.0f %%  %.0f s left  %s", 100 * part, passed / part - passed, what);
	else
		snprintf(line, sizeof(line), "%3.0f %%  %s", 100 * part, what);
	/* a line that wraps could not be wiped */
	fprintf(stderr, WIPE "%.*s", (int)tool_columns(STDERR_FILENO) - 1, line);
	fflush(stderr);
	progress_there = true;
}

void tool_progress_end(struct tool_progress *p)
{
	if (progress_there)
		fputs(WIPE, stderr);
	progress_there = false;
	p->on = false;
}

unsigned int tool_columns(int fd)
{
	const char *env = getenv("COLUMNS");
	long n = env ? strtol(env, NULL, 10) : 0;
	struct winsize size;

	if (n >= 20 && n <= 10000)
		return (unsigned int)n;
	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20)
		return size.ws_col;
	return 100;
}

const char *tool_plus_minus(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ? "±" : "+-";
}
