/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring_core.h - what a ring is: its memory layout (a public matter, doc/ring-layout.md), flags, creation, cold calls.
 * Include "corral/ring.h", which brings this and the data path.
 */
#ifndef CORRAL_RING_CORE_H
#define CORRAL_RING_CORE_H

#include <corral/atomic.h>
#include <corral/base.h>
#include <corral/wait.h>

#include <stdio.h>

CORRAL_BEGIN_DECLS

#define CORRAL_RING_MAGIC UINT64_C(0x52474e4952524f43) /* "CORRINGR" in memory on little-endian machines */
#define CORRAL_RING_LAYOUT 1			       /* changes whenever struct corral_ring does */
#define CORRAL_RING_NAMESIZE 64			       /* bytes of a name, its NUL included */
#define CORRAL_RING_SIZE_MAX (1u << 30)		       /* largest capacity, in objects */
#define CORRAL_RING_ESIZE_MAX (1u << 20)	       /* largest element, in bytes */

/*
 * Flags of a ring: how many threads use a side at once, and how they take turns. At most one of each side's four;
 * none is the default mode, which is MT until a mode that never collapses takes its place.
 */
#define CORRAL_RING_F_SP_ENQ 0x0001u	    /**< one producer */
#define CORRAL_RING_F_SC_DEQ 0x0002u	    /**< one consumer */
#define CORRAL_RING_F_EXACT_SZ 0x0004u	    /**< accepted for DPDK users; the capacity is always what was asked */
#define CORRAL_RING_F_MP_RTS_ENQ 0x0008u    /**< producers: relaxed tail synchronisation */
#define CORRAL_RING_F_MC_RTS_DEQ 0x0010u    /**< consumers: relaxed tail synchronisation */
#define CORRAL_RING_F_MP_HTS_ENQ 0x0020u    /**< producers: head/tail synchronisation (one at a time) */
#define CORRAL_RING_F_MC_HTS_DEQ 0x0040u    /**< consumers: head/tail synchronisation (one at a time) */
#define CORRAL_RING_F_MP_STRICT_ENQ 0x0080u /**< producers: MT, publication in claim order, whatever the default is */
#define CORRAL_RING_F_MC_STRICT_DEQ 0x0100u /**< consumers: MT, publication in claim order, whatever the default is */
#define CORRAL_RING_F_NO_SLIP 0x0200u	    /**< no side pauses to let the other get ahead */
#define CORRAL_RING_F_STATS 0x0400u /**< count the calls that found the ring full or empty (an atomic add each) */

/** How the threads of one side take turns (the table "what a mode owes its user" is in corral_ring(7)). */
enum corral_ring_sync {
	CORRAL_RING_SYNC_MT = 0,     /**< many, publication in claim order */
	CORRAL_RING_SYNC_ST = 1,     /**< one */
	CORRAL_RING_SYNC_MT_RTS = 2, /**< many, the last to finish publishes for all */
	CORRAL_RING_SYNC_MT_HTS = 3, /**< many, one at a time; peek and zero copy */
};

/*
 * One side. The opposite side reads `tail` and nothing else; its meaning is the same in every mode: twice the
 * position up to which slots are published; the low bit is "busy" (somebody of this side has claimed what
 * follows) where a mode uses it, and no concern of the reader. Positions count objects and do not wrap within a
 * machine's life (63 bits).
 */
struct corral_ring_side {
	struct corral_a64 tail;	   /* 2 * position | busy */
	struct corral_a64 head;	   /* MT: 2 * position claimed; RTS: position << 16 | claims in flight;
				      ST, HTS: 2 * end of the open peek | 1, or 0 */
	struct corral_a64 opp;	   /* what the opposite tail was when a thread of this side last looked */
	struct corral_a32 htd_max; /* RTS: objects that the head may run before the tail; else UINT32_MAX */
	struct corral_a32 slip;	   /* lib/ring/slip.c */
	struct corral_a64 owner;   /* HTS: thread that has the open peek */
	struct corral_a64 slips;   /* how often it gave the other side time (lib/ring/slip.c) */
} CORRAL_ALIGNED(CORRAL_LINE);

