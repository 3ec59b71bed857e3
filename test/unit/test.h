/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test.h - the test programs' frame: TAP on standard output, one line a test.
 *
 *   static void adds_up(void) { CHECK_EQ_INT(1 + 1, 2); }
 *   int main(void) { TEST(adds_up); return test_end(); }
 *
 * A check that does not hold says where and what, and ends its test; the next test runs. In a thread other than the
 * test's own it ends the program ("Bail out!"), since nothing could be unwound. Each argument is evaluated once.
 */
#ifndef CORRAL_TEST_H
#define CORRAL_TEST_H

#include <inttypes.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
	unsigned int count, failed;
	pthread_t self;
	jmp_buf out;
	const char *skipped;
} test_state_;

__attribute__((unused, noreturn)) static void test_leave_(void)
{
	fflush(stdout);
	if (pthread_equal(test_state_.self, pthread_self()))
		longjmp(test_state_.out, 1);
	printf("Bail out! a check in another thread does not hold\n");
	fflush(stdout);
	_Exit(1);
}

__attribute__((unused, noreturn, format(printf, 3, 4))) static void test_fail_(const char *file, int line,
									       const char *fmt, ...)
{
	va_list args;

	printf("# %s:%d: ", file, line);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
	test_leave_();
}

/* What a failed test allocated is not freed: the program is about to end, and says that it failed. */
__attribute__((unused)) static void test_run_(const char *name, void (*fn)(void))
{
	volatile int failed = 1;

	test_state_.count++;
	test_state_.self = pthread_self();
	test_state_.skipped = NULL;
	if (setjmp(test_state_.out) == 0) {
		fn();
		failed = 0;
	}
	if (test_state_.skipped != NULL)
		printf("ok %u - %s # SKIP %s\n", test_state_.count, name, test_state_.skipped);
	else
		printf("%s %u - %s\n", failed ? "not ok" : "ok", test_state_.count, name);
	fflush(stdout);
	test_state_.failed += failed && test_state_.skipped == NULL;
}

/** Run the test function fn. */
#define TEST(fn) test_run_(#fn, fn)

/** Run fn under another name (for tests made from tables): name is a string. */
#define TEST_AS(name, fn) test_run_(name, fn)

/** The plan; returns main's exit status. */
__attribute__((unused)) static int test_end(void)
{
	printf("1..%u\n", test_state_.count);
	return test_state_.failed != 0 || fflush(stdout) != 0;
}

/** End this test as skipped; why names what is missing and how to get it. */
#define SKIP(why) \
	do { \
		test_state_.skipped = (why); \
		test_leave_(); \
	} while (0)

#define CHECK(cond) \
	do { \
		if (!(cond)) \
			test_fail_(__FILE__, __LINE__, "does not hold: %s", #cond); \
	} while (0)

#define CHECK_INT_(a, op, b) \
	do { \
		intmax_t a_ = (intmax_t)(a), b_ = (intmax_t)(b); \
		if (!(a_ op b_)) \
			test_fail_(__FILE__, __LINE__, "%s is %" PRIdMAX ", should be " #op " %" PRIdMAX " (%s)", #a, \
				   a_, b_, #b); \
	} while (0)
#define CHECK_EQ_INT(a, b) CHECK_INT_(a, ==, b)
#define CHECK_NE_INT(a, b) CHECK_INT_(a, !=, b)
#define CHECK_GE_INT(a, b) CHECK_INT_(a, >=, b)
#define CHECK_LE_INT(a, b) CHECK_INT_(a, <=, b)
#define CHECK_GT_INT(a, b) CHECK_INT_(a, >, b)
#define CHECK_LT_INT(a, b) CHECK_INT_(a, <, b)

/** For values above INT64_MAX: positions and the like. */
#define CHECK_EQ_HEX(a, b) \
	do { \
		uint64_t a_ = (uint64_t)(a), b_ = (uint64_t)(b); \
		if (a_ != b_) \
			test_fail_(__FILE__, __LINE__, "%s is 0x%" PRIx64 ", should be 0x%" PRIx64 " (%s)", #a, a_, \
				   b_, #b); \
	} while (0)

#define CHECK_EQ_PTR(a, b) \
	do { \
		const void *a_ = (a), *b_ = (b); \
		if (a_ != b_) \
			test_fail_(__FILE__, __LINE__, "%s is %p, should be %p (%s)", #a, a_, b_, #b); \
	} while (0)

#define CHECK_EQ_STR(a, b) \
	do { \
		const char *a_ = (a), *b_ = (b); \
		if (a_ == NULL || b_ == NULL || strcmp(a_, b_) != 0) \
			test_fail_(__FILE__, __LINE__, "%s is \"%s\", should be \"%s\"", #a, a_ ? a_ : "NULL", \
				   b_ ? b_ : "NULL"); \
	} while (0)

/** The text has the words somewhere in it. */
#define CHECK_HAS_STR(text, words) \
	do { \
		const char *a_ = (text), *b_ = (words); \
		if (a_ == NULL || strstr(a_, b_) == NULL) \
			test_fail_(__FILE__, __LINE__, "no %s here: \"%s\"", b_, a_ ? a_ : "NULL"); \
	} while (0)

#endif
