/* SPDX-License-Identifier: BSD-3-Clause */
/* ring_lang.cpp - the C++17 half of test_ring_lang: every public header, every kind of call, from C++. */
#include <corral/atomic.h>
#include <corral/base.h>
#include <corral/lcore.h>
#include <corral/ring.h>
#include <corral/ring_core.h>
#include <corral/ring_hts.h>
#include <corral/ring_mode.h>
#include <corral/ring_mt.h>
#include <corral/ring_path.h>
#include <corral/ring_peek.h>
#include <corral/ring_rts.h>
#include <corral/ring_st.h>
#include <corral/ring_zc.h>
#include <corral/wait.h>

#include "ring_lang.h"

#include <cerrno>
#include <cstring>
#include <sched.h>

#define F(name, value) \
	{ \
		name, static_cast<uint64_t>(value) \
	}
const struct fact lang_cpp_facts[] = { LANG_FACTS };
const unsigned int lang_cpp_fact_count = sizeof(lang_cpp_facts) / sizeof(lang_cpp_facts[0]);

namespace
{
/* The first line that does not hold is the result. */
#define HOLDS(cond) \
	do { \
		if (!(cond)) \
			return __LINE__; \
	} while (0)

void *pointer(uintptr_t i)
{
	return reinterpret_cast<void *>(i * 8 + 8);
}

/* Generic calls, and those by the name of mode MT. */
int moves(corral_ring *r)
{
	void *objs[4] = { pointer(1), pointer(2), pointer(3), pointer(4) }, *got[4] = {};
	unsigned int left = 99;

	HOLDS(corral_ring_enqueue(r, objs[0]) == 0);
	HOLDS(corral_ring_enqueue_bulk(r, objs + 1, 2, &left) == 2 && left == corral_ring_free_count(r));
	HOLDS(corral_ring_enqueue_burst_elem(r, objs + 3, sizeof(void *), 1, nullptr) == 1);
	HOLDS(corral_ring_count(r) == 4);
	HOLDS(corral_ring_dequeue(r, &got[0]) == 0 && got[0] == objs[0]);
	HOLDS(corral_ring_dequeue_burst(r, got + 1, 2, &left) == 2 && left == 1);
	HOLDS(corral_ring_dequeue_elem(r, got + 3, sizeof(void *)) == 0);
	HOLDS(std::memcmp(objs, got, sizeof(objs)) == 0);
	HOLDS(corral_ring_dequeue(r, &got[0]) == -ENOENT);
	HOLDS(corral_ring_enqueue_bulk_elem(r, objs, 4 + sizeof(void *), 1, &left) == -EINVAL && left == 0);
	HOLDS(corral_ring_mp_enqueue(r, objs[0]) == 0 && corral_ring_mc_dequeue(r, got) == 0);
	HOLDS(corral_ring_sp_enqueue(r, objs[0]) == -ENOTSUP && corral_ring_mc_hts_dequeue(r, got) == -ENOTSUP);
	HOLDS(corral_ring_mp_rts_enqueue(r, objs[0]) == -ENOTSUP && corral_ring_sc_dequeue(r, got) == -ENOTSUP);
	HOLDS(corral_ring_flush(r) == 0 && corral_ring_empty(r));
	return 0;
}

int peeks()
{
	corral_ring *r =
		corral_ring_create_elem("made in C++", sizeof(int), 4, CORRAL_RING_F_MP_HTS_ENQ | CORRAL_RING_F_SC_DEQ);
	corral_ring_zc_data z;
	int v[2] = { 10, 11 }, seen[2] = {};

	HOLDS(r != nullptr && corral_ring_lookup("made in C++") == r);
	HOLDS(corral_ring_enqueue_bulk_elem_start(r, 2, nullptr) == 2);
	HOLDS(corral_ring_enqueue_elem_finish(r, v, sizeof(int), 3) == -EINVAL);
	HOLDS(corral_ring_enqueue_elem_finish(r, v, sizeof(int), 2) == 0);
	HOLDS(corral_ring_enqueue_zc_burst_elem_start(r, sizeof(int), 9, &z, nullptr) == 2);
	*static_cast<int *>(z.ptr1) = 12;
	HOLDS(z.n1 == 2 && z.ptr2 == nullptr);
	HOLDS(corral_ring_enqueue_zc_elem_finish(r, 1) == 0);
	HOLDS(corral_ring_dequeue_burst_elem_start(r, seen, sizeof(int), 2, nullptr) == 2);
	HOLDS(seen[0] == 10 && seen[1] == 11);
	HOLDS(corral_ring_dequeue_elem_finish(r, 2) == 0);
	HOLDS(corral_ring_dequeue_zc_bulk_elem_start(r, sizeof(int), 1, &z, nullptr) == 1);
	HOLDS(*static_cast<int *>(z.ptr1) == 12);
	HOLDS(corral_ring_dequeue_zc_elem_finish(r, 1) == 0);
	HOLDS(corral_ring_get_prod_sync_type(r) == CORRAL_RING_SYNC_MT_HTS && corral_ring_is_cons_single(r));
	HOLDS(corral_ring_free(r) == 0);
	return 0;
}

int waits()
{
	corral_wait_policy p;
	corral_wait_tune t;
	corral_wait_stats s = {};
	corral_wait w = {};
	corral_a32 word = {};
	uint32_t was = 1;

	HOLDS(corral_wait_policy_init(&p, CORRAL_WAIT_YIELD) == 0);
	p.first_ns = p.max_ns = p.yield_ns = 0;
	HOLDS(corral_wait_policy_tune(&t, &p) == 0);
	corral_wait_step(&w, &t, &s);
	corral_wait_backoff(&w, &t, &s);
	corral_wait_progress(&w);
	HOLDS(corral_load(&s.yields, CORRAL_RELAXED) == 1);
	HOLDS(!corral_cas(&word, &was, 2, CORRAL_ACQ_REL, CORRAL_ACQUIRE) && was == 0);
	HOLDS(corral_cas(&word, &was, 2, CORRAL_RELEASE, CORRAL_RELAXED));
	HOLDS(corral_fetch_add(&word, 3, CORRAL_RELAXED) == 2);
	corral_store(&word, corral_load(&word, CORRAL_ACQUIRE) + 1, CORRAL_RELEASE);
	HOLDS(corral_load(&word, CORRAL_RELAXED) == 6);
	return 0;
}
} // namespace

