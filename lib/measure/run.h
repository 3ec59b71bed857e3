/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.h - one run of one cell: make the queue, fill it, start the workers, let them go together, stop them, drain the
 * queue and look whether everything is there.
 */
#ifndef CORRAL_MEASURE_RUN_H
#define CORRAL_MEASURE_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "peer.h"
#include "place.h"

enum measure_kind {
	MEASURE_BOTH,	   /* every worker takes objects and puts them back */
	MEASURE_SPLIT,	   /* the first half of the workers produces, the others consume */
	MEASURE_ROUNDTRIP, /* one worker puts n objects and takes n */
	MEASURE_EMPTY,	   /* one worker asks an empty queue; objs counts the calls */
};

/* What one run is to do. */
struct measure_job {
	const struct peer_mode *mode;
	const struct measure_place *place;
	enum measure_kind kind;
	enum peer_access access;
	enum peer_call call;
	enum peer_wait wait;
	struct peer_params params;
	uint32_t bulk_min, bulk_max;
	uint32_t objects; /* MEASURE_BOTH: how many circulate */
	double seconds;
	double patience; /* seconds from stop until a run counts as stuck */
	bool timed_calls;
	struct peer_hist *hist; /* calls are added here; NULL: not timed one by one */
	uint64_t seed;
	/* Called once a second while workers do not stop, with the seconds so far; may be NULL. */
	void (*waiting)(void *arg, double seconds);
	void *arg;
};

struct measure_outcome {
	double mobj_s;	       /* million objects (calls for MEASURE_EMPTY) a second; through both ends counts once */
	double cycles_per_obj; /* ticks of all workers / objects; infinite if nothing moved */
	double seconds;	       /* earliest begin to latest end */
	uint64_t objs, short_calls;
	double min_share, max_share; /* smallest and largest share of one worker in its side's objects, 0..1 */
	uint64_t lost, duplicated;   /* objects not found, found more than once */
	uint64_t corrupt;	     /* objects torn, or that never went in */
	uint64_t disorder;	     /* MEASURE_SPLIT: sequences that did not rise */
	double steal_ms;	     /* negative: unknown */
	long migrations;	     /* negative: unknown */
	bool cut;		     /* ended early by a signal */
	char why[256];		     /* on failure: which step failed, and how */
};

/*
 * 0; -ENOTSUP: the peer has not this combination; -ETIMEDOUT: workers did not stop, they still run, and the only thing
 * left to do is to exit; another negative errno: queue or threads could not be made.
 */
int measure_run(const struct measure_job *job, struct measure_outcome *out);

/* Something that moved is lost, twice there, torn or out of order. */
bool measure_outcome_bad(const struct measure_outcome *out);

/*
 * SIGINT, SIGTERM and SIGHUP: from measure_signals_catch() on they do not kill, but end a run early and make
 * measure_signal() return their number; those that were ignored before stay ignored. To be called by the main thread
 * before there are others.
 */
void measure_signals_catch(void);
int measure_signal(void);

/* Sleep until that time of CLOCK_MONOTONIC, ns. false: a signal came first. Only for the main thread. */
bool measure_sleep_until(uint64_t ns);
uint64_t measure_now_ns(void);

#endif
