/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_host.c - what the kernel writes in /proc, or could write: the readers of cpuinfo, cgroup, stat and sched. The
 * first byte says which. They find something or nothing, and touch nothing that is not theirs.
 */
#include "fuzz.h"

#include "measure/doc.h"
#include "measure/system.h"

static void cpu_model(FILE *f)
{
	json_t *model = measure_cpu_model_of(f);
	char *printed;

	MUST(json_is_string(model) || json_is_null(model), "no model of a CPU");
	printed = json_dumps(model, JSON_ENCODE_ANY);
	MUST(printed != NULL, "a model that no document can hold");
	free(printed);
	json_decref(model);
}

static void steal(FILE *f)
{
	struct corral_cpuset cpus;
	double ms;

	corral_cpuset_zero(&cpus);
	MUST(corral_cpuset_add(&cpus, 0) == 0 && corral_cpuset_add(&cpus, 1) == 0, "two CPUs");
	ms = measure_steal_of(f, &cpus);
	MUST(ms >= 0 || ms == -1, "%f ms", ms);
}

/* The first line that has a sign of one; NULL if none has, or if lines are too long to be read whole. */
static const char *container_of(const char *text, const char **kind)
{
	static const char *const signs[][2] = { { "kubepods", "kubernetes" },
						{ "docker", "docker" },
						{ "/lxc", "lxc" } };
	size_t len, i;
	const char *at;

	*kind = NULL;
	for (; *text; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		if (len > 500)
			return text;
		for (i = 0; i < 3 && !*kind; i++) {
			at = strstr(text, signs[i][0]);
			if (at && at < text + len)
				*kind = signs[i][1];
		}
	}
	return NULL;
}

static void container(FILE *f, const char *text, size_t size)
{
	const char *got = measure_container_of(f), *want;

	if (container_of(text, &want) != NULL || strlen(text) < size)
		return;
	MUST(!got == !want && (!got || strcmp(got, want) == 0), "'%s' is %s, should be %s", text, got ? got : "none",
	     want ? want : "none");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned int which = fuzz_byte(&data, &size) % 4;
	char *copy = fuzz_alloc(size + 1);
	long count;
	FILE *f;

	if (size > 0)
		memcpy(copy, data, size);
	copy[size] = '\0';
	f = fmemopen(copy, size ? size : 1, "r");
	MUST(f != NULL, "no file of %zu bytes", size);
	switch (which) {
	case 0:
		cpu_model(f);
		break;
	case 1:
		container(f, copy, size);
		break;
	case 2:
		steal(f);
		break;
	default:
		count = measure_migrations_of(f);
		MUST(count >= -1, "%ld migrations", count);
		break;
	}
	fclose(f);
	free(copy);
	return 0;
}
