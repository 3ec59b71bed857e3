/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz.h - the fuzz targets' frame. A target is one file with LLVMFuzzerTestOneInput(): libFuzzer calls it with inputs
 * that it makes up, replay.c with those that are committed.
 *
 * MUST(cond, "%d", x) is how a target says what has to hold: if it does not, the place, the condition and the text are
 * printed and the program aborts, which libFuzzer takes for a find.
 */
#ifndef CORRAL_FUZZ_H
#define CORRAL_FUZZ_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(cond, ...) ((cond) ? (void)0 : fuzz_die(__FILE__, __LINE__, #cond, __VA_ARGS__))

__attribute__((unused, noreturn, format(printf, 4, 5))) static void fuzz_die(const char *file, int line,
									     const char *cond, const char *fmt, ...)
{
	va_list args;

	fprintf(stderr, "%s:%d: %s does not hold: ", file, line, cond);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	abort();
}

/* Exactly so many bytes (1 for 0), so that a checker of memory sees the next one touched. Never NULL; free() it. */
__attribute__((unused)) static void *fuzz_alloc(size_t bytes)
{
	void *p = malloc(bytes > 0 ? bytes : 1);

	MUST(p != NULL, "out of memory");
	return p;
}

/* A string of its own of the bytes up to the first NUL, or to the end. */
__attribute__((unused)) static char *fuzz_text(const uint8_t *data, size_t size)
{
	size_t len = size > 0 ? strnlen((const char *)data, size) : 0;
	char *text = fuzz_alloc(len + 1);

	if (len > 0)
		memcpy(text, data, len);
	text[len] = '\0';
	return text;
}

/* The next line as a string of its own, without its newline; NULL once all of the input is used. */
__attribute__((unused)) static char *fuzz_line(const uint8_t **data, size_t *size)
{
	const uint8_t *end;
	size_t len;
	char *text;

	if (*size == 0)
		return NULL;
	end = memchr(*data, '\n', *size);
	len = end ? (size_t)(end - *data) : *size;
	text = fuzz_text(*data, len);
	*data += len + (end != NULL);
	*size -= len + (end != NULL);
	return text;
}

/* The next byte; 0 once all of the input is used. */
__attribute__((unused)) static unsigned int fuzz_byte(const uint8_t **data, size_t *size)
{
	if (*size == 0)
		return 0;
	--*size;
	return *(*data)++;
}

#endif
