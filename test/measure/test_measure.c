/* SPDX-License-Identifier: BSD-3-Clause */
/* test_measure.c - statistics, histogram, clock, cells; and runs of a fake queue whose every fault must be found. */
#include <test.h>

#include <errno.h>
#include <math.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fake_peer.h"
#include "measure/cell.h"
#include "measure/clock.h"
#include "measure/hist.h"
#include "measure/plugin.h"
#include "measure/run.h"

#define CHECK_NEAR(a, b) CHECK(fabs((double)(a) - (double)(b)) <= 1e-9 * fabs((double)(b)))

/* ---- statistics ---- */

static void ranks_of_the_interval_are_those_of_the_binomial_law(void)
{
	static const unsigned int table[][3] = { { 1, 0, 0 },	 { 5, 0, 0 },	 { 6, 1, 6 },	{ 8, 1, 8 },
						 { 9, 2, 8 },	 { 12, 3, 10 },	 { 20, 6, 15 }, { 25, 8, 18 },
						 { 50, 18, 33 }, { 100, 40, 61 } };
	unsigned int lo, hi, i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		measure_median_ranks(table[i][0], &lo, &hi);
		CHECK_EQ_INT(lo, table[i][1]);
		CHECK_EQ_INT(hi, table[i][2]);
	}
}

static void ranks_stay_inside_for_every_number_of_values(void)
{
	unsigned int lo, hi, n, last = 0;

	for (n = MEASURE_ROUNDS_95; n < 3000; n++) {
		measure_median_ranks(n, &lo, &hi);
		CHECK(lo >= 1 && hi <= n && lo + hi == n + 1 && lo <= (n + 1) / 2);
		CHECK_GE_INT(lo + 1, last); /* the two laws meet without a leap */
		CHECK_LE_INT(lo, last + 2);
		last = lo;
	}
}

static void summary_of_nine_values(void)
{
	const double v[] = { 9, 1, 8, 2, 7, 3, 6, 4, 5 };
	struct measure_summary s;

	CHECK_EQ_INT(measure_summarize(&s, v, 9), 0);
	CHECK_EQ_INT(s.n, 9);
	CHECK_NEAR(s.min, 1);
	CHECK_NEAR(s.median, 5);
	CHECK_NEAR(s.max, 9);
	CHECK_NEAR(s.lo, 2);
	CHECK_NEAR(s.hi, 8);
	CHECK_NEAR(measure_half_width(&s), 3.0 / 5);
	CHECK(measure_has_interval(&s) && measure_is_wide(&s));
	CHECK_NEAR(v[0], 9);
}

static void summary_of_few_values(void)
{
	const double v[] = { 4, 1, 2, 3, 100, 100 };
	struct measure_summary s;

	CHECK_EQ_INT(measure_summarize(&s, v, 0), 0);
	CHECK_EQ_INT(s.n, 0);
	CHECK_EQ_INT(measure_summarize(&s, v, 1), 0);
	CHECK_NEAR(s.median, 4);
	CHECK_EQ_INT(measure_summarize(&s, v, 4), 0);
	CHECK_NEAR(s.median, 2.5);
	CHECK_EQ_INT(measure_summarize(&s, v, 5), 0);
	CHECK(!measure_has_interval(&s) && isnan(s.lo) && isnan(s.hi) && !measure_is_wide(&s));
	CHECK(isnan(measure_half_width(&s)));
	CHECK_EQ_INT(measure_summarize(&s, v, 6), 0);
	CHECK(measure_has_interval(&s) && measure_is_wide(&s));
	CHECK_NEAR(s.lo, 1);
	CHECK_NEAR(s.hi, 100);
}

