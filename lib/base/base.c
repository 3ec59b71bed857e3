/* SPDX-License-Identifier: BSD-3-Clause */
/* base.c - version and error texts. */
#include <corral/base.h>

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

const char *corral_version(void)
{
	return CORRAL_VERSION;
}

/* Where this library means more by an errno than the system's words say. */
static const struct {
	int err;
	const char *hint;
} hints[] = {
	{ EINVAL, "an argument is out of its range, or does not fit this ring (count, flags, element size)" },
	{ ENAMETOOLONG, "a ring's name has at most 63 bytes" },
	{ EEXIST, "a ring of that name is there: look it up, or free it first" },
	{ ENOENT, "no ring of that name, or the ring is empty" },
	{ ENOBUFS, "the ring is full: take objects out, or make it larger" },
	{ ENOTSUP, "the ring's mode has no such call: peek and zero copy need ST or HTS, a call by name its own mode" },
	{ EBUSY, "a peek is open on this side: finish it first" },
	{ EDEADLK, "this thread has a peek open on this side and would wait for itself: finish it first" },
	{ EPERM, "the thread that started the peek must finish it" },
	{ EOVERFLOW, "too large for this machine's address space" },
};

const char *corral_strerror(int err)
{
	static __thread char text[256];
	const char *hint = NULL;
	char sys[96];
	size_t i;

	if (err < 0 && err >= -INT_MAX) /* INT_MIN has no positive */
		err = -err;
	for (i = 0; i < sizeof(hints) / sizeof(hints[0]); i++)
		if (hints[i].err == err)
			hint = hints[i].hint;
#ifdef __GLIBC__
	snprintf(sys, sizeof(sys), "%s", strerrordesc_np(err) ? strerrordesc_np(err) : "unknown error");
#else
	/* musl has no error for a number that it does not know, but these words */
	if (strerror_r(err, sys, sizeof(sys)) != 0 || (err != 0 && strcmp(sys, "No error information") == 0))
		snprintf(sys, sizeof(sys), "unknown error");
#endif
	if (hint != NULL)
		snprintf(text, sizeof(text), "%s (%s)", sys, hint);
	else
		snprintf(text, sizeof(text), "%s", sys);
	return text;
}
