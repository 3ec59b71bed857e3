/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_lcore_team.c - threads that are pinned and start together or not at all, and what is known about a CPU.
 */
#include "test.h"

#include "lcore/scan.h"
#include <corral/lcore.h>

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORKERS 8u

/* What a worker saw of itself. */
struct seen {
	unsigned int number; /* as its function was told */
	uint32_t id, index;
	struct corral_cpuset cpus;
	int cpu;
	char name[16];
	sigset_t signals;
};

static struct seen seen[WORKERS];
static uint32_t calls; /* by atomic builtins: workers add to it */

static void plan_layout(struct corral_lcore_plan *p, uint32_t threads, uint32_t cores, uint32_t floating)
{
	struct corral_layout l = { threads, cores, floating };

	CHECK_EQ_INT(corral_lcore_plan_layout(p, &l, CORRAL_ROLES_BOTH, NULL, NULL), 0);
}

/* As many cores as there are, up to two: machines of one CPU have teams, too. */
static uint32_t some_cores(void)
{
	struct corral_cpuset set;
	int count = corral_lcore_allowed(&set);

	CHECK_GE_INT(count, 1);
	return count > 1 ? 2 : 1;
}

static int look_around(unsigned int index, void *arg)
{
	struct seen *s = (struct seen *)arg + index;

	__atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
	s->number = index;
	s->id = corral_lcore_id();
	s->index = corral_lcore_index();
	CHECK(corral_lcore_allowed(&s->cpus) > 0);
	s->cpu = sched_getcpu();
	CHECK_EQ_INT(pthread_getname_np(pthread_self(), s->name, sizeof(s->name)), 0);
	CHECK_EQ_INT(pthread_sigmask(SIG_BLOCK, NULL, &s->signals), 0);
	return index == 3 ? -7 : 0;
}

/* The whole life of a team of WORKERS or fewer that looks around. */
static void check_team(const struct corral_lcore_plan *p)
{
	struct corral_lcore_job job[WORKERS];
	struct corral_lcore_team *team = NULL;
	unsigned int i, failed = p->count > 3;
	int results[WORKERS];
	char name[32];

	CHECK_LE_INT(p->count, WORKERS);
	memset(seen, 0xff, sizeof(seen));
	for (i = 0; i < p->count; i++)
		job[i] = (struct corral_lcore_job){ look_around, seen };
	CHECK_EQ_INT(corral_lcore_launch(&team, p, job, NULL), 0);
	CHECK(team != NULL);
	memset(job, 0, sizeof(job)); /* they are copied */
	CHECK_EQ_INT(corral_lcore_wait(team, results), failed);
	for (i = 0; i < p->count; i++) {
		CHECK_EQ_INT(seen[i].number, i);
		CHECK_EQ_INT(seen[i].index, i);
		CHECK_EQ_INT(seen[i].id, p->worker[i].id);
		CHECK(corral_cpuset_equal(&seen[i].cpus, &p->worker[i].cpus));
		CHECK(corral_cpuset_has(&seen[i].cpus, (unsigned int)seen[i].cpu));
		snprintf(name, sizeof(name), "corral-w%u", i);
		CHECK_EQ_STR(seen[i].name, name);
		CHECK_EQ_INT(results[i], i == 3 ? -7 : 0);
	}
	CHECK_EQ_INT(corral_lcore_id(), CORRAL_LCORE_NONE);
	CHECK_EQ_INT(corral_lcore_index(), CORRAL_LCORE_NONE);
}

static void this_process_may_use_a_cpu(void)
{
	struct corral_cpuset set;
	int count = corral_lcore_allowed(&set);

	CHECK(count >= 1);
	CHECK_EQ_INT(corral_cpuset_count(&set), count);
	CHECK_EQ_INT(corral_lcore_id(), CORRAL_LCORE_NONE);
	CHECK_EQ_INT(corral_lcore_index(), CORRAL_LCORE_NONE);
}

static void workers_run_where_the_layout_says(void)
{
	struct corral_lcore_plan p;

	plan_layout(&p, WORKERS, some_cores(), 0);
	check_team(&p);
	corral_lcore_plan_free(&p);
	plan_layout(&p, 1, 1, 0);
	check_team(&p);
	corral_lcore_plan_free(&p);
}

static void floating_workers_may_run_on_all_its_cores(void)
{
	struct corral_lcore_plan p;

	plan_layout(&p, WORKERS, some_cores(), 1);
	check_team(&p);
	corral_lcore_plan_free(&p);
}

