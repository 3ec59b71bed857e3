/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin.c - finding and loading the plug-ins. */
#include "plugin.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct measure_known known[] = {
	{ "corral", NULL, false },
	{ "rte_ring", "libdpdk-dev", false },
	{ "ck_ring", "libck-dev", false },
	{ "spinlock", NULL, false },
	{ "mutex", NULL, false },
	{ "corral-dpdk", NULL, true },
	{ "wfcqueue", "liburcu-dev", true },
	{ "boost_spsc", "libboost-dev", true },
	{ "boost_queue", "libboost-dev", true },
	{ "moodycamel", "libconcurrentqueue-dev", true },
	{ "rwqueue", "libreaderwriterqueue-dev", true },
	{ "atomic_queue", "libatomic-queue-dev", true },
	{ "xenium", NULL, true },
	{ "memcpy", NULL, true },
};
#define KNOWN (sizeof(known) / sizeof(known[0]))

static const struct peer *loaded[KNOWN];

const struct measure_known *measure_known(const char *name)
{
	unsigned int i;

	for (i = 0; i < KNOWN; i++) {
		if (strcmp(known[i].name, name) == 0)
			return &known[i];
	}
	return NULL;
}

void measure_known_names(char *text, size_t size)
{
	size_t used = 0;
	unsigned int i;

	text[0] = '\0';
	for (i = 0; i < KNOWN && used < size; i++) {
		if (!known[i].later)
			used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", known[i].name);
	}
}

/* Folder of the executable, without the slash; "" if the kernel does not say. */
static void own_folder(char *path, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", path, size - 1);
	char *slash;

	path[n > 0 ? n : 0] = '\0';
	slash = strrchr(path, '/');
	if (slash)
		*slash = '\0';
}

/* The folder that many levels up; false if there are not as many. */
static bool up(char *path, unsigned int levels)
{
	char *slash;

	for (; levels != 0; levels--) {
		slash = strrchr(path, '/');
		if (!slash)
			return false;
		*slash = '\0';
	}
	return true;
}

/* The i-th folder to look in; false when there are no more; "" for one that cannot be told here. */
static bool folder(unsigned int i, char *path, size_t size)
{
	/* from the executable: levels up, then down; so a build tree, a staged install and a moved prefix work */
	static const struct {
		unsigned int levels;
		const char *down;
	} near[] = { { 0, "/peers" }, { 1, "/bench/peers" }, { CORRAL_BIN_DEPTH, "/" CORRAL_LIBDIR_REL "/corral" } };
	const char *env = getenv("CORRAL_PEERS");
	char own[PATH_MAX];

	if (env && *env) {
		snprintf(path, size, "%s", env);
		return i == 0;
	}
	own_folder(own, sizeof(own));
	path[0] = '\0';
	if (i < sizeof(near) / sizeof(near[0])) {
		if (own[0] && near[i].down[1] != '/' && up(own, near[i].levels))
			snprintf(path, size, "%s%s", own, near[i].down);
		return true;
	}
	snprintf(path, size, "%s/corral", CORRAL_LIBDIR);
	return i == sizeof(near) / sizeof(near[0]);
}

static const struct peer *open_at(const char *path, const char *name, char *text, size_t size)
{
	const struct peer *(*get)(void);
	const struct peer *p;
	void *so;

	so = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!so) {
		snprintf(text, size, "its plug-in cannot be loaded: %s", dlerror());
		return NULL;
	}
	*(void **)&get = dlsym(so, "corral_peer");
	p = get ? get() : NULL;
	if (!p || p->abi != PEER_ABI || strcmp(p->name, name) != 0) {
		snprintf(text, size, "%s is not a plug-in of this version of corral: build both from one tree", path);
		dlclose(so);
		return NULL;
	}
	return p;
}

/* What was looked through, and what to do. */
static void not_found(const struct measure_known *k, char *text, size_t size)
{
	char path[PATH_MAX + 64], last[PATH_MAX + 64] = "";
	size_t used = 0;
	unsigned int i;

#define ADD(...) (used += used < size ? (size_t)snprintf(text + used, size - used, __VA_ARGS__) : 0)
	if (k->package)
		ADD("no plug-in corral-peer-%s.so: install the package %s (apt-get install %s) and build again",
		    k->name, k->package, k->package);
	else
		ADD("no plug-in corral-peer-%s.so: build bench/peers, or say where in CORRAL_PEERS", k->name);
	ADD("; looked in");
	for (i = 0; folder(i, path, sizeof(path)); i++) {
		if (path[0] == '\0' || strcmp(path, last) == 0)
			continue;
		ADD("%s %s", last[0] ? "," : "", path);
		snprintf(last, sizeof(last), "%s", path);
	}
#undef ADD
}

const struct peer *measure_peer_load(const struct measure_known *k, char *text, size_t size)
{
	const struct peer **slot = &loaded[k - known];
	char path[PATH_MAX + 64], file[PATH_MAX + 128];
	unsigned int i;

	for (i = 0; !*slot && folder(i, path, sizeof(path)); i++) {
		snprintf(file, sizeof(file), "%s/corral-peer-%s.so", path, k->name);
		if (path[0] == '\0' || access(file, F_OK) != 0)
			continue;
		*slot = open_at(file, k->name, text, size);
		return *slot;
	}
	if (!*slot)
		not_found(k, text, size);
	return *slot;
}

const struct peer_mode *measure_peer_mode(const struct peer *peer, const char *mode)
{
	unsigned int i;

	for (i = 0; i < peer->modes; i++) {
		if (strcmp(peer->mode[i].name, mode) == 0)
			return &peer->mode[i];
	}
	return NULL;
}

bool measure_peer_modeless(const struct peer *peer)
{
	return peer->modes == 1 && strcmp(peer->mode[0].name, "-") == 0;
}
