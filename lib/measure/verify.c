/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verify.c - conservation. Objects that circulate are counted by id; the sum of their generations must be what the
 * workers added, so that a stale copy that came back in place of a newer one is seen too. Of streams, counts and hashes
 * of what went in and came out must agree. (Elements of 4 bytes have no room for a generation.)
 */
#include "verify.h"

#include <errno.h>
#include <stdlib.h>

#include "../../bench/peers/payload.h"

#define CHUNK 256

struct drain {
	void *buf; /* CHUNK elements */
	uint8_t *seen;
	uint32_t generations;
	uint64_t count, hash;
};

int measure_fill(const struct measure_job *job, void *queue)
{
	uint32_t esize = job->params.esize, id, n, i;
	char *buf;
	int rc = 0;

	buf = malloc((size_t)CHUNK * esize);
	if (!buf)
		return -ENOMEM;
	for (id = 0; id < job->objects && rc == 0; id += n) {
		n = job->objects - id < CHUNK ? job->objects - id : CHUNK;
		for (i = 0; i < n; i++)
			payload_make_object(buf + (size_t)i * esize, esize, id + i);
		if (job->mode->put(queue, buf, esize, n) != n)
			rc = -ENOSPC;
	}
	free(buf);
	return rc;
}

/* Next elements of the queue, 0 when it is empty, also if its get() is all or nothing. */
static uint32_t next(const struct measure_job *job, void *queue, void *buf)
{
	uint32_t n = job->mode->get(queue, buf, job->params.esize, CHUNK);

	return n ? n : job->mode->get(queue, buf, job->params.esize, 1);
}

static void look(const struct measure_job *job, struct drain *d, uint32_t n, struct measure_outcome *out)
{
	uint32_t esize = job->params.esize, i, id;

	d->count += n;
	if (job->kind == MEASURE_SPLIT) {
		d->hash += payload_hash(d->buf, esize, n);
		return;
	}
	for (i = 0; i < n; i++) {
		const char *elem = (const char *)d->buf + (size_t)i * esize;

		id = payload_object_id(elem, esize);
		if (!payload_check(elem, esize, job->objects)) {
			out->corrupt++;
			continue;
		}
		d->generations += payload_object_generation(elem, esize);
		out->duplicated += d->seen[id];
		d->seen[id] = 1;
	}
}

static void judge_objects(const struct measure_job *job, const struct drain *d, uint32_t added,
			  struct measure_outcome *out)
{
	uint32_t id;

	for (id = 0; id < job->objects; id++)
		out->lost += !d->seen[id];
	if (!measure_outcome_bad(out) && d->generations != added) {
		/* every id is there, but some object is an older copy of itself */
		out->lost++;
		out->duplicated++;
	}
}

static void judge_streams(const struct drain *d, const struct peer_worker *w, unsigned int n,
			  struct measure_outcome *out)
{
	uint64_t in = 0, gone = d->count, hash_in = 0, hash_gone = d->hash;
	unsigned int i;

	for (i = 0; i < n; i++) {
		if (w[i].role == PEER_PRODUCE) {
			in += w[i].objs;
			hash_in += w[i].hash;
		} else {
			gone += w[i].objs;
			hash_gone += w[i].hash;
		}
	}
	if (gone < in)
		out->lost += in - gone;
	else if (gone > in)
		out->duplicated += gone - in;
	else if (hash_in != hash_gone && !out->corrupt) {
		out->lost++;
		out->duplicated++;
	}
}

int measure_verify(const struct measure_job *job, void *queue, const struct peer_worker *w, unsigned int n,
		   struct measure_outcome *out)
{
	uint64_t limit = 4 * (uint64_t)job->params.size + 1024; /* a broken queue may never become empty */
	uint32_t added = 0, got;
	struct drain d = { 0 };
	unsigned int i;

	for (i = 0; i < n; i++) {
		out->corrupt += w[i].corrupt;
		out->disorder += w[i].disorder;
		added += (uint32_t)w[i].hash;
	}
	if (job->kind != MEASURE_BOTH && job->kind != MEASURE_SPLIT)
		return 0;
	d.buf = malloc((size_t)CHUNK * job->params.esize);
	d.seen = calloc(job->objects + 1, 1);
	if (!d.buf || !d.seen) {
		free(d.buf);
		free(d.seen);
		return -ENOMEM;
	}
	while (d.count < limit && (got = next(job, queue, d.buf)) != 0)
		look(job, &d, got, out);
	if (job->kind == MEASURE_BOTH)
		judge_objects(job, &d, job->params.esize == 4 ? d.generations : added, out);
	else
		judge_streams(&d, w, n, out);
	free(d.buf);
	free(d.seen);
	return 0;
}

bool measure_outcome_bad(const struct measure_outcome *out)
{
	return out->lost || out->duplicated || out->corrupt || out->disorder;
}