static void workers_of_a_list_have_its_ids(void)
{
	struct corral_cpuset mine;
	struct corral_lcore_plan p;
	struct corral_lcores l;
	unsigned int cpu;
	char text[64];

	CHECK_GE_INT(corral_lcore_allowed(&mine), 1);
	cpu = corral_cpuset_next(&mine, 0);
	snprintf(text, sizeof(text), "5@%u,(1000-%u)@%u", cpu, 1000 + WORKERS - 1, cpu);
	CHECK_EQ_INT(corral_lcores_parse(&l, text, NULL, NULL), 0);
	CHECK_EQ_INT(corral_lcore_plan_list(&p, &l, CORRAL_ROLES_BOTH, NULL), 0);
	corral_lcores_free(&l);
	CHECK_EQ_INT(p.worker[1].id, 1001);
	check_team(&p);
	corral_lcore_plan_free(&p);
}

static void workers_may_run_where_their_launcher_does_not(void)
{
	struct corral_cpuset before, first;
	struct corral_lcore_plan p;

	CHECK_GE_INT(corral_lcore_allowed(&before), 1);
	plan_layout(&p, 4, some_cores(), 0);
	corral_cpuset_zero(&first);
	CHECK_EQ_INT(corral_cpuset_add(&first, corral_cpuset_next(&before, 0)), 0);
	CHECK_EQ_INT(corral_lcore_pin(&first), 0);
	/* whoever is pinned may use what it is pinned to, no more */
	CHECK_EQ_INT(corral_lcore_allowed(&first), 1);
	check_team(&p);
	CHECK_EQ_INT(corral_lcore_pin(&before), 0);
	corral_lcore_plan_free(&p);
}

static void workers_have_the_signal_mask_of_their_launcher(void)
{
	struct corral_lcore_plan p;
	sigset_t block, before;
	unsigned int i;

	sigemptyset(&block);
	sigaddset(&block, SIGUSR1);
	CHECK_EQ_INT(pthread_sigmask(SIG_BLOCK, &block, &before), 0);
	plan_layout(&p, 2, 1, 0);
	check_team(&p);
	corral_lcore_plan_free(&p);
	CHECK_EQ_INT(pthread_sigmask(SIG_SETMASK, &before, NULL), 0);
	for (i = 0; i < 2; i++) {
		CHECK_EQ_INT(sigismember(&seen[i].signals, SIGUSR1), 1);
		CHECK_EQ_INT(sigismember(&seen[i].signals, SIGUSR2), 0);
	}
}

/* A worker's function returns once all of them have been called: that never ends unless they run together. */
static int meet(unsigned int index, void *arg)
{
	(void)index;
	__atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
	while (__atomic_load_n(&calls, __ATOMIC_RELAXED) < *(unsigned int *)arg)
		sched_yield();
	return 0;
}

static void all_workers_run_at_once(void)
{
	struct corral_lcore_job job[64];
	struct corral_lcore_team *team;
	struct corral_lcore_plan p;
	unsigned int i, count = 64;

	plan_layout(&p, count, some_cores(), 0);
	for (i = 0; i < count; i++)
		job[i] = (struct corral_lcore_job){ meet, &count };
	calls = 0;
	CHECK_EQ_INT(corral_lcore_launch(&team, &p, job, NULL), 0);
	corral_lcore_plan_free(&p); /* nobody needs it any more */
	CHECK_EQ_INT(corral_lcore_wait(team, NULL), 0);
	CHECK_EQ_INT(calls, count);
}

static void pinning_outside_is_refused_and_changes_nothing(void)
{
	struct corral_cpuset before, after, set;

	CHECK_GE_INT(corral_lcore_allowed(&before), 1);
	corral_cpuset_zero(&set);
	CHECK_EQ_INT(corral_lcore_pin(&set), -EINVAL);
	CHECK_EQ_INT(corral_cpuset_add(&set, CORRAL_CPU_LIMIT - 1), 0);
	CHECK_EQ_INT(corral_lcore_pin(&set), -EINVAL);
	/* one that is there does not help: exactly these, or none */
	CHECK_EQ_INT(corral_cpuset_add(&set, corral_cpuset_next(&before, 0)), 0);
	CHECK_EQ_INT(corral_lcore_pin(&set), -EINVAL);
	CHECK_GE_INT(corral_lcore_allowed(&after), 1);
	CHECK(corral_cpuset_equal(&before, &after));
}

