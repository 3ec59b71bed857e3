/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock.h - the tick that everything is timed with; used inside the plug-ins' loops too, hence inline and alone.
 *
 * x86: the time stamp counter; aarch64: the virtual counter; else CLOCK_MONOTONIC in ns ("cycles" are then ns, and the
 * clock's name says so). The reads are not serializing: a call is timed with an error of some tens of cycles, which is
 * the price of not slowing it. How long a tick is: measure_clock_init().
 */
#ifndef CORRAL_MEASURE_CLOCK_H
#define CORRAL_MEASURE_CLOCK_H

#include <stdint.h>
#include <time.h>

#if defined(__x86_64__) || defined(__i386__)
#define MEASURE_CLOCK_NAME "tsc"
#elif defined(__aarch64__)
#define MEASURE_CLOCK_NAME "cntvct"
#else
#define MEASURE_CLOCK_NAME "monotonic"
#endif

static inline __attribute__((always_inline, unused)) uint64_t measure_ticks(void)
{
#if defined(__x86_64__) || defined(__i386__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t t;

	__asm__ __volatile__("mrs %0, cntvct_el0" : "=r"(t)::"memory");
	return t;
#else
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
#endif
}

/* Measures the tick against CLOCK_MONOTONIC_RAW (some 20 ms, once a process). Call it before the two below. */
void measure_clock_init(void);

/* Ticks a second, and what ticks are in ns. */
double measure_clock_hz(void);
double measure_clock_ns(uint64_t ticks);

#endif
