/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scan.h - inside the lcore room: one reader for the three grammars (CPU lists, lcore lists, layouts), bounded output.
 *
 * Every scan call skips blanks first and returns 0 (or what it says), or a negative errno after it has noted the error
 * with its place.
 */
#ifndef CORRAL_LCORE_SCAN_H
#define CORRAL_LCORE_SCAN_H

#include <corral/lcore.h>

#pragma GCC visibility push(hidden)

struct scan {
	const char *text;
	size_t pos;
	struct corral_lcore_error *e; /* may be NULL */
};

/* first..last, and the place where it stands in the text */
struct scan_range {
	uint32_t first, last;
	size_t pos;
};

/* What numbers mean in a place: for the messages, and the highest one. */
struct scan_kind {
	const char *name; /* "a CPU" */
	uint32_t max;
};

extern const struct scan_kind corral_scan_cpu_, corral_scan_lcore_;

/* Note an error; returns -err. pos may be CORRAL_LCORE_NO_PLACE. */
int corral_lcore_fail_(struct corral_lcore_error *e, int err, size_t pos, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* The next character that is no blank; '\0' at the end. */
char corral_scan_peek_(struct scan *s);

/* Steps over c if it comes next: 1, else 0. */
int corral_scan_take_(struct scan *s, char c);

/* "expected WHAT, found …" at the place. */
int corral_scan_expected_(struct scan *s, const char *what);

int corral_scan_number_(struct scan *s, const struct scan_kind *kind, uint32_t *value);
int corral_scan_range_(struct scan *s, const struct scan_kind *kind, struct scan_range *r);

/* A CPU that is not in allowed. */
int corral_lcore_refuse_cpu_(struct corral_lcore_error *e, size_t pos, uint32_t cpu,
			     const struct corral_cpuset *allowed);

/* Text into a buffer that may be too short: need counts what all would take. */
struct text_out {
	char *buf;
	size_t len, need;
};

void corral_text_add_(struct text_out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void corral_text_set_(struct text_out *o, const struct corral_cpuset *set);

/* sysfs below root ("/sys/devices/system/cpu"); tests give another one */
int corral_lcore_siblings_at_(const char *root, unsigned int cpu, struct corral_cpuset *set);
int corral_lcore_node_at_(const char *root, unsigned int cpu);
int corral_lcore_package_at_(const char *root, unsigned int cpu);

#pragma GCC visibility pop

#endif
