/* SPDX-License-Identifier: BSD-3-Clause */
/* test_test.c - the test frame itself: each case runs tests in a child process and looks at what they print. */
#include "test.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/wait.h>
#include <unistd.h>

static char out[4096];

static const char went_on[] = "went on after a check that does not hold";

/* In the child: the tests and the plan, on the standard output fd; its exit status is main's. */
static void be_child(void (*tests)(void), int fd)
{
	int rc;

	if (dup2(fd, STDOUT_FILENO) < 0)
		_exit(99);
	memset(&test_state_, 0, sizeof(test_state_));
	tests();
	rc = test_end();
	fflush(stdout);
	_exit(rc);
}

static int exit_status(pid_t pid)
{
	int status;

	CHECK_EQ_INT(waitpid(pid, &status, 0), pid);
	CHECK(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* What the tests print goes to out; returns the exit status. */
static int run_child(void (*tests)(void))
{
	size_t used = 0;
	ssize_t n;
	pid_t pid;
	int to[2];

	CHECK_EQ_INT(pipe(to), 0);
	fflush(stdout);
	pid = fork();
	CHECK(pid >= 0);
	if (pid == 0)
		be_child(tests, to[1]);
	close(to[1]);
	while ((n = read(to[0], out + used, sizeof(out) - 1 - used)) > 0)
		used += (size_t)n;
	CHECK_EQ_INT(n, 0);
	CHECK_LT_INT(used, sizeof(out) - 1);
	out[used] = '\0';
	close(to[0]);
	return exit_status(pid);
}

static int once;

static void holds(void)
{
	static const char text[] = "text";

	CHECK(1 + 1 == 2);
	CHECK_EQ_INT(-5, -5);
	CHECK_NE_INT(-5, 5);
	CHECK_GE_INT(5, 5);
	CHECK_GE_INT(6, 5);
	CHECK_LE_INT(5, 5);
	CHECK_LE_INT(-6, 5);
	CHECK_GT_INT(6, 5);
	CHECK_LT_INT(-6, -5);
	CHECK_LT_INT(INT64_MIN, INT64_MAX);
	CHECK_EQ_HEX(UINT64_MAX, UINT64_MAX);
	CHECK_EQ_PTR(text, text);
	CHECK_EQ_PTR(NULL, NULL);
	CHECK_EQ_STR(text, "text");
	CHECK_HAS_STR(text, "ex");
	CHECK_HAS_STR(text, "");
}

static void evaluates_once(void)
{
	once = 0;
	CHECK(++once == 1);
	CHECK_EQ_INT(++once, 2);
	CHECK_EQ_INT(3, ++once);
	CHECK_EQ_HEX(++once, 4);
	CHECK_EQ_STR((once++, "a"), "a");
	CHECK_EQ_PTR((once++, &once), &once);
	CHECK_HAS_STR((once++, "abc"), "b");
	CHECK_EQ_INT(once, 7);
}

static void tests_that_hold(void)
{
	TEST(holds);
	TEST(evaluates_once);
	TEST_AS("another name", holds);
}

static void a_case_that_holds_passes(void)
{
	CHECK_EQ_INT(run_child(tests_that_hold), 0);
	CHECK_EQ_STR(out, "ok 1 - holds\nok 2 - evaluates_once\nok 3 - another name\n1..3\n");
}

/* A test that breaks says first in which line it will. */
static void breaks(void)
{
	printf("# line %d\n", __LINE__ + 1);
	CHECK_EQ_INT(2 + 2, 4 + 1);
	puts(went_on);
}

static void breaks_below(void)
{
	breaks();
	puts(went_on);
}

static void tests_that_break(void)
{
	TEST(breaks);
	TEST(breaks_below);
	TEST(holds);
}

static void a_case_that_breaks_fails_and_says_where(void)
{
	char want[4096];
	int line;

	CHECK_EQ_INT(run_child(tests_that_break), 1);
	CHECK_EQ_INT(sscanf(out, "# line %d", &line), 1);
	snprintf(want, sizeof(want),
		 "# line %d\n# %s:%d: 2 + 2 is 4, should be == 5 (4 + 1)\nnot ok 1 - breaks\n"
		 "# line %d\n# %s:%d: 2 + 2 is 4, should be == 5 (4 + 1)\nnot ok 2 - breaks_below\n"
		 "ok 3 - holds\n1..3\n",
		 line, __FILE__, line, line, __FILE__, line);
	CHECK_EQ_STR(out, want);
}

#define BREAKS(name, check) \
	static void name(void) \
	{ \
		check; \
		puts(went_on); \
	}

static const char no_text[] = "nothing", *const null_text = NULL;

BREAKS(cond, CHECK(once != once))
BREAKS(eq_int, CHECK_EQ_INT(INT64_MIN, INT64_MAX))
BREAKS(ne_int, CHECK_NE_INT(7, 7))
BREAKS(ge_int, CHECK_GE_INT(-1, 0))
BREAKS(le_int, CHECK_LE_INT(1, 0))
BREAKS(gt_int, CHECK_GT_INT(3, 3))
BREAKS(lt_int, CHECK_LT_INT(3, 3))
BREAKS(eq_hex, CHECK_EQ_HEX(UINT64_MAX, UINT64_C(0x7fffffffffffffff)))
BREAKS(eq_hex_upper, CHECK_EQ_HEX(UINT64_C(0x100000000), 0))
BREAKS(eq_ptr, CHECK_EQ_PTR(no_text, no_text + 1))
BREAKS(eq_str, CHECK_EQ_STR("left", "right"))
BREAKS(eq_str_null, CHECK_EQ_STR(null_text, "right"))
BREAKS(eq_null_str, CHECK_EQ_STR("left", null_text))
BREAKS(has_str, CHECK_HAS_STR("haystack", "needle"))
BREAKS(has_str_null, CHECK_HAS_STR(null_text, "needle"))

static const struct {
	void (*fn)(void);
	const char *says;
} breaking[] = {
	{ cond, "does not hold: once != once\n" },
	{ eq_int, " is -9223372036854775808, should be == 9223372036854775807 (" },
	{ ne_int, "7 is 7, should be != 7 (7)\n" },
	{ ge_int, "-1 is -1, should be >= 0 (0)\n" },
	{ le_int, "1 is 1, should be <= 0 (0)\n" },
	{ gt_int, "3 is 3, should be > 3 (3)\n" },
	{ lt_int, "3 is 3, should be < 3 (3)\n" },
	{ eq_hex, " is 0xffffffffffffffff, should be 0x7fffffffffffffff (" },
	{ eq_hex_upper, " is 0x100000000, should be 0x0 (0)\n" },
	{ eq_ptr, "no_text is 0x" },
	{ eq_str, "\"left\" is \"left\", should be \"right\"\n" },
	{ eq_str_null, "null_text is \"NULL\", should be \"right\"\n" },
	{ eq_null_str, "\"left\" is \"left\", should be \"NULL\"\n" },
	{ has_str, "no needle here: \"haystack\"\n" },
	{ has_str_null, "no needle here: \"NULL\"\n" },
};

static unsigned int which;

static void one_that_breaks(void)
{
	TEST_AS("inner", breaking[which].fn);
}

static void every_check_shows_its_values(void)
{
	for (which = 0; which < sizeof(breaking) / sizeof(breaking[0]); which++) {
		CHECK_EQ_INT(run_child(one_that_breaks), 1);
		CHECK_HAS_STR(out, breaking[which].says);
		CHECK_HAS_STR(out, "\nnot ok 1 - inner\n1..1\n");
		CHECK(strstr(out, went_on) == NULL);
	}
}

static void skips(void)
{
	SKIP("no elephant here");
	puts(went_on);
}

static void tests_with_a_skip(void)
{
	TEST(skips);
	TEST(holds);
}

static void a_skipped_case_says_why(void)
{
	CHECK_EQ_INT(run_child(tests_with_a_skip), 0);
	CHECK_EQ_STR(out, "ok 1 - skips # SKIP no elephant here\nok 2 - holds\n1..2\n");
}

static void *break_in_thread(void *arg)
{
	CHECK_EQ_INT(2 + 2, 5);
	puts(went_on);
	return arg;
}

static void waits_for_a_thread_that_breaks(void)
{
	pthread_t t;

	CHECK_EQ_INT(pthread_create(&t, NULL, break_in_thread, NULL), 0);
	pthread_join(t, NULL);
	puts(went_on);
}

static void tests_with_a_thread(void)
{
	TEST(waits_for_a_thread_that_breaks);
	TEST(holds);
}

static void a_check_in_another_thread_ends_the_program(void)
{
	CHECK_EQ_INT(run_child(tests_with_a_thread), 1);
	CHECK_HAS_STR(out, "2 + 2 is 4, should be == 5 (5)\nBail out! ");
	CHECK(strstr(out, went_on) == NULL);
	CHECK(strstr(out, "ok") == NULL);
	CHECK(strstr(out, "1..") == NULL);
}

static void no_test(void)
{
}

static void a_program_without_tests_has_an_empty_plan(void)
{
	CHECK_EQ_INT(run_child(no_test), 0);
	CHECK_EQ_STR(out, "1..0\n");
}

static void output_that_is_lost_is_a_failure(void)
{
	int fd = open("/dev/full", O_WRONLY);
	pid_t pid;

	if (fd < 0)
		SKIP("/dev/full cannot be opened: mknod -m 666 /dev/full c 1 7");
	fflush(stdout);
	pid = fork();
	CHECK(pid >= 0);
	if (pid == 0)
		be_child(tests_that_hold, fd);
	close(fd);
	CHECK_EQ_INT(exit_status(pid), 1);
}

int main(void)
{
	TEST(a_case_that_holds_passes);
	TEST(a_case_that_breaks_fails_and_says_where);
	TEST(every_check_shows_its_values);
	TEST(a_skipped_case_says_why);
	TEST(a_check_in_another_thread_ends_the_program);
	TEST(a_program_without_tests_has_an_empty_plan);
	TEST(output_that_is_lost_is_a_failure);
	return test_end();
}