/* 20 % of the median to either side, the limits themselves included. */
static void an_interval_is_wide_beyond_a_fifth(void)
{
	const double narrow[] = { 8, 8, 10, 10, 12, 12 }, above[] = { 9, 9, 10, 10, 12.1, 12.1 },
		     below[] = { 7.9, 7.9, 10, 10, 11, 11 };
	struct measure_summary s;

	CHECK_EQ_INT(measure_summarize(&s, narrow, 6), 0);
	CHECK(!measure_is_wide(&s));
	CHECK_EQ_INT(measure_summarize(&s, above, 6), 0);
	CHECK(measure_is_wide(&s));
	CHECK_EQ_INT(measure_summarize(&s, below, 6), 0);
	CHECK(measure_is_wide(&s));
}

static void ratios_pair_the_values_of_one_round(void)
{
	const double a[] = { 2, 4, 8, 16, 5 }, b[] = { 1, 2, 4, 8, 0 }, none[5] = { 0 };
	struct measure_summary s;

	CHECK_EQ_INT(measure_ratios(&s, a, b, 5), 0);
	CHECK_EQ_INT(s.n, 4); /* nothing is a multiple of a round that moved nothing */
	CHECK_NEAR(s.min, 2);
	CHECK_NEAR(s.median, 2);
	CHECK_NEAR(s.max, 2);
	CHECK_EQ_INT(measure_ratios(&s, a, none, 5), 0);
	CHECK_EQ_INT(s.n, 0);
}

static void shuffle_is_a_permutation_and_every_place_comes_first(void)
{
	unsigned int order[7], first[7] = { 0 }, seen, round, i;
	uint64_t state = 1;

	for (round = 0; round < 1000; round++) {
		measure_shuffle(order, 7, &state);
		for (seen = 0, i = 0; i < 7; i++)
			seen |= 1u << order[i];
		CHECK_EQ_INT(seen, 0x7f);
		first[order[0]]++;
	}
	for (i = 0; i < 7; i++)
		CHECK_GT_INT(first[i], 70);
}

/* ---- times ---- */

static void histogram_keeps_a_time_to_one_sixteenth(void)
{
	static struct peer_hist h, other;
	uint64_t t;

	for (t = 1; t < (UINT64_C(1) << 41); t += t / 3 + 1) {
		memset(&h, 0, sizeof(h));
		measure_hist_add(&h, t);
		CHECK(fabs(measure_hist_quantile(&h, 0.5) - (double)t) <= (double)t / 16);
	}
	memset(&h, 0, sizeof(h));
	CHECK_NEAR(measure_hist_quantile(&h, 0.5), 0);
	for (t = 0; t < 99; t++)
		measure_hist_add(&h, 8);
	measure_hist_add(&other, 1000);
	measure_hist_merge(&h, &other);
	CHECK_EQ_INT(h.calls, 100);
	CHECK_NEAR(measure_hist_quantile(&h, 0.99), 8);
	CHECK_NEAR(measure_hist_quantile(&h, 1), 1000);
	measure_hist_add(&h, UINT64_MAX);
	measure_hist_add(&h, 0);
	CHECK_EQ_INT(h.bucket[PEER_HIST_BUCKETS - 1], 1);
	CHECK_EQ_HEX(h.max, UINT64_MAX);
}

/* Cycles and nanoseconds of one clock: 1 ms asleep is at least 0.9 ms. */
static void clock_runs_and_is_calibrated(void)
{
	struct timespec nap = { 0, 1000000 };
	uint64_t a, b, since = measure_now_ns(), ns;

	measure_clock_init();
	CHECK(measure_clock_hz() > 1e6 && measure_clock_hz() < 1e11);
	since = measure_now_ns();
	a = measure_ticks();
	nanosleep(&nap, NULL);
	b = measure_ticks();
	ns = measure_now_ns() - since;
	CHECK(measure_clock_ns(b - a) >= 900000);
	CHECK(measure_clock_ns(b - a) <= 1.1 * (double)ns);
}

/* ---- runs ---- */

