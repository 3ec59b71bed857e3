/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lcore.h - threads on cores: sets of CPUs, the --lcores grammar, layouts such as 8t@2c, pinned threads, topology.
 *
 * An lcore is a thread with a number and a set of CPUs that it may run on. A list of lcores (the grammar of DPDK's
 * --lcores) or a layout (T threads on C cores) becomes a plan: one set of CPUs a worker. A plan becomes a team: pinned
 * threads that all start or none. The parsers take the CPUs that may be used as an argument, so that they know nothing
 * of the machine; corral_lcore_allowed() asks the kernel for them.
 */
#ifndef CORRAL_LCORE_H
#define CORRAL_LCORE_H

#include <corral/base.h>

CORRAL_BEGIN_DECLS

#define CORRAL_LCORE_LIMIT 1024	       /**< lcores are numbered 0..1023; a list, layout or plan has so many at most */
#define CORRAL_LCORE_NONE UINT32_MAX   /**< no lcore, no CPU */
#define CORRAL_CPU_LIMIT 8192	       /**< CPUs are numbered 0..8191: the most that a Linux kernel is built for */
#define CORRAL_LCORE_NO_PLACE SIZE_MAX /**< pos of an error that is not about a place in a text */
#define CORRAL_LCORE_ERROR_TEXT 200    /**< bytes of struct corral_lcore_error.text */
#define CORRAL_LCORE_SHOW_MAX 1024     /**< a buffer of so many bytes takes whatever corral_lcore_error_show() writes */

/**
 * What is wrong, and where. Every call that takes one accepts NULL; it is written on failure only.
 * text is one line of plain ASCII without a newline.
 */
struct corral_lcore_error {
	size_t pos; /**< byte offset in the text that was parsed (its length: at the end), or CORRAL_LCORE_NO_PLACE */
	char text[CORRAL_LCORE_ERROR_TEXT];
};

/**
 * Render an error as three lines, each with a newline: the message, the text, a caret under the place. Without a place
 * it is the message alone. A long text is cut around the place; what could disturb a terminal becomes '?'.
 *
 * @param e     the error
 * @param text  the text that was parsed; may be NULL (then the message alone is written)
 * @param buf   receives the lines, cut to len and always terminated (unless len is 0)
 * @param len   its size in bytes; CORRAL_LCORE_SHOW_MAX is always enough
 * @return      the length of all lines in bytes, as snprintf() counts
 * Any thread, never blocks.
 */
size_t corral_lcore_error_show(const struct corral_lcore_error *e, const char *text, char *buf, size_t len);

/* ---- Sets of CPUs ---- */

/**
 * A set of CPUs: CPU n is bit n, in the layout of the kernel's masks and of cpu_set_t. A plain value of 1 KiB: copy it
 * by assignment; zero bytes are the empty set.
 */
struct corral_cpuset {
	unsigned long word[CORRAL_CPU_LIMIT / 8 / sizeof(unsigned long)];
};

/** Make the set empty. Like all calls on sets: any thread (the set is the caller's), never blocks. */
void corral_cpuset_zero(struct corral_cpuset *set);

/** Put a CPU in. @return 0, or -ERANGE if cpu is not below CORRAL_CPU_LIMIT */
int corral_cpuset_add(struct corral_cpuset *set, unsigned int cpu);

/** @return 1 if the CPU is in the set, else 0 (also for numbers that no CPU has) */
int corral_cpuset_has(const struct corral_cpuset *set, unsigned int cpu);

/** @return the number of CPUs in the set */
unsigned int corral_cpuset_count(const struct corral_cpuset *set);

/** @return 1 if both sets hold the same CPUs, else 0 */
int corral_cpuset_equal(const struct corral_cpuset *a, const struct corral_cpuset *b);

/**
 * Walk a set in ascending order:
 *	for (c = corral_cpuset_next(s, 0); c != CORRAL_LCORE_NONE; c = corral_cpuset_next(s, c + 1))
 * @return the lowest CPU in the set that is not below from, or CORRAL_LCORE_NONE
 */
unsigned int corral_cpuset_next(const struct corral_cpuset *set, unsigned int from);

