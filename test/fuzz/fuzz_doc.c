/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_doc.c - documents hold any bytes that users and machines give: whatever the text, there is a document, it can be
 * printed and read again, and text that is good UTF-8 is what it was.
 */
#include "fuzz.h"

#include "measure/doc.h"

#include <math.h>

/* Is it UTF-8 as RFC 3629 has it? Written apart from what it checks. */
static int is_utf8(const char *text)
{
	const unsigned char *c = (const unsigned char *)text;

	while (*c) {
		uint32_t v = *c, more = v < 0x80 ? 0 : v >> 5 == 6 ? 1 : v >> 4 == 14 ? 2 : v >> 3 == 30 ? 3 : 9, i;
		static const uint32_t least[] = { 0, 0x80, 0x800, 0x10000 };

		if (more == 9)
			return 0;
		v = more == 0 ? v : v & (0x3f >> more);
		for (i = 1; i <= more; i++) {
			if (c[i] >> 6 != 2)
				return 0;
			v = v << 6 | (c[i] & 0x3f);
		}
		if (v < least[more] || v > 0x10ffff || (v >= 0xd800 && v < 0xe000))
			return 0;
		c += more + 1;
	}
	return 1;
}

/* Text that is no UTF-8 has a '?' for each byte beyond ASCII. */
static void check_text(const char *text)
{
	json_t *s = measure_json_text(text);
	char *want = strdup(text), *c;
	int good = is_utf8(text);
	const char *got;

	MUST(s && json_is_string(s), "'%s' is no text", text);
	MUST(want != NULL, "out of memory");
	for (c = want; *c && !good; c++)
		if ((unsigned char)*c >= 0x80)
			*c = '?';
	got = json_string_value(s);
	MUST(strcmp(got, want) == 0, "'%s' became '%s'", text, got);
	free(want);
	json_decref(s);
}

/* The bytes of a text as a number: what JSON has no word for is null. */
static void check_number(const char *text)
{
	json_t *j;
	double v;

	if (strlen(text) < sizeof(v))
		return;
	memcpy(&v, text, sizeof(v));
	j = measure_json_number(v);
	if (isfinite(v))
		MUST(json_is_real(j) && memcmp(&v, &(double){ json_real_value(j) }, sizeof(v)) == 0, "%g", v);
	else
		MUST(json_is_null(j), "%g is no null", v);
	json_decref(j);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *word[8] = { 0 }, *printed;
	json_t *doc, *again;
	int n = 0, i;

	while (n < 7 && (word[n] = fuzz_line(&data, &size)) != NULL) {
		check_number(word[n]);
		check_text(word[n++]);
	}
	doc = measure_doc_new("stress", n, word);
	for (i = 0; i + 1 < n; i++)
		measure_doc_skip(doc, word[i], "%s: %s", word[i + 1], word[i]);
	measure_doc_result(doc, json_object());
	printed = json_dumps(doc, JSON_COMPACT);
	MUST(printed != NULL, "%d words", n);
	again = json_loads(printed, 0, NULL);
	MUST(again && json_equal(doc, again), "%s", printed);
	MUST(json_array_size(json_object_get(again, "argv")) == (size_t)n, "%s", printed);
	MUST(json_array_size(json_object_get(again, "skipped")) == (n > 1 ? (size_t)n - 1 : 0), "%s", printed);
	json_decref(again);
	json_decref(doc);
	free(printed);
	while (n > 0)
		free(word[--n]);
	return 0;
}