/* Counters of one side, and what other processes' waiters will need. */
struct corral_ring_counts {
	struct corral_wait_stats wait;
	struct corral_a64 refused; /* full (producers) or empty (consumers), with CORRAL_RING_F_STATS */
	struct corral_a64 tapped;  /* calls that a capture was shown */
} CORRAL_ALIGNED(CORRAL_LINE);

/** A ring: header, then the table. Never copied or moved while in use. All offsets: doc/ring-layout.md. */
struct corral_ring {
	/* read by every call, written by hardly any */
	uint64_t magic;
	uint32_t layout;
	uint32_t flags;
	uint32_t esize;	       /* bytes an element */
	uint32_t size;	       /* slots of the table, a power of two */
	uint32_t mask;	       /* size - 1 */
	uint32_t capacity;     /* objects that the ring holds */
	uint32_t prod_sync;    /* enum corral_ring_sync */
	uint32_t cons_sync;    /* enum corral_ring_sync */
	uint64_t table;	       /* offset of slot 0 from the ring, bytes */
	uint64_t memsize;      /* bytes of all, table and guard included */
	struct corral_a64 tap; /* 0, or a capture looks at what passes */
	struct corral_wait_tune wait;
	uint32_t barrier;	 /* reserved: kind of barrier of the waiting protocol */
	struct corral_a32 state; /* reserved: open, closed */
	uint64_t owners;	 /* reserved: offset of the owner words of the robust mode */
	uint32_t poor; /* objects: a look at the opposite side that finds fewer is poor (lib/ring/slip.c); 0: no slip */
	uint32_t reserved2;
	uint64_t reserved0[1];
	/* read by people */
	char name[CORRAL_RING_NAMESIZE] CORRAL_ALIGNED(CORRAL_LINE);
	uint64_t reserved1[8];
	/* the two sides */
	struct corral_ring_side prod;
	struct corral_ring_side cons;
	struct corral_ring_counts prod_count;
	struct corral_ring_counts cons_count;
	/* reserved: waiter words, a line for each side */
	struct corral_a64 waiters[2 * CORRAL_LINE / 8] CORRAL_ALIGNED(CORRAL_LINE);
} CORRAL_ALIGNED(CORRAL_LINE);

CORRAL_STATIC_ASSERT(offsetof(struct corral_ring_side, tail) == 0, "layout 1");
CORRAL_STATIC_ASSERT(offsetof(struct corral_ring_side, head) == 8, "layout 1");
CORRAL_STATIC_ASSERT(offsetof(struct corral_ring_side, opp) == 16, "layout 1");
CORRAL_STATIC_ASSERT(offsetof(struct corral_ring_side, htd_max) == 24, "layout 1");
CORRAL_STATIC_ASSERT(offsetof(struct corral_ring_side, slip) == 28, "layout 1");
CORRAL_STATIC_ASSERT(offsetof(struct corral_ring_side, owner) == 32, "layout 1");
CORRAL_STATIC_ASSERT(offsetof(struct corral_ring_side, slips) == 40, "layout 1");
CORRAL_STATIC_ASSERT(sizeof(struct corral_wait_tune) == 32, "layout 1");
CORRAL_STATIC_ASSERT(offsetof(struct corral_ring, tap) == 56, "layout 1");
CORRAL_STATIC_ASSERT(offsetof(struct corral_ring, wait) == 64, "layout 1");
CORRAL_STATIC_ASSERT(offsetof(struct corral_ring, name) == 128, "layout 1");
CORRAL_STATIC_ASSERT(offsetof(struct corral_ring, prod) == 256, "layout 1");
CORRAL_STATIC_ASSERT(offsetof(struct corral_ring, cons) == 384, "layout 1");
CORRAL_STATIC_ASSERT(offsetof(struct corral_ring, prod_count) == 512, "layout 1");
CORRAL_STATIC_ASSERT(offsetof(struct corral_ring, waiters) == 768, "layout 1");
CORRAL_STATIC_ASSERT(sizeof(struct corral_ring) == 1024, "layout 1");

