/* SPDX-License-Identifier: BSD-3-Clause */
/* sink.c - documents into files, whole or not at all. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "doc.h"

static int write_all(int fd, const char *text, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, text, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		text += n;
		len -= (size_t)n;
	}
	return 0;
}

static int open_temp(struct measure_sink *sink)
{
	int rc;

	if (asprintf(&sink->temp, "%s.XXXXXX", sink->path) < 0) {
		sink->temp = NULL;
		return -ENOMEM;
	}
	sink->fd = mkostemp(sink->temp, O_CLOEXEC);
	if (sink->fd < 0) {
		rc = -errno;
		free(sink->temp);
		sink->temp = NULL;
		return rc;
	}
	return fchmod(sink->fd, sink->mode) == 0 ? 0 : -errno;
}

/* Nothing stays in the folder while the work is done: a kill then leaves nothing behind. */
static int try_temp(struct measure_sink *sink)
{
	int rc = open_temp(sink);

	if (sink->fd >= 0)
		close(sink->fd);
	sink->fd = -1;
	if (sink->temp)
		unlink(sink->temp);
	free(sink->temp);
	sink->temp = NULL;
	return rc;
}

int measure_sink_open(struct measure_sink *sink, const char *path)
{
	char real[PATH_MAX];
	struct stat st;
	mode_t mask;
	bool there;
	int rc = 0;

	*sink = (struct measure_sink){ NULL, NULL, -1, 0 };
	if (!path)
		return 0;
	there = stat(path, &st) == 0;
	/* what a link points at is replaced, not the link */
	sink->path = strdup(there && realpath(path, real) ? real : path);
	if (!sink->path)
		return -ENOMEM;
	if (there && !S_ISREG(st.st_mode)) {
		sink->fd = open(path, O_WRONLY | O_CLOEXEC);
		rc = sink->fd < 0 ? -errno : 0;
	} else if (there && access(path, W_OK) != 0) {
		rc = -errno;
	} else {
		mask = umask(0);
		umask(mask);
		sink->mode = there ? st.st_mode & 07777 : 0666 & ~mask;
		rc = try_temp(sink);
	}
	if (rc != 0)
		measure_sink_drop(sink);
	return rc;
}

int measure_sink_write(struct measure_sink *sink, const json_t *doc)
{
	/* 6 digits are more than any measurement here has */
	char *text = json_dumps(doc, JSON_INDENT(1) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(6));
	int rc = text ? 0 : -ENOMEM, fd;

	if (rc == 0 && sink->path && sink->fd < 0)
		rc = open_temp(sink);
	fd = sink->path ? sink->fd : STDOUT_FILENO;
	rc = rc ? rc : write_all(fd, text, strlen(text));
	rc = rc ? rc : write_all(fd, "\n", 1);
	free(text);
	if (sink->temp) {
		if (rc == 0 && fsync(sink->fd) != 0)
			rc = -errno;
		if (rc == 0 && rename(sink->temp, sink->path) != 0)
			rc = -errno;
		if (rc == 0) {
			free(sink->temp);
			sink->temp = NULL;
		}
	}
	measure_sink_drop(sink);
	return rc;
}

void measure_sink_drop(struct measure_sink *sink)
{
	if (sink->fd >= 0)
		close(sink->fd);
	if (sink->temp)
		unlink(sink->temp);
	free(sink->temp);
	free(sink->path);
	*sink = (struct measure_sink){ NULL, NULL, -1, 0 };
}
