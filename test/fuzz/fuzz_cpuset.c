/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_cpuset.c - any text as a list of CPUs. */
#include "text.h"

/* "0-3,8" by another reader: 1 if it is such a list, with want[cpu] set. */
static int read_set(const char *p, unsigned char *want)
{
	uint32_t first, last;

	memset(want, 0, CORRAL_CPU_LIMIT);
	do {
		if (!text_range(&p, CORRAL_CPU_LIMIT - 1, &first, &last))
			return 0;
		memset(want + first, 1, last - first + 1);
	} while (text_eat(&p, ','));
	return *text_blank(p) == '\0';
}

static void check_members(const struct corral_cpuset *set, const unsigned char *want)
{
	unsigned int i, count = 0, next = CORRAL_LCORE_NONE;

	for (i = CORRAL_CPU_LIMIT; i-- > 0;) {
		if (want[i])
			next = i;
		count += want[i];
		MUST(corral_cpuset_has(set, i) == want[i], "CPU %u should be %d", i, want[i]);
		/* a walk from everywhere would take its time */
		if (i % 509 == 0 || want[i] != want[i - 1])
			MUST(corral_cpuset_next(set, i) == next, "from %u on, %u comes next", i, next);
	}
	MUST(corral_cpuset_count(set) == count, "%u, should be %u", corral_cpuset_count(set), count);
}

static size_t print_set(const void *set, char *buf, size_t len)
{
	return corral_cpuset_print(set, buf, len);
}

static void check_text(const struct corral_cpuset *set)
{
	size_t len = corral_cpuset_print(set, NULL, 0);
	char *text = fuzz_alloc(len + 1);
	struct corral_cpuset again;

	MUST(corral_cpuset_print(set, text, len + 1) == len, "the second time");
	text_print(print_set, set, text);
	MUST(corral_cpuset_parse(&again, text, NULL) == 0, "'%s'", text);
	MUST(corral_cpuset_equal(&again, set), "'%s'", text);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static unsigned char want[CORRAL_CPU_LIMIT];
	char *text = fuzz_text(data, size);
	struct corral_cpuset set, before;
	struct corral_lcore_error e;
	int rc, ok = read_set(text, want);

	memset(&set, 0x5a, sizeof(set));
	before = set;
	rc = corral_cpuset_parse(&set, text, &e);
	MUST((rc == 0) == ok, "'%s' gave %d (%s)", text, rc, rc ? e.text : "");
	if (ok) {
		check_members(&set, want);
		check_text(&set);
	} else {
		MUST(rc == -EINVAL || rc == -ERANGE, "%d", rc);
		MUST(corral_cpuset_equal(&set, &before), "a failure touched the set");
		text_check_error(&e, text);
	}
	MUST(corral_cpuset_parse(&set, text, NULL) == rc, "without an error to note");
	free(text);
	return 0;
}
