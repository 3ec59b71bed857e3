/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_show.c - an error at any place of any text, shown: two bytes of place, then the text. */
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct corral_lcore_error e = { 0 };
	char *text;

	e.pos = fuzz_byte(&data, &size);
	e.pos |= (size_t)fuzz_byte(&data, &size) << 8;
	if (e.pos == UINT16_MAX)
		e.pos = CORRAL_LCORE_NO_PLACE;
	/* short ones, and the longest that there is */
	memset(e.text, 'w', e.pos % 2 ? sizeof(e.text) - 1 : 5);
	text = fuzz_text(data, size);
	text_check_show(&e, text);
	free(text);
	return 0;
}
