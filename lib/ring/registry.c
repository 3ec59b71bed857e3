/* SPDX-License-Identifier: BSD-3-Clause */
/* registry.c - rings that the library allocates, and this process's list of their names. */
#include "ring_internal.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* One a created ring, also of those without a name, so that free knows its own. */
struct entry {
	struct entry *next;
	struct corral_ring *ring;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *entries; /* oldest first */

static struct entry *find(const char *name)
{
	struct entry *e;

	for (e = entries; e != NULL; e = e->next)
		if (strcmp(e->ring->name, name) == 0)
			return e;
	return NULL;
}

static void append(struct entry *e)
{
	struct entry **p = &entries;

	while (*p != NULL)
		p = &(*p)->next;
	*p = e;
}

/* Enter the ring, unless its name is taken. */
static int enter(struct entry *e)
{
	int rc = 0;

	pthread_mutex_lock(&lock);
	if (e->ring->name[0] != '\0' && find(e->ring->name) != NULL)
		rc = -EEXIST;
	else
		append(e);
	pthread_mutex_unlock(&lock);
	return rc;
}

static int taken(const char *name)
{
	int found;

	if (name == NULL || name[0] == '\0')
		return 0;
	pthread_mutex_lock(&lock);
	found = find(name) != NULL;
	pthread_mutex_unlock(&lock);
	return found;
}

/* Ring and entry, or an errno and neither. */
static int make(struct entry **out, const char *name, unsigned int esize, unsigned int count, unsigned int flags)
{
	int64_t memsize = corral_ring_check(name, esize, count, flags);
	struct entry *e;
	void *mem;
	int rc;

	if (memsize < 0)
		return (int)memsize;
	if (taken(name)) /* before memory is asked for; enter() looks once more */
		return -EEXIST;
	e = calloc(1, sizeof(*e));
	if (e == NULL)
		return -ENOMEM;
	if (posix_memalign(&mem, CORRAL_LINE, (size_t)memsize) != 0) {
		free(e);
		return -ENOMEM;
	}
	e->ring = mem;
	rc = corral_ring_init_elem(e->ring, name, esize, count, flags);
	if (rc == 0)
		rc = enter(e);
	if (rc != 0) {
		free(mem);
		free(e);
		return rc;
	}
	*out = e;
	return 0;
}

struct corral_ring *corral_ring_create_elem(const char *name, unsigned int esize, unsigned int count,
					    unsigned int flags)
{
	struct entry *e = NULL;
	int rc = make(&e, name, esize, count, flags);

	if (rc != 0) {
		errno = -rc;
		return NULL;
	}
	return e->ring;
}

struct corral_ring *corral_ring_create(const char *name, unsigned int count, unsigned int flags)
{
	return corral_ring_create_elem(name, sizeof(void *), count, flags);
}

int corral_ring_free(struct corral_ring *r)
{
	struct entry **p, *e = NULL;

	if (r == NULL)
		return 0;
	pthread_mutex_lock(&lock);
	for (p = &entries; *p != NULL && (*p)->ring != r; p = &(*p)->next)
		;
	e = *p;
	if (e != NULL)
		*p = e->next;
	pthread_mutex_unlock(&lock);
	if (e == NULL)
		return -EINVAL;
	/* volatile, or it is dropped: a later use of the pointer may then be seen where the magic is checked */
	*(volatile uint64_t *)&r->magic = 0;
	free(r);
	free(e);
	return 0;
}

struct corral_ring *corral_ring_lookup(const char *name)
{
	struct corral_ring *r = NULL;
	struct entry *e;

	if (name == NULL || name[0] == '\0') {
		errno = EINVAL;
		return NULL;
	}
	pthread_mutex_lock(&lock);
	e = find(name);
	if (e != NULL)
		r = e->ring;
	pthread_mutex_unlock(&lock);
	if (r == NULL)
		errno = ENOENT;
	return r;
}

int corral_ring_list_dump(FILE *f)
{
	struct entry *e;
	int rc = 0;

	if (f == NULL)
		return -EINVAL;
	pthread_mutex_lock(&lock);
	for (e = entries; e != NULL && rc == 0; e = e->next)
		rc = corral_ring_dump(f, e->ring);
	pthread_mutex_unlock(&lock);
	return rc;
}
