/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * topology.c - the few facts about a CPU that the library itself needs, from sysfs. (The tool may know more by hwloc.)
 */
#include <corral/lcore.h>

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scan.h"

#define CPU_ROOT "/sys/devices/system/cpu"

/* The first line of ROOT/cpuN/NAME without its newline: 0, -ENOENT if it is not there or empty, or another -errno. */
static int read_line(const char *root, unsigned int cpu, const char *name, char *buf, int len)
{
	char path[512];
	FILE *f;
	int err = 0;

	if (snprintf(path, sizeof(path), "%s/cpu%u/%s", root, cpu, name) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	f = fopen(path, "re");
	if (!f)
		return errno == ENOTDIR ? -ENOENT : -errno;
	errno = 0;
	if (!fgets(buf, len, f))
		err = ferror(f) && errno ? -errno : -ENOENT;
	fclose(f);
	if (!err)
		buf[strcspn(buf, "\n")] = '\0';
	return err;
}

int corral_lcore_siblings_at_(const char *root, unsigned int cpu, struct corral_cpuset *set)
{
	char line[4096];
	int err = read_line(root, cpu, "topology/thread_siblings_list", line, sizeof(line));

	if (err)
		return err;
	if (corral_cpuset_parse(set, line, NULL))
		return -ENOENT; /* not a list: nothing that we know */
	return (int)corral_cpuset_count(set);
}

/* A node shows as a link cpuN/nodeM. */
int corral_lcore_node_at_(const char *root, unsigned int cpu)
{
	char path[512];
	struct dirent *entry;
	int node = -ENOENT;
	DIR *dir;

	if (snprintf(path, sizeof(path), "%s/cpu%u", root, cpu) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	dir = opendir(path);
	if (!dir)
		return errno == ENOTDIR ? -ENOENT : -errno;
	while (node < 0 && (entry = readdir(dir))) {
		const char *number = entry->d_name + strlen("node");
		size_t digits;

		if (strncmp(entry->d_name, "node", strlen("node")) != 0)
			continue;
		digits = strspn(number, "0123456789");
		if (digits > 0 && digits < 7 && number[digits] == '\0')
			node = atoi(number);
	}
	closedir(dir);
	return node;
}

int corral_lcore_package_at_(const char *root, unsigned int cpu)
{
	char line[32];
	int err = read_line(root, cpu, "topology/physical_package_id", line, sizeof(line));
	size_t digits;

	if (err)
		return err;
	digits = strspn(line, "0123456789"); /* -1 means unknown to the kernel too */
	return digits > 0 && digits < 9 && line[digits] == '\0' ? atoi(line) : -ENOENT;
}

int corral_lcore_siblings(unsigned int cpu, struct corral_cpuset *set)
{
	return corral_lcore_siblings_at_(CPU_ROOT, cpu, set);
}

int corral_lcore_node(unsigned int cpu)
{
	return corral_lcore_node_at_(CPU_ROOT, cpu);
}

int corral_lcore_package(unsigned int cpu)
{
	return corral_lcore_package_at_(CPU_ROOT, cpu);
}
