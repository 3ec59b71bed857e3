/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_names.c - rings by name: any sequence of create, lookup, free and list, against an array of what there is. A
 * step is a byte for its kind, and what it needs: a name is a byte of its length and so many bytes.
 */
#include "fuzz.h"

#include <corral/ring.h>

#include <errno.h>

#define MOST 8 /* rings at once */
#define MOST_STEPS 200

static struct {
	unsigned int count;
	struct corral_ring *ring[MOST]; /* oldest first, as the library keeps them */
	char *name[MOST];
} there;

/* The oldest ring of that name, or NULL. */
static struct corral_ring *find(const char *name)
{
	unsigned int i;

	for (i = 0; i < there.count; i++)
		if (strcmp(there.name[i], name) == 0)
			return there.ring[i];
	return NULL;
}

static char *read_name(const uint8_t **data, size_t *size)
{
	size_t len = fuzz_byte(data, size) % 72;
	char *name;

	if (len > *size)
		len = *size;
	name = fuzz_text(*data, len);
	*data += len;
	*size -= len;
	return name;
}

/* At most one mode a side, and nothing unknown: written down here once more. */
static int flags_fit(unsigned int flags)
{
	unsigned int prod = flags & 0xa9, cons = flags & 0x152;

	return !(flags & ~0x7ffu) && !(prod & (prod - 1)) && !(cons & (cons - 1));
}

/* Small rings, and such as cannot be. */
static unsigned int read_count(unsigned int byte)
{
	static const unsigned int odd[] = { 0, CORRAL_RING_SIZE_MAX + 1, 0x80000000u, UINT32_MAX };

	return byte >= 252 ? odd[byte - 252] : 1 + byte;
}

static unsigned int read_esize(unsigned int byte)
{
	static const unsigned int odd[] = { 0, CORRAL_RING_ESIZE_MAX + 4, 0x80000000u, UINT32_MAX };

	return byte >= 252 ? odd[byte - 252] : byte >= 128 ? byte - 127 : 4 * (1 + byte % 16);
}

static int sizes_fit(unsigned int esize, unsigned int count)
{
	return esize > 0 && esize % 4 == 0 && esize <= 1u << 20 && count > 0 && count <= 1u << 30;
}

static void check_new(struct corral_ring *r, const char *name, unsigned int esize, unsigned int count,
		      unsigned int flags)
{
	MUST(strcmp(r->name, name) == 0, "'%s' is called '%s'", name, r->name);
	MUST(r->esize == esize && r->flags == flags, "esize %u, flags 0x%x", r->esize, r->flags);
	MUST(corral_ring_get_capacity(r) == count && corral_ring_free_count(r) == count, "%u",
	     corral_ring_get_capacity(r));
	MUST(corral_ring_empty(r) && corral_ring_count(r) == 0, "%u", corral_ring_count(r));
	MUST((int64_t)r->memsize == corral_ring_get_memsize_elem(esize, count), "%llu", (unsigned long long)r->memsize);
}

static void create(const uint8_t **data, size_t *size)
{
	unsigned int esize = read_esize(fuzz_byte(data, size)), count = read_count(fuzz_byte(data, size));
	unsigned int flags = fuzz_byte(data, size);
	char *name;
	int long_name, taken, wrong;
	struct corral_ring *r;

	flags |= fuzz_byte(data, size) << 8;
	name = read_name(data, size);
	wrong = !sizes_fit(esize, count) || !flags_fit(flags);
	long_name = strlen(name) >= CORRAL_RING_NAMESIZE;
	taken = name[0] && find(name) != NULL;
	errno = 0;
	r = corral_ring_create_elem(name, esize, count, flags);
	MUST((r != NULL) == (!wrong && !long_name && !taken), "'%s' of %u * %u, flags 0x%x: errno %d", name, count,
	     esize, flags, errno);
	if (r == NULL) {
		MUST((errno == EINVAL && wrong) || (errno == ENAMETOOLONG && long_name) || (errno == EEXIST && taken),
		     "errno %d", errno);
		free(name);
		return;
	}
	check_new(r, name, esize, count, flags);
	there.ring[there.count] = r;
	there.name[there.count++] = name;
}

static void lookup(const uint8_t **data, size_t *size)
{
	char *name = read_name(data, size);
	struct corral_ring *want = name[0] ? find(name) : NULL, *r;

	errno = 0;
	r = corral_ring_lookup(name);
	MUST(r == want, "'%s' gave %p, should be %p", name, (void *)r, (void *)want);
	MUST(r || errno == (name[0] ? ENOENT : EINVAL), "errno %d", errno);
	free(name);
}

static void drop(unsigned int i)
{
	unsigned int rest;

	MUST(corral_ring_free(there.ring[i]) == 0, "ring %u", i);
	MUST(corral_ring_free(there.ring[i]) == -EINVAL, "ring %u a second time", i);
	free(there.name[i]);
	there.count--;
	for (rest = i; rest < there.count; rest++) {
		there.ring[rest] = there.ring[rest + 1];
		there.name[rest] = there.name[rest + 1];
	}
}

/* The list is the dumps of its rings, oldest first; each begins with the name, whatever bytes that has. */
static void check_list(void)
{
	char *list = NULL, *one = NULL, begin[128];
	size_t all = 0, len = 0, at = 0;
	unsigned int i;
	FILE *f = open_memstream(&list, &all);

	MUST(f != NULL, "errno %d", errno);
	MUST(corral_ring_list_dump(f) == 0, "list");
	MUST(fclose(f) == 0, "errno %d", errno);
	for (i = 0; i < there.count; i++) {
		f = open_memstream(&one, &len);
		MUST(f != NULL, "errno %d", errno);
		MUST(corral_ring_dump(f, there.ring[i]) == 0, "ring %u", i);
		MUST(fclose(f) == 0, "errno %d", errno);
		snprintf(begin, sizeof(begin), "ring <%s>@%p\n", there.name[i], (void *)there.ring[i]);
		MUST(strncmp(one, begin, strlen(begin)) == 0, "'%s' is dumped as '%s'", there.name[i], one);
		MUST(len <= all - at && memcmp(list + at, one, len) == 0, "'%s' is not in the list at %zu",
		     there.name[i], at);
		at += len;
		free(one);
	}
	MUST(at == all, "more in the list: '%s'", list + at);
	free(list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct corral_ring *foreign = NULL;
	unsigned int steps, kind;

	for (steps = 0; size > 0 && steps < MOST_STEPS; steps++) {
		kind = fuzz_byte(&data, &size);
		if (kind % 8 < 4 && there.count < MOST)
			create(&data, &size);
		else if (kind % 8 < 6)
			lookup(&data, &size);
		else if (kind % 8 == 6)
			check_list();
		else if (there.count > 0)
			drop(kind / 8 % there.count);
	}
	check_list();
	MUST(corral_ring_free((struct corral_ring *)(void *)&foreign) == -EINVAL, "what was never made");
	while (there.count > 0)
		drop(there.count - 1);
	check_list();
	return 0;
}
