/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_lcore_show.c - how an error of a text is shown: the message, the text, a caret under the place.
 */
#include "test.h"

#include <corral/lcore.h>

static const char *shown(size_t pos, const char *text)
{
	static char out[CORRAL_LCORE_SHOW_MAX];
	struct corral_lcore_error e = { pos, "message" };

	CHECK_EQ_INT(corral_lcore_error_show(&e, text, out, sizeof(out)), strlen(out));
	return out;
}

static void an_error_is_shown_with_a_caret(void)
{
	CHECK_EQ_STR(shown(0, "abc"), "message\nabc\n^\n");
	CHECK_EQ_STR(shown(2, "abc"), "message\nabc\n  ^\n");
	CHECK_EQ_STR(shown(3, "abc"), "message\nabc\n   ^\n");
	CHECK_EQ_STR(shown(0, ""), "message\n\n^\n");
	CHECK_EQ_STR(shown(4, "abc"), "message\n");
	CHECK_EQ_STR(shown(CORRAL_LCORE_NO_PLACE, "abc"), "message\n");
	CHECK_EQ_STR(shown(0, NULL), "message\n");
}

static void what_disturbs_a_terminal_is_not_shown(void)
{
	CHECK_EQ_STR(shown(5, "1\x1b[2J\n\x7f"), "message\n1?[2J??\n     ^\n");
	CHECK_EQ_STR(shown(3, "1,\t2"), "message\n1, 2\n   ^\n");
	/* a character of several bytes is one column */
	CHECK_EQ_STR(shown(4, "0\xe2\x80\x93"
			      "3"),
		     "message\n0\xe2\x80\x93"
		     "3\n  ^\n");
	CHECK_EQ_STR(shown(2, "\xc3\xa4!"), "message\n\xc3\xa4!\n ^\n");
	CHECK_EQ_STR(shown(4, "\xf0\x9f\x90\x8e!"), "message\n\xf0\x9f\x90\x8e!\n ^\n");
	/* neighbours of the marks that turn a line around: hyphen U+2010, superscript U+2071 */
	CHECK_EQ_STR(shown(0, "\xe2\x80\x90\xe2\x81\xb1"), "message\n\xe2\x80\x90\xe2\x81\xb1\n^\n");
	/* no UTF-8, control characters of two bytes, marks that turn the line around, surrogates, overlong, cut off */
	CHECK_EQ_STR(shown(2, "\xff\xe2."), "message\n??.\n  ^\n");
	CHECK_EQ_STR(shown(0, "\xc2\x9b"), "message\n??\n^\n");
	CHECK_EQ_STR(shown(0, "\xe2\x80\xae"), "message\n???\n^\n");
	CHECK_EQ_STR(shown(0, "\xe2\x81\xa6"), "message\n???\n^\n");
	CHECK_EQ_STR(shown(0, "\xed\xa0\x80\xf5\xc0\xaf"), "message\n??????\n^\n");
	CHECK_EQ_STR(shown(0, "\xf0\x9f\x90"), "message\n???\n^\n");
}

static void a_long_text_is_cut_around_the_place(void)
{
	char text[301], want[512];

	memset(text, 'a', 300);
	text[300] = '\0';
	text[150] = 'X';
	snprintf(want, sizeof(want), "message\n...%.60sX%.39s...\n%63s^\n", text, text, "");
	CHECK_EQ_STR(shown(150, text), want);
	snprintf(want, sizeof(want), "message\n...%.60s%.20s\n%63s^\n", text, text, "");
	CHECK_EQ_STR(shown(280, text), want);
	text[150] = 'a';
	snprintf(want, sizeof(want), "message\n%.100s...\n%60s^\n", text, "");
	CHECK_EQ_STR(shown(60, text), want);
	snprintf(want, sizeof(want), "message\n%.40s...\n^\n", text);
	CHECK_EQ_STR(shown(0, text), want);
}

/* The longest there can be: a message of all its bytes, and a hundred characters of four bytes each. */
static void the_promised_buffer_is_enough(void)
{
	struct corral_lcore_error e = { .pos = 400 };
	char text[1201], out[CORRAL_LCORE_SHOW_MAX];
	size_t i;

	memset(e.text, 'm', sizeof(e.text) - 1);
	for (i = 0; i < 300; i++)
		memcpy(text + 4 * i, "\xf0\x9f\x90\x8e", 4);
	text[1200] = '\0';
	CHECK_EQ_INT(corral_lcore_error_show(&e, text, out, sizeof(out)), strlen(out));
	CHECK_LT_INT(strlen(out), sizeof(out));
	CHECK_EQ_INT(strlen(out), 199 + 1 + 3 + 4 * 100 + 3 + 1 + 63 + 2);
}

static void a_short_buffer_is_never_overrun(void)
{
	static const char whole[] = "message\nabc\n  ^\n";
	struct corral_lcore_error e = { 2, "message" };
	char buf[24];
	size_t len;

	for (len = 0; len < sizeof(buf) - 1; len++) {
		memset(buf, '#', sizeof(buf));
		CHECK_EQ_INT(corral_lcore_error_show(&e, "abc", buf, len), 16);
		CHECK(buf[len] == '#');
		if (len > 0)
			CHECK(strlen(buf) == (len > 16 ? 16 : len - 1) && !strncmp(buf, whole, strlen(buf)));
	}
}

int main(void)
{
	TEST(an_error_is_shown_with_a_caret);
	TEST(what_disturbs_a_terminal_is_not_shown);
	TEST(a_long_text_is_cut_around_the_place);
	TEST(the_promised_buffer_is_enough);
	TEST(a_short_buffer_is_never_overrun);
	return test_end();
}