static struct measure_place *somewhere(unsigned int workers, enum corral_roles roles)
{
	struct measure_place *place;
	struct corral_cpuset set;
	unsigned int cpu[8], i;

	if (corral_lcore_allowed(&set) < 0)
		return NULL;
	for (i = 0; i < workers; i++)
		cpu[i] = corral_cpuset_next(&set, 0);
	place = measure_place_cpus("here", cpu, workers, roles);
	return place;
}

static struct measure_job job_of(const char *mode, enum measure_kind kind, uint32_t esize)
{
	return (struct measure_job){
		.mode = measure_peer_mode(corral_peer(), mode),
		.kind = kind,
		.call = PEER_BULK,
		.wait = PEER_WAIT_YIELD,
		.params = { .size = 256, .esize = esize },
		.bulk_min = kind == MEASURE_BOTH || kind == MEASURE_SPLIT ? 4 : 8,
		.bulk_max = 8,
		.objects = 64,
		.patience = 60,
		.seed = 1,
	};
}

#define TURNS 64 /* calls that must have been, so that the fake queue's faults have */

/* Long enough for the faults to happen, also on a machine that has no time for us. */
static int fake_run(const char *mode, enum measure_kind kind, uint32_t esize, struct measure_outcome *out)
{
	struct measure_job job = job_of(mode, kind, esize);
	struct measure_place *place;
	unsigned int workers = kind == MEASURE_SPLIT				       ? 4
			       : kind == MEASURE_BOTH && strcmp(mode, FAKE_STALE) != 0 ? 3
										       : 1;
	int rc;

	place = somewhere(workers, kind == MEASURE_SPLIT ? CORRAL_ROLES_SPLIT : CORRAL_ROLES_BOTH);
	CHECK(place != NULL && job.mode != NULL);
	job.place = place;
	for (job.seconds = 0.02;; job.seconds *= 3) {
		rc = measure_run(&job, out);
		if (rc != 0 || job.seconds > 20 || (kind == MEASURE_EMPTY ? out->short_calls : out->objs) > 8 * TURNS)
			break;
	}
	measure_place_free(place);
	return rc;
}

static void a_good_queue_is_found_good(void)
{
	static const uint32_t sizes[] = { 4, 8, 12, 64, 256 };
	static const enum measure_kind kinds[] = { MEASURE_BOTH, MEASURE_SPLIT, MEASURE_ROUNDTRIP, MEASURE_EMPTY };
	struct measure_outcome out;
	unsigned int i, k;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		for (k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
			CHECK_EQ_INT(fake_run(FAKE_GOOD, kinds[k], sizes[i], &out), 0);
			CHECK(!measure_outcome_bad(&out));
			CHECK(out.objs > 0 && out.mobj_s > 0 && out.seconds > 0 && out.cycles_per_obj > 0);
			CHECK(out.min_share >= 0 && out.min_share <= out.max_share && out.max_share <= 1);
			CHECK(!out.cut);
		}
	}
}

static void an_object_that_is_lost_is_found_missing(void)
{
	struct measure_outcome out;

	CHECK_EQ_INT(fake_run(FAKE_LOSES, MEASURE_BOTH, 8, &out), 0);
	CHECK_EQ_INT(out.lost, 3);
	CHECK_EQ_INT(out.duplicated + out.corrupt, 0);
	CHECK_EQ_INT(fake_run(FAKE_LOSES, MEASURE_BOTH, 4, &out), 0);
	CHECK_EQ_INT(out.lost, 3);
	CHECK_EQ_INT(fake_run(FAKE_LOSES, MEASURE_SPLIT, 8, &out), 0);
	CHECK_EQ_INT(out.lost, 3);
	CHECK_EQ_INT(out.duplicated + out.corrupt + out.disorder, 0);
}

