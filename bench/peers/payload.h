/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * payload.h - what the measured loops move: elements that say who they are, so that one that is lost, doubled, torn, old
 * or never was is seen; and cheap to check, since every implementation pays for it alike.
 *
 * An object circulates. Its two first words hold a number (id) and a generation that each turn raises, mixed so that
 * a half of another object, or memory that nobody wrote, has a number that is among those in use by chance alone:
 *
 *	hi = generation * C		lo = id * A + generation * B
 *
 * An element of a stream holds its producer and a sequence that rises, in one 64-bit product. Further words are
 * functions of the first two. Elements of 4 bytes have room for the number alone, or for 8 bits of producer and 24 of
 * sequence. All constants are odd, so each product has an inverse.
 */
#ifndef CORRAL_PEERS_PAYLOAD_H
#define CORRAL_PEERS_PAYLOAD_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PAYLOAD_A UINT32_C(0x9e3779b1)
#define PAYLOAD_A_INVERSE UINT32_C(0x0e8b2f51)
#define PAYLOAD_B UINT32_C(0x85ebca77)
#define PAYLOAD_C UINT32_C(0xc2b2ae3d)
#define PAYLOAD_C_INVERSE UINT32_C(0xa89ed915)
#define PAYLOAD_K UINT64_C(0x9e3779b97f4a7c15)
#define PAYLOAD_K_INVERSE UINT64_C(0xf1de83e19937733d)

#define PAYLOAD_INLINE static inline __attribute__((always_inline, unused))

typedef uint32_t payload_u32_ __attribute__((may_alias, aligned(4)));

PAYLOAD_INLINE void payload_tail_(payload_u32_ *w, uint32_t esize)
{
	uint32_t i, seed = w[0] * PAYLOAD_B + w[1] * PAYLOAD_A;

	for (i = 2; i < esize / 4; i++)
		w[i] = seed + i * PAYLOAD_C;
}

PAYLOAD_INLINE uint32_t payload_tail_is_(const payload_u32_ *w, uint32_t esize)
{
	uint32_t i, seed = w[0] * PAYLOAD_B + w[1] * PAYLOAD_A, differ = 0;

	for (i = 2; i < esize / 4; i++)
		differ |= w[i] ^ (seed + i * PAYLOAD_C);
	return differ == 0;
}

PAYLOAD_INLINE uint32_t payload_object_generation(const void *elem, uint32_t esize)
{
	return esize == 4 ? 0 : ((const payload_u32_ *)elem)[1] * PAYLOAD_C_INVERSE;
}

PAYLOAD_INLINE uint32_t payload_object_id(const void *elem, uint32_t esize)
{
	uint32_t lo = ((const payload_u32_ *)elem)[0];

	return (lo - payload_object_generation(elem, esize) * PAYLOAD_B) * PAYLOAD_A_INVERSE;
}

PAYLOAD_INLINE void payload_make_(void *elem, uint32_t esize, uint32_t id, uint32_t generation)
{
	payload_u32_ *w = (payload_u32_ *)elem;

	w[0] = id * PAYLOAD_A + (esize == 4 ? 0 : generation * PAYLOAD_B);
	if (esize > 4)
		w[1] = generation * PAYLOAD_C;
	if (esize > 8)
		payload_tail_(w, esize);
}

/* A new object. id is below 2^32 (2^24 is plenty: the fewer there are, the surer is what a check finds). */
PAYLOAD_INLINE void payload_make_object(void *elem, uint32_t esize, uint32_t id)
{
	payload_make_(elem, esize, id, 0);
}

/* Do its words belong together? (The caller looks whether its number is in use.) */
PAYLOAD_INLINE uint32_t payload_check(const void *elem, uint32_t esize)
{
	return esize > 8 ? payload_tail_is_((const payload_u32_ *)elem, esize) : 1;
}

/*
 * A turn: check n objects, whose numbers are below `objects`, and raise their generations, from `from` to `to` (the
 * same, or apart). Returns how many are none. Their generations rise by n in all (by 0 where esize is 4).
 */
