/* SPDX-License-Identifier: BSD-3-Clause */
/* table.c - laying out and printing tables. */
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tool.h"

#define GAP 2

struct table *table_new(unsigned int rows, unsigned int cols)
{
	struct table *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->rows = rows;
	t->cols = cols;
	/* one more of each: calloc() may return NULL for nothing */
	t->name = calloc(rows + 1, sizeof(*t->name));
	t->head = calloc(cols + 1, sizeof(*t->head));
	t->cell = calloc((size_t)rows * cols + 1, sizeof(*t->cell));
	if (t->name && t->head && t->cell)
		return t;
	table_free(t);
	return NULL;
}

void table_free(struct table *t)
{
	if (!t)
		return;
	free(t->name);
	free(t->head);
	free(t->cell);
	free(t);
}

struct table_cell *table_at(struct table *t, unsigned int row, unsigned int col)
{
	return &t->cell[(size_t)row * t->cols + col];
}

const char *table_number(char *text, size_t size, double v)
{
	const char *fmt = v < 0.9995 ? "%.3f" : v < 9.995 ? "%.2f" : v < 999.95 ? "%.1f" : "%.0f";

	snprintf(text, size, fmt, v);
	return text;
}

void table_median(char *text, size_t size, const struct measure_summary *s, bool noisy)
{
	char number[24], mark = noisy ? '~' : ' ';

	table_number(number, sizeof(number), s->median);
	if (measure_has_interval(s))
		snprintf(text, size, "%s %s%.0f%%%c", number, tool_plus_minus(), 100 * measure_half_width(s), mark);
	else
		snprintf(text, size, "%s%c", number, mark);
}

/* Columns of the screen that a text takes: bytes but for UTF-8's continuations. */
static unsigned int width(const char *text)
{
	unsigned int n = 0;

	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

static const char *cell_text(const struct table *t, unsigned int row, unsigned int col)
{
	const struct table_cell *c = &t->cell[(size_t)row * t->cols + col];

	return c->text[0] ? c->text : "- ";
}

static unsigned int column_width(const struct table *t, unsigned int col)
{
	unsigned int row, w, most = width(t->head[col][0]);

	w = width(t->head[col][1]);
	most = w > most ? w : most;
	for (row = 0; row < t->rows; row++) {
		w = width(cell_text(t, row, col));
		most = w > most ? w : most;
	}
	return most + GAP;
}

static unsigned int name_width(const struct table *t)
{
	unsigned int row, w, most = width(t->corner);

	for (row = 0; row < t->rows; row++) {
		w = width(t->name[row]);
		most = w > most ? w : most;
	}
	return most;
}

static void print_left(const char *text, unsigned int w)
{
	printf("%s%*s", text, (int)(w - width(text)), "");
}

static void print_right(const char *text, unsigned int w, bool bold)
{
	printf("%*s%s%s%s", (int)(w - width(text)), "", bold ? "\033[1m" : "", text, bold ? "\033[0m" : "");
}

/* Columns from..to-1. */
static void print_block(const struct table *t, unsigned int left, unsigned int from, unsigned int to, bool bold)
{
	unsigned int row, col, line;

	for (line = 0; line < 2; line++) {
		print_left(line ? t->corner : "", left);
		for (col = from; col < to; col++)
			print_right(t->head[col][line], column_width(t, col), false);
		putchar('\n');
	}
	for (row = 0; row < t->rows; row++) {
		print_left(t->name[row], left);
		for (col = from; col < to; col++)
			print_right(cell_text(t, row, col), column_width(t, col),
				    bold && t->cell[(size_t)row * t->cols + col].best);
		putchar('\n');
	}
}

void table_print(const struct table *t)
{
	const char *no_color = getenv("NO_COLOR");
	bool bold = isatty(STDOUT_FILENO) && !(no_color && *no_color);
	unsigned int left = name_width(t), room = tool_columns(STDOUT_FILENO), from = 0, to, used;

	while (from < t->cols) {
		used = left + column_width(t, from);
		for (to = from + 1; to < t->cols && used + column_width(t, to) <= room; to++)
			used += column_width(t, to);
		if (from)
			putchar('\n');
		print_block(t, left, from, to, bold);
		from = to;
	}
}
