/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * peer.h - what a thing that can be measured offers: corral's own rings and every peer are plug-ins of this shape.
 *
 * A plug-in is a shared object corral-peer-NAME.so that exports corral_peer(). Its loops come from one template
 * (bench/peers/loop.h), with the peer's calls inlined as its users would have them; the tool only starts threads,
 * keeps the time and reads the counts. So all peers do the same work and are compiled with the same flags.
 */
#ifndef CORRAL_MEASURE_PEER_H
#define CORRAL_MEASURE_PEER_H

#include <corral/atomic.h>
#include <corral/base.h>

#define PEER_ABI 1
#define PEER_BULK_MAX 512 /* objects in one call */
#define PEER_ESIZE_MAX 256

enum peer_access { PEER_COPY, PEER_PEEK, PEER_ZC, PEER_ACCESSES };
enum peer_role { PEER_BOTH, PEER_PRODUCE, PEER_CONSUME, PEER_ROUNDTRIP, PEER_EMPTY, PEER_ROLES };
enum peer_call { PEER_BULK, PEER_BURST, PEER_SINGLE, PEER_CALLS };
enum peer_wait { PEER_WAIT_PAUSE, PEER_WAIT_YIELD, PEER_WAITS };

/* Call times: 16 sub-buckets a power of two of clock ticks; above 2^40 ticks all fall into the last one. */
#define PEER_HIST_SUB 16
#define PEER_HIST_BUCKETS (41 * PEER_HIST_SUB)
struct peer_hist {
	uint64_t calls;
	uint64_t max; /* ticks */
	uint64_t bucket[PEER_HIST_BUCKETS];
};

struct peer_params {
	uint32_t size;	/* capacity wanted, objects (a peer that needs a power of two, or one more, rounds up itself) */
	uint32_t esize; /* bytes an object */
	uint32_t ring_wait; /* enum corral_wait_kind; peers without a wait policy ignore it */
};

/* What one worker thread is told, and what it found. One a thread; 128-byte aligned by who allocates it. */
struct peer_worker {
	/* in */
	void *queue;
	struct corral_a32 *go;	 /* the loop waits until it is 1 (the tool's workers are all there) */
	struct corral_a32 *stop; /* the loop ends when it is 1 */
	enum peer_role role;
	enum peer_access access;
	enum peer_call call;
	enum peer_wait wait; /* what to do when a call gives 0 */
	uint32_t esize;
	uint32_t bulk_min, bulk_max; /* objects a call, 1..PEER_BULK_MAX; random in between */
	uint32_t index;		     /* number of this worker, from 0; of this producer for PEER_PRODUCE */
	uint32_t producers;	     /* number of producers (PEER_CONSUME: length of last_seq) */
	uint32_t objects;	     /* ids of PEER_BOTH are below this */
	uint64_t seed;
	uint64_t *last_seq; /* PEER_CONSUME: last sequence seen of each producer, 0 = none yet; owned by the worker */
	struct peer_hist *hist; /* NULL: calls are not timed one by one */
	int timed_calls;	/* --timing call: sum the time of the calls alone into call_ticks */
	/* out */
	uint64_t objs;	/* moved (BOTH, ROUNDTRIP: taken and put back counts once; PRODUCE: put; CONSUME: taken) */
	uint64_t calls; /* calls that moved something */
	uint64_t short_calls; /* calls that gave 0 or, for bulk, less than asked */
	uint64_t ticks;	      /* of this thread, from go to its end */
	uint64_t call_ticks;  /* of the calls alone, when timed_calls */
	uint64_t corrupt;     /* objects that came out torn or never went in */
	uint64_t disorder;    /* PEER_CONSUME: a sequence of some producer did not rise */
	uint64_t hash;	     /* PRODUCE, CONSUME: sum of the hashes of what moved; BOTH: sum of the generations added */
	uint64_t begin, end; /* clock ticks at go and at the end */
};

struct peer_mode {
	const char *name;      /* "mt", "rts", "hts", "st", "mt/hts", "-" if the peer has no modes */
	const char *prod_mode; /* "mt" …, or "-" */
	const char *cons_mode;
	unsigned int access;   /* bit (1 << enum peer_access) for each access it has */
	unsigned int max_side; /* workers a side at most; 0 = any */
	/* NULL and errno on failure */
	void *(*create)(const struct peer_params *p);
	void (*destroy)(void *queue);
	/* One thread alone, not measured (fill before, drain after). Return the number of elements moved. */
	uint32_t (*put)(void *queue, const void *elems, uint32_t esize, uint32_t n);
	uint32_t (*get)(void *queue, void *elems, uint32_t esize, uint32_t n);
	/* The measured loop for w->role, access, call, esize. 0, or -ENOTSUP if this peer has not that combination. */
	int (*run)(struct peer_worker *w);
};

struct peer {
	int abi; /* PEER_ABI */
	const char *name;
	const char *version; /* of the package that was compiled in */
	unsigned int modes;
	const struct peer_mode *mode;
};

/* The one symbol of a plug-in. */
__attribute__((visibility("default"))) const struct peer *corral_peer(void);

#endif
