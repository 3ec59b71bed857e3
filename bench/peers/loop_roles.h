/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * loop_roles.h - what a worker of each role does. Part of the template loop.h: included once a family of calls (with
 * LOOP(enq_by) and LOOP(deq_by) inlined), and once for the loops that call through pointers (LOOP_ANY).
 */

CORRAL_HELPER_ uint32_t LOOP(fetch)(const struct peer_worker *w, struct loop_count *c, enum peer_access access,
				    enum peer_call call, void *buf, uint32_t esize, uint32_t n, int timed)
{
	uint64_t since = loop_time(timed);
	uint32_t k;

#ifdef LOOP_ANY
	k = c->calls->deq(w->queue, access, call, buf, esize, n);
#else
	k = LOOP(deq_by)(w->queue, access, call, buf, esize, n);
#endif
	loop_account(w, c, timed, since, n, k);
	return k;
}

CORRAL_HELPER_ uint32_t LOOP(put)(const struct peer_worker *w, struct loop_count *c, enum peer_access access,
				  enum peer_call call, const void *buf, uint32_t esize, uint32_t n, int timed)
{
	uint64_t since = loop_time(timed);
	uint32_t k;

#ifdef LOOP_ANY
	k = c->calls->enq(w->queue, access, call, buf, esize, n);
#else
	k = LOOP(enq_by)(w->queue, access, call, buf, esize, n);
#endif
	loop_account(w, c, timed, since, n, k);
	return k;
}

/* Take, check and stamp, put back: there is room for what was taken, so it goes back whatever that takes. */
CORRAL_HELPER_ void LOOP(both)(struct peer_worker *w, const struct loop_calls *calls, enum peer_access access,
			       enum peer_call call, uint32_t esize, int timed)
{
	uint64_t seed = w->seed, objs = 0, bad = 0;
	uint32_t n, done, k;
	struct loop_buf buf;
	struct loop_count c = { calls, 0, 0, 0 };

	loop_begin(w);
	while (!loop_stopped(w)) {
		n = loop_next(w, &seed, call);
		n = LOOP(fetch)(w, &c, access, call, buf.elem, esize, n, timed);
		if (corral_unlikely_(n == 0)) {
			loop_idle(w);
			continue;
		}
		bad += payload_touch(buf.elem, buf.elem, esize, n, w->objects);
		for (done = 0; done < n; done += k) {
			k = LOOP(put)(w, &c, access, call, buf.elem + (size_t)done * esize, esize, n - done, timed);
			if (corral_unlikely_(k == 0))
				loop_idle(w);
		}
		objs += n;
	}
	loop_end(w, &c);
	w->objs = objs;
	w->corrupt = bad;
	w->hash = objs; /* generations added */
}

/* Elements that were not taken are made anew in the next call: their sequence is the same. */
CORRAL_HELPER_ void LOOP(produce)(struct peer_worker *w, const struct loop_calls *calls, enum peer_access access,
				  enum peer_call call, uint32_t esize, int timed)
{
	uint64_t seed = w->seed, sequence = 0, hash = 0;
	uint32_t n, i, k;
	struct loop_buf buf;
	struct loop_count c = { calls, 0, 0, 0 };

	loop_begin(w);
	while (!loop_stopped(w)) {
		n = loop_next(w, &seed, call);
		for (i = 0; i < n; i++)
			payload_make_stream(buf.elem + (size_t)i * esize, esize, w->index, sequence + 1 + i);
		k = LOOP(put)(w, &c, access, call, buf.elem, esize, n, timed);
		hash += payload_hash(buf.elem, esize, k);
		sequence += k;
		if (corral_unlikely_(k == 0))
			loop_idle(w);
	}
	loop_end(w, &c);
	w->objs = sequence;
	w->hash = hash;
}

CORRAL_HELPER_ void LOOP(consume)(struct peer_worker *w, const struct loop_calls *calls, enum peer_access access,
				  enum peer_call call, uint32_t esize, int timed)
{
	uint64_t seed = w->seed, objs = 0, hash = 0, corrupt = 0, disorder = 0;
	struct loop_buf buf;
	uint32_t n;
	struct loop_count c = { calls, 0, 0, 0 };

	loop_begin(w);
	while (!loop_stopped(w)) {
		n = loop_next(w, &seed, call);
		n = LOOP(fetch)(w, &c, access, call, buf.elem, esize, n, timed);
		if (corral_unlikely_(n == 0)) {
			loop_idle(w);
			continue;
		}
		payload_check_stream(buf.elem, esize, n, w->last_seq, w->producers, &corrupt, &disorder);
		hash += payload_hash(buf.elem, esize, n);
		objs += n;
	}
	loop_end(w, &c);
	w->objs = objs;
	w->hash = hash;
	w->corrupt = corrupt;
	w->disorder = disorder;
}

/* n objects in, n out, by one thread; the last of each turn must be what went in. */
CORRAL_HELPER_ void LOOP(roundtrip)(struct peer_worker *w, const struct loop_calls *calls, enum peer_access access,
				    enum peer_call call, uint32_t esize, int timed)
{
	uint64_t seed = w->seed, objs = 0, bad = 0;
	uint32_t n, k, got, some, turn = 0;
	struct loop_count c = { calls, 0, 0, 0 };
	struct loop_buf in, out;

	memset(&in, 0, sizeof(in));
	loop_begin(w);
	while (!loop_stopped(w)) {
		n = loop_next(w, &seed, call);
		turn++;
		memcpy(in.elem + (size_t)(n - 1) * esize, &turn, sizeof(turn));
		k = LOOP(put)(w, &c, access, call, in.elem, esize, n, timed);
		for (got = 0; got < k; got += some) {
			some = LOOP(fetch)(w, &c, access, call, out.elem + (size_t)got * esize, esize, k - got, timed);
			if (corral_unlikely_(some == 0))
				break;
		}
		bad += k - got;
		bad += k == n && memcmp(out.elem + (size_t)(n - 1) * esize, &turn, sizeof(turn)) != 0;
		objs += k;
	}
	loop_end(w, &c);
	w->objs = objs;
	w->corrupt = bad;
}

/* Asks a queue in which nothing is. */
CORRAL_HELPER_ void LOOP(empty)(struct peer_worker *w, const struct loop_calls *calls, enum peer_access access,
				enum peer_call call, uint32_t esize, int timed)
{
	uint32_t n = call == PEER_SINGLE ? 1 : w->bulk_min;
	struct loop_buf buf;
	uint64_t bad = 0;
	struct loop_count c = { calls, 0, 0, 0 };

	loop_begin(w);
	while (!loop_stopped(w))
		bad += LOOP(fetch)(w, &c, access, call, buf.elem, esize, n, timed);
	loop_end(w, &c);
	w->corrupt = bad;
}
