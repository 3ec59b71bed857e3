/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * payload.h - what the measured loops move: elements that say who they are, so that one that is lost, doubled, torn, old
 * or never was is seen; and cheap to check, since every implementation pays for it alike.
 *
 * An object circulates. Its first 64 bits hold its number (id) and a generation that each turn raises:
 *
 *	v = ((id + 1) << 32 | generation) * K
 *
 * so a turn is one addition, and the half of another object has a number in use by chance alone. Memory that nobody
 * wrote has none. An element of a stream holds its producer and a sequence that rises, from 1:
 *
 *	v = ((producer + 1) << 48 | sequence) * K
 *
 * Further words are functions of the first two. Elements of 4 bytes have room for the number alone, or for 8 bits of
 * producer and 24 of sequence. The constants are odd, so each product has an inverse.
 */
#ifndef CORRAL_PEERS_PAYLOAD_H
#define CORRAL_PEERS_PAYLOAD_H

#include <corral/base.h>

#include <string.h>

#define PAYLOAD_A UINT32_C(0x9e3779b1)
#define PAYLOAD_A_INVERSE UINT32_C(0x0e8b2f51)
#define PAYLOAD_B UINT32_C(0x85ebca77)
#define PAYLOAD_C UINT32_C(0xc2b2ae3d)
#define PAYLOAD_K UINT64_C(0x9e3779b97f4a7c15)
#define PAYLOAD_K_INVERSE UINT64_C(0xf1de83e19937733d)

#define PAYLOAD_ID (UINT64_C(1) << 32)		   /* one step of an object's number, before the product */
#define PAYLOAD_PRODUCER (UINT64_C(1) << 48)	   /* one step of a stream's producer */
#define PAYLOAD_SHORT_SEQUENCE (UINT32_C(1) << 24) /* sequences of elements of 4 bytes are counted modulo this */

typedef uint32_t payload_u32_ __attribute__((may_alias, aligned(4)));
typedef uint64_t payload_u64_ __attribute__((may_alias, aligned(4)));

CORRAL_HELPER_ uint64_t payload_first_(const char *elem)
{
	return *(const payload_u64_ *)elem;
}

CORRAL_HELPER_ uint32_t payload_word_(const char *elem)
{
	return *(const payload_u32_ *)elem;
}

CORRAL_HELPER_ uint32_t payload_seed_(const payload_u32_ *w)
{
	return w[0] * PAYLOAD_B + w[1] * PAYLOAD_A;
}

CORRAL_HELPER_ void payload_tail_(char *elem, uint32_t esize)
{
	payload_u32_ *w = (payload_u32_ *)elem;
	uint32_t i, seed = payload_seed_(w);

	for (i = 2; i < esize / 4; i++)
		w[i] = seed + i * PAYLOAD_C;
}

/* Do the words belong together? */
CORRAL_HELPER_ uint32_t payload_is_whole_(const char *elem, uint32_t esize)
{
	const payload_u32_ *w = (const payload_u32_ *)elem;
	uint32_t i, seed, differ = 0;

	if (esize <= 8)
		return 1;
	seed = payload_seed_(w);
	for (i = 2; i < esize / 4; i++)
		differ |= w[i] ^ (seed + i * PAYLOAD_C);
	return differ == 0;
}

/* ---- objects ---- */

CORRAL_HELPER_ void payload_make_(char *elem, uint32_t esize, uint64_t v)
{
	*(payload_u64_ *)elem = v;
	if (esize > 8)
		payload_tail_(elem, esize);
}

/* A new object, of generation 0. */
CORRAL_HELPER_ void payload_make_object(void *elem, uint32_t esize, uint32_t id)
{
	if (esize == 4)
		*(payload_u32_ *)elem = (id + 1) * PAYLOAD_A;
	else
		payload_make_((char *)elem, esize, (id + 1) * PAYLOAD_ID * PAYLOAD_K);
}

CORRAL_HELPER_ uint32_t payload_object_id(const void *elem, uint32_t esize)
{
	if (esize == 4)
		return payload_word_((const char *)elem) * PAYLOAD_A_INVERSE - 1;
	return (uint32_t)((payload_first_((const char *)elem) * PAYLOAD_K_INVERSE) >> 32) - 1;
}

CORRAL_HELPER_ uint32_t payload_object_generation(const void *elem, uint32_t esize)
{
	return esize == 4 ? 0 : (uint32_t)(payload_first_((const char *)elem) * PAYLOAD_K_INVERSE);
}

/* Is it one of `objects` objects, and whole? */
CORRAL_HELPER_ uint32_t payload_check(const void *elem, uint32_t esize, uint32_t objects)
{
	return payload_object_id(elem, esize) < objects && payload_is_whole_((const char *)elem, esize);
}

