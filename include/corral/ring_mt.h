/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring_mt.h - mode MT: many threads, publication strictly in claim order. Do not include directly; see "corral/ring.h".
 *
 * Claim by CAS on the head, publish when the tail has come to one's own claim. Fast where each thread has a core;
 * where cores are shared everybody waits for the earliest claimer to run again. The shape is that of FreeBSD's
 * buf_ring and of DPDK's rte_ring; the orders are not: see A2 and R2.
 */
#ifndef CORRAL_RING_MT_H
#define CORRAL_RING_MT_H

#include <corral/ring_mode.h>

CORRAL_HELPER_ uint32_t corral_ring_mt_claim_(struct corral_ring_claim_ *c)
{
	struct corral_ring_side *me = c->me;
	uint64_t head, o;
	uint32_t k;
	int looked;

	for (;;) {
		/*
		 * A2 pairs with R2: who sees a head sees at least the opposite tail that its claimer saw. Otherwise a
		 * new head could meet an older opposite tail below, and the ring look full when it is not.
		 */
		head = corral_load(&me->head, CORRAL_ACQUIRE);
		/*
		 * Relaxed: whoever stored it had looked (A1) before its claim (R2). If that claim is in our head, its
		 * look is ours by A2; if it came later, our CAS fails.
		 */
		o = corral_load(&me->opp, CORRAL_RELAXED);
		c->room = corral_ring_room_(head, o, c->capacity);
		looked = c->want_room || c->room < (int64_t)c->n;
		if (looked) {
			o = corral_ring_look_(c, o); /* A1 */
			c->room = corral_ring_room_(head, o, c->capacity);
			corral_invariant_(c->room >= 0);
		}
		k = corral_ring_fit_(c);
		if (k == 0)
			return 0;
		c->pos = head;
		/*
		 * R2: see A2; as a release it also keeps our load of opp before it. On failure the head is loaded
		 * anew: gcc 12 for ppc64 forgets a failed CAS's acquire.
		 */
		if (corral_likely_(
			    corral_cas(&me->head, &head, head + 2 * (uint64_t)k, CORRAL_RELEASE, CORRAL_RELAXED)))
			break;
	}
	/* May put an older value over a newer one, which only makes the next claimer look itself. */
	if (looked)
		corral_store(&me->opp, o, CORRAL_RELAXED);
	return k;
}

CORRAL_HELPER_ void corral_ring_mt_publish_(struct corral_ring_claim_ *c, uint32_t k)
{
	struct corral_wait w = { 0, 0, 0, 0 };

	/*
	 * A4 pairs with R1 of the claimer before us: our store replaces its, so what it wrote must come with ours. A
	 * relaxed load would leave the opposite side without an edge to the slots of all claimers but the last.
	 */
	while (corral_unlikely_(corral_load(&c->me->tail, CORRAL_ACQUIRE) != c->pos))
		corral_wait_step(&w, c->wait, &c->count->wait);
	/* R1: pairs with A1 of the opposite mode. */
	corral_store(&c->me->tail, c->pos + 2 * (uint64_t)k, CORRAL_RELEASE);
}

#endif
