/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * doc.h - result documents: one shape for every verb, written by one writer.
 *
 * Functions that allocate JSON end the program when there is no memory (there is nothing left to report then).
 */
#ifndef CORRAL_MEASURE_DOC_H
#define CORRAL_MEASURE_DOC_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "peer.h"
#include "stats.h"

/* A new document with the fields that all share; results and skipped are empty arrays. */
json_t *measure_doc_new(const char *verb, int argc, char **argv);

void measure_doc_result(json_t *doc, json_t *result); /* takes the reference */
__attribute__((format(printf, 3, 4))) void measure_doc_skip(json_t *doc, const char *what, const char *why, ...);

/* A string; bytes beyond ASCII become '?' where they are no UTF-8, which JSON must be and paths and words need not. */
json_t *measure_json_text(const char *text);

/* A number; null where JSON has none (nan, infinite). */
json_t *measure_json_number(double v);
json_t *measure_json_numbers(const double *v, unsigned int n);

/* {"min":…,"median":…,"max":…} and, if wanted, "ci95":[lo,hi]; [null,null] if there is no interval. */
json_t *measure_json_summary(const struct measure_summary *s, bool interval);

/* {"calls":…,"p50":…,"p99":…,"p999":…,"p9999":…,"max":…}, ns. */
json_t *measure_json_latency(const struct peer_hist *h);

/* The machine: kernel, cpu, arch, CPUs, hypervisor or container, load, compiler. */
json_t *measure_host(void);

/* Its parts that read files of /proc: the model in a cpuinfo, or null; the container of a cgroup, or NULL. */
json_t *measure_cpu_model_of(FILE *cpuinfo);
const char *measure_container_of(FILE *cgroup);

/*
 * Where a document goes. That the folder can be written is tried when the run begins, and nothing is left there; at the
 * end the file is made under another name beside it and put in its place when it is whole.
 */
struct measure_sink {
	char *path; /* NULL: standard output */
	char *temp; /* while the file is made: its name until it is whole */
	int fd;	    /* -1 until then; open from the start where path is no ordinary file and is written itself */
	mode_t mode;
};

/* 0 or negative errno. path NULL: standard output. */
int measure_sink_open(struct measure_sink *sink, const char *path);
/* Write the document and put the file in place. 0 or negative errno; the sink is closed either way. */
int measure_sink_write(struct measure_sink *sink, const json_t *doc);
/* Nothing is to be written: remove what was begun. */
void measure_sink_drop(struct measure_sink *sink);

#endif
