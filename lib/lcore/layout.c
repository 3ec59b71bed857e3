/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout.c - layouts (8t@2c:float): reading, writing, and the rows of the reference table.
 */
#include <corral/lcore.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "scan.h"

static const struct scan_kind threads_kind = { "a count of threads", CORRAL_LCORE_LIMIT };
static const struct scan_kind cores_kind = { "a count of cores", CORRAL_CPU_LIMIT };

static const struct corral_layout standard[] = {
	{ 1, 1, 0 },
	{ 2, 2, 0 },
	{ 4, 4, 0 },
	{ 8, 8, 0 },
	{ 16, 16, 0 },
	{ 32, 32, 0 },
	/* overcommitted */
	{ 2, 1, 0 },
	{ 4, 2, 0 },
	{ 8, 2, 0 },
	{ 16, 2, 0 },
	{ 32, 2, 0 },
	{ 8, 2, 1 },
	{ 16, 4, 1 },
	{ 32, 4, 1 },
};

const struct corral_layout *corral_layout_standard(unsigned int *count)
{
	*count = sizeof(standard) / sizeof(standard[0]);
	return standard;
}

/* A count and the letter behind it. */
static int parse_count(struct scan *s, const struct scan_kind *kind, char letter, uint32_t *count)
{
	size_t start;
	int err;

	corral_scan_peek_(s);
	start = s->pos;
	err = corral_scan_number_(s, kind, count);
	if (err)
		return err;
	if (*count == 0)
		return corral_lcore_fail_(s->e, ERANGE, start, "%s is 1 to %u", kind->name, kind->max);
	if (corral_scan_take_(s, letter))
		return 0;
	return corral_scan_expected_(s, letter == 't' ? "'t' after the count of threads (as in 8t@2c or 8t@2c:float)"
						      : "'c' after the count of cores (as in 8t@2c or 8t@2c:float)");
}

static int parse_layout(struct scan *s, struct corral_layout *l)
{
	static const char word[] = "float";
	int err = parse_count(s, &threads_kind, 't', &l->threads);

	if (!err && !corral_scan_take_(s, '@'))
		err = corral_scan_expected_(s, "'@' between threads and cores (as in 8t@2c)");
	if (!err)
		err = parse_count(s, &cores_kind, 'c', &l->cores);
	if (err)
		return err;
	l->floating = (uint32_t)corral_scan_take_(s, ':');
	if (!l->floating)
		return 0;
	corral_scan_peek_(s);
	if (strncmp(s->text + s->pos, word, strlen(word)) != 0)
		return corral_lcore_fail_(s->e, EINVAL, s->pos, "only 'float' may stand after ':'");
	s->pos += strlen(word);
	return 0;
}

static int parse_list(struct scan *s, struct corral_layouts *out)
{
	unsigned int room = 0;

	if (!corral_scan_peek_(s))
		return corral_lcore_fail_(s->e, EINVAL, s->pos, "the list of layouts is empty");
	do {
		int err;

		if (out->count == room) {
			struct corral_layout *grown;

			room = room ? 2 * room : 16;
			grown = realloc(out->layout, room * sizeof(*grown));
			if (!grown)
				return corral_lcore_fail_(s->e, ENOMEM, CORRAL_LCORE_NO_PLACE, "out of memory");
			out->layout = grown;
		}
		err = parse_layout(s, &out->layout[out->count]);
		if (err)
			return err;
		out->count++;
	} while (corral_scan_take_(s, ','));
	if (corral_scan_peek_(s))
		return corral_scan_expected_(s, "',' or the end");
	return 0;
}

int corral_layouts_parse(struct corral_layouts *out, const char *text, struct corral_lcore_error *e)
{
	struct scan s = { text, 0, e };
	int err;

	memset(out, 0, sizeof(*out));
	err = parse_list(&s, out);
	if (err)
		corral_layouts_free(out);
	return err;
}

void corral_layouts_free(struct corral_layouts *l)
{
	free(l->layout);
	memset(l, 0, sizeof(*l));
}

size_t corral_layout_print(const struct corral_layout *l, char *buf, size_t len)
{
	struct text_out o = { buf, len, 0 };

	corral_text_add_(&o, "%ut@%uc%s", l->threads, l->cores, l->floating ? ":float" : "");
	return o.need;
}
