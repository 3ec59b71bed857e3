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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned int which = fuzz_byte(&data, &size) % 4;
	char *copy = fuzz_alloc(size + 1);
	const char *container;
	long count;
	FILE *f;

	memcpy(copy, size ? data : (const uint8_t *)"", size ? size : 1);
	f = fmemopen(copy, size ? size : 1, "r");
	MUST(f != NULL, "no file of %zu bytes", size);
	switch (which) {
	case 0:
		cpu_model(f);
		break;
	case 1:
		container = measure_container_of(f);
		MUST(!container || (container[0] && strlen(container) < 32), "%s", container);
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
