/* SPDX-License-Identifier: BSD-3-Clause */
/* test_test.c - the tests' own frame: what fails is told, and what is told is counted. */
#include "test.h"

#include <sys/wait.h>
#include <unistd.h>

/* ---- programs in a child ---- */

static void holds(void)
{
	CHECK(2 + 2 == 4);
	CHECK_EQ_INT(-1, -1);
	CHECK_EQ_STR("a", "a");
}

static void breaks(void)
{
	CHECK_EQ_INT(2 + 2, 5);
	puts("went on");
}

static void shows_texts(void)
{
	const char *left = "left";

	CHECK_EQ_STR(left, "right");
}

static void looks_for_words(void)
{
	CHECK_HAS_STR("elephant", "ant");
	CHECK_HAS_STR("elephant", "bee");
}

static void is_skipped(void)
{
	SKIP("no moon: wait a month");
}

static void *in_thread(void *arg)
{
	CHECK(arg != NULL);
	return NULL;
}

static void breaks_in_a_thread(void)
{
	pthread_t t;

	pthread_create(&t, NULL, in_thread, NULL);
	pthread_join(t, NULL);
}

static char out[4096];

/* Run two tests in a child: fn and one that holds. Its exit status. */
static int run(void (*fn)(void))
{
	size_t n = 0;
	ssize_t got;
	int to[2], status;
	pid_t pid;

	fflush(stdout);
	CHECK(pipe(to) == 0);
	pid = fork();
	CHECK(pid >= 0);
	if (pid == 0) {
		dup2(to[1], 1);
		close(to[0]);
		close(to[1]);
		memset(&test_state_, 0, sizeof(test_state_));
		test_run_("inner", fn);
		test_run_("next", holds);
		status = test_end();
		fflush(stdout);
		_exit(status);
	}
	close(to[1]);
	while (n < sizeof(out) - 1 && (got = read(to[0], out + n, sizeof(out) - 1 - n)) > 0)
		n += (size_t)got;
	out[n] = '\0';
	close(to[0]);
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void a_case_that_holds_passes(void)
{
	CHECK_EQ_INT(run(holds), 0);
	CHECK_EQ_STR(out, "ok 1 - inner\nok 2 - next\n1..2\n");
}

static void a_case_that_breaks_fails_and_says_where(void)
{
	CHECK_EQ_INT(run(breaks), 1);
	CHECK_HAS_STR(out, "test_test.c:");
	CHECK_HAS_STR(out, "2 + 2 is 4, should be == 5");
	CHECK_HAS_STR(out, "not ok 1 - inner\n");
	CHECK(strstr(out, "went on") == NULL);
	CHECK_HAS_STR(out, "ok 2 - next\n1..2\n"); /* the next one runs */
}

static void texts_are_shown(void)
{
	CHECK_EQ_INT(run(shows_texts), 1);
	CHECK_HAS_STR(out, "left is \"left\", should be \"right\"");
	CHECK_EQ_INT(run(looks_for_words), 1);
	CHECK_HAS_STR(out, "no bee here: \"elephant\"");
}

static void a_skipped_case_says_why(void)
{
	CHECK_EQ_INT(run(is_skipped), 0);
	CHECK_HAS_STR(out, "ok 1 - inner # SKIP no moon: wait a month\n");
	CHECK_HAS_STR(out, "ok 2 - next\n1..2\n");
}

static void a_check_in_another_thread_ends_the_program(void)
{
	CHECK_EQ_INT(run(breaks_in_a_thread), 1);
	CHECK_HAS_STR(out, "Bail out!");
	CHECK_HAS_STR(out, "test_test.c:");
	CHECK(strstr(out, "1..") == NULL);
}

static void arguments_are_evaluated_once(void)
{
	int n = 0;

	CHECK_EQ_INT(++n, 1);
	CHECK_GE_INT(n++, 1);
	CHECK_EQ_HEX(n++, 2);
	CHECK_EQ_INT(n, 3);
}

int main(void)
{
	TEST(a_case_that_holds_passes);
	TEST(a_case_that_breaks_fails_and_says_where);
	TEST(texts_are_shown);
	TEST(a_skipped_case_says_why);
	TEST(a_check_in_another_thread_ends_the_program);
	TEST(arguments_are_evaluated_once);
	return test_end();
}
