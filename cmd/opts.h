/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * opts.h - the words behind a verb. A verb has one table of its options: what each is called, what it takes and which
 * field of the verb's struct it sets. The same table makes `--help`, so that neither knows what the other does not.
 *
 * A parser says what is wrong itself (one message: the option, the value, what is allowed) and returns an exit code; it
 * keeps no state, and never ends the program.
 */
#ifndef CORRAL_CMD_OPTS_H
#define CORRAL_CMD_OPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OPTS_GO (-1)	 /* no exit code: all is well, go on */
#define OPTS_LIST_MAX 64 /* items of a list */

/* The types of the fields that options set. */
struct opts_list {
	int n;
	const char *word[OPTS_LIST_MAX];
	char *own; /* what the words are parts of, freed by opts_drop(); NULL: they are constants (the default) */
};

struct opts_numbers {
	int n;
	uint32_t v[OPTS_LIST_MAX];
};

struct opts_json {
	bool given;
	const char *file; /* NULL: standard output */
};

enum opts_kind {
	OPT_FLAG,    /* bool */
	OPT_TEXT,    /* const char *: not empty; the verb parses it */
	OPT_UINT,    /* uint32_t, lo to hi */
	OPT_REAL,    /* double, lo to hi */
	OPT_RANGE,   /* uint32_t [2]: "MIN-MAX" or "N", both lo to hi */
	OPT_WORD,    /* int: index of the word */
	OPT_LIST,    /* struct opts_list: any words */
	OPT_NUMBERS, /* struct opts_numbers: lo to hi */
	OPT_WORDS,   /* struct opts_numbers: indices of words */
	OPT_JSON,    /* struct opts_json */
	OPT_HELP,    /* nothing: the help is printed */
	OPT_LATER,   /* nothing: an option of the contract that this version has not; not in the help */
};

/* A table ends with an entry without a name. */
struct opts_option {
	const char *name; /* "--size" */
	enum opts_kind kind;
	size_t at;	 /* offsetof() the field that it sets */
	const char *arg; /* what the help calls its value; NULL: it takes none */
	const char *help;
	double lo, hi;
	const char *const *words; /* ends with NULL; index is value */
	const char *const *later; /* words of the contract that this version has not; NULL: none */
	const char *allowed;	  /* for messages, where arg and words do not say it */
};

struct opts_verb {
	const char *name;
	const char *does;  /* one line */
	const char *about; /* a few lines, each with its newline */
	const struct opts_option *option;
	const char *example[2];
};

/*
 * Parse argv[2..] into the verb's struct, which holds the defaults. OPTS_GO, or an exit code (EXIT_WELL: help was
 * printed); then nothing is left to drop.
 */
int opts_parse(const struct opts_verb *verb, void *into, int argc, char *const *argv);

/* Free what parsing allocated. */
void opts_drop(const struct opts_verb *verb, void *into);

/* "OPTION: …" is wrong. Returns EXIT_WORDS. */
__attribute__((format(printf, 2, 3))) int opts_bad(const char *option, const char *fmt, ...);

/* Join the words of a list that ends with NULL: "a, b, c". Returns text. */
char *opts_join(const char *const *words, char *text, size_t size);

/* Take out what is there twice, and say so. names: of the values; NULL: they are numbers. */
void opts_once(const char *option, struct opts_numbers *list, const char *const *names);

#endif
