/* SPDX-License-Identifier: BSD-3-Clause */
/* test_wait.c - the wait policy: its ranges, and what its steps do, by what they count. */
#include "test.h"

#include <corral/wait.h>

#include <errno.h>

static struct corral_wait_policy policy(enum corral_wait_kind kind)
{
	struct corral_wait_policy p;

	CHECK_EQ_INT(corral_wait_policy_init(&p, kind), 0);
	return p;
}

static void policy_init_knows_all_kinds(void)
{
	CHECK_EQ_INT(policy(CORRAL_WAIT_DEFAULT).kind, CORRAL_WAIT_SLEEP);
	CHECK_EQ_INT(policy(CORRAL_WAIT_PAUSE).kind, CORRAL_WAIT_PAUSE);
	CHECK_EQ_INT(policy(CORRAL_WAIT_YIELD).kind, CORRAL_WAIT_YIELD);
	CHECK_EQ_INT(policy(CORRAL_WAIT_SLEEP).kind, CORRAL_WAIT_SLEEP);
	for (int k = CORRAL_WAIT_DEFAULT; k <= CORRAL_WAIT_SLEEP; k++) {
		struct corral_wait_policy p = policy((enum corral_wait_kind)k);
		struct corral_wait_tune t;

		CHECK_EQ_INT(corral_wait_policy_tune(&t, &p), 0);
		CHECK_EQ_INT(t.kind, p.kind);
	}
}

static void policy_init_refuses(void)
{
	struct corral_wait_policy p, before;

	memset(&p, 0x5a, sizeof(p));
	before = p;
	CHECK_EQ_INT(corral_wait_policy_init(&p, (enum corral_wait_kind)4), -EINVAL);
	CHECK_EQ_INT(corral_wait_policy_init(&p, (enum corral_wait_kind) - 1), -EINVAL);
	CHECK(memcmp(&p, &before, sizeof(p)) == 0);
	CHECK_EQ_INT(corral_wait_policy_init(NULL, CORRAL_WAIT_DEFAULT), -EINVAL);
}

#define P(field, value) offsetof(struct corral_wait_policy, field), value

static void tune_keeps_the_ranges_of_the_doc(void)
{
	static const struct {
		size_t at;
		uint32_t value;
		int good;
	} cases[] = {
		{ P(first_ns, 0), 1 },
		{ P(first_ns, 2500), 1 },
		{ P(first_ns, 2501), 0 },
		{ P(max_ns, 1000000), 1 },
		{ P(max_ns, 1000001), 0 },
		{ P(max_ns, 599), 0 },
		{ P(yield_ns, 0), 1 },
		{ P(yield_ns, 10000000), 1 },
		{ P(yield_ns, 10000001), 0 },
		{ P(yields, 0), 0 },
		{ P(yields, 1), 1 },
		{ P(yields, 65535), 1 },
		{ P(yields, 65536), 0 },
		{ P(sleep_min_ns, 0), 0 },
		{ P(sleep_min_ns, 1), 1 },
		{ P(sleep_min_ns, 1000001), 0 },
		{ P(sleep_max_ns, 1000000000), 1 },
		{ P(sleep_max_ns, 1000000001), 0 },
		{ P(sleep_max_ns, 49999), 0 },
		{ P(slip_ns, 0), 1 },
		{ P(slip_ns, 1000000), 1 },
		{ P(slip_ns, 1000001), 0 },
		{ P(kind, 4), 0 },
		{ P(kind, 0xffffffffu), 0 },
		{ P(kind, CORRAL_WAIT_DEFAULT), 1 },
	};
	struct corral_wait_tune t, before;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct corral_wait_policy p = policy(CORRAL_WAIT_DEFAULT);

		memcpy((char *)&p + cases[i].at, &cases[i].value, 4);
		memset(&t, 0x5a, sizeof(t));
		before = t;
		if (corral_wait_policy_tune(&t, &p) != (cases[i].good ? 0 : -EINVAL)) {
			CHECK_EQ_INT(i, -1); /* says which */
		}
		CHECK(cases[i].good || memcmp(&t, &before, sizeof(t)) == 0);
	}
}