/**
 * Read a list of CPUs as the kernel and taskset write it: "0-3,8". Blanks are allowed; a CPU may be named twice.
 *
 * @param set   filled in; untouched on failure
 * @param text  the list
 * @param e     what is wrong, and where; may be NULL
 * @return      0, -EINVAL (grammar, empty list, descending range) or -ERANGE (number not below CORRAL_CPU_LIMIT)
 */
int corral_cpuset_parse(struct corral_cpuset *set, const char *text, struct corral_lcore_error *e);

/**
 * Write a set as "0-3,8" (the empty set as "").
 * @param buf  receives the text, cut to len and always terminated (unless len is 0)
 * @return     the length of the whole text in bytes, as snprintf() counts
 */
size_t corral_cpuset_print(const struct corral_cpuset *set, char *buf, size_t len);

/* ---- The machine ---- */

/**
 * The CPUs that the calling thread may run on: inside a container, those of the container. A thread that has pinned
 * itself gets what it pinned itself to, so ask before.
 *
 * @param set  filled in; untouched on failure
 * @return     their number (at least 1), or -errno; -EOVERFLOW if the kernel knows more than CORRAL_CPU_LIMIT CPUs
 * Any thread, does not block.
 */
int corral_lcore_allowed(struct corral_cpuset *set) CORRAL_MUST_CHECK;

/**
 * The hardware threads of the core that a CPU belongs to, itself included, whether this process may use them or not.
 *
 * @param cpu  0..CORRAL_CPU_LIMIT-1
 * @param set  filled in; untouched on failure
 * @return     their number, or -ENOENT if unknown (no such CPU, offline, no sysfs), or another -errno
 * Any thread; reads sysfs, does not block for long.
 */
int corral_lcore_siblings(unsigned int cpu, struct corral_cpuset *set) CORRAL_MUST_CHECK;

/** The NUMA node of a CPU, from 0, or -ENOENT if unknown (no such CPU, no NUMA). Else as corral_lcore_siblings(). */
int corral_lcore_node(unsigned int cpu) CORRAL_MUST_CHECK;

/** The package (socket) of a CPU, from 0, or -ENOENT if unknown. Else as corral_lcore_siblings(). */
int corral_lcore_package(unsigned int cpu) CORRAL_MUST_CHECK;

/* ---- Lists of lcores ---- */

/** One lcore: its number, and the CPUs that it may run on (at least one). */
struct corral_lcore {
	uint32_t id; /**< 0..CORRAL_LCORE_LIMIT-1 */
	struct corral_cpuset cpus;
};

/** A list of lcores in the order written; the first is the main one. The array belongs to the list. */
struct corral_lcores {
	unsigned int count; /**< 1..CORRAL_LCORE_LIMIT after a successful parse */
	struct corral_lcore *lcore;
};

/**
 * Parse a list in the grammar of --lcores:
 *
 *	list  = part { "," part }
 *	part  = set [ "@" set ]
 *	set   = item | "(" item { "," item } ")"
 *	item  = number [ "-" number ]
 *
 * "A@B": each lcore of A may run on all CPUs of B. "(A)" without "@": each lcore of A may run on all CPUs that have the
 * numbers of A. "N" or "N-M" without "@": each lcore runs on the CPU that has its number. Blanks are allowed between
 * the parts. An lcore may stand in a list once; CPUs may be named again.
 *
 * @param out      filled in; free it with corral_lcores_free(). Empty on failure
 * @param text     the list
 * @param allowed  the CPUs that may be named; NULL: those of the calling thread
 * @param e        what is wrong, and where; may be NULL
 * @return         0, or -EINVAL (grammar: empty, junk, unclosed, missing set, descending range), -ERANGE (a number
 *                 above its limit), -EEXIST (an lcore a second time), -ENODEV (a CPU that is not allowed), -ENOMEM;
 *                 with allowed NULL also the errors of corral_lcore_allowed()
 * Any thread, never blocks.
 */
int corral_lcores_parse(struct corral_lcores *out, const char *text, const struct corral_cpuset *allowed,
			struct corral_lcore_error *e) CORRAL_MUST_CHECK;

