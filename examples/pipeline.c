/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pipeline.c - two producers, two consumers, one ring, on as few CPUs as there are: the five-minute tour's program.
 *
 *	cc pipeline.c $(pkg-config --cflags --libs corral) -pthread && ./a.out
 */
#include <corral/ring.h>

#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>

#define EACH 100000u
#define BURST 32u

static struct corral_ring *ring;

static void *produce(void *arg)
{
	uint64_t sum = 0, i;

	for (i = 1; i <= EACH; i++) {
		while (corral_ring_enqueue_elem(ring, &i, sizeof(i)) != 0)
			sched_yield(); /* full: let a consumer run */
		sum += i;
	}
	*(uint64_t *)arg = sum;
	return NULL;
}

static void *consume(void *arg)
{
	uint64_t got[BURST], sum = 0;
	unsigned int left = EACH;
	int n, i;

	while (left != 0) {
		n = corral_ring_dequeue_burst_elem(ring, got, sizeof(got[0]), left < BURST ? left : BURST, NULL);
		if (n == 0)
			sched_yield(); /* empty: let a producer run */
		for (i = 0; i < n; i++)
			sum += got[i];
		left -= (unsigned int)n;
	}
	*(uint64_t *)arg = sum;
	return NULL;
}

int main(void)
{
	uint64_t in[2], out[2];
	pthread_t t[4];
	int i;

	/* HTS: many threads a side, one at a time: what to take where threads share CPUs */
	ring = corral_ring_create_elem("numbers", sizeof(uint64_t), 1000,
				       CORRAL_RING_F_MP_HTS_ENQ | CORRAL_RING_F_MC_HTS_DEQ);
	if (ring == NULL) {
		perror("corral_ring_create_elem");
		return 1;
	}
	for (i = 0; i < 4; i++)
		if (pthread_create(&t[i], NULL, i < 2 ? produce : consume, i < 2 ? &in[i] : &out[i - 2]) != 0)
			return 1;
	for (i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	corral_ring_free(ring);
	printf("put in %llu, taken out %llu\n", (unsigned long long)(in[0] + in[1]),
	       (unsigned long long)(out[0] + out[1]));
	return in[0] + in[1] != out[0] + out[1];
}
