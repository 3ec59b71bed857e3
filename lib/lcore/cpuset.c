/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cpuset.c - sets of CPUs, the reader that all grammars of this room share, and what this thread may run on.
 */
#include <corral/lcore.h>

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "scan.h"

#define WORD_BITS (8 * sizeof(unsigned long))

const struct scan_kind corral_scan_cpu_ = { "a CPU", CORRAL_CPU_LIMIT - 1 };
const struct scan_kind corral_scan_lcore_ = { "an lcore", CORRAL_LCORE_LIMIT - 1 };

void corral_cpuset_zero(struct corral_cpuset *set)
{
	memset(set, 0, sizeof(*set));
}

int corral_cpuset_add(struct corral_cpuset *set, unsigned int cpu)
{
	if (cpu >= CORRAL_CPU_LIMIT)
		return -ERANGE;
	set->word[cpu / WORD_BITS] |= 1UL << (cpu % WORD_BITS);
	return 0;
}

int corral_cpuset_has(const struct corral_cpuset *set, unsigned int cpu)
{
	return cpu < CORRAL_CPU_LIMIT && (set->word[cpu / WORD_BITS] >> (cpu % WORD_BITS) & 1);
}

unsigned int corral_cpuset_count(const struct corral_cpuset *set)
{
	unsigned int count = 0;
	size_t i;

	for (i = 0; i < sizeof(set->word) / sizeof(set->word[0]); i++)
		count += (unsigned int)__builtin_popcountl(set->word[i]);
	return count;
}

int corral_cpuset_equal(const struct corral_cpuset *a, const struct corral_cpuset *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

unsigned int corral_cpuset_next(const struct corral_cpuset *set, unsigned int from)
{
	while (from < CORRAL_CPU_LIMIT) {
		unsigned long rest = set->word[from / WORD_BITS] >> (from % WORD_BITS);

		if (rest)
			return from + (unsigned int)__builtin_ctzl(rest);
		from = (unsigned int)((from / WORD_BITS + 1) * WORD_BITS);
	}
	return CORRAL_LCORE_NONE;
}

void corral_text_set_(struct text_out *o, const struct corral_cpuset *set)
{
	unsigned int first, last;
	const char *comma = "";

	for (first = corral_cpuset_next(set, 0); first != CORRAL_LCORE_NONE;
	     first = corral_cpuset_next(set, last + 1)) {
		for (last = first; corral_cpuset_has(set, last + 1);)
			last++;
		if (first == last)
			corral_text_add_(o, "%s%u", comma, first);
		else
			corral_text_add_(o, "%s%u-%u", comma, first, last);
		comma = ",";
	}
}

size_t corral_cpuset_print(const struct corral_cpuset *set, char *buf, size_t len)
{
	struct text_out o = { buf, len, 0 };

	if (len > 0)
		buf[0] = '\0';
	corral_text_set_(&o, set);
	return o.need;
}

int corral_lcore_allowed(struct corral_cpuset *set)
{
	struct corral_cpuset mine;

	/* The kernel refuses a mask that is shorter than the one it keeps; ours is as long as any kernel's. */
	corral_cpuset_zero(&mine);
	if (sched_getaffinity(0, sizeof(mine), (cpu_set_t *)(void *)&mine))
		return errno == EINVAL ? -EOVERFLOW : -errno;
	*set = mine;
	return (int)corral_cpuset_count(set);
}

char corral_scan_peek_(struct scan *s)
{
	while (s->text[s->pos] == ' ' || s->text[s->pos] == '\t')
		s->pos++;
	return s->text[s->pos];
}

int corral_scan_take_(struct scan *s, char c)
{
	if (corral_scan_peek_(s) != c)
		return 0;
	s->pos++;
	return 1;
}

int corral_scan_expected_(struct scan *s, const char *what)
{
	char c = corral_scan_peek_(s);

	if (!c)
		return corral_lcore_fail_(s->e, EINVAL, s->pos, "expected %s, found the end", what);
	if (c < 0x20 || c > 0x7e)
		return corral_lcore_fail_(s->e, EINVAL, s->pos,
					  "expected %s, found byte 0x%02x, which is not plain ASCII text", what,
					  (unsigned char)c);
	return corral_lcore_fail_(s->e, EINVAL, s->pos, "expected %s, found '%c'", what, c);
}

static int is_digit(char c)
{
	return c >= '0' && c <= '9';
}

int corral_scan_number_(struct scan *s, const struct scan_kind *kind, uint32_t *value)
{
	size_t start;
	uint64_t n = 0;

	if (!is_digit(corral_scan_peek_(s)))
		return corral_scan_expected_(s, "a number");
	/* past the maximum n only has to stay there: any number of digits is fine */
	for (start = s->pos; is_digit(s->text[s->pos]); s->pos++)
		if (n <= kind->max)
			n = n * 10 + (uint64_t)(s->text[s->pos] - '0');
	if (n > kind->max)
		return corral_lcore_fail_(s->e, ERANGE, start, "number too large: %s is a number up to %u", kind->name,
					  kind->max);
	*value = (uint32_t)n;
	return 0;
}

int corral_scan_range_(struct scan *s, const struct scan_kind *kind, struct scan_range *r)
{
	int err;

	corral_scan_peek_(s);
	r->pos = s->pos;
	err = corral_scan_number_(s, kind, &r->first);
	r->last = r->first;
	if (!err && corral_scan_take_(s, '-'))
		err = corral_scan_number_(s, kind, &r->last);
	if (err)
		return err;
	if (r->last < r->first)
		return corral_lcore_fail_(s->e, EINVAL, r->pos, "range %u-%u descends: write the lower number first",
					  r->first, r->last);
	return 0;
}

int corral_lcore_refuse_cpu_(struct corral_lcore_error *e, size_t pos, uint32_t cpu,
			     const struct corral_cpuset *allowed)
{
	char list[100];

	/* a machine with many holes: the start of the list will do */
	if (corral_cpuset_print(allowed, list, sizeof(list)) >= sizeof(list))
		memcpy(list + sizeof(list) - 4, "...", 4);
	return corral_lcore_fail_(e, ENODEV, pos, "CPU %u is not one that may be used here (allowed: %s)", cpu,
				  list[0] ? list : "none");
}

int corral_cpuset_parse(struct corral_cpuset *set, const char *text, struct corral_lcore_error *e)
{
	struct scan s = { text, 0, e };
	struct corral_cpuset found;
	struct scan_range r;
	int err;

	corral_cpuset_zero(&found);
	if (!corral_scan_peek_(&s))
		return corral_lcore_fail_(e, EINVAL, s.pos, "the list of CPUs is empty");
	do {
		err = corral_scan_range_(&s, &corral_scan_cpu_, &r);
		if (err)
			return err;
		for (; r.first <= r.last; r.first++)
			(void)corral_cpuset_add(&found, r.first);
	} while (corral_scan_take_(&s, ','));
	if (corral_scan_peek_(&s))
		return corral_scan_expected_(&s, "',' or the end");
	*set = found;
	return 0;
}