/** As corral_lcores_parse(), for the short -l: numbers and ranges ("25-26,30"), each lcore on the CPU of its number. */
int corral_lcores_parse_short(struct corral_lcores *out, const char *text, const struct corral_cpuset *allowed,
			      struct corral_lcore_error *e) CORRAL_MUST_CHECK;

/** Free what a list holds; the list is empty then. An empty (or zeroed) list is fine. */
void corral_lcores_free(struct corral_lcores *l);

/* ---- Layouts ---- */

/** T threads on C cores. */
struct corral_layout {
	uint32_t threads;  /**< 1..CORRAL_LCORE_LIMIT */
	uint32_t cores;	   /**< 1..CORRAL_CPU_LIMIT */
	uint32_t floating; /**< 0: each thread on one core, round robin; 1: each thread may run on all of them */
};

/** Room for any layout's text, in bytes. */
#define CORRAL_LAYOUT_TEXT 32

/** A list of layouts. The array belongs to the list. */
struct corral_layouts {
	unsigned int count;
	struct corral_layout *layout;
};

/**
 * Parse a list of layouts: "1t@1c,8t@2c,8t@2c:float". Blanks are allowed between the parts.
 *
 * @param out   filled in; free it with corral_layouts_free(). Empty on failure
 * @param text  the list
 * @param e     what is wrong, and where; may be NULL
 * @return      0, -EINVAL (grammar), -ERANGE (a number that is 0 or above its limit) or -ENOMEM
 * Any thread, never blocks.
 */
int corral_layouts_parse(struct corral_layouts *out, const char *text, struct corral_lcore_error *e) CORRAL_MUST_CHECK;

/** Free what a list of layouts holds; the list is empty then. */
void corral_layouts_free(struct corral_layouts *l);

/**
 * The rows of the reference table: 1t@1c 2t@2c 4t@4c 8t@8c 16t@16c 32t@32c, 2t@1c 4t@2c 8t@2c 16t@2c 32t@2c,
 * 8t@2c:float 16t@4c:float 32t@4c:float, in this order.
 * @param count  set to their number
 * @return       a constant array
 */
const struct corral_layout *corral_layout_standard(unsigned int *count);

/** Write a layout as "8t@2c:float"; buf (CORRAL_LAYOUT_TEXT bytes do) and result as in corral_cpuset_print(). */
size_t corral_layout_print(const struct corral_layout *l, char *buf, size_t len);

/* ---- Plans ---- */

/** Who does what in a plan. */
enum corral_roles {
	CORRAL_ROLES_BOTH = 0,	/**< every worker does the same */
	CORRAL_ROLES_SPLIT = 1, /**< the first half of the workers produces, the other half consumes */
};

/** Which worker runs where. The array belongs to the plan. */
struct corral_lcore_plan {
	unsigned int count;	/**< workers */
	unsigned int producers; /**< workers 0..producers-1 produce, the rest consumes; = count where roles are both */
	unsigned int cores;	/**< CPUs that the workers may use in all */
	int floating;		/**< 1 if some worker may run on more than one CPU */
	int has_main;		/**< 1 if main says where the main thread has to run (a list); 0: unpinned (a layout) */
	struct corral_lcore main;
	struct corral_lcore *worker;
};

/**
 * Plan a layout. Its cores are the lowest CPUs of allowed. Pinned: worker i runs on core i % cores. Floating: every
 * worker may run on all cores. The ids of the workers are 0..threads-1; the main thread stays unpinned.
 *
 * With CORRAL_ROLES_SPLIT the first threads / 2 workers produce, on the first cores / 2 cores, and the other workers
 * consume, on the other cores, each half round robin on its own: of an odd number the larger half belongs to the
 * consumers. One core: all on it; floating: all on all.
 *
 * @param plan     filled in; free it with corral_lcore_plan_free(). Empty on failure
 * @param l        the layout
 * @param roles    see there
 * @param allowed  the CPUs that may be used; NULL: those of the calling thread
 * @param e        what is wrong (there is no place); may be NULL
 * @return         0, -ERANGE (it needs more cores than are allowed: skip it), -EINVAL (a layout out of its limits, or
 *                 of one thread where roles are split: skip it), -ENOMEM; with allowed NULL also the errors of
 *                 corral_lcore_allowed()
 * Any thread, never blocks.
 */
