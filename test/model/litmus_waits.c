/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * litmus_waits.c - the exam's second half: what the explorer must report (races, waits for ever, a word at two
 * widths), and what only looks like it.
 */
#include "litmus_test.h"

static void race(unsigned int t, const void *arg)
{
	const struct orders *o = arg;

	if (t == 0) {
		model_write(data, 7);
		corral_store(y, 1, o->w);
		return;
	}
	r[1][0] = corral_load(y, o->r);
	if (r[1][0] == 1)
		MODEL_ASSERT(model_read(data) == 7);
}

/* An atomic access is no excuse for a plain one. w: the write is the atomic one. */
static void race_half(unsigned int t, const void *arg)
{
	const struct orders *o = arg;
	struct corral_a32 *word = (struct corral_a32 *)data;

	if (t == 0 && o->w != 0)
		corral_store(word, 1, CORRAL_RELEASE);
	else if (t == 0)
		model_write(data, 1);
	else if (o->w != 0)
		r[1][0] = model_read(data);
	else
		r[1][0] = corral_load(word, CORRAL_ACQUIRE);
}

/* The other way about: the atomic access comes second. */
static void race_half_back(unsigned int t, const void *arg)
{
	race_half(1 - t, arg);
}

static int never(void)
{
	return 0;
}

static void nothing(unsigned int t, const void *arg)
{
	(void)t;
	(void)arg;
	corral_store(x, 1, CORRAL_RELAXED);
}

static int waits_at_the_end(void)
{
	while (corral_load(x, CORRAL_RELAXED) != 2)
		;
	return 0;
}

/* w 0: nobody writes what is waited for; RELAXED + fw: somebody does, but gives nothing with it. */
static void wait_for(unsigned int t, const void *arg)
{
	const struct orders *o = arg;

	if (t == 0) {
		corral_store(x, 1, CORRAL_RELAXED);
		if (o->w != 0 || o->fw != 0)
			corral_store(y, 1, o->w);
		return;
	}
	while (corral_load(y, CORRAL_ACQUIRE) == 0)
		;
	MODEL_ASSERT(corral_load(x, CORRAL_RELAXED) == 1);
}

static void deadlock(unsigned int t, const void *arg)
{
	(void)arg;
	while (corral_load(t == 0 ? y : x, CORRAL_ACQUIRE) == 0)
		;
	corral_store(t == 0 ? x : y, 1, CORRAL_RELEASE);
}

/* T1 seems to wait for ever when T0 waits for what T2 has already written. */
static void chain(unsigned int t, const void *arg)
{
	(void)arg;
	if (t == 2) {
		corral_store(x, 1, CORRAL_RELEASE);
		return;
	}
	while (corral_load(t == 0 ? x : y, CORRAL_ACQUIRE) == 0)
		;
	if (t == 0)
		corral_store(y, 1, CORRAL_RELEASE);
}

/* A loop that is no wait: it does something. */
static void busy_loop(unsigned int t, const void *arg)
{
	unsigned int i;

	(void)arg;
	if (t == 1) {
		corral_store(x, 1, CORRAL_RELAXED);
		return;
	}
	for (i = 0; i < 2; i++) {
		r[0][i] = corral_load(x, CORRAL_RELAXED);
		corral_store(y, i + 1, CORRAL_RELAXED);
	}
}

static int busy_loop_weak(void)
{
	return r[0][0] == 0 && r[0][1] == 1 && corral_load(y, CORRAL_RELAXED) == 2;
}

/* Failing for no reason, it does not fail for ever. */
static void weak_cas_loop(unsigned int t, const void *arg)
{
	uint64_t expected;

	(void)t;
	(void)arg;
	do
		expected = 0;
	while (!corral_cas_weak(x, &expected, 1, CORRAL_RELAXED, CORRAL_RELAXED));
}

/* What a check writes is not there in the next execution. */
static void read_late(unsigned int t, const void *arg)
{
	(void)arg;
	if (t == 1)
		corral_store(x, 1, CORRAL_RELAXED);
	else if (corral_load(x, CORRAL_RELAXED) == 1)
		MODEL_ASSERT(corral_load(z, CORRAL_RELAXED) == 0);
}

static int writes_at_the_end(void)
{
	corral_store(z, 5, CORRAL_RELAXED);
	return 0;
}

static void width(unsigned int t, const void *arg)
{
	(void)arg;
	if (t == 0)
		r[0][0] = corral_load(x, CORRAL_RELAXED);
	else
		r[1][0] = corral_load((struct corral_a32 *)x + 1, CORRAL_RELAXED);
}

/* clang-format off */
static const struct litmus_test tests[] = {
	{ "plain data, release acquire", 2, race, never, FORBIDDEN, { REL, ACQ, 0, 0 }, 2, NULL },
	{ "plain data, relaxed store: a race", 2, race, never, VIOLATION, { RLX, ACQ, 0, 0 }, 0, "data race on data" },
	{ "plain data, relaxed load: a race", 2, race, never, VIOLATION, { REL, RLX, 0, 0 }, 0, "data race on data" },
	{ "plain read, atomic store: a race", 2, race_half, never, VIOLATION, { 1, 0, 0, 0 }, 0, "data race on data" },
	{ "plain write, atomic load: a race", 2, race_half, never, VIOLATION, { 0, 0, 0, 0 }, 0, "data race on data" },
	{ "plain read, then atomic store: a race", 2, race_half_back, never, VIOLATION, { 1, 0, 0, 0 }, 0,
	  "data race on data" },
	{ "plain write after an atomic load: a race", 2, race_half_back, never, VIOLATION, { 0, 0, 0, 0 }, 0,
	  "data race on data" },
	{ "a wait that is ended", 2, wait_for, never, FORBIDDEN, { REL, 0, 0, 0 }, 1, NULL },
	{ "a wait that orders nothing", 2, wait_for, never, VIOLATION, { RLX, 0, 1, 0 }, 0,
	  "corral_load(x, CORRAL_RELAXED) == 1" },
	{ "a wait that nobody ends", 2, wait_for, never, VIOLATION, { RLX, 0, 0, 0 }, 0,
	  "thread 1 waits for ever for what nobody will write" },
	{ "two that wait for each other", 2, deadlock, never, VIOLATION, { 0, 0, 0, 0 }, 0,
	  "waits for ever for what nobody will write" },
	{ "one waits for another that waits", 3, chain, never, FORBIDDEN, { 0, 0, 0, 0 }, 1, NULL },
	{ "a loop that does something is no wait", 2, busy_loop, busy_loop_weak, ALLOWED, { 0, 0, 0, 0 }, 3, NULL },
	{ "a weak CAS in a loop ends", 1, weak_cas_loop, never, FORBIDDEN, { 0, 0, 0, 0 }, 1, NULL },
	{ "a check that waits for ever", 1, nothing, waits_at_the_end, VIOLATION, { 0, 0, 0, 0 }, 1,
	  "a call waits for ever after all threads have ended" },
	{ "a check that writes", 2, read_late, writes_at_the_end, FORBIDDEN, { 0, 0, 0, 0 }, 2, NULL },
	{ "one word at two widths", 2, width, never, VIOLATION, { 0, 0, 0, 0 }, 0, "several widths" },
};
/* clang-format on */

void litmus_waits(const char *filter, model_report report)
{
	litmus_run(tests, sizeof(tests) / sizeof(tests[0]), filter, report);
}