static void tune_refuses_null(void)
{
	struct corral_wait_policy p = policy(CORRAL_WAIT_DEFAULT);
	struct corral_wait_tune t;

	CHECK_EQ_INT(corral_wait_policy_tune(NULL, &p), -EINVAL);
	CHECK_EQ_INT(corral_wait_policy_tune(&t, NULL), -EINVAL);
}

static void tune_counts_in_pauses(void)
{
	struct corral_wait_policy p = policy(CORRAL_WAIT_DEFAULT);
	struct corral_wait_tune t;
	uint32_t ps = corral_wait_pause_ps();

	CHECK_GE_INT(ps, 250);
	CHECK_LE_INT(ps, 1000000);
	CHECK_EQ_INT(corral_wait_pause_ps(), ps); /* measured once */
	p.first_ns = 0;
	p.yield_ns = 1000000;
	CHECK_EQ_INT(corral_wait_policy_tune(&t, &p), 0);
	CHECK_EQ_INT(t.first, 1); /* at least one */
	CHECK_EQ_INT(t.budget, 1000000000ull / ps);
	CHECK_EQ_INT(t.yields, p.yields);
	CHECK_EQ_INT(t.sleep_min_ns, p.sleep_min_ns);
	CHECK_EQ_INT(t.sleep_max_ns, p.sleep_max_ns);
	p.slip_ns = 0;
	CHECK_EQ_INT(corral_wait_policy_tune(&t, &p), 0);
	CHECK_EQ_INT(t.slip, 0);
}

/* A policy in few pauses, so that tests are quick. */
static struct corral_wait_tune tune(enum corral_wait_kind kind)
{
	struct corral_wait_tune t = { .kind = kind,
				      .first = 2,
				      .max = 8,
				      .budget = 10,
				      .yields = 3,
				      .sleep_min_ns = 100,
				      .sleep_max_ns = 350,
				      .slip = 0 };

	if (kind == CORRAL_WAIT_PAUSE)
		t.budget = 10;
	return t;
}

static uint64_t of(const struct corral_a64 *counter)
{
	return corral_load(counter, CORRAL_RELAXED);
}

static void steps_pause_then_yield_then_sleep(void)
{
	struct corral_wait_tune t = tune(CORRAL_WAIT_SLEEP);
	struct corral_wait_stats s = { { 0 }, { 0 }, { 0 } };
	struct corral_wait w = { 0, 0, 0, 0 };

	for (int i = 0; i < 10; i++)
		corral_wait_step(&w, &t, &s);
	CHECK_EQ_INT(of(&s.yields), 0);
	corral_wait_step(&w, &t, &s);
	CHECK_EQ_INT(of(&s.yields), 1);
	for (int i = 0; i < 10; i++)
		corral_wait_step(&w, &t, &s);
	CHECK_EQ_INT(of(&s.yields), 1); /* pauses between */
	for (int i = 0; i < 1 + 11; i++)
		corral_wait_step(&w, &t, &s);
	CHECK_EQ_INT(of(&s.yields), 3);
	CHECK_EQ_INT(of(&s.sleeps), 0);
	for (int i = 0; i < 11; i++)
		corral_wait_step(&w, &t, &s);
	CHECK_EQ_INT(of(&s.yields), 3);
	CHECK_EQ_INT(of(&s.sleeps), 1);
	CHECK_EQ_INT(w.sleep_ns, 200); /* the next one is twice as long */
	for (int i = 0; i < 22; i++)
		corral_wait_step(&w, &t, &s);
	CHECK_EQ_INT(of(&s.sleeps), 3);
	CHECK_EQ_INT(w.sleep_ns, 350); /* and at most that */
}

static void each_wait_is_counted_once(void)
{
	struct corral_wait_tune t = tune(CORRAL_WAIT_SLEEP);
	struct corral_wait_stats s = { { 0 }, { 0 }, { 0 } };

	for (int k = 1; k <= 3; k++) {
		struct corral_wait w = { 0, 0, 0, 0 };

		for (int i = 0; i < 100; i++)
			corral_wait_step(&w, &t, &s);
		CHECK_EQ_INT(of(&s.waits), k);
	}
}

