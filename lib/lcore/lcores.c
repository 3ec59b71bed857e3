/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lcores.c - the grammar of --lcores and its short form -l.
 */
#include <corral/lcore.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "scan.h"

/* A list that is being read. */
struct parse {
	struct scan s;
	const struct corral_cpuset *allowed;
	struct corral_lcores *out;
	unsigned int room;	       /* entries that out->lcore has room for */
	size_t at[CORRAL_LCORE_LIMIT]; /* where each lcore of the list stands in the text */
	unsigned char seen[CORRAL_LCORE_LIMIT];
};

static int append(struct parse *p, uint32_t id, size_t pos)
{
	struct corral_lcores *out = p->out;

	if (p->seen[id])
		return corral_lcore_fail_(p->s.e, EEXIST, pos, "lcore %u is in the list already", id);
	if (out->count == p->room) {
		unsigned int room = p->room ? 2 * p->room : 8;
		struct corral_lcore *grown = realloc(out->lcore, room * sizeof(*grown));

		if (!grown)
			return corral_lcore_fail_(p->s.e, ENOMEM, CORRAL_LCORE_NO_PLACE, "out of memory");
		out->lcore = grown;
		p->room = room;
	}
	p->seen[id] = 1;
	p->at[out->count] = pos;
	out->lcore[out->count].id = id;
	corral_cpuset_zero(&out->lcore[out->count].cpus);
	out->count++;
	return 0;
}

/* item: lcores are appended, or (with cpus set) CPUs put in */
static int parse_item(struct parse *p, struct corral_cpuset *cpus)
{
	struct scan_range r;
	int err = corral_scan_range_(&p->s, cpus ? &corral_scan_cpu_ : &corral_scan_lcore_, &r);

	for (; !err && r.first <= r.last; r.first++) {
		if (!cpus)
			err = append(p, r.first, r.pos);
		else if (corral_cpuset_has(p->allowed, r.first))
			err = corral_cpuset_add(cpus, r.first);
		else
			err = corral_lcore_refuse_cpu_(p->s.e, r.pos, r.first, p->allowed);
	}
	return err;
}

/* set: returns 1 if it is a group in parentheses, 0 if not, or -errno */
static int parse_set(struct parse *p, struct corral_cpuset *cpus)
{
	size_t open;
	int err;

	corral_scan_peek_(&p->s);
	open = p->s.pos;
	if (!corral_scan_take_(&p->s, '(')) {
		char c = p->s.text[open];

		if (c < '0' || c > '9')
			return corral_scan_expected_(&p->s, "a number or '('");
		return parse_item(p, cpus);
	}
	do {
		if (!corral_scan_peek_(&p->s))
			break;
		err = parse_item(p, cpus);
		if (err)
			return err;
	} while (corral_scan_take_(&p->s, ','));
	if (corral_scan_take_(&p->s, ')'))
		return 1;
	if (!corral_scan_peek_(&p->s))
		return corral_lcore_fail_(p->s.e, EINVAL, open, "this '(' is never closed");
	return corral_scan_expected_(&p->s, "',' or ')'");
}

/* Without '@', lcores from number first on: each its own CPU, or each all of them. */
static int map_by_number(struct parse *p, unsigned int first, int group)
{
	struct corral_lcores *out = p->out;
	struct corral_cpuset all;
	unsigned int i;

	corral_cpuset_zero(&all);
	for (i = first; i < out->count; i++) {
		if (!corral_cpuset_has(p->allowed, out->lcore[i].id))
			return corral_lcore_refuse_cpu_(p->s.e, p->at[i], out->lcore[i].id, p->allowed);
		(void)corral_cpuset_add(group ? &all : &out->lcore[i].cpus, out->lcore[i].id);
	}
	for (i = first; group && i < out->count; i++)
		out->lcore[i].cpus = all;
	return 0;
}

static int parse_part(struct parse *p)
{
	unsigned int i, first = p->out->count;
	struct corral_cpuset cpus;
	int group, err;

	if (corral_scan_peek_(&p->s) == '@')
		return corral_lcore_fail_(p->s.e, EINVAL, p->s.pos, "no lcores before '@'");
	group = parse_set(p, NULL);
	if (group < 0)
		return group;
	if (!corral_scan_take_(&p->s, '@'))
		return map_by_number(p, first, group);
	if (!corral_scan_peek_(&p->s) || corral_scan_peek_(&p->s) == ',')
		return corral_lcore_fail_(p->s.e, EINVAL, p->s.pos, "no CPUs after '@'");
	corral_cpuset_zero(&cpus);
	err = parse_set(p, &cpus);
	for (i = first; err >= 0 && i < p->out->count; i++)
		p->out->lcore[i].cpus = cpus;
	return err < 0 ? err : 0;
}

/* A part of -l: no groups, no '@', with the way out in the message. */
static int parse_part_short(struct parse *p)
{
	unsigned int first = p->out->count;
	char c = corral_scan_peek_(&p->s);
	int err = 0;

	if (c != '(' && c != '@')
		err = parse_item(p, NULL);
	c = corral_scan_peek_(&p->s);
	if (!err && (c == '(' || c == '@'))
		err = corral_lcore_fail_(p->s.e, EINVAL, p->s.pos,
					 "'%c' has no meaning in the short list: use --lcores", c);
	return err ? err : map_by_number(p, first, 0);
}

static int parse_list(struct parse *p, int (*part)(struct parse *))
{
	int err;

	if (!corral_scan_peek_(&p->s))
		return corral_lcore_fail_(p->s.e, EINVAL, p->s.pos, "the list of lcores is empty");
	do {
		err = part(p);
		if (err)
			return err;
	} while (corral_scan_take_(&p->s, ','));
	if (corral_scan_peek_(&p->s))
		return corral_scan_expected_(&p->s, "',' or the end");
	return 0;
}

static int parse_with(struct corral_lcores *out, const char *text, const struct corral_cpuset *allowed,
		      struct corral_lcore_error *e, int (*part)(struct parse *))
{
	struct parse p = { .s = { text, 0, e }, .out = out };
	struct corral_cpuset mine;
	int err = 0;

	memset(out, 0, sizeof(*out));
	p.allowed = allowed;
	if (!allowed) {
		err = corral_lcore_allowed(&mine);
		if (err < 0)
			return corral_lcore_fail_(e, -err, CORRAL_LCORE_NO_PLACE,
						  "cannot learn which CPUs may be used");
		p.allowed = &mine;
	}
	err = parse_list(&p, part);
	if (err)
		corral_lcores_free(out);
	return err;
}

int corral_lcores_parse(struct corral_lcores *out, const char *text, const struct corral_cpuset *allowed,
			struct corral_lcore_error *e)
{
	return parse_with(out, text, allowed, e, parse_part);
}

int corral_lcores_parse_short(struct corral_lcores *out, const char *text, const struct corral_cpuset *allowed,
			      struct corral_lcore_error *e)
{
	return parse_with(out, text, allowed, e, parse_part_short);
}

void corral_lcores_free(struct corral_lcores *l)
{
	free(l->lcore);
	memset(l, 0, sizeof(*l));
}
