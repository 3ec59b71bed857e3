/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rtt.c - how long a cache line travels between two cores and back. On a virtual machine two vCPUs may be
 * hyper-threads of one core or cores of two sockets, and the hypervisor may move them: no figure of two threads means
 * much without it.
 */
#include <corral/atomic.h>
#include <corral/wait.h>

#include <errno.h>
#include <stdlib.h>

#include "clock.h"
#include "stats.h"
#include "system.h"

#define BATCH 64
#define BATCHES 4096
#define RUN_NS 3e6
#define GIVE_UP_NS 50e6 /* the other thread does not get its core: count what there is */

struct pingpong {
	struct corral_a32 ball CORRAL_ALIGNED(CORRAL_LINE);
	struct corral_a32 ready CORRAL_ALIGNED(CORRAL_LINE);
	struct corral_a32 bye; /* a word of its own: a late answer must not overwrite it */
	double batch[BATCHES];
	unsigned int batches;
};

static int answer(struct pingpong *p)
{
	uint32_t next = 1;

	corral_store(&p->ready, 1, CORRAL_RELEASE);
	for (;;) {
		while (corral_load(&p->ball, CORRAL_ACQUIRE) != next) {
			if (corral_load(&p->bye, CORRAL_RELAXED))
				return 0;
		}
		corral_store(&p->ball, next + 1, CORRAL_RELEASE);
		next += 2;
	}
}

/* One round trip; false when it takes so long that the other side cannot be running. */
static bool serve(struct pingpong *p, uint32_t ball, uint64_t give_up)
{
	unsigned int spins = 0;

	corral_store(&p->ball, ball, CORRAL_RELEASE);
	while (corral_load(&p->ball, CORRAL_ACQUIRE) != ball + 1) {
		if (++spins % 1024 == 0 && measure_ticks() > give_up)
			return false;
	}
	return true;
}

static int ask(struct pingpong *p)
{
	uint64_t begin, start, now, give_up;
	double hz = measure_clock_hz();
	uint32_t ball = 1;
	int i;

	while (!corral_load(&p->ready, CORRAL_ACQUIRE))
		corral_pause();
	begin = now = measure_ticks();
	give_up = begin + (uint64_t)(GIVE_UP_NS * hz / 1e9);
	while ((double)(now - begin) < RUN_NS * hz / 1e9 && p->batches < BATCHES) {
		start = now;
		for (i = 0; i < BATCH; i++, ball += 2) {
			if (!serve(p, ball, give_up))
				goto out;
		}
		now = measure_ticks();
		p->batch[p->batches++] = measure_clock_ns(now - start) / BATCH;
	}
out:
	corral_store(&p->bye, 1, CORRAL_RELAXED);
	return 0;
}

static int play(unsigned int index, void *arg)
{
	return index == 0 ? ask(arg) : answer(arg);
}

int measure_rtt(const unsigned int cpu[2], double *ns)
{
	struct corral_lcore_job jobs[2];
	struct corral_lcore_team *team;
	struct measure_place *place;
	struct measure_summary s;
	struct pingpong *p;
	int rc;

	place = measure_place_cpus("rtt", cpu, 2, CORRAL_ROLES_BOTH);
	if (!place)
		return -errno;
	p = aligned_alloc(CORRAL_LINE, (sizeof(*p) + CORRAL_LINE - 1) / CORRAL_LINE * CORRAL_LINE);
	if (!p) {
		measure_place_free(place);
		return -ENOMEM;
	}
	corral_store(&p->ball, 0, CORRAL_RELAXED);
	corral_store(&p->ready, 0, CORRAL_RELAXED);
	corral_store(&p->bye, 0, CORRAL_RELAXED);
	p->batches = 0;
	jobs[0] = jobs[1] = (struct corral_lcore_job){ play, p };
	rc = corral_lcore_launch(&team, &place->plan, jobs, NULL);
	if (rc == 0) {
		corral_lcore_wait(team, NULL);
		rc = p->batches ? measure_summarize(&s, p->batch, p->batches) : -ETIMEDOUT;
	}
	if (rc == 0)
		*ns = s.median;
	free(p);
	measure_place_free(place);
	return rc;
}
