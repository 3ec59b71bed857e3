/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * error.c - errors of texts: noting one with its place, and showing it with a caret under the place.
 */
#include <corral/lcore.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "scan.h"

/* Columns of the text that are shown on each side of the place, and what stands for those that are not. */
#define SHOW_BEFORE 60
#define SHOW_AFTER 40
#define CUT "..."

int corral_lcore_fail_(struct corral_lcore_error *e, int err, size_t pos, const char *fmt, ...)
{
	va_list ap;

	if (e) {
		e->pos = pos;
		va_start(ap, fmt);
		vsnprintf(e->text, sizeof(e->text), fmt, ap);
		va_end(ap);
	}
	return -err;
}

void corral_text_add_(struct text_out *o, const char *fmt, ...)
{
	size_t room = o->need < o->len ? o->len - o->need : 0;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(room ? o->buf + o->need : NULL, room, fmt, ap);
	va_end(ap);
	if (n > 0)
		o->need += (size_t)n;
}

/*
 * Bytes of the character at s: a well-formed UTF-8 sequence that prints (no control character, C1 included), else 1
 * with *plain = 0. It never looks beyond a terminator, which is no continuation byte.
 */
static size_t char_bytes(const char *s, int *plain)
{
	const unsigned char *c = (const unsigned char *)s;
	size_t n = c[0] < 0x80 ? 1 : c[0] < 0xc2 ? 0 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : c[0] < 0xf5 ? 4 : 0;
	size_t i;

	*plain = 0;
	for (i = 1; i < n; i++)
		if ((c[i] & 0xc0) != 0x80)
			return 1;
	if (n == 0 || (n == 1 && (c[0] < 0x20 || c[0] == 0x7f)) || (c[0] == 0xc2 && c[1] < 0xa0))
		return 1;
	/*
	 * Overlong forms, surrogates, above U+10FFFF; and of U+2000..U+206F all but dashes and quotes: marks hide there
	 * that turn the line around.
	 */
	if ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f) || (c[0] == 0xf0 && c[1] < 0x90) ||
	    (c[0] == 0xf4 && c[1] > 0x8f))
		return 1;
	if (c[0] == 0xe2 && ((c[1] == 0x81 && c[2] < 0xb0) || (c[1] == 0x80 && (c[2] < 0x90 || c[2] > 0xa7))))
		return 1;
	*plain = 1;
	return n;
}

/* One column of the text; returns the bytes that it stands for. */
static size_t show_char(struct text_out *o, const char *s)
{
	int plain;
	size_t n = char_bytes(s, &plain);

	if (plain)
		corral_text_add_(o, "%.*s", (int)n, s);
	else
		corral_text_add_(o, "%c", *s == '\t' ? ' ' : '?');
	return n;
}

/* The first byte of the text to show, at most SHOW_BEFORE columns before the place. */
static size_t show_from(const char *text, size_t pos)
{
	size_t at = 0, columns = 0;
	int plain;

	for (at = 0; at < pos; at += char_bytes(text + at, &plain))
		columns++;
	for (at = 0; columns > SHOW_BEFORE; columns--)
		at += char_bytes(text + at, &plain);
	return at;
}

size_t corral_lcore_error_show(const struct corral_lcore_error *e, const char *text, char *buf, size_t len)
{
	struct text_out o = { buf, len, 0 };
	size_t at, columns = 0, after = 0;

	corral_text_add_(&o, "%.*s\n", (int)sizeof(e->text) - 1, e->text);
	if (!text || e->pos > strlen(text))
		return o.need;
	at = show_from(text, e->pos);
	if (at > 0) {
		corral_text_add_(&o, CUT);
		columns = strlen(CUT);
	}
	for (; at < e->pos; columns++)
		at += show_char(&o, text + at);
	for (; text[at] && after < SHOW_AFTER; after++)
		at += show_char(&o, text + at);
	corral_text_add_(&o, "%s\n%*s^\n", text[at] ? CUT : "", (int)columns, "");
	return o.need;
}
