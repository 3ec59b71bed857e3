/* SPDX-License-Identifier: BSD-3-Clause */
/* columns.c - names of implementations and modes into what is measured. */
#include "columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/doc.h"
#include "tool.h"

#define SIDES "mt, rts, hts, st, or a pair PRODUCER/CONSUMER of them such as mt/hts"

const char *const column_access_names[] = { "copy", "peek", "zc", NULL };

static const char *const sides[] = { "mt", "rts", "hts", "st" };

static bool is_side(const char *text, size_t len)
{
	unsigned int i;

	for (i = 0; i < sizeof(sides) / sizeof(sides[0]); i++) {
		if (strlen(sides[i]) == len && memcmp(sides[i], text, len) == 0)
			return true;
	}
	return false;
}

static bool is_mode(const char *mode)
{
	const char *slash = strchr(mode, '/');

	if (!slash)
		return is_side(mode, strlen(mode));
	return is_side(mode, (size_t)(slash - mode)) && is_side(slash + 1, strlen(slash + 1));
}

static bool is_later(const char *mode)
{
	static const char later[] = "default";
	const char *slash = strchr(mode, '/');

	return strcmp(mode, later) == 0 ||
	       (slash && ((size_t)(slash - mode) == strlen(later) && strncmp(mode, later, strlen(later)) == 0)) ||
	       (slash && strcmp(slash + 1, later) == 0);
}

static bool check_mode(const char *mode)
{
	if (is_mode(mode))
		return true;
	if (is_later(mode))
		opts_bad("--mode", "default is not in this version; allowed: " SIDES);
	else
		opts_bad("--mode", "'%s' is no mode; allowed: " SIDES, mode);
	return false;
}

static bool check_impl(const char *impl)
{
	const struct measure_known *k = measure_known(impl);
	char names[256];

	if (k && !k->later)
		return true;
	measure_known_names(names, sizeof(names));
	if (k)
		opts_bad("--impl", "%s is not in this version; allowed: %s", impl, names);
	else
		opts_bad("--impl", "'%s' is unknown; allowed: %s", impl, names);
	return false;
}

bool columns_check(const struct opts_list *impls, const struct opts_list *modes)
{
	int i;

	for (i = 0; i < impls->n; i++) {
		if (!check_impl(impls->word[i]))
			return false;
	}
	for (i = 0; i < modes->n; i++) {
		if (!check_mode(modes->word[i]))
			return false;
	}
	return true;
}

/* "mt/mt" is "mt". */
static const char *short_mode(const char *mode)
{
	const char *slash = strchr(mode, '/');

	return slash && strncmp(mode, slash + 1, (size_t)(slash - mode)) == 0 &&
			       strlen(slash + 1) == (size_t)(slash - mode)
		       ? slash + 1
		       : mode;
}

static bool named_before(const char *option, const struct opts_list *list, int i, bool tell)
{
	int j;

	for (j = 0; j < i; j++) {
		if (strcmp(short_mode(list->word[j]), short_mode(list->word[i])) != 0)
			continue;
		if (tell)
			tool_say("%s: %s is named twice; it is measured once", option, list->word[i]);
		return true;
	}
	return false;
}

/*
 * The modes of a peer that have all accesses of the mask and, if any is true, take any number of workers: "mt, rts or
 * hts". Mixed pairs are told only where no plain mode will do. Returns the length of the text.
 */
static size_t modes_of(const struct peer *peer, unsigned int accesses, bool any, char *text, size_t size)
{
	const struct peer_mode *fit[64];
	unsigned int n = 0, i, mixed;
	size_t used = 0;

	for (mixed = 0; mixed < 2 && n == 0; mixed++) {
		for (i = 0; i < peer->modes && n < sizeof(fit) / sizeof(fit[0]); i++) {
			const struct peer_mode *m = &peer->mode[i];

			if ((m->access & accesses) == accesses && !(any && m->max_side) &&
			    (strchr(m->name, '/') != NULL) == (mixed == 1))
				fit[n++] = m;
		}
	}
	text[0] = '\0';
	for (i = 0; i < n && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s",
					 i == 0	      ? ""
					 : i + 1 == n ? " or "
						      : ", ",
					 fit[i]->name);
	return used;
}

bool column_has(const struct column *c, enum peer_access access, const char *what, json_t *doc)
{
	char modes[128];

	if (c->mode->access & (1u << access))
		return true;
	if (modes_of(c->peer, 1u << access, false, modes, sizeof(modes)))
		measure_doc_skip(doc, what, "it has no %s access; take mode %s", column_access_names[access], modes);
	else
		measure_doc_skip(doc, what, "it has no %s access", column_access_names[access]);
	return false;
}

const char *column_remedy(const struct column *c, enum peer_access access, char *text, size_t size)
{
	char modes[128];

	text[0] = '\0';
	if (modes_of(c->peer, 1u << access, true, modes, sizeof(modes)))
		snprintf(text, size, "take mode %s, or ", modes);
	return text;
}

static void add(struct column *c, const struct peer *peer, const struct peer_mode *mode)
{
	c->peer = peer;
	c->mode = mode;
	if (measure_peer_modeless(peer))
		snprintf(c->name, sizeof(c->name), "%s", peer->name);
	else
		snprintf(c->name, sizeof(c->name), "%s/%s", peer->name, mode->name);
}

static unsigned int columns_of(const struct peer *peer, const struct opts_list *modes, json_t *doc, struct column *to)
{
	const struct peer_mode *mode;
	char name[96], has[128];
	unsigned int n = 0;
	int i;

	if (measure_peer_modeless(peer)) {
		add(to, peer, &peer->mode[0]);
		return 1;
	}
	for (i = 0; i < modes->n; i++) {
		if (named_before("--mode", modes, i, false))
			continue;
		mode = measure_peer_mode(peer, short_mode(modes->word[i]));
		if (mode) {
			add(&to[n++], peer, mode);
			continue;
		}
		modes_of(peer, 0, false, has, sizeof(has));
		snprintf(name, sizeof(name), "%s/%s", peer->name, modes->word[i]);
		measure_doc_skip(doc, name, "%s has no mode %s; take mode %s", peer->name, modes->word[i], has);
	}
	return n;
}

int columns_build(const struct opts_list *impls, const struct opts_list *modes, json_t *doc, struct column **columns,
		  unsigned int *count)
{
	const struct peer *peer;
	char why[1024];
	int i;

	*count = 0;
	*columns = calloc((size_t)impls->n * (size_t)modes->n + 1, sizeof(**columns));
	if (!*columns)
		return tool_no_memory();
	for (i = 0; i < modes->n; i++)
		named_before("--mode", modes, i, true);
	for (i = 0; i < impls->n; i++) {
		if (named_before("--impl", impls, i, true))
			continue;
		peer = measure_peer_load(measure_known(impls->word[i]), why, sizeof(why));
		if (peer)
			*count += columns_of(peer, modes, doc, *columns + *count);
		else
			measure_doc_skip(doc, impls->word[i], "%s", why);
	}
	return EXIT_WELL;
}
