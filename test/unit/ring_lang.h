/* SPDX-License-Identifier: BSD-3-Clause */
/* ring_lang.h - what the C and the C++ half of test_ring_lang ask of each other. */
#ifndef CORRAL_RING_LANG_H
#define CORRAL_RING_LANG_H

#include <corral/ring.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A size, offset or constant as the compiler of a language sees it. */
struct fact {
	const char *name;
	uint64_t value;
};

extern const struct fact lang_cpp_facts[];
extern const unsigned int lang_cpp_fact_count;

/* Each call of every header from C++, on an empty ring of pointers: 0, or the line that went wrong. */
int lang_cpp_calls(struct corral_ring *r);
int lang_cpp_lcores(void);

/* Puts the numbers 0, 1, … n - 1 in; takes so many out: how many came in order. */
void lang_cpp_produce(struct corral_ring *r, unsigned int n);
unsigned int lang_cpp_consume(struct corral_ring *r, unsigned int n);

#ifdef __cplusplus
}
#endif

/* The facts: F(name, value). Both languages compile this list. */
#define SIZE_(type) F("sizeof struct " #type, sizeof(struct type))
#define OFFSET_(type, member) F("offset of " #member " in struct " #type, offsetof(struct type, member))
#define FLAG_(flag) F(#flag, CORRAL_RING_##flag)

#define LANG_FACTS \
	SIZE_(corral_a64), SIZE_(corral_a32), SIZE_(corral_wait), SIZE_(corral_wait_policy), SIZE_(corral_wait_tune), \
		SIZE_(corral_wait_stats), SIZE_(corral_ring_side), SIZE_(corral_ring_counts), SIZE_(corral_ring), \
		SIZE_(corral_ring_stats), SIZE_(corral_ring_zc_data), SIZE_(corral_ring_claim_), \
		OFFSET_(corral_ring_side, tail), OFFSET_(corral_ring_side, head), OFFSET_(corral_ring_side, opp), \
		OFFSET_(corral_ring_side, htd_max), OFFSET_(corral_ring_side, slip), OFFSET_(corral_ring_side, owner), \
		OFFSET_(corral_ring_side, slips), OFFSET_(corral_ring_counts, wait), \
		OFFSET_(corral_ring_counts, refused), OFFSET_(corral_ring_counts, tapped), \
		OFFSET_(corral_ring, magic), OFFSET_(corral_ring, layout), OFFSET_(corral_ring, flags), \
		OFFSET_(corral_ring, esize), OFFSET_(corral_ring, size), OFFSET_(corral_ring, mask), \
		OFFSET_(corral_ring, capacity), OFFSET_(corral_ring, prod_sync), OFFSET_(corral_ring, cons_sync), \
		OFFSET_(corral_ring, table), OFFSET_(corral_ring, memsize), OFFSET_(corral_ring, tap), \
		OFFSET_(corral_ring, wait), OFFSET_(corral_ring, barrier), OFFSET_(corral_ring, state), \
		OFFSET_(corral_ring, owners), OFFSET_(corral_ring, poor), OFFSET_(corral_ring, name), \
		OFFSET_(corral_ring, prod), OFFSET_(corral_ring, cons), OFFSET_(corral_ring, prod_count), \
		OFFSET_(corral_ring, cons_count), OFFSET_(corral_ring, waiters), FLAG_(F_SP_ENQ), FLAG_(F_SC_DEQ), \
		FLAG_(F_EXACT_SZ), FLAG_(F_MP_RTS_ENQ), FLAG_(F_MC_RTS_DEQ), FLAG_(F_MP_HTS_ENQ), FLAG_(F_MC_HTS_DEQ), \
		FLAG_(F_MP_STRICT_ENQ), FLAG_(F_MC_STRICT_DEQ), FLAG_(F_NO_SLIP), FLAG_(F_STATS), FLAG_(MAGIC), \
		FLAG_(LAYOUT), FLAG_(NAMESIZE), FLAG_(SIZE_MAX), FLAG_(ESIZE_MAX), F("CORRAL_LINE", CORRAL_LINE), \
		F("CORRAL_VERSION_MINOR", CORRAL_VERSION_MINOR), F("RTS", CORRAL_RING_SYNC_MT_RTS), \
		F("SLEEP", CORRAL_WAIT_SLEEP), F("acquire", CORRAL_ACQUIRE), F("release", CORRAL_RELEASE)

#endif
