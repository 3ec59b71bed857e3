/* SPDX-License-Identifier: BSD-3-Clause */
/* columns.h - what stands in the columns of a table: implementations in their modes. */
#ifndef CORRAL_CMD_COLUMNS_H
#define CORRAL_CMD_COLUMNS_H

#include <jansson.h>

#include "measure/plugin.h"
#include "opts.h"

struct column {
	char name[48]; /* "corral/hts", "spinlock" */
	const struct peer *peer;
	const struct peer_mode *mode;
};

/* The names are known and of this version. If not, it says so. */
bool columns_check(const struct opts_list *impls, const struct opts_list *modes);

/*
 * Load the plug-ins and pair them with the modes; what cannot be had goes into skipped, names that stand twice are
 * told. EXIT_WELL, or an exit code. *columns is to be freed.
 */
int columns_build(const struct opts_list *impls, const struct opts_list *modes, json_t *doc, struct column **columns,
		  unsigned int *count);

/* It has an access of that kind; if not, that is noted in skipped under the name given. */
bool column_has(const struct column *column, enum peer_access access, const char *what, json_t *doc);

/* "take mode mt, rts or hts, or ": which modes of the same peer take any number of workers with that access; or "". */
const char *column_remedy(const struct column *column, enum peer_access access, char *text, size_t size);

/* Words of options. Index: enum peer_access. Ends with NULL. */
extern const char *const column_access_names[];

#endif