PAYLOAD_INLINE uint32_t payload_touch(void *to, const void *from, uint32_t esize, uint32_t n, uint32_t objects)
{
	const char *f = (const char *)from;
	char *t = (char *)to;
	uint32_t i, bad = 0, id, generation;

	for (i = 0; i < n; i++) {
		id = payload_object_id(f + (size_t)i * esize, esize);
		bad += id >= objects || !payload_check(f + (size_t)i * esize, esize);
		generation = payload_object_generation(f + (size_t)i * esize, esize);
		payload_make_(t + (size_t)i * esize, esize, id, generation + 1);
	}
	return bad;
}

/* ---- streams ---- */

#define PAYLOAD_SHORT_SEQUENCE (UINT32_C(1) << 24) /* of elements of 4 bytes: counted modulo this */
#define PAYLOAD_PRODUCERS_MAX 256

PAYLOAD_INLINE uint64_t payload_first_(const void *elem)
{
	uint64_t v;

	memcpy(&v, elem, 8);
	return v;
}

/* The element of a producer with that sequence, from 1. */
PAYLOAD_INLINE void payload_make_stream(void *elem, uint32_t esize, uint32_t producer, uint64_t sequence)
{
	uint64_t v;

	if (esize == 4) {
		*(payload_u32_ *)elem = (producer << 24 | (uint32_t)(sequence % PAYLOAD_SHORT_SEQUENCE)) * PAYLOAD_A;
		return;
	}
	v = ((uint64_t)producer << 48 | sequence) * PAYLOAD_K;
	memcpy(elem, &v, 8);
	if (esize > 8)
		payload_tail_((payload_u32_ *)elem, esize);
}

/* A sum over elements in which each counts: the same for what went in and what came out, in any order. */
PAYLOAD_INLINE uint64_t payload_hash(const void *elems, uint32_t esize, uint32_t n)
{
	const char *e = (const char *)elems;
	uint64_t sum = 0, v;
	uint32_t i;

	for (i = 0; i < n; i++) {
		v = esize == 4 ? *(const payload_u32_ *)(e + (size_t)i * 4) * PAYLOAD_K
			       : payload_first_(e + (size_t)i * esize);
		sum += v ^ v >> 29;
	}
	return sum;
}

/*
 * Look at n elements that one consumer took in this order. last[p] is the last sequence seen of producer p, 0 for
 * none. Counts elements that no producer made into *corrupt, and sequences that did not rise into *disorder.
 */
PAYLOAD_INLINE void payload_check_stream(const void *elems, uint32_t esize, uint32_t n, uint64_t *last,
					 uint32_t producers, uint64_t *corrupt, uint64_t *disorder)
{
	const char *e = (const char *)elems;
	uint64_t sequence, v;
	uint32_t i, producer, word;

	for (i = 0; i < n; i++, e += esize) {
		if (esize == 4) {
			word = *(const payload_u32_ *)e * PAYLOAD_A_INVERSE;
			producer = word >> 24;
			sequence = word % PAYLOAD_SHORT_SEQUENCE;
		} else {
			v = payload_first_(e) * PAYLOAD_K_INVERSE;
			producer = (uint32_t)(v >> 48);
			sequence = v & ((UINT64_C(1) << 48) - 1);
		}
		if (producer >= producers || (esize > 8 && !payload_tail_is_((const payload_u32_ *)e, esize))) {
			++*corrupt;
			continue;
		}
		if (esize == 4) {
			/* the shortest way round from the last one must lead forward */
			v = (sequence - last[producer]) % PAYLOAD_SHORT_SEQUENCE;
			*disorder += v == 0 || v >= PAYLOAD_SHORT_SEQUENCE / 2;
			last[producer] += v;
		} else {
			*disorder += sequence <= last[producer];
			last[producer] = sequence;
		}
	}
}

#endif
