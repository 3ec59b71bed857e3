/* SPDX-License-Identifier: BSD-3-Clause */
/* run.c - one run of one cell, from the empty queue to the account. */
#include "run.h"

#include <corral/lcore.h>

#include <errno.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "hist.h"
#include "system.h"
#include "verify.h"

#define NS 1000000000u

/* What a worker's thread leaves beside the counts of the loop. */
struct member {
	long migrations; /* negative: unknown */
	int rc;		 /* of the loop */
};

/* Workers write their counts at the end only, but all the same no two of them share a line. */
struct seat {
	struct peer_worker worker CORRAL_ALIGNED(CORRAL_LINE);
};

struct crew {
	const struct measure_job *job;
	void *queue;
	struct seat *seat;
	struct member *member;
	unsigned int threads;
	struct corral_lcore_team *team;
	struct corral_a32 go CORRAL_ALIGNED(CORRAL_LINE);
	struct corral_a32 stop CORRAL_ALIGNED(CORRAL_LINE);
	sem_t ready, done;
};

static int work(unsigned int index, void *arg)
{
	struct crew *crew = arg;
	struct member *m = &crew->member[index];
	long before = measure_migrations(), after;

	sem_post(&crew->ready);
	m->rc = crew->job->mode->run(&crew->seat[index].worker);
	after = measure_migrations();
	m->migrations = before < 0 || after < 0 ? -1 : after - before;
	sem_post(&crew->done);
	return 0;
}

static enum peer_role role_of(const struct measure_job *job, unsigned int i)
{
	switch (job->kind) {
	case MEASURE_SPLIT:
		return i < job->place->plan.producers ? PEER_PRODUCE : PEER_CONSUME;
	case MEASURE_ROUNDTRIP:
		return PEER_ROUNDTRIP;
	case MEASURE_EMPTY:
		return PEER_EMPTY;
	default:
		return PEER_BOTH;
	}
}

static void *lines(size_t bytes)
{
	size_t size = (bytes + CORRAL_LINE - 1) / CORRAL_LINE * CORRAL_LINE;
	void *p = aligned_alloc(CORRAL_LINE, size);

	if (p)
		memset(p, 0, size);
	return p;
}

static int brief_worker(struct crew *crew, unsigned int i)
{
	const struct measure_job *job = crew->job;
	struct peer_worker *w = &crew->seat[i].worker;
	unsigned int producers = job->kind == MEASURE_SPLIT ? job->place->plan.producers : 0;

	w->queue = crew->queue;
	w->go = &crew->go;
	w->stop = &crew->stop;
	w->role = role_of(job, i);
	w->access = job->access;
	w->call = job->call;
	w->wait = job->wait;
	w->esize = job->params.esize;
	w->bulk_min = job->bulk_min;
	w->bulk_max = job->bulk_max;
	w->index = w->role == PEER_CONSUME ? i - producers : i;
	w->producers = producers;
	w->objects = job->objects;
	w->seed = (job->seed + i + 1) * UINT64_C(0x9e3779b97f4a7c15);
	w->timed_calls = job->timed_calls;
	if (w->role == PEER_CONSUME) {
		w->last_seq = lines(producers * sizeof(*w->last_seq));
		if (!w->last_seq)
			return -ENOMEM;
	}
	if (job->hist) {
		w->hist = lines(sizeof(*w->hist));
		if (!w->hist)
			return -ENOMEM;
	}
	return 0;
}

static void dismiss(struct crew *crew)
{
	unsigned int i;

	for (i = 0; crew->seat && i < crew->threads; i++) {
		free(crew->seat[i].worker.last_seq);
		free(crew->seat[i].worker.hist);
	}
	free(crew->seat);
	free(crew->member);
	if (crew->queue)
		crew->job->mode->destroy(crew->queue);
	sem_destroy(&crew->ready);
	sem_destroy(&crew->done);
	free(crew);
}

static int hire(const struct measure_job *job, struct crew **out, char *why, size_t size)
{
	struct crew *crew = lines(sizeof(*crew));
	unsigned int i;
	int rc = -ENOMEM;

	if (!crew)
		return -ENOMEM;
	crew->job = job;
	crew->threads = job->place->plan.count;
	sem_init(&crew->ready, 0, 0);
	sem_init(&crew->done, 0, 0);
	crew->seat = lines(crew->threads * sizeof(*crew->seat));
	crew->member = calloc(crew->threads, sizeof(*crew->member));
	if (!crew->seat || !crew->member)
		goto fail;
	errno = 0;
	crew->queue = job->mode->create(&job->params);
	if (!crew->queue) {
		rc = errno ? -errno : -ENOMEM;
		snprintf(why, size, "the queue cannot be made: %s", strerror(-rc));
		goto fail;
	}
	if (job->kind == MEASURE_BOTH) {
		rc = measure_fill(job, crew->queue);
		if (rc != 0) {
			snprintf(why, size, "the queue does not take %u objects", job->objects);
			goto fail;
		}
	}
	for (i = 0; i < crew->threads; i++) {
		rc = brief_worker(crew, i);
		if (rc != 0)
			goto fail;
	}
	*out = crew;
	return 0;
fail:
	if (!why[0])
		snprintf(why, size, "%s", strerror(-rc));
	dismiss(crew);
	return rc;
}

