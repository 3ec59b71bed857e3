/* SPDX-License-Identifier: BSD-3-Clause */
/* system.c - steal time and migrations, from /proc. */
#include "system.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

double measure_steal_ms(const struct corral_cpuset *cpus)
{
	unsigned long long steal, sum = 0;
	unsigned int cpu, found = 0;
	char line[512];
	FILE *f;

	f = fopen("/proc/stat", "re");
	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f)) {
		/* cpuN user nice system idle iowait irq softirq steal … */
		if (sscanf(line, "cpu%u %*u %*u %*u %*u %*u %*u %*u %llu", &cpu, &steal) != 2 || line[3] == ' ')
			continue;
		if (corral_cpuset_has(cpus, cpu)) {
			sum += steal;
			found++;
		}
	}
	fclose(f);
	return found != 0 && found == corral_cpuset_count(cpus) ? (double)sum * 1000.0 / (double)sysconf(_SC_CLK_TCK)
								: -1;
}

long measure_migrations(void)
{
	long count = -1;
	char line[256];
	FILE *f;

	f = fopen("/proc/thread-self/sched", "re");
	if (!f)
		return -1;
	while (count < 0 && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "se.nr_migrations : %ld", &count) != 1)
			count = -1;
	}
	fclose(f);
	return count;
}