/* Generations that went round carried into the number: take that back. */
__attribute__((cold, noinline, unused)) static void payload_sort_out_(char *elems, uint32_t esize, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++, elems += esize) {
		if (payload_object_generation(elems, esize) == 0)
			payload_make_(elems, esize, payload_first_(elems) - PAYLOAD_ID * PAYLOAD_K);
	}
}

/*
 * A turn: check n objects, whose numbers are below `objects`, and raise their generations, from `from` to `to` (the
 * same, or apart). Returns how many are none. Generations rise by n in all, modulo 2^32 (by 0 where esize is 4).
 */
CORRAL_HELPER_ uint32_t payload_touch(void *to, const void *from, uint32_t esize, uint32_t n, uint32_t objects)
{
	const char *f = (const char *)from;
	char *t = (char *)to;
	uint64_t v, u, limit = objects * PAYLOAD_ID, any = 0;
	uint32_t i, bad = 0;

	for (i = 0; i < n && esize == 4; i++) {
		bad += payload_object_id(f + (size_t)i * 4, 4) >= objects;
		((payload_u32_ *)t)[i] = payload_word_(f + (size_t)i * 4);
	}
	for (i = 0; i < n && esize != 4; i++) {
		v = payload_first_(f + (size_t)i * esize);
		u = v * PAYLOAD_K_INVERSE;
		any |= u;
		if (esize == 8)
			bad += u - PAYLOAD_ID >= limit;
		else
			bad += u - PAYLOAD_ID >= limit || !payload_is_whole_(f + (size_t)i * esize, esize);
		payload_make_(t + (size_t)i * esize, esize, v + PAYLOAD_K);
	}
	if (__builtin_expect(any >> 31 & 1, 0)) /* some generation may have gone round */
		payload_sort_out_(t, esize, n);
	return bad;
}

/* ---- streams ---- */

/* The element of a producer with that sequence, from 1. */
CORRAL_HELPER_ void payload_make_stream(void *elem, uint32_t esize, uint32_t producer, uint64_t sequence)
{
	if (esize == 4)
		*(payload_u32_ *)elem = (producer << 24 | (uint32_t)(sequence % PAYLOAD_SHORT_SEQUENCE)) * PAYLOAD_A;
	else
		payload_make_((char *)elem, esize, ((producer + 1) * PAYLOAD_PRODUCER + sequence) * PAYLOAD_K);
}

/* A sum over elements in which each counts: the same for what went in and what came out, in any order. */
CORRAL_HELPER_ uint64_t payload_hash(const void *elems, uint32_t esize, uint32_t n)
{
	const char *e = (const char *)elems;
	uint64_t sum = 0, v;
	uint32_t i;

	for (i = 0; i < n; i++) {
		v = esize == 4 ? payload_word_(e + (size_t)i * 4) * PAYLOAD_K : payload_first_(e + (size_t)i * esize);
		sum += v ^ v >> 29;
	}
	return sum;
}

/* Of 4 bytes: the shortest way round from the last sequence must lead forward. */
CORRAL_HELPER_ void payload_check_short_(uint32_t word, uint64_t *last, uint32_t producers, uint64_t *corrupt,
					 uint64_t *disorder)
{
	uint32_t u = word * PAYLOAD_A_INVERSE, producer = u >> 24, step;

	if (producer >= producers) {
		++*corrupt;
		return;
	}
	step = (uint32_t)(u - last[producer]) % PAYLOAD_SHORT_SEQUENCE;
	*disorder += step == 0 || step >= PAYLOAD_SHORT_SEQUENCE / 2;
	last[producer] += step;
}

/*
 * Look at n elements that one consumer took in this order. last[p] is the last sequence seen of producer p, 0 for
 * none. Counts elements that no producer made into *corrupt, and sequences that did not rise into *disorder.
 */
CORRAL_HELPER_ void payload_check_stream(const void *elems, uint32_t esize, uint32_t n, uint64_t *last,
					 uint32_t producers, uint64_t *corrupt, uint64_t *disorder)
{
	const char *e = (const char *)elems;
	uint64_t sequence, u, limit = producers * PAYLOAD_PRODUCER;
	uint32_t i, producer;

	for (i = 0; i < n; i++, e += esize) {
		if (esize == 4) {
			payload_check_short_(payload_word_(e), last, producers, corrupt, disorder);
			continue;
		}
		u = payload_first_(e) * PAYLOAD_K_INVERSE - PAYLOAD_PRODUCER;
		if (__builtin_expect(u >= limit || !payload_is_whole_(e, esize), 0)) {
			++*corrupt;
			continue;
		}
		producer = (uint32_t)(u >> 48);
		sequence = u % PAYLOAD_PRODUCER;
		*disorder += sequence <= last[producer];
		last[producer] = sequence;
	}
}

#endif