static int start(struct crew *crew, char *why, size_t size)
{
	struct corral_lcore_error e = { 0 };
	struct corral_lcore_job *jobs = calloc(crew->threads, sizeof(*jobs));
	unsigned int i;
	int rc;

	if (!jobs)
		return -ENOMEM;
	for (i = 0; i < crew->threads; i++)
		jobs[i] = (struct corral_lcore_job){ work, crew };
	rc = corral_lcore_launch(&crew->team, &crew->job->place->plan, jobs, &e);
	free(jobs);
	if (rc != 0)
		snprintf(why, size, "the workers cannot be started: %s", e.text);
	for (i = 0; i < crew->threads && rc == 0; i++) {
		while (sem_wait(&crew->ready) != 0)
			;
	}
	return rc;
}

/* After stop: wait until all are done; tell the caller each second that they are not. -ETIMEDOUT: they never are. */
static int gather(struct crew *crew)
{
	const struct measure_job *job = crew->job;
	uint64_t since = measure_now_ns();
	unsigned int done = 0, seconds = 1, i;
	struct timespec ts;

	while (done < crew->threads) {
		clock_gettime(CLOCK_REALTIME, &ts);
		ts.tv_sec++;
		if (sem_timedwait(&crew->done, &ts) == 0) {
			done++;
			continue;
		}
		if (measure_now_ns() - since < (uint64_t)seconds * NS)
			continue;
		if (seconds >= job->patience || (seconds > 12 && measure_signal()))
			return -ETIMEDOUT;
		if (job->waiting)
			job->waiting(job->arg, seconds);
		seconds++;
	}
	corral_lcore_wait(crew->team, NULL);
	for (i = 0; i < crew->threads; i++) {
		if (crew->member[i].rc != 0)
			return crew->member[i].rc;
	}
	return 0;
}

/* Through both ends counts once: of a stream, what the consumers took. */
static bool counts(const struct peer_worker *w)
{
	return w->role != PEER_PRODUCE;
}

static uint64_t moved(const struct peer_worker *w)
{
	return w->role == PEER_EMPTY ? w->short_calls : w->objs;
}

static void shares(const struct crew *crew, struct measure_outcome *out)
{
	uint64_t total[PEER_ROLES] = { 0 };
	unsigned int i;
	double share;

	out->min_share = 1;
	out->max_share = 0;
	for (i = 0; i < crew->threads; i++)
		total[crew->seat[i].worker.role] += moved(&crew->seat[i].worker);
	for (i = 0; i < crew->threads; i++) {
		if (total[crew->seat[i].worker.role] == 0)
			continue;
		share = (double)moved(&crew->seat[i].worker) / (double)total[crew->seat[i].worker.role];
		if (share < out->min_share)
			out->min_share = share;
		if (share > out->max_share)
			out->max_share = share;
	}
	if (out->max_share == 0)
		out->min_share = 0;
}

static void account(const struct crew *crew, struct measure_outcome *out)
{
	uint64_t begin = UINT64_MAX, end = 0, ticks = 0;
	unsigned int i;

	for (i = 0; i < crew->threads; i++) {
		const struct peer_worker *w = &crew->seat[i].worker;

		begin = w->begin < begin ? w->begin : begin;
		end = w->end > end ? w->end : end;
		ticks += crew->job->timed_calls ? w->call_ticks : w->ticks;
		out->objs += counts(w) ? moved(w) : 0;
		out->short_calls += w->short_calls;
		if (crew->member[i].migrations < 0 || out->migrations < 0)
			out->migrations = -1;
		else
			out->migrations += crew->member[i].migrations;
		if (w->hist)
			measure_hist_merge(crew->job->hist, w->hist);
	}
	out->seconds = measure_clock_ns(end - begin) / 1e9;
	out->mobj_s = out->seconds > 0 ? (double)out->objs / out->seconds / 1e6 : 0;
	out->cycles_per_obj = out->objs ? (double)ticks / (double)out->objs : __builtin_inf();
	shares(crew, out);
}

/* The accounts of the workers stand apart; the verifier wants them in a row. */
static int check(const struct crew *crew, struct measure_outcome *out)
{
	struct peer_worker *w = malloc(crew->threads * sizeof(*w));
	unsigned int i;
	int rc;

	if (!w)
		return -ENOMEM;
	for (i = 0; i < crew->threads; i++)
		w[i] = crew->seat[i].worker;
	rc = measure_verify(crew->job, crew->queue, w, crew->threads, out);
	free(w);
	return rc;
}

int measure_run(const struct measure_job *job, struct measure_outcome *out)
{
	static struct crew *crew; /* one run at a time; what stuck workers still use stays reachable */
	double steal;
	int rc;

	memset(out, 0, sizeof(*out));
	rc = hire(job, &crew, out->why, sizeof(out->why));
	if (rc != 0)
		return rc;
	rc = start(crew, out->why, sizeof(out->why));
	if (rc != 0)
		goto out;
	steal = measure_steal_ms(&job->place->used);
	corral_store(&crew->go, 1, CORRAL_RELEASE);
	out->cut = !measure_sleep_until(measure_now_ns() + (uint64_t)(job->seconds * NS));
	corral_store(&crew->stop, 1, CORRAL_RELEASE);
	rc = gather(crew);
	if (rc == -ETIMEDOUT)
		return rc; /* the workers still use all of it */
	if (rc != 0)
		goto out;
	out->steal_ms = measure_steal_ms(&job->place->used) - steal;
	if (steal < 0)
		out->steal_ms = -1;
	account(crew, out);
	rc = check(crew, out);
out:
	if (rc != 0 && !out->why[0])
		snprintf(out->why, sizeof(out->why), "%s", strerror(-rc));
	dismiss(crew);
	crew = NULL;
	return rc;
}