static void an_object_that_is_there_twice_is_found(void)
{
	struct measure_outcome out;

	CHECK_EQ_INT(fake_run(FAKE_DOUBLES, MEASURE_BOTH, 8, &out), 0);
	CHECK_EQ_INT(out.duplicated, 3);
	CHECK_EQ_INT(out.lost + out.corrupt, 0);
	CHECK_EQ_INT(fake_run(FAKE_DOUBLES, MEASURE_SPLIT, 16, &out), 0);
	CHECK_EQ_INT(out.duplicated, 3);
	CHECK_EQ_INT(out.lost + out.corrupt, 0);
}

/* Each number is there once, but the generations do not add up. */
static void an_older_copy_in_place_of_an_object_is_found(void)
{
	struct measure_outcome out;

	CHECK_EQ_INT(fake_run(FAKE_STALE, MEASURE_BOTH, 8, &out), 0);
	CHECK_EQ_INT(out.lost, 1);
	CHECK_EQ_INT(out.duplicated, 1);
	CHECK_EQ_INT(out.corrupt, 0);
}

static void a_damaged_object_is_found(void)
{
	static const uint32_t sizes[] = { 4, 8, 12, 64, 256 };
	struct measure_outcome out;
	unsigned int i;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		CHECK_EQ_INT(fake_run(FAKE_DAMAGES, MEASURE_BOTH, sizes[i], &out), 0);
		CHECK(out.corrupt > 0);
		CHECK_EQ_INT(fake_run(FAKE_DAMAGES, MEASURE_SPLIT, sizes[i], &out), 0);
		CHECK(out.corrupt + out.disorder + out.lost + out.duplicated > 0);
	}
}

static void a_torn_object_is_found(void)
{
	static const uint32_t sizes[] = { 8, 16, 64 };
	struct measure_outcome out;
	unsigned int i;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		CHECK_EQ_INT(fake_run(FAKE_TEARS, MEASURE_SPLIT, sizes[i], &out), 0);
		CHECK(out.corrupt > 0);
	}
}

static void an_object_that_nobody_put_is_found(void)
{
	struct measure_outcome out;

	CHECK_EQ_INT(fake_run(FAKE_STRANGER, MEASURE_BOTH, 8, &out), 0);
	CHECK(out.corrupt > 0);
	CHECK_EQ_INT(fake_run(FAKE_STRANGER, MEASURE_SPLIT, 8, &out), 0);
	CHECK(out.corrupt > 0);
}

static void a_stream_out_of_order_is_found(void)
{
	static const uint32_t sizes[] = { 4, 8, 64 };
	struct measure_outcome out;
	unsigned int i;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		CHECK_EQ_INT(fake_run(FAKE_DISORDERS, MEASURE_SPLIT, sizes[i], &out), 0);
		CHECK(out.disorder > 0);
		CHECK_EQ_INT(out.lost + out.duplicated + out.corrupt, 0);
	}
	CHECK_EQ_INT(fake_run(FAKE_DISORDERS, MEASURE_BOTH, 8, &out), 0);
	CHECK(!measure_outcome_bad(&out)); /* objects that circulate have no order */
}

static void a_queue_that_never_becomes_empty_ends(void)
{
	struct measure_outcome out;

	CHECK_EQ_INT(fake_run(FAKE_BOTTOMLESS, MEASURE_BOTH, 8, &out), 0);
	CHECK(out.duplicated > 0);
	CHECK_EQ_INT(fake_run(FAKE_BOTTOMLESS, MEASURE_SPLIT, 8, &out), 0);
	CHECK(out.duplicated > 0);
}

static void a_combination_that_is_not_there_is_said(void)
{
	struct measure_outcome out;

	CHECK_EQ_INT(fake_run(FAKE_NONE, MEASURE_BOTH, 8, &out), -ENOTSUP);
	CHECK(out.why[0] != '\0');
}

