/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * replay.c - a fuzz target without a fuzzer: fuzz_replay_X SEEDS [CRASHERS] gives each file of the folders to the
 * target, once. SEEDS without a file is an error, CRASHERS may be missing; either may also be a file. The input at hand
 * is named first, so that it is known if the target aborts.
 */
#include "fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

static int fail(const char *path)
{
	fprintf(stderr, "%s: %s\n", path, strerror(errno));
	return -1;
}

static int run_file(const char *path, size_t size)
{
	FILE *f = fopen(path, "re");
	uint8_t *data;

	if (!f)
		return fail(path);
	fprintf(stderr, "%s\n", path);
	data = fuzz_alloc(size);
	if (fread(data, 1, size, f) != size) {
		fclose(f);
		free(data);
		return fail(path);
	}
	fclose(f);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	return 1;
}

static int visible(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

/* The number of inputs, or -1 after a message. */
static int run_path(const char *path)
{
	struct dirent **entry;
	struct stat st;
	int i, count, done = 0, one = 0;

	if (stat(path, &st))
		return errno == ENOENT ? 0 : fail(path);
	if (!S_ISDIR(st.st_mode))
		return run_file(path, (size_t)st.st_size);
	count = scandir(path, &entry, visible, alphasort);
	if (count < 0)
		return fail(path);
	for (i = 0; i < count; i++) {
		char inside[4096];

		snprintf(inside, sizeof(inside), "%s/%s", path, entry[i]->d_name);
		if (one >= 0)
			one = stat(inside, &st) ? fail(inside) : run_file(inside, (size_t)st.st_size);
		done += one;
		free(entry[i]);
	}
	free(entry);
	return one < 0 ? one : done;
}

int main(int argc, char **argv)
{
	int i, count, total = 0;

	if (argc < 2) {
		fprintf(stderr, "Usage: %s SEEDS [CRASHERS]\n", argv[0]);
		return 2;
	}
	for (i = 1; i < argc; i++) {
		count = run_path(argv[i]);
		if (count < 0)
			return 1;
		if (count == 0 && i == 1) {
			fprintf(stderr, "%s: no inputs there\n", argv[i]);
			return 1;
		}
		total += count;
	}
	fprintf(stderr, "%d inputs\n", total);
	return 0;
}