static void yield_never_sleeps(void)
{
	struct corral_wait_tune t = tune(CORRAL_WAIT_YIELD);
	struct corral_wait_stats s = { { 0 }, { 0 }, { 0 } };
	struct corral_wait w = { 0, 0, 0, 0 };

	for (int i = 0; i < 1100; i++)
		corral_wait_step(&w, &t, &s);
	CHECK_EQ_INT(of(&s.yields), 100);
	CHECK_EQ_INT(of(&s.sleeps), 0);
}

static void pause_never_yields(void)
{
	struct corral_wait_tune t = tune(CORRAL_WAIT_PAUSE);
	struct corral_wait_stats s = { { 0 }, { 0 }, { 0 } };
	struct corral_wait_policy p = policy(CORRAL_WAIT_PAUSE);
	struct corral_wait w = { 0, 0, 0, 0 };

	for (int i = 0; i < 1100; i++)
		corral_wait_step(&w, &t, &s);
	CHECK_EQ_INT(of(&s.waits) + of(&s.yields) + of(&s.sleeps), 0);
	CHECK_EQ_INT(corral_wait_policy_tune(&t, &p), 0);
	CHECK_EQ_INT(t.budget, UINT32_MAX);
}

static void backoff_doubles(void)
{
	struct corral_wait_tune t = tune(CORRAL_WAIT_SLEEP);
	struct corral_wait_stats s = { { 0 }, { 0 }, { 0 } };
	struct corral_wait w = { 0, 0, 0, 0 };

	t.budget = 1000;
	corral_wait_backoff(&w, &t, &s);
	CHECK_EQ_INT(w.paused, 2);
	corral_wait_backoff(&w, &t, &s);
	CHECK_EQ_INT(w.paused, 6);
	corral_wait_backoff(&w, &t, &s);
	CHECK_EQ_INT(w.paused, 14);
	corral_wait_backoff(&w, &t, &s);
	CHECK_EQ_INT(w.paused, 22); /* no longer than the longest */
	corral_wait_progress(&w);
	CHECK_EQ_INT(w.paused, 0);
	corral_wait_backoff(&w, &t, &s);
	CHECK_EQ_INT(w.paused, 8); /* progress is no reason for shorter ones */
	w.paused = 1000;
	corral_wait_backoff(&w, &t, &s);
	CHECK_EQ_INT(of(&s.yields), 1);
	CHECK_EQ_INT(w.paused, 0);
	corral_wait_backoff(&w, &t, &s);
	CHECK_EQ_INT(w.paused, 2); /* after a yield all begins anew */
}

static void errno_is_kept(void)
{
	struct corral_wait_tune t = tune(CORRAL_WAIT_SLEEP);
	struct corral_wait_stats s = { { 0 }, { 0 }, { 0 } };
	struct corral_wait w = { 0, 0, 0, 0 };

	errno = EDOM;
	for (int i = 0; i < 200; i++) {
		corral_wait_step(&w, &t, &s);
		CHECK_EQ_INT(errno, EDOM);
	}
	CHECK_GE_INT(of(&s.sleeps), 1);
}

static void *number(void *arg)
{
	*(uint64_t *)arg = corral_wait_self_();
	return NULL;
}

static void threads_have_numbers_of_their_own(void)
{
	uint64_t own = corral_wait_self_(), other = 0;
	pthread_t t;

	CHECK(own != 0);
	CHECK_EQ_HEX(corral_wait_self_(), own);
	CHECK_EQ_INT(pthread_create(&t, NULL, number, &other), 0);
	pthread_join(t, NULL);
	CHECK(other != 0 && other != own);
}

int main(void)
{
	TEST(policy_init_knows_all_kinds);
	TEST(policy_init_refuses);
	TEST(tune_keeps_the_ranges_of_the_doc);
	TEST(tune_refuses_null);
	TEST(tune_counts_in_pauses);
	TEST(steps_pause_then_yield_then_sleep);
	TEST(each_wait_is_counted_once);
	TEST(yield_never_sleeps);
	TEST(pause_never_yields);
	TEST(backoff_doubles);
	TEST(errno_is_kept);
	TEST(threads_have_numbers_of_their_own);
	return test_end();
}