int lang_cpp_calls(struct corral_ring *r)
{
	int line = moves(r);

	if (line == 0)
		line = peeks();
	return line != 0 ? line : waits();
}

int lang_cpp_lcores(void)
{
	corral_cpuset set;
	corral_lcore_error e;

	HOLDS(std::strcmp(corral_version(), CORRAL_VERSION) == 0);
	HOLDS(std::strlen(corral_strerror(-EDEADLK)) > 0);
	HOLDS(corral_cpuset_parse(&set, "1-3,8", &e) == 0);
	HOLDS(corral_cpuset_count(&set) == 4 && corral_cpuset_has(&set, 8));
	HOLDS(corral_cpuset_parse(&set, "1-", &e) == -EINVAL && e.text[0] != '\0');
	HOLDS(corral_lcore_allowed(&set) >= 1);
	return 0;
}

void lang_cpp_produce(struct corral_ring *r, unsigned int n)
{
	for (unsigned int i = 0; i < n;)
		if (corral_ring_enqueue(r, pointer(i)) == 0)
			i++;
		else
			sched_yield();
}

unsigned int lang_cpp_consume(struct corral_ring *r, unsigned int n)
{
	unsigned int right = 0;
	void *o;

	for (unsigned int i = 0; i < n;)
		if (corral_ring_dequeue(r, &o) == 0)
			right += o == pointer(i++);
		else
			sched_yield();
	return right;
}
