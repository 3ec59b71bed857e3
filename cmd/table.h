/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table.h - tables of figures for people: heads of two lines, columns as wide as need be, blocks as wide as the
 * terminal.
 */
#ifndef CORRAL_CMD_TABLE_H
#define CORRAL_CMD_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "measure/stats.h"

#define TABLE_TEXT 48

struct table_cell {
	char text[TABLE_TEXT]; /* ends with what marks it: '~', or a blank */
	bool best;	       /* of its row: bold on a terminal */
};

struct table {
	unsigned int rows, cols;
	char corner[TABLE_TEXT]; /* what the rows are */
	char (*name)[TABLE_TEXT];
	char (*head)[2][TABLE_TEXT];
	struct table_cell *cell;
};

/* NULL: no memory. All texts are empty then; an empty cell is printed as "-". */
struct table *table_new(unsigned int rows, unsigned int cols);
void table_free(struct table *t);

struct table_cell *table_at(struct table *t, unsigned int row, unsigned int col);

/* Three digits or more: "0.476", "5.97", "82.7", "397.6", "8442". Returns text. */
const char *table_number(char *text, size_t size, double v);

/* "394.0 ±14%~": median, half of its interval (if there is one), the mark of a noisy cell. */
void table_median(char *text, size_t size, const struct measure_summary *s, bool noisy);

void table_print(const struct table *t);

#endif