static void one_worker_that_cannot_be_pinned_stops_all(void)
{
	static const unsigned int which[] = { WORKERS - 1, 0 };
	struct corral_lcore_job job[WORKERS];
	struct corral_lcore_team *team;
	struct corral_lcore_error e;
	struct corral_lcore_plan p;
	char words[64];
	unsigned int i, n;

	for (i = 0; i < WORKERS; i++)
		job[i] = (struct corral_lcore_job){ look_around, seen };
	for (n = 0; n < 2; n++) {
		unsigned int bad = which[n];

		plan_layout(&p, WORKERS, some_cores(), 0);
		corral_cpuset_zero(&p.worker[bad].cpus);
		CHECK_EQ_INT(corral_cpuset_add(&p.worker[bad].cpus, CORRAL_CPU_LIMIT - 1), 0);
		calls = 0;
		team = (struct corral_lcore_team *)&p;
		CHECK_EQ_INT(corral_lcore_launch(&team, &p, job, &e), -EINVAL);
		CHECK_EQ_PTR(team, NULL);
		snprintf(words, sizeof(words), "worker %u cannot run on CPU 8191", bad);
		CHECK_HAS_STR(e.text, words);
		CHECK(e.pos == CORRAL_LCORE_NO_PLACE);
		/* and one CPU that is there does not help */
		CHECK_EQ_INT(corral_cpuset_add(&p.worker[bad].cpus, corral_cpuset_next(&p.worker[1].cpus, 0)), 0);
		CHECK_EQ_INT(corral_lcore_launch(&team, &p, job, NULL), -EINVAL);
		CHECK_EQ_PTR(team, NULL);
		CHECK_EQ_INT(calls, 0);
		corral_lcore_plan_free(&p);
	}
}

static void an_empty_plan_has_no_team(void)
{
	struct corral_lcore_team *team = (struct corral_lcore_team *)&team;
	struct corral_lcore_plan p = { 0 };
	struct corral_lcore_error e;

	CHECK_EQ_INT(corral_lcore_launch(&team, &p, NULL, &e), -EINVAL);
	CHECK_EQ_PTR(team, NULL);
	CHECK_EQ_STR(e.text, "the plan has no workers");
	CHECK_EQ_INT(corral_lcore_wait(NULL, NULL), 0);
}

static int leave(unsigned int index, void *arg)
{
	if (index == 1)
		pthread_exit(arg);
	return 0;
}

static void a_worker_that_leaves_by_itself_counts_as_cancelled(void)
{
	struct corral_lcore_job job[2] = { { leave, NULL }, { leave, NULL } };
	struct corral_lcore_team *team;
	struct corral_lcore_plan p;
	int results[2];

	plan_layout(&p, 2, 1, 0);
	CHECK_EQ_INT(corral_lcore_launch(&team, &p, job, NULL), 0);
	CHECK_EQ_INT(corral_lcore_wait(team, results), 1);
	CHECK_EQ_INT(results[0], 0);
	CHECK_EQ_INT(results[1], -ECANCELED);
	corral_lcore_plan_free(&p);
}

/* ---- A limit of threads ---- */

/* Nobody's, so that few threads count against the limit: those of this test, wherever else it runs at the time. */
#define NOBODYS_UID 60977
#define MANY 64u

enum { CHILD_OK, CHILD_UNLIMITED, CHILD_FAILED };

static unsigned int threads_now(void)
{
	struct dirent *entry;
	unsigned int count = 0;
	DIR *dir = opendir("/proc/self/task");

	CHECK(dir != NULL);
	while ((entry = readdir(dir)))
		count += entry->d_name[0] != '.';
	closedir(dir);
	return count;
}

/* One attempt: the number of the thread that could not be created, from 1; 0 if all could. */
static unsigned int launch_limited(const struct corral_lcore_plan *p, const struct corral_lcore_job *job)
{
	struct corral_lcore_team *team = NULL;
	struct corral_lcore_error e;
	unsigned int number = 0, of = 0;
	int err = corral_lcore_launch(&team, p, job, &e);

	if (!err) {
		corral_lcore_wait(team, NULL);
		return 0;
	}
	CHECK_EQ_INT(err, -EAGAIN);
	CHECK_EQ_PTR(team, NULL);
	CHECK(e.pos == CORRAL_LCORE_NO_PLACE);
	CHECK_EQ_INT(sscanf(e.text, "cannot create thread %u of %u: ", &number, &of), 2);
	CHECK_EQ_INT(of, MANY);
	CHECK(number >= 1 && number <= MANY);
	CHECK_EQ_INT(calls, 0);
	return number;
}

