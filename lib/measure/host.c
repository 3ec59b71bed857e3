/* SPDX-License-Identifier: BSD-3-Clause */
/* host.c - the machine that figures were taken on. What cannot be found out is null. */
#include <corral/lcore.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "doc.h"

/* First line of a file, without its end; false if there is none. */
static bool first_line(const char *path, char *text, size_t size)
{
	FILE *f = fopen(path, "re");
	bool ok;

	if (!f)
		return false;
	ok = fgets(text, (int)size, f) != NULL;
	fclose(f);
	if (ok)
		text[strcspn(text, "\n")] = '\0';
	return ok && text[0];
}

static json_t *string_or_null(const char *text)
{
	return text && text[0] ? measure_json_text(text) : json_null();
}

json_t *measure_cpu_model_of(FILE *f)
{
	static const char *const names[] = { "model name", "cpu model", "cpu", "Processor", "CPU part" };
	char line[512], found[256] = "";
	unsigned int i, best = sizeof(names) / sizeof(names[0]);
	const char *colon;

	while (fgets(line, sizeof(line), f)) {
		colon = strchr(line, ':');
		for (i = 0; colon && i < best; i++) {
			size_t len = strlen(names[i]);

			if (strncmp(line, names[i], len) != 0 ||
			    (line[len] != ' ' && line[len] != '\t' && line[len] != ':'))
				continue;
			best = i;
			snprintf(found, sizeof(found), "%s", colon + 1 + strspn(colon + 1, " \t"));
			found[strcspn(found, "\n")] = '\0';
		}
	}
	return string_or_null(found);
}

static json_t *cpu_model(void)
{
	FILE *f = fopen("/proc/cpuinfo", "re");
	json_t *model = f ? measure_cpu_model_of(f) : json_null();

	if (f)
		fclose(f);
	return model;
}

/* Name of the hypervisor below, "" if there is none or it hides. */
static void hypervisor(char *text, size_t size)
{
#if defined(__x86_64__) || defined(__i386__)
	unsigned int a, b, c, d, id[4] = { 0 };

	text[0] = '\0';
	if (__get_cpuid(1, &a, &b, &c, &d) && c & (1u << 31)) {
		__cpuid(0x40000000, a, id[0], id[1], id[2]);
		snprintf(text, size, "%.12s", (const char *)id);
		if (!text[0])
			snprintf(text, size, "unknown");
	}
#else
	text[0] = '\0';
	if (!first_line("/sys/hypervisor/type", text, size))
		first_line("/proc/device-tree/hypervisor/compatible", text, size);
#endif
}

const char *measure_container_of(FILE *f)
{
	static const struct {
		const char *part, *kind;
	} kinds[] = { { "kubepods", "kubernetes" }, { "docker", "docker" }, { "/lxc", "lxc" } };
	char line[512];
	unsigned int i;

	while (fgets(line, sizeof(line), f)) {
		for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
			if (strstr(line, kinds[i].part))
				return kinds[i].kind;
		}
	}
	return NULL;
}

static const char *container(char *text, size_t size)
{
	const char *kind;
	FILE *f;

	if (first_line("/run/systemd/container", text, size))
		return text;
	if (access("/.dockerenv", F_OK) == 0)
		return "docker";
	if (access("/run/.containerenv", F_OK) == 0)
		return "podman";
	f = fopen("/proc/1/cgroup", "re");
	if (!f)
		return NULL;
	kind = measure_container_of(f);
	fclose(f);
	return kind;
}

static json_t *allowed(void)
{
	struct corral_cpuset set;
	char text[1024];

	if (corral_lcore_allowed(&set) < 0)
		return json_null();
	corral_cpuset_print(&set, text, sizeof(text));
	return json_string(text);
}

static json_t *load(void)
{
	double v[3];

	return getloadavg(v, 3) == 3 ? measure_json_numbers(v, 3) : json_null();
}

json_t *measure_host(void)
{
	json_t *h = json_object();
	char text[256], more[256];
	struct utsname u;

	uname(&u);
	json_object_set_new(h, "kernel", json_sprintf("%s %s", u.sysname, u.release));
	json_object_set_new(h, "cpu", cpu_model());
	json_object_set_new(h, "arch", json_string(u.machine));
	json_object_set_new(h, "bits", json_integer((json_int_t)sizeof(void *) * 8));
	json_object_set_new(h, "online_cpus",
			    first_line("/sys/devices/system/cpu/online", text, sizeof(text)) ? json_string(text)
											     : json_null());
	json_object_set_new(h, "allowed_cpus", allowed());
	hypervisor(text, sizeof(text));
	json_object_set_new(h, "hypervisor", string_or_null(text));
	if (first_line("/sys/class/dmi/id/product_name", text, sizeof(text)))
		json_object_set_new(h, "machine", string_or_null(text));
	json_object_set_new(h, "container", string_or_null(container(more, sizeof(more))));
	json_object_set_new(h, "loadavg", load());
	json_object_set_new(h, "compiler", json_string(CORRAL_COMPILER));
	json_object_set_new(h, "flags", json_string(CORRAL_FLAGS));
	return h;
}