/** Counters of a ring; see corral_ring_get_stats(). */
struct corral_ring_stats {
	uint64_t full;	      /**< enqueue calls that found no room (0 without CORRAL_RING_F_STATS) */
	uint64_t empty;	      /**< dequeue calls that found nothing (0 without CORRAL_RING_F_STATS) */
	uint64_t prod_waits;  /**< waits of producers for producers that outlasted the pauses */
	uint64_t prod_yields; /**< sched_yield calls in them */
	uint64_t prod_sleeps; /**< sleeps in them */
	uint64_t cons_waits;  /**< the same for consumers */
	uint64_t cons_yields;
	uint64_t cons_sleeps;
	uint64_t prod_slips; /**< pauses of producers that let consumers get ahead */
	uint64_t cons_slips; /**< pauses of consumers that let producers get ahead */
};

/** Zero copy: the claimed slots, in two segments where they pass the end of the table. */
struct corral_ring_zc_data {
	void *ptr1;	 /**< first segment, n1 elements; NULL if nothing was claimed */
	void *ptr2;	 /**< second segment, the rest; NULL if there is none */
	unsigned int n1; /**< elements in the first segment */
};

/**
 * Bytes that a ring of pointers needs.
 * @param count  capacity, 1..CORRAL_RING_SIZE_MAX objects
 * @return       bytes (a multiple of CORRAL_LINE), or -EINVAL
 */
int64_t corral_ring_get_memsize(unsigned int count);

/**
 * Bytes that a ring of elements needs.
 * @param esize  bytes an element, a multiple of 4, 4..CORRAL_RING_ESIZE_MAX
 * @param count  capacity, 1..CORRAL_RING_SIZE_MAX objects
 * @return       bytes (a multiple of CORRAL_LINE); -EINVAL; -EOVERFLOW where they do not fit in this machine's size_t
 */
int64_t corral_ring_get_memsize_elem(unsigned int esize, unsigned int count);

/**
 * Make a ring of pointers in memory of the caller's, which stays the caller's.
 * @param r      memory, CORRAL_LINE aligned, of corral_ring_get_memsize(count) bytes
 * @param name   up to CORRAL_RING_NAMESIZE - 1 bytes, for people; NULL or "" for none. Not entered in any list.
 * @param count  capacity, any number in 1..CORRAL_RING_SIZE_MAX: the ring holds exactly so many
 * @param flags  CORRAL_RING_F_*, or 0
 * @return       0; -EINVAL (NULL or unaligned memory, count 0 or too large, unknown flag, two modes on one side);
 *               -ENAMETOOLONG. On failure the memory is untouched.
 * One thread; no other may use r until this has returned. Does not block.
 */
CORRAL_MUST_CHECK int corral_ring_init(struct corral_ring *r, const char *name, unsigned int count, unsigned int flags);

/** As corral_ring_init(), for elements of esize bytes (corral_ring_get_memsize_elem); -EINVAL also for a bad esize. */
CORRAL_MUST_CHECK int corral_ring_init_elem(struct corral_ring *r, const char *name, unsigned int esize,
					    unsigned int count, unsigned int flags);

/**
 * Allocate a ring of pointers and enter its name in this process's list.
 * @return the ring, to be given back by corral_ring_free(); NULL with errno EINVAL, ENAMETOOLONG, EEXIST (a ring of
 *         that name is there), ENOMEM or EOVERFLOW. No ring is left behind then.
 * name NULL or "": a ring that no lookup finds. Any thread. Blocks for memory and the list's lock only.
 */
CORRAL_MUST_CHECK struct corral_ring *corral_ring_create(const char *name, unsigned int count, unsigned int flags);

/** As corral_ring_create(), for elements of esize bytes. */
CORRAL_MUST_CHECK struct corral_ring *corral_ring_create_elem(const char *name, unsigned int esize, unsigned int count,
							      unsigned int flags);

