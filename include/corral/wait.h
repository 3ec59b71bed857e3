/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wait.h - the wait policy: the one place through which a thread of corral waits for another.
 *
 * pause for a short, bounded while -> let the kernel run somebody else (sched_yield) -> sleep, short and growing. The
 * pauses are counted in nanoseconds (an x86 pause takes 4 to 60 ns, an Arm yield about 1), measured once a process.
 * The yield is what keeps threads that share a core alive: the one we wait for may need our CPU. The sleep is for
 * real-time threads: a SCHED_FIFO thread that yields never lets a thread of lower priority run.
 */
#ifndef CORRAL_WAIT_H
#define CORRAL_WAIT_H

#include <corral/atomic.h>
#include <corral/base.h>

CORRAL_BEGIN_DECLS

/** How far a wait may go. */
enum corral_wait_kind {
	CORRAL_WAIT_DEFAULT = 0, /**< the library's choice: CORRAL_WAIT_SLEEP */
	CORRAL_WAIT_PAUSE = 1,	 /**< only pause: for cores of one's own; collapses where cores are shared */
	CORRAL_WAIT_YIELD = 2,	 /**< pause, then yield; not for SCHED_FIFO/RR threads that share a core */
	CORRAL_WAIT_SLEEP = 3,	 /**< pause, then yield, then sleep: safe under every scheduling policy */
};

/** A policy as users state it; see corral_wait_policy_init() for the defaults. Times in nanoseconds. */
struct corral_wait_policy {
	enum corral_wait_kind kind;
	uint32_t first_ns;     /**< first back-off, 0..1,000,000; doubles from one to the next */
	uint32_t max_ns;       /**< longest single back-off, first_ns..1,000,000 */
	uint32_t yield_ns;     /**< pause for so long in all before a yield, 0..10,000,000 */
	uint32_t yields;       /**< yields in a row before the first sleep, 1..65,535 */
	uint32_t sleep_min_ns; /**< first sleep, 1..1,000,000,000; doubles */
	uint32_t sleep_max_ns; /**< longest single sleep, sleep_min_ns..1,000,000,000 */
	uint32_t slip_ns;      /**< what a ring's side gives the other to get ahead, 0..1,000,000; 0: nothing */
};

/** A policy in the machine's terms, as it stands in a ring: pauses instead of nanoseconds. 32 bytes. */
struct corral_wait_tune {
	uint32_t kind;
	uint32_t first;
	uint32_t max;
	uint32_t budget;
	uint32_t yields;
	uint32_t sleep_min_ns;
	uint32_t sleep_max_ns;
	uint32_t slip; /* pauses that one side gives the other to get ahead (lib/ring/slip.c) */
};

/** What waiting cost, in events; a line of its own in each side of a ring. */
struct corral_wait_stats {
	struct corral_a64 waits;  /**< waits that outlasted the pauses */
	struct corral_a64 yields; /**< sched_yield calls */
	struct corral_a64 sleeps; /**< sleeps */
};

/** One wait of one thread: zero it before the first step. */
struct corral_wait {
	uint32_t paused; /* pauses since the last yield */
	uint32_t next;	 /* length of the next back-off, in pauses */
	uint32_t yields; /* yields since the wait began */
	uint32_t sleep_ns;
};

/** One pause instruction (or what the architecture has in its place): no system call. */
CORRAL_CALL void corral_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
	__asm__ __volatile__("yield" ::: "memory");
#elif defined(__powerpc__)
	__asm__ __volatile__("or 27,27,27" ::: "memory");
#else
	__asm__ __volatile__("" ::: "memory");
#endif
}

/**
 * The library's default policy of that kind.
 * @param p     filled in
 * @param kind  any value of enum corral_wait_kind
 * @return      0, or -EINVAL if kind is none (p is untouched)
 * Any thread, never blocks.
 */
int corral_wait_policy_init(struct corral_wait_policy *p, enum corral_wait_kind kind);

/**
 * Translate a policy into pauses of this machine. The first call of a process measures the pause (some 50 µs).
 * @return 0, or -EINVAL if a value is out of its range (t is untouched)
 * Any thread; does not block.
 */
int corral_wait_policy_tune(struct corral_wait_tune *t, const struct corral_wait_policy *p);

/** Length of one pause on this machine, in picoseconds, as measured (see corral_wait_policy_tune). Any thread. */
uint32_t corral_wait_pause_ps(void);

/* A number that no other live thread of the process has. */
uint64_t corral_wait_self_(void);

/* The part of a wait that is out of line: yield or sleep. */
void corral_wait_slow_(struct corral_wait *w, const struct corral_wait_tune *t, struct corral_wait_stats *s);

CORRAL_HELPER_ void corral_wait_pauses_(struct corral_wait *w, const struct corral_wait_tune *t, uint32_t n,
					struct corral_wait_stats *s)
{
	if (corral_unlikely_(w->paused >= t->budget)) {
		corral_wait_slow_(w, t, s);
		return;
	}
	w->paused += n;
	do
		corral_pause();
	while (--n != 0);
}

/**
 * The word waited for has changed, though not to what is needed: others get through, so none of them is being kept
 * from its CPU, and there is no reason to yield yet. Without this, threads that merely lose a race would queue behind
 * the time slices of others.
 */
CORRAL_CALL void corral_wait_progress(struct corral_wait *w)
{
	w->paused = 0;
}

/**
 * One step of a wait in which it pays to look often (my turn comes by itself): pauses once, or yields or sleeps when
 * the policy says that it is time. Call it in a loop that looks again after each step.
 * @param w  this wait, zeroed before the first step
 * @param t  the policy
 * @param s  where yields and sleeps are counted
 */
CORRAL_CALL void corral_wait_step(struct corral_wait *w, const struct corral_wait_tune *t, struct corral_wait_stats *s)
{
	corral_wait_pauses_(w, t, 1, s);
}

/**
 * One step of a wait in which many compete for one word: pauses for first_ns, then twice as long, up to max_ns, so
 * that one core does several operations in a row while the lines are in its cache; then as corral_wait_step().
 */
CORRAL_CALL void corral_wait_backoff(struct corral_wait *w, const struct corral_wait_tune *t,
				     struct corral_wait_stats *s)
{
	uint32_t n = w->next ? w->next : t->first;

	w->next = n * 2 < t->max ? n * 2 : t->max;
	corral_wait_pauses_(w, t, n, s);
}

CORRAL_END_DECLS

#endif
