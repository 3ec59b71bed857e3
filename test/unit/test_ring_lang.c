/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_ring_lang.c - C and C++17 see the same ring: sizes, offsets and constants, every kind of call, and both
 * languages at the two ends of one ring. Linked with the shared library, as a program of a user would be.
 */
#include "ring_lang.h"
#include "test.h"

#include <sched.h>

#define OBJECTS 100000

#define F(name, value) \
	{ \
		name, (uint64_t)(value) \
	}
static const struct fact facts[] = { LANG_FACTS };

static void layout_is_the_same_in_both_languages(void)
{
	CHECK_EQ_INT(lang_cpp_fact_count, sizeof(facts) / sizeof(facts[0]));
	for (unsigned int i = 0; i < lang_cpp_fact_count; i++) {
		CHECK_EQ_STR(lang_cpp_facts[i].name, facts[i].name);
		if (lang_cpp_facts[i].value != facts[i].value)
			printf("# %s\n", facts[i].name);
		CHECK_EQ_HEX(lang_cpp_facts[i].value, facts[i].value);
	}
}

static void calls_from_cpp(void)
{
	struct corral_ring *r = corral_ring_create("made in C", 16, 0);

	CHECK(r != NULL);
	CHECK_EQ_INT(lang_cpp_calls(r), 0);
	CHECK_EQ_INT(lang_cpp_lcores(), 0);
	CHECK(corral_ring_empty(r));
	CHECK_EQ_PTR(corral_ring_lookup("made in C++"), NULL);
	CHECK_EQ_INT(corral_ring_free(r), 0);
}

static void *pointer(uintptr_t i)
{
	return (void *)(i * 8 + 8);
}

static void *cpp_produces(void *r)
{
	lang_cpp_produce(r, OBJECTS);
	return NULL;
}

static void *c_produces(void *r)
{
	for (unsigned int i = 0; i < OBJECTS;)
		if (corral_ring_enqueue(r, pointer(i)) == 0)
			i++;
		else
			sched_yield();
	return NULL;
}

static unsigned int c_consumes(struct corral_ring *r)
{
	unsigned int right = 0;
	void *o;

	for (unsigned int i = 0; i < OBJECTS;)
		if (corral_ring_dequeue(r, &o) == 0)
			right += o == pointer(i++);
		else
			sched_yield();
	return right;
}

static unsigned int flags;

static void c_and_cpp_on_one_ring(void)
{
	struct corral_ring *r = corral_ring_create(NULL, 100, flags);
	pthread_t thread;

	CHECK(r != NULL);
	CHECK_EQ_INT(pthread_create(&thread, NULL, cpp_produces, r), 0);
	CHECK_EQ_INT(c_consumes(r), OBJECTS);
	CHECK_EQ_INT(pthread_join(thread, NULL), 0);
	CHECK_EQ_INT(pthread_create(&thread, NULL, c_produces, r), 0);
	CHECK_EQ_INT(lang_cpp_consume(r, OBJECTS), OBJECTS);
	CHECK_EQ_INT(pthread_join(thread, NULL), 0);
	CHECK(corral_ring_empty(r));
	CHECK_EQ_INT(corral_ring_free(r), 0);
}

int main(void)
{
	TEST(layout_is_the_same_in_both_languages);
	TEST(calls_from_cpp);
	flags = CORRAL_RING_F_SP_ENQ | CORRAL_RING_F_SC_DEQ;
	TEST_AS("c_and_cpp_on_one_ring_ST", c_and_cpp_on_one_ring);
	flags = CORRAL_RING_F_MP_STRICT_ENQ | CORRAL_RING_F_MC_STRICT_DEQ;
	TEST_AS("c_and_cpp_on_one_ring_MT", c_and_cpp_on_one_ring);
	flags = CORRAL_RING_F_MP_RTS_ENQ | CORRAL_RING_F_MC_RTS_DEQ;
	TEST_AS("c_and_cpp_on_one_ring_RTS", c_and_cpp_on_one_ring);
	flags = CORRAL_RING_F_MP_HTS_ENQ | CORRAL_RING_F_MC_HTS_DEQ;
	TEST_AS("c_and_cpp_on_one_ring_HTS", c_and_cpp_on_one_ring);
	return test_end();
}