static void a_queue_that_cannot_be_made_is_said(void)
{
	struct measure_outcome out;

	CHECK_EQ_INT(fake_run(FAKE_UNMADE, MEASURE_BOTH, 8, &out), -ENOSPC);
	CHECK_HAS_STR(out.why, "the queue cannot be made: No space left on device");
	CHECK_EQ_INT(fake_run(FAKE_FULL, MEASURE_BOTH, 8, &out), -ENOSPC);
	CHECK_HAS_STR(out.why, "the queue does not take 64 objects");
}

static void count_seconds(void *arg, double seconds)
{
	*(double *)arg += seconds;
}

/* In a process of its own: its workers stay. */
static void workers_that_do_not_stop_are_told(void)
{
	double told = 0;
	struct measure_outcome out;
	pid_t pid;
	int status;

	fflush(stdout);
	pid = fork();
	CHECK(pid >= 0);
	if (pid == 0) {
		struct measure_job job = job_of(FAKE_HANGS, MEASURE_BOTH, 8);

		job.place = somewhere(2, CORRAL_ROLES_BOTH);
		job.seconds = 0.01;
		job.patience = 3;
		job.waiting = count_seconds;
		job.arg = &told;
		_exit(job.place && measure_run(&job, &out) == -ETIMEDOUT && told == 1 + 2 ? 42 : 1);
	}
	CHECK_EQ_INT(waitpid(pid, &status, 0), pid);
	CHECK(WIFEXITED(status));
	CHECK_EQ_INT(WEXITSTATUS(status), 42);
}

static void calls_are_timed_where_that_is_asked(void)
{
	static struct peer_hist hist;
	struct measure_job job = job_of(FAKE_GOOD, MEASURE_BOTH, 8);
	struct measure_place *place = somewhere(1, CORRAL_ROLES_BOTH);
	struct measure_outcome all, calls;

	CHECK(place != NULL);
	job.place = place;
	job.hist = &hist;
	for (job.seconds = 0.02; job.seconds < 20; job.seconds *= 3) {
		memset(&hist, 0, sizeof(hist));
		job.timed_calls = false;
		CHECK_EQ_INT(measure_run(&job, &all), 0);
		job.timed_calls = true;
		CHECK_EQ_INT(measure_run(&job, &calls), 0);
		if (all.objs > 1000 && calls.objs > 1000)
			break;
	}
	measure_place_free(place);
	/* each call in it that moved something: one to take and one to put, of 4 to 8 objects */
	CHECK_GE_INT(hist.calls, 2 * (all.objs + calls.objs) / 8);
	CHECK_LE_INT(hist.calls, 2 * (all.objs + calls.objs) / 4);
	CHECK(hist.max > 0);
	CHECK(calls.cycles_per_obj > 0 && all.cycles_per_obj > 0);
}

/* ---- cells ---- */

static void a_cell_adds_up_its_rounds(void)
{
	struct measure_place place = { .name = "x" };
	struct measure_job job = { .place = &place };
	struct measure_outcome out = { .mobj_s = 10,
				       .cycles_per_obj = 3,
				       .seconds = 1,
				       .short_calls = 5,
				       .min_share = 0.25,
				       .max_share = 0.75,
				       .migrations = 2 };
	struct measure_cell cell;
	unsigned int i;
	char text[100];

	corral_cpuset_add(&place.used, 0);
	CHECK_EQ_INT(measure_cell_init(&cell, true), 0);
	CHECK(cell.hist != NULL);
	for (i = 0; i < 40; i++)
		CHECK_EQ_INT(measure_cell_add(&cell, &job, &out), 0);
	CHECK_EQ_INT(measure_cell_finish(&cell), 0);
	measure_cell_faults(&cell, text, sizeof(text));
	CHECK_EQ_STR(text, "");
	CHECK_EQ_INT(cell.rounds, 40);
	CHECK_NEAR(cell.speed.median, 10);
	CHECK_NEAR(cell.cycles_per_obj.median, 3);
	CHECK_EQ_INT(cell.short_calls, 200);
	CHECK_EQ_INT(cell.migrations, 80);
	CHECK(!measure_cell_bad(&cell) && !cell.noisy);
	out.lost = 1;
	out.min_share = 0.125;
	CHECK_EQ_INT(measure_cell_add(&cell, &job, &out), 0);
	CHECK_EQ_INT(measure_cell_finish(&cell), 0);
	CHECK(measure_cell_bad(&cell) && !cell.noisy);
	CHECK_NEAR(cell.min_share, 0.125);
	CHECK_NEAR(cell.max_share, 0.75);
	measure_cell_faults(&cell, text, sizeof(text));
	CHECK_EQ_STR(text, "1 lost");
	out.disorder = 7;
	out.migrations = -1;
	CHECK_EQ_INT(measure_cell_add(&cell, &job, &out), 0);
	measure_cell_faults(&cell, text, sizeof(text));
	CHECK_EQ_STR(text, "2 lost, 7 out of order");
	CHECK_EQ_INT(cell.migrations, -1); /* unknown once, unknown in all */
	measure_cell_free(&cell);
}