/**
 * Give back a ring made by corral_ring_create(). No thread may be in a call on it, nor call later.
 * @return 0 (also for NULL); -EINVAL for a ring that was not created (or was freed before): nothing is done
 */
int corral_ring_free(struct corral_ring *r);

/** The ring of that name, or NULL with errno ENOENT (none) or EINVAL (name NULL or empty). Any thread. */
struct corral_ring *corral_ring_lookup(const char *name);

/**
 * Drop all objects: positions and counters back to 0, modes and policies kept.
 * @return 0; -EINVAL for NULL or no ring
 * Only while no other thread uses the ring: a call in flight is not noticed.
 */
int corral_ring_reset(struct corral_ring *r);

/**
 * Write what the ring is and how full, for people.
 * @return 0; -EINVAL (no ring, f NULL); -EIO if writing failed
 * Any thread at any time: the figures are snapshots. Blocks as f does.
 */
int corral_ring_dump(FILE *f, const struct corral_ring *r);

/** corral_ring_dump() for each ring of this process's list, oldest first. 0, -EINVAL or -EIO. Holds the list's lock. */
int corral_ring_list_dump(FILE *f);

/** Copy the counters to *s. 0, or -EINVAL. Any thread; each counter is exact, together they are a snapshot. */
int corral_ring_get_stats(const struct corral_ring *r, struct corral_ring_stats *s);

/**
 * Set how the ring's threads wait for each other.
 * @return 0; -EINVAL for a policy out of range
 * Before other threads use the ring.
 */
int corral_ring_set_wait(struct corral_ring *r, const struct corral_wait_policy *p);

/** enum corral_ring_sync of the producers' side. Any thread. */
int corral_ring_get_prod_sync_type(const struct corral_ring *r);
/** enum corral_ring_sync of the consumers' side. Any thread. */
int corral_ring_get_cons_sync_type(const struct corral_ring *r);
/** 1 if one thread alone may enqueue, else 0. Any thread. */
int corral_ring_is_prod_single(const struct corral_ring *r);
/** 1 if one thread alone may dequeue, else 0. Any thread. */
int corral_ring_is_cons_single(const struct corral_ring *r);

/**
 * RTS: how far, in objects, claims may run ahead of what is published before new ones wait (0: one call at a
 * time; default: an eighth of the capacity, at least 1). A single bulk may exceed it once.
 * @return 0; -ENOTSUP on another mode
 * Any thread at any time.
 */
int corral_ring_set_prod_htd_max(struct corral_ring *r, uint32_t v);
/** As corral_ring_set_prod_htd_max(), for the consumers. */
int corral_ring_set_cons_htd_max(struct corral_ring *r, uint32_t v);
/** The producers' htd_max; UINT32_MAX on another mode than RTS. Any thread. */
uint32_t corral_ring_get_prod_htd_max(const struct corral_ring *r);
/** The consumers' htd_max; UINT32_MAX on another mode than RTS. Any thread. */
uint32_t corral_ring_get_cons_htd_max(const struct corral_ring *r);

/**
 * Wait until everything that was claimed on the producers' side before this call is published (visible to dequeuers).
 * Only RTS has such a gap after an enqueue has returned; on other modes it is for objects that other threads are just
 * putting in.
 * @return 0; -EINVAL; -EBUSY if a peek on the producers' side of an ST ring is open; -EDEADLK if this thread has the
 *         open peek of an HTS side
 * Any thread that holds no claim of the ring. Blocks while an enqueue is in flight, by the ring's wait policy.
 */
int corral_ring_flush(struct corral_ring *r);

/* Out of line parts of the data path. */
CORRAL_COLD int corral_ring_refuse_(const struct corral_ring *r, unsigned int esize, unsigned int *left);
CORRAL_COLD int corral_ring_busy_(unsigned int *left);
CORRAL_COLD void corral_ring_refused_(struct corral_ring_counts *c);
CORRAL_COLD void corral_ring_tap_(struct corral_ring *r, int cons, uint64_t pos, uint32_t n);

CORRAL_END_DECLS

#endif
