/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.c - how long a tick of measure_ticks() is. */
#include "clock.h"

#include <pthread.h>

static double hz = 1e9;

#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__)
struct pair {
	uint64_t ticks;
	double ns;
};

/* A time and a tick that belong together: the tightest of a few tries, since we may be preempted between the reads. */
static struct pair both(void)
{
	struct pair best = { 0, 0 };
	uint64_t width = UINT64_MAX;
	int i;

	for (i = 0; i < 20; i++) {
		struct timespec ts;
		uint64_t a, b;

		a = measure_ticks();
		clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
		b = measure_ticks();
		if (b - a >= width)
			continue;
		width = b - a;
		best.ticks = a + width / 2;
		best.ns = (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
	}
	return best;
}

static void calibrate(void)
{
	struct timespec nap = { 0, 20000000 };
	struct pair a, b;

	a = both();
	do {
		clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL);
		b = both();
	} while (b.ns - a.ns < 10e6); /* a signal cut the sleep short */
	hz = (double)(b.ticks - a.ticks) / (b.ns - a.ns) * 1e9;
}
#else
static void calibrate(void)
{
}
#endif

void measure_clock_init(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, calibrate);
}

double measure_clock_hz(void)
{
	return hz;
}

double measure_clock_ns(uint64_t ticks)
{
	return (double)ticks * 1e9 / hz;
}
