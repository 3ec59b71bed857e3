/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.h - the model explorer: runs a small scenario through every execution that RC11 allows.
 *
 * RC11 is C11's memory model, mended, without load buffering (Lahav, Vafeiadis, Kang, Hur, Dreyer, "Repairing
 * sequential consistency in C/C++11", PLDI 2017). The search is TruSt's (Kokologiannakis, Marmanis, Gladstein,
 * Vafeiadis, "Truly stateless, optimal dynamic partial order reduction", POPL 2022): no execution twice, none left out.
 *
 * The code under test is compiled against include/corral/atomic.h of this folder, whose accesses come here. A thread
 * is a plain function that is run again and again: between its accesses it may depend on nothing but their values.
 */
#ifndef CORRAL_TEST_MODEL_H
#define CORRAL_TEST_MODEL_H

#include <stddef.h>
#include <stdint.h>

#define MODEL_THREADS 4

/* Memory orders, weakest first; consume is not among them. */
enum model_order {
	MODEL_RELAXED = 0,
	MODEL_ACQUIRE = 2,
	MODEL_RELEASE = 3,
	MODEL_ACQ_REL = 4,
	MODEL_SEQ_CST = 5,
};

struct model_scenario {
	const char *name;
	unsigned int threads;				 /* 1..MODEL_THREADS */
	void (*setup)(const void *arg);			 /* makes what is shared (model_alloc); once, alone */
	void (*thread)(unsigned int t, const void *arg); /* t: 0..threads - 1 */
	void (*check)(const void *arg);			 /* NULL, or looks at what is left; alone, after all threads */
	const void *arg;
};

struct model_result {
	uint64_t complete; /* executions in which all threads ended */
	uint64_t waiting;  /* executions cut short: a thread waits, and goes on in another execution */
	uint64_t graphs;   /* events that were added: what the search cost */
	int failed;
	char why[256]; /* the first failure */
};

/* Told of each scenario; failed: not as it should be (a test that must find a race and does has not failed). */
typedef void (*model_report)(const char *name, const struct model_result *r, int failed);

/* Set where failures are expected: they are not printed. */
extern int model_quiet;

/* Set where only the names are wanted: nothing is explored, and nothing fails. */
extern int model_names_only;

/* Explore all executions, or up to the first failure, which is printed. 0, or -1 if there was one. */
int model_explore(const struct model_scenario *s, struct model_result *result);

/* Does the search find what brute force finds? 0; -1: both find a failure; -2: they differ, or something came twice. */
int model_cross_check(const struct model_scenario *s, struct model_result *result);

/* For setup: shared memory, zeroed, aligned to 128 bytes, and names of words in it for traces. */
void *model_alloc(size_t bytes);
__attribute__((format(printf, 2, 3))) void model_name(const volatile void *p, const char *format, ...);

/* This execution is wrong. Does not return. */
__attribute__((format(printf, 1, 2), noreturn)) void model_fail(const char *format, ...);

/* A source file's name without its folders. */
const char *model_file(const char *path);

#define MODEL_ASSERT(cond) ((cond) ? (void)0 : model_fail("%s:%d: %s", model_file(__FILE__), __LINE__, #cond))

/* The thread that runs; MODEL_THREADS in setup and check. */
unsigned int model_self(void);

/*
 * From here on the thread is in another call: text (a string that lives) is for traces. A thread that comes to the same
 * line and word again within a call, with nothing but reads since, is taken for one that waits.
 */
void model_call(const char *text);

/* How many events of each thread happened before here. */
struct model_view {
	uint8_t count[MODEL_THREADS];
};

/* The thread's events so far: in another thread's model_seen().count[] it is a lower bound of "came before". */
unsigned int model_now(void);
struct model_view model_seen(void);

/* Accesses of words of 4 or 8 bytes; size, file and line come from the macros of corral/atomic.h. */
uint64_t model_load(const volatile void *p, unsigned int size, int order, const char *file, int line);
void model_store(volatile void *p, unsigned int size, uint64_t value, int order, const char *file, int line);
uint64_t model_fetch_add(volatile void *p, unsigned int size, uint64_t value, int order, const char *file, int line);
int model_cas(volatile void *p, unsigned int size, void *expected, uint64_t desired, int yes, int no, int weak,
	      const char *file, int line);
void model_fence(int order, const char *file, int line);

/* Plain accesses: a race on them is a failure. */
uint64_t model_read_at(const volatile void *p, unsigned int size, const char *file, int line);
void model_write_at(volatile void *p, unsigned int size, uint64_t value, const char *file, int line);

#define model_read(p) model_read_at(p, sizeof(*(p)), __FILE__, __LINE__)
#define model_write(p, value) model_write_at(p, sizeof(*(p)), value, __FILE__, __LINE__)

#endif
