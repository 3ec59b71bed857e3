/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * peek.c - look at what waits in a ring and take only what is ripe: the shape of a queue for deferred work.
 *
 *	cc peek.c $(pkg-config --cflags --libs corral) -pthread && ./a.out
 */
#include <corral/ring.h>

#include <stdint.h>
#include <stdio.h>

struct job {
	uint64_t when;
	uint64_t what;
};

/* Run all jobs whose time has come; those behind the first that is not ripe stay. */
static int run_ripe(struct corral_ring *r, uint64_t now)
{
	struct corral_ring_zc_data slots;
	const struct job *job;
	unsigned int ripe;
	int n;

	/* Zero copy: the jobs are looked at where they stand. Until finish nobody else can dequeue. */
	n = corral_ring_dequeue_zc_burst_elem_start(r, sizeof(struct job), 64, &slots, NULL);
	if (n <= 0)
		return n;
	for (ripe = 0; ripe < (unsigned int)n; ripe++) {
		job = ripe < slots.n1 ? (const struct job *)slots.ptr1 + ripe
				      : (const struct job *)slots.ptr2 + (ripe - slots.n1);
		if (job->when > now)
			break;
		printf("%llu: job %llu\n", (unsigned long long)now, (unsigned long long)job->what);
	}
	if (corral_ring_dequeue_zc_elem_finish(r, ripe) != 0)
		return -1;
	return (int)ripe;
}

int main(void)
{
	struct corral_ring *r = corral_ring_create_elem("deferred", sizeof(struct job), 100,
							CORRAL_RING_F_MP_RTS_ENQ | CORRAL_RING_F_MC_HTS_DEQ);
	struct job job;
	uint64_t now;
	int done = 0;

	if (r == NULL) {
		perror("corral_ring_create_elem");
		return 1;
	}
	for (job.what = 1; job.what <= 10; job.what++) {
		job.when = job.what * 10;
		if (corral_ring_enqueue_elem(r, &job, sizeof(job)) != 0)
			return 1;
	}
	for (now = 0; now <= 100; now += 25)
		done += run_ripe(r, now);
	printf("%d jobs done, %u left\n", done, corral_ring_count(r));
	return done != 10 || corral_ring_free(r) != 0;
}
