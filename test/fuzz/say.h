/* SPDX-License-Identifier: BSD-3-Clause */
/* say.h - what the tool's parsers need of the tool: messages, which are counted, and an end for want of memory. */
#ifndef CORRAL_FUZZ_SAY_H
#define CORRAL_FUZZ_SAY_H

#include "fuzz.h"

#include "cmd/opts.h"
#include "cmd/tool.h"

#include <unistd.h>

static unsigned int said;
static char said_last[8192];

void tool_say(const char *fmt, ...)
{
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(said_last, sizeof(said_last), fmt, args);
	va_end(args);
	MUST(n > 0, "an empty message");
	said++;
}

int tool_no_memory(void)
{
	MUST(0, "out of memory");
	return EXIT_CANNOT;
}

/* Help goes to standard output: thousands of times, here. */
__attribute__((unused)) static void say_nothing(void)
{
	static int done;

	if (!done && !freopen("/dev/null", "w", stdout))
		MUST(0, "no /dev/null");
	done = 1;
}

#endif
