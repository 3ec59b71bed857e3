/* SPDX-License-Identifier: BSD-3-Clause */
/* system.c - steal time and migrations, from /proc. */
#include "system.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

double measure_steal_of(FILE *f, const struct corral_cpuset *cpus)
{
	unsigned long long steal, sum = 0;
	unsigned int cpu, found = 0;
	char line[512];

	while (fgets(line, sizeof(line), f)) {
		/* cpuN user nice system idle iowait irq softirq steal … */
		if (sscanf(line, "cpu%u %*u %*u %*u %*u %*u %*u %*u %llu", &cpu, &steal) != 2 || line[3] == ' ')
			continue;
		if (corral_cpuset_has(cpus, cpu)) {
			sum += steal;
			found++;
		}
	}
	return found != 0 && found == corral_cpuset_count(cpus) ? (double)sum * 1000.0 / (double)sysconf(_SC_CLK_TCK)
								: -1;
}

double measure_steal_ms(const struct corral_cpuset *cpus)
{
	FILE *f = fopen("/proc/stat", "re");
	double ms = f ? measure_steal_of(f, cpus) : -1;

	if (f)
		fclose(f);
	return ms;
}

long measure_migrations_of(FILE *f)
{
	char line[256];
	long count;

	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "se.nr_migrations : %ld", &count) == 1)
			return count < 0 ? -1 : count;
	}
	return -1;
}

long measure_migrations(void)
{
	FILE *f = fopen("/proc/thread-self/sched", "re");
	long count = f ? measure_migrations_of(f) : -1;

	if (f)
		fclose(f);
	return count;
}
