/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * signals.c - ending in order. The signals stay blocked (in the workers too, who inherit the mask) but while the main
 * thread sleeps in ppoll(), so that none can slip in between a look at the flag and the sleep.
 */
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

#include "run.h"

static volatile sig_atomic_t caught;
static sigset_t outside; /* the mask before: signals open */

static void note(int sig)
{
	caught = sig;
}

/* One that was ignored when the tool started (nohup, a job of a script in the background) stays so. */
void measure_signals_catch(void)
{
	static const int ours[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction act = { .sa_handler = note }, before;
	sigset_t open;
	unsigned int i;

	sigemptyset(&act.sa_mask);
	sigemptyset(&open);
	for (i = 0; i < sizeof(ours) / sizeof(ours[0]); i++) {
		if (sigaction(ours[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
			sigaddset(&open, ours[i]);
	}
	sigprocmask(SIG_BLOCK, &open, &outside);
	for (i = 0; i < sizeof(ours) / sizeof(ours[0]); i++) {
		if (sigismember(&open, ours[i]) != 1)
			continue;
		sigdelset(&outside, ours[i]);
		sigaction(ours[i], &act, NULL);
	}
}

int measure_signal(void)
{
	struct timespec none = { 0, 0 };

	if (!caught)
		ppoll(NULL, 0, &none, &outside);
	return caught;
}

uint64_t measure_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

bool measure_sleep_until(uint64_t ns)
{
	struct timespec ts;
	uint64_t now;

	while (!caught) {
		now = measure_now_ns();
		if (now >= ns)
			return true;
		ts.tv_sec = (time_t)((ns - now) / 1000000000u);
		ts.tv_nsec = (long)((ns - now) % 1000000000u);
		ppoll(NULL, 0, &ts, &outside);
	}
	return false;
}
