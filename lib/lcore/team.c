/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * team.c - threads that are pinned and start together, or not at all.
 *
 * Each thread pins itself before anything else and then waits at a gate: the launcher opens it to the work when all
 * have arrived, and to the exit when one could not be created or pinned. (Affinity by thread attribute would do no
 * more: glibc, too, creates the thread on the creator's CPUs and moves it while it waits; musl has no such attribute.)
 */
#include <corral/lcore.h>

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scan.h"

enum gate { GATE_SHUT, GATE_WORK, GATE_EXIT };

struct member {
	struct corral_lcore_team *team;
	struct corral_lcore_job job;
	const struct corral_cpuset *cpus; /* of the plan: valid until the gate opens */
	pthread_t thread;
	uint32_t id, index;
	int pinned; /* 0 or -errno */
	int result;
};

struct corral_lcore_team {
	pthread_mutex_t lock;
	pthread_cond_t arrival, opened;
	unsigned int arrived;
	enum gate gate;
	unsigned int count;
	struct member member[];
};

static _Thread_local uint32_t my_id = CORRAL_LCORE_NONE, my_index = CORRAL_LCORE_NONE;

uint32_t corral_lcore_id(void)
{
	return my_id;
}

uint32_t corral_lcore_index(void)
{
	return my_index;
}

int corral_lcore_pin(const struct corral_cpuset *set)
{
	struct corral_cpuset before, after;
	int err = corral_lcore_allowed(&before);

	if (err < 0)
		return err;
	if (sched_setaffinity(0, sizeof(*set), (const cpu_set_t *)(const void *)set))
		return -errno;
	/* The kernel drops CPUs that are offline or outside the cpuset without a word, as long as one is left. */
	err = corral_lcore_allowed(&after);
	if (err >= 0 && corral_cpuset_equal(set, &after))
		return 0;
	(void)sched_setaffinity(0, sizeof(before), (const cpu_set_t *)(const void *)&before);
	return err < 0 ? err : -EINVAL;
}

static enum gate wait_at_gate(struct corral_lcore_team *team)
{
	enum gate gate;

	pthread_mutex_lock(&team->lock);
	team->arrived++;
	pthread_cond_signal(&team->arrival);
	while (team->gate == GATE_SHUT)
		pthread_cond_wait(&team->opened, &team->lock);
	gate = team->gate;
	pthread_mutex_unlock(&team->lock);
	return gate;
}

static void *member_main(void *arg)
{
	struct member *m = arg;
	char name[16];

	m->pinned = corral_lcore_pin(m->cpus);
	snprintf(name, sizeof(name), "corral-w%u", m->index);
	(void)pthread_setname_np(pthread_self(), name); /* a name is a comfort, not worth a failure */
	my_id = m->id;
	my_index = m->index;
	if (wait_at_gate(m->team) == GATE_WORK)
		m->result = m->job.fn(m->index, m->job.arg);
	return NULL;
}

static struct corral_lcore_team *team_alloc(const struct corral_lcore_plan *plan, const struct corral_lcore_job *jobs)
{
	struct corral_lcore_team *team = calloc(1, sizeof(*team) + plan->count * sizeof(team->member[0]));
	unsigned int i;

	if (!team)
		return NULL;
	pthread_mutex_init(&team->lock, NULL);
	pthread_cond_init(&team->arrival, NULL);
	pthread_cond_init(&team->opened, NULL);
	for (i = 0; i < plan->count; i++) {
		struct member *m = &team->member[i];

		m->team = team;
		m->job = jobs[i];
		m->cpus = &plan->worker[i].cpus;
		m->id = plan->worker[i].id;
		m->index = i;
		m->result = -ECANCELED;
	}
	return team;
}

/* Join what runs, free all. */
static void team_free(struct corral_lcore_team *team)
{
	unsigned int i;

	for (i = 0; i < team->count; i++)
		pthread_join(team->member[i].thread, NULL);
	pthread_cond_destroy(&team->opened);
	pthread_cond_destroy(&team->arrival);
	pthread_mutex_destroy(&team->lock);
	free(team);
}

/* After all that were created have arrived: the first that is not where it should be. */
static int check_pinned(const struct corral_lcore_team *team, struct corral_lcore_error *e)
{
	char list[64];
	unsigned int i;

	for (i = 0; i < team->count; i++) {
		const struct member *m = &team->member[i];

		if (!m->pinned)
			continue;
		if (corral_cpuset_print(m->cpus, list, sizeof(list)) >= sizeof(list))
			memcpy(list + sizeof(list) - 4, "...", 4);
		if (m->pinned == -EINVAL)
			return corral_lcore_fail_(
				e, EINVAL, CORRAL_LCORE_NO_PLACE,
				"worker %u cannot run on CPU %s: offline, or outside the cpuset of this process", i,
				list[0] ? list : "(none)");
		return corral_lcore_fail_(e, -m->pinned, CORRAL_LCORE_NO_PLACE,
					  "worker %u cannot be pinned to CPU %s: %s", i, list, strerror(-m->pinned));
	}
	return 0;
}

static int team_start(struct corral_lcore_team *team, unsigned int want, struct corral_lcore_error *e)
{
	int err = 0;

	while (!err && team->count < want) {
		err = pthread_create(&team->member[team->count].thread, NULL, member_main, &team->member[team->count]);
		if (!err)
			team->count++;
	}
	if (err)
		err = corral_lcore_fail_(e, err, CORRAL_LCORE_NO_PLACE, "cannot create thread %u of %u: %s",
					 team->count + 1, want, strerror(err));
	pthread_mutex_lock(&team->lock);
	while (team->arrived < team->count)
		pthread_cond_wait(&team->arrival, &team->lock);
	if (!err)
		err = check_pinned(team, e);
	team->gate = err ? GATE_EXIT : GATE_WORK;
	pthread_cond_broadcast(&team->opened);
	pthread_mutex_unlock(&team->lock);
	return err;
}

int corral_lcore_launch(struct corral_lcore_team **team, const struct corral_lcore_plan *plan,
			const struct corral_lcore_job *jobs, struct corral_lcore_error *e)
{
	struct corral_lcore_team *t;
	int err, cancel;

	*team = NULL;
	if (plan->count < 1)
		return corral_lcore_fail_(e, EINVAL, CORRAL_LCORE_NO_PLACE, "the plan has no workers");
	t = team_alloc(plan, jobs);
	if (!t)
		return corral_lcore_fail_(e, ENOMEM, CORRAL_LCORE_NO_PLACE, "out of memory");
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel); /* threads at the gate must not lose their launcher */
	err = team_start(t, plan->count, e);
	if (err)
		team_free(t);
	else
		*team = t;
	pthread_setcancelstate(cancel, NULL);
	return err;
}

unsigned int corral_lcore_wait(struct corral_lcore_team *team, int *results)
{
	unsigned int i, failed = 0;
	int cancel;

	if (!team)
		return 0;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	for (i = 0; i < team->count; i++) {
		pthread_join(team->member[i].thread, NULL);
		failed += team->member[i].result != 0;
		if (results)
			results[i] = team->member[i].result;
	}
	team->count = 0;
	team_free(team);
	pthread_setcancelstate(cancel, NULL);
	return failed;
}