/*
 * In a process of its own. The limit counts all threads of a user, in this process or not, so it rises until the third
 * thread is the one that cannot be had (or one after it): there are then threads at the gate to be sent away.
 */
static int under_a_limit(void)
{
	struct corral_lcore_job job[MANY];
	struct corral_lcore_plan p;
	struct rlimit limit;
	unsigned int i, before, number = 0, tries = 0;

	for (i = 0; i < MANY; i++)
		job[i] = (struct corral_lcore_job){ look_around, seen };
	plan_layout(&p, MANY, some_cores(), 0);
	before = threads_now();
	/* by the system call: this thread alone becomes another user, not those of a sanitizer or an emulator */
	(void)!syscall(SYS_setresuid, NOBODYS_UID, NOBODYS_UID, NOBODYS_UID);
	CHECK_EQ_INT(getrlimit(RLIMIT_NPROC, &limit), 0);
	calls = 0;
	for (limit.rlim_cur = 1; number < 3 && limit.rlim_cur < limit.rlim_max; limit.rlim_cur++, tries++) {
		CHECK_EQ_INT(setrlimit(RLIMIT_NPROC, &limit), 0);
		number = launch_limited(&p, job);
		if (number == 0)
			return tries == 0 ? CHILD_UNLIMITED : CHILD_FAILED;
	}
	CHECK_GE_INT(number, 3);
	corral_lcore_plan_free(&p);
	while (threads_now() != before) /* a thread that was joined shows for a moment more */
		sched_yield();
	return CHILD_OK;
}

static void a_thread_that_cannot_be_created_stops_all(void)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	CHECK(pid >= 0);
	if (pid == 0) {
		int rc = CHILD_FAILED;

		if (setjmp(test_state_.out) == 0)
			rc = under_a_limit();
		fflush(stdout);
		_exit(rc);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK(WIFEXITED(status));
	if (WEXITSTATUS(status) == CHILD_UNLIMITED)
		SKIP("no limit of threads holds for this user here (RLIMIT_NPROC, and CAP_SETUID to be another user)");
	CHECK_EQ_INT(WEXITSTATUS(status), CHILD_OK);
}

/* ---- What is known about a CPU ---- */

static char root[64];

static void put_dir(const char *name)
{
	char path[160];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	CHECK(mkdir(path, 0700) == 0);
}

static void put_file(const char *name, const char *text)
{
	char path[160];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	f = fopen(path, "we");
	CHECK(f != NULL);
	CHECK(fputs(text, f) >= 0);
	CHECK(fclose(f) == 0);
}

struct pretended {
	unsigned int cpu;
	const char *siblings, *package; /* NULL: no such file */
	const char *node;		/* what stands in its folder */
	int want_siblings, want_package, want_node;
};

/* CPU 9 has no folder. */
static const struct pretended machine[] = {
	{ 3, "3,7\n", "1\n", "node2", 2, 1, 2 },
	{ 4, "four\n", "-1\n", NULL, -ENOENT, -ENOENT, -ENOENT },
	{ 5, "", "12345678901\n", "nodeX", -ENOENT, -ENOENT, -ENOENT },
	{ 6, NULL, NULL, "node", -ENOENT, -ENOENT, -ENOENT },
	{ 7, "0-8191", "0", "node99999999", 8192, 0, -ENOENT },
	{ 8, "8", "7x\n", "node0", 1, -ENOENT, 0 },
};

static void make_machine(void)
{
	char name[64];
	size_t i;

	snprintf(root, sizeof(root), "/tmp/corral-lcore-XXXXXX");
	CHECK(mkdtemp(root) != NULL);
	for (i = 0; i < sizeof(machine) / sizeof(machine[0]); i++) {
		const struct pretended *m = &machine[i];

		snprintf(name, sizeof(name), "cpu%u", m->cpu);
		put_dir(name);
		snprintf(name, sizeof(name), "cpu%u/topology", m->cpu);
		put_dir(name);
		snprintf(name, sizeof(name), "cpu%u/topology/thread_siblings_list", m->cpu);
		if (m->siblings)
			put_file(name, m->siblings);
		snprintf(name, sizeof(name), "cpu%u/topology/physical_package_id", m->cpu);
		if (m->package)
			put_file(name, m->package);
		if (m->node) {
			snprintf(name, sizeof(name), "cpu%u/%s", m->cpu, m->node);
			put_dir(name);
		}
	}
}