/* More than 2 % of the time of its CPUs. */
static void a_cell_that_was_stolen_from_is_noisy(void)
{
	struct measure_place place = { .name = "x" };
	struct measure_job job = { .place = &place };
	struct measure_outcome out = { .mobj_s = 10, .cycles_per_obj = 3, .seconds = 1 };
	struct measure_cell cell;

	corral_cpuset_add(&place.used, 0);
	corral_cpuset_add(&place.used, 1);
	CHECK_EQ_INT(measure_cell_init(&cell, false), 0);
	CHECK(cell.hist == NULL);
	out.steal_ms = 40;
	CHECK_EQ_INT(measure_cell_add(&cell, &job, &out), 0);
	CHECK_EQ_INT(measure_cell_finish(&cell), 0);
	CHECK(!cell.noisy);
	out.steal_ms = 50;
	CHECK_EQ_INT(measure_cell_add(&cell, &job, &out), 0);
	CHECK_EQ_INT(measure_cell_finish(&cell), 0);
	CHECK(cell.noisy);
	out.steal_ms = -1;
	CHECK_EQ_INT(measure_cell_add(&cell, &job, &out), 0);
	CHECK_EQ_INT(measure_cell_finish(&cell), 0);
	CHECK(!cell.noisy && cell.steal_ms < 0);
	measure_cell_free(&cell);
}

int main(void)
{
	measure_clock_init();
	TEST(ranks_of_the_interval_are_those_of_the_binomial_law);
	TEST(ranks_stay_inside_for_every_number_of_values);
	TEST(summary_of_nine_values);
	TEST(summary_of_few_values);
	TEST(an_interval_is_wide_beyond_a_fifth);
	TEST(ratios_pair_the_values_of_one_round);
	TEST(shuffle_is_a_permutation_and_every_place_comes_first);
	TEST(histogram_keeps_a_time_to_one_sixteenth);
	TEST(clock_runs_and_is_calibrated);
	TEST(a_good_queue_is_found_good);
	TEST(an_object_that_is_lost_is_found_missing);
	TEST(an_object_that_is_there_twice_is_found);
	TEST(an_older_copy_in_place_of_an_object_is_found);
	TEST(a_damaged_object_is_found);
	TEST(a_torn_object_is_found);
	TEST(an_object_that_nobody_put_is_found);
	TEST(a_stream_out_of_order_is_found);
	TEST(a_queue_that_never_becomes_empty_ends);
	TEST(a_combination_that_is_not_there_is_said);
	TEST(a_queue_that_cannot_be_made_is_said);
	TEST(workers_that_do_not_stop_are_told);
	TEST(calls_are_timed_where_that_is_asked);
	TEST(a_cell_adds_up_its_rounds);
	TEST(a_cell_that_was_stolen_from_is_noisy);
	return test_end();
}
