/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * payload.h - what the measured loops move: elements that say who they are, so that one that is lost, doubled, torn,
 * old or never was is seen; and cheap to check, since every implementation pays for it alike.
 *
 * An object circulates. Its first 64 bits hold its number (id) and a generation that each turn raises:
 *
 *	hi = generation * C		lo = (id + 1) * A + generation * B
 *
 * so a turn is one addition to each half, and the half of another object has a number in use by chance alone. Memory
 * that nobody wrote has none. An element of a stream holds its producer and a sequence that rises, from 1:
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
#define PAYLOAD_C_INVERSE UINT32_C(0xa89ed915)
#define PAYLOAD_D (PAYLOAD_C_INVERSE * PAYLOAD_B * PAYLOAD_A_INVERSE) /* what a generation adds to lo / A, by hi */
#define PAYLOAD_K UINT64_C(0x9e3779b97f4a7c15)
#define PAYLOAD_K_INVERSE UINT64_C(0xf1de83e19937733d)

#define PAYLOAD_ID (UINT64_C(1) << 32)	     /* one step of an object's number, before the product */
#define PAYLOAD_PRODUCER (UINT64_C(1) << 48) /* one step of a stream's producer */
#define PAYLOAD_PAD 3			     /* elements behind those that are touched that may change with them */
#define PAYLOAD_SHORT_SEQUENCE (UINT32_C(1) << 24) /* sequences of elements of 4 bytes are counted modulo this */

typedef uint32_t payload_u32_ __attribute__((may_alias, aligned(4)));
typedef uint64_t payload_u64_ __attribute__((may_alias, aligned(4)));
typedef uint32_t payload_w8_ __attribute__((vector_size(32)));
typedef uint64_t payload_q4_ __attribute__((vector_size(32)));

/* All bits of the first 0 to 3 of four. */
static const payload_q4_ payload_first_lanes_[4]
	__attribute__((unused)) = { { 0, 0, 0, 0 },
				    { UINT64_MAX, 0, 0, 0 },
				    { UINT64_MAX, UINT64_MAX, 0, 0 },
				    { UINT64_MAX, UINT64_MAX, UINT64_MAX, 0 } };

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

CORRAL_HELPER_ void payload_make_(char *elem, uint32_t esize, uint64_t v)
{
	*(payload_u64_ *)elem = v;
	if (esize > 8)
		payload_tail_(elem, esize);
}

/* ---- objects ---- */

CORRAL_HELPER_ uint64_t payload_pair_(uint32_t hi, uint32_t lo)
{
	return (uint64_t)hi << 32 | lo;
}

CORRAL_HELPER_ void payload_make_generation_(void *elem, uint32_t esize, uint32_t id, uint32_t generation)
{
	payload_make_((char *)elem, esize,
		      payload_pair_(generation * PAYLOAD_C, (id + 1) * PAYLOAD_A + generation * PAYLOAD_B));
}

/* A new object, of generation 0. */
CORRAL_HELPER_ void payload_make_object(void *elem, uint32_t esize, uint32_t id)
{
	if (esize == 4)
		*(payload_u32_ *)elem = (id + 1) * PAYLOAD_A;
	else
		payload_make_generation_(elem, esize, id, 0);
}

CORRAL_HELPER_ uint32_t payload_object_id(const void *elem, uint32_t esize)
{
	uint64_t v;

	if (esize == 4)
		return payload_word_((const char *)elem) * PAYLOAD_A_INVERSE - 1;
	v = payload_first_((const char *)elem);
	return (uint32_t)v * PAYLOAD_A_INVERSE - (uint32_t)(v >> 32) * PAYLOAD_D - 1;
}

CORRAL_HELPER_ uint32_t payload_object_generation(const void *elem, uint32_t esize)
{
	return esize == 4 ? 0 : (uint32_t)(payload_first_((const char *)elem) >> 32) * PAYLOAD_C_INVERSE;
}

/* Is it one of `objects` objects, and whole? */
CORRAL_HELPER_ uint32_t payload_check(const void *elem, uint32_t esize, uint32_t objects)
{
	return payload_object_id(elem, esize) < objects && payload_is_whole_((const char *)elem, esize);
}

/* One object's turn: how many of it are none. */
CORRAL_HELPER_ uint32_t payload_touch_one_(char *to, const char *from, uint32_t esize, uint32_t objects)
{
	uint32_t bad = !payload_check(from, esize, objects);
	uint64_t v;

	if (esize == 4) {
		*(payload_u32_ *)to = payload_word_(from);
	} else {
		v = payload_first_(from);
		payload_make_(to, esize, payload_pair_((uint32_t)(v >> 32) + PAYLOAD_C, (uint32_t)v + PAYLOAD_B));
	}
	return bad;
}

/* How many of the numbers are not in use. */
__attribute__((cold, noinline, unused)) static uint32_t payload_count_bad_(const char *elems, uint32_t n,
									   uint32_t objects)
{
	uint32_t i, bad = 0;

	for (i = 0; i < n; i++)
		bad += payload_object_id(elems + (size_t)i * 8, 8) >= objects;
	return bad;
}

/*
 * The turn of objects of 8 bytes, four at a time (a turn is done for up to three more; what they are does not matter).
 * They are read one by one and written in one piece: a load that needs more than one of the stores before it waits
 * until these have left the store buffer, and some implementations copy by words and some by vectors.
 */
CORRAL_HELPER_ uint32_t payload_touch_8_(char *to, const char *from, uint32_t n, uint32_t objects)
{
	const uint64_t factor = payload_pair_(PAYLOAD_D, PAYLOAD_A_INVERSE), step = payload_pair_(PAYLOAD_C, PAYLOAD_B);
	const payload_q4_ factors = { factor, factor, factor, factor }, steps = { step, step, step, step };
	payload_q4_ v, id, wrong = { 0, 0, 0, 0 };
	uint32_t i;

	for (i = 0; i < n; i += 4) {
		v = (payload_q4_){ payload_first_(from + (size_t)i * 8), payload_first_(from + (size_t)i * 8 + 8),
				   payload_first_(from + (size_t)i * 8 + 16),
				   payload_first_(from + (size_t)i * 8 + 24) };
		id = (payload_q4_)((payload_w8_)v * (payload_w8_)factors);
		id = ((id - (id >> 32)) & UINT32_MAX) - 1;
		/* the highest bit of a difference says that the number is too large; those behind n do not count */
		id = objects - 1 - (id & UINT32_MAX);
		wrong |= n - i >= 4 ? id : id & payload_first_lanes_[n - i];
		v = (payload_q4_)((payload_w8_)v + (payload_w8_)steps);
		memcpy(to + (size_t)i * 8, &v, sizeof(v));
	}
	if (__builtin_expect(((wrong[0] | wrong[1] | wrong[2] | wrong[3]) >> 63) != 0, 0))
		return payload_count_bad_(to, n, objects);
	return 0;
}

/*
 * A turn: check n objects, whose numbers are below `objects`, and raise their generations, from `from` to `to` (the
 * same, or apart). Both have room for PAYLOAD_PAD more, which may change. Returns how many are none. Generations rise
 * by n in all, modulo 2^32 (by 0 where esize is 4).
 */
CORRAL_HELPER_ uint32_t payload_touch(void *to, const void *from, uint32_t esize, uint32_t n, uint32_t objects)
{
	uint32_t i, bad = 0;

	if (esize == 8)
		return payload_touch_8_((char *)to, (const char *)from, n, objects);
	for (i = 0; i < n; i++)
		bad += payload_touch_one_((char *)to + (size_t)i * esize, (const char *)from + (size_t)i * esize, esize,
					  objects);
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