int corral_lcore_plan_layout(struct corral_lcore_plan *plan, const struct corral_layout *l, enum corral_roles roles,
			     const struct corral_cpuset *allowed, struct corral_lcore_error *e) CORRAL_MUST_CHECK;

/**
 * Plan a list of lcores: the first is the main thread, the others are workers, each where the list says. With
 * CORRAL_ROLES_SPLIT the first half of the workers (rounded down) produces.
 *
 * @param plan   filled in; free it with corral_lcore_plan_free(). Empty on failure
 * @param l      the list; it is copied
 * @param roles  see there
 * @param e      what is wrong (there is no place); may be NULL
 * @return       0, -EINVAL (no worker, or only one where roles are split) or -ENOMEM
 * Any thread, never blocks.
 */
int corral_lcore_plan_list(struct corral_lcore_plan *plan, const struct corral_lcores *l, enum corral_roles roles,
			   struct corral_lcore_error *e) CORRAL_MUST_CHECK;

/** Free what a plan holds; it is empty then. */
void corral_lcore_plan_free(struct corral_lcore_plan *plan);

/**
 * Write a plan in the grammar of --lcores, such as "6@6,(10-13)@7" or, for a layout, "0@0,1@1,2@0,3@1". Parsing it
 * gives the same lcores in the same order. A layout has no main lcore: its text holds the workers alone.
 *
 * buf and the result as in corral_cpuset_print(); any thread, never blocks.
 */
size_t corral_lcore_plan_print(const struct corral_lcore_plan *plan, char *buf, size_t len);

/* ---- Threads ---- */

/** What one worker does. */
struct corral_lcore_job {
	/** gets the worker's number in the plan, from 0, and arg; what it returns is kept for corral_lcore_wait() */
	int (*fn)(unsigned int index, void *arg);
	void *arg;
};

/** Threads that were launched together. */
struct corral_lcore_team;

/**
 * Start one thread a worker of the plan. No fn is called before every thread exists and is pinned; if one cannot be
 * had, no fn is called at all and the threads that were there are gone when the call returns. A thread inherits the
 * signal mask, scheduling policy and priority of the caller; its name is corral-wN.
 *
 * @param team  set to the team; hand it to corral_lcore_wait(). NULL on failure
 * @param plan  where they run; may be freed once the call has returned
 * @param jobs  one for each worker, plan->count in all; copied
 * @param e     what is wrong (there is no place); may be NULL
 * @return      0, -EINVAL (an empty plan, or the kernel does not let a worker run on exactly its CPUs: gone offline, or
 *              outside the cpuset), -EAGAIN (no more threads), -ENOMEM, or what else pinning gave
 * Any thread; blocks until all threads are there.
 */
int corral_lcore_launch(struct corral_lcore_team **team, const struct corral_lcore_plan *plan,
			const struct corral_lcore_job *jobs, struct corral_lcore_error *e) CORRAL_MUST_CHECK;

/**
 * Wait until every function of the team has returned, then free the team. It does not tell them to return.
 *
 * @param team     from corral_lcore_launch(); NULL does nothing
 * @param results  NULL, or one int for each worker: what its function returned, -ECANCELED if it left by pthread_exit()
 * @return         the number of functions that returned something other than 0
 * One thread, once a team, and none of its workers; blocks. Not a cancellation point.
 */
unsigned int corral_lcore_wait(struct corral_lcore_team *team, int *results);

/**
 * Pin the calling thread to exactly these CPUs.
 * @return 0; -EINVAL if the kernel would let it run on none, or on a part of them only (offline, outside the cpuset):
 *         the thread then stays where it was; or another -errno
 * Any thread, never blocks.
 */
int corral_lcore_pin(const struct corral_cpuset *set) CORRAL_MUST_CHECK;

/** @return the id of the calling thread's lcore (struct corral_lcore), or CORRAL_LCORE_NONE in no team. Any thread. */
uint32_t corral_lcore_id(void);

/** @return the number of the calling thread in its team, from 0, or CORRAL_LCORE_NONE in no team. Any thread. */
uint32_t corral_lcore_index(void);

CORRAL_END_DECLS

#endif