static void drop(const char *fmt, unsigned int cpu, const char *node)
{
	char name[64], path[160];

	snprintf(name, sizeof(name), fmt, cpu, node);
	snprintf(path, sizeof(path), "%s/%s", root, name);
	(void)remove(path); /* not all of them are there */
}

static void drop_machine(void)
{
	size_t i;

	for (i = 0; i < sizeof(machine) / sizeof(machine[0]); i++) {
		drop("cpu%u/topology/thread_siblings_list", machine[i].cpu, "");
		drop("cpu%u/topology/physical_package_id", machine[i].cpu, "");
		drop("cpu%u/topology", machine[i].cpu, "");
		if (machine[i].node)
			drop("cpu%u/%s", machine[i].cpu, machine[i].node);
		drop("cpu%u", machine[i].cpu, "");
	}
	CHECK(rmdir(root) == 0);
}

static void facts_of_a_pretended_machine(void)
{
	struct corral_cpuset set, before;
	int siblings[16], package[16], node[16];
	const size_t count = sizeof(machine) / sizeof(machine[0]);
	size_t i;

	corral_cpuset_zero(&before);
	CHECK_EQ_INT(corral_cpuset_add(&before, 5), 0);
	make_machine();
	for (i = 0; i <= count; i++) {
		unsigned int cpu = i < count ? machine[i].cpu : 9;

		set = before;
		siblings[i] = corral_lcore_siblings_at_(root, cpu, &set);
		if (cpu == 3 && !(corral_cpuset_has(&set, 3) && corral_cpuset_has(&set, 7)))
			siblings[i] = -1000;
		if (siblings[i] < 0 && !corral_cpuset_equal(&set, &before))
			siblings[i] = -1001; /* a failure touches nothing */
		package[i] = corral_lcore_package_at_(root, cpu);
		node[i] = corral_lcore_node_at_(root, cpu);
	}
	drop_machine();
	for (i = 0; i < count; i++) {
		CHECK_EQ_INT(siblings[i], machine[i].want_siblings);
		CHECK_EQ_INT(package[i], machine[i].want_package);
		CHECK_EQ_INT(node[i], machine[i].want_node);
	}
	CHECK_EQ_INT(siblings[count], -ENOENT);
	CHECK_EQ_INT(package[count], -ENOENT);
	CHECK_EQ_INT(node[count], -ENOENT);
}

static void facts_of_this_machine_are_sound_or_unknown(void)
{
	struct corral_cpuset mine, set;
	unsigned int cpu;

	CHECK_GE_INT(corral_lcore_allowed(&mine), 1);
	for (cpu = corral_cpuset_next(&mine, 0); cpu != CORRAL_LCORE_NONE; cpu = corral_cpuset_next(&mine, cpu + 1)) {
		int siblings = corral_lcore_siblings(cpu, &set);

		CHECK(siblings == -ENOENT || (siblings >= 1 && corral_cpuset_has(&set, cpu)));
		CHECK_GE_INT(corral_lcore_node(cpu), -ENOENT);
		CHECK_GE_INT(corral_lcore_package(cpu), -ENOENT);
	}
	CHECK_EQ_INT(corral_lcore_siblings(CORRAL_CPU_LIMIT - 1, &set), -ENOENT);
	CHECK_EQ_INT(corral_lcore_node(CORRAL_CPU_LIMIT - 1), -ENOENT);
	CHECK_EQ_INT(corral_lcore_package(CORRAL_CPU_LIMIT - 1), -ENOENT);
}

int main(void)
{
	TEST(this_process_may_use_a_cpu);
	TEST(workers_run_where_the_layout_says);
	TEST(floating_workers_may_run_on_all_its_cores);
	TEST(workers_of_a_list_have_its_ids);
	TEST(workers_may_run_where_their_launcher_does_not);
	TEST(workers_have_the_signal_mask_of_their_launcher);
	TEST(all_workers_run_at_once);
	TEST(pinning_outside_is_refused_and_changes_nothing);
	TEST(one_worker_that_cannot_be_pinned_stops_all);
	TEST(an_empty_plan_has_no_team);
	TEST(a_worker_that_leaves_by_itself_counts_as_cancelled);
	TEST(a_thread_that_cannot_be_created_stops_all);
	TEST(facts_of_a_pretended_machine);
	TEST(facts_of_this_machine_are_sound_or_unknown);
	return test_end();
}
