/* SPDX-License-Identifier: BSD-3-Clause */
/* test_report.c - result documents, what is read of the machine for them, the files they go to; finding plug-ins. */
#include <test.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "measure/clock.h"
#include "measure/doc.h"
#include "measure/hist.h"
#include "measure/plugin.h"
#include "measure/system.h"

/* A file to read from, with that text in it. */
static FILE *file_of(const char *text)
{
	FILE *f = tmpfile();

	CHECK(f != NULL);
	fputs(text, f);
	rewind(f);
	return f;
}

/* ---- documents ---- */

static void check_text(const char *in, const char *out)
{
	json_t *j = measure_json_text(in);

	CHECK_EQ_STR(json_string_value(j), out);
	json_decref(j);
}

static void text_that_is_no_utf8_gets_question_marks(void)
{
	check_text("", "");
	check_text("8t@2c \"\\\n", "8t@2c \"\\\n");
	check_text("Gr\xc3\xbc\xc3\x9f", "Gr\xc3\xbc\xc3\x9f");
	check_text("Gr\xfc\xdf", "Gr??");
	check_text("\xc3", "?");
	check_text("/tmp/\xc3\xbc/\xff", "/tmp/?\?/?"); /* all or none: nobody can tell which were meant */
	check_text("\xed\xa0\x80", "???");		/* half of a pair of UTF-16 */
}

static void a_document_has_the_fields_that_all_share(void)
{
	static char verb[] = "stress", odd[] = "--impl=\xff";
	char *argv[] = { verb, odd };
	json_t *doc = measure_doc_new("stress", 2, argv), *host = json_object_get(doc, "host");
	static const char *const of_host[] = { "kernel",     "cpu",	  "arch",    "online_cpus", "allowed_cpus",
					       "hypervisor", "container", "loadavg", "compiler",    "flags" };
	int y, mon, d, h, m, s, zh, zm;
	unsigned int i;
	char sign;

	CHECK_EQ_STR(json_string_value(json_object_get(doc, "corral")), CORRAL_VERSION);
	CHECK_EQ_STR(json_string_value(json_object_get(doc, "verb")), "stress");
	CHECK_EQ_INT(sscanf(json_string_value(json_object_get(doc, "when")), "%d-%d-%dT%d:%d:%d%c%d:%d", &y, &mon, &d,
			    &h, &m, &s, &sign, &zh, &zm),
		     9);
	CHECK(sign == '+' || sign == '-');
	CHECK_EQ_INT(json_array_size(json_object_get(doc, "argv")), 2);
	CHECK_EQ_STR(json_string_value(json_array_get(json_object_get(doc, "argv"), 1)), "--impl=?");
	for (i = 0; i < sizeof(of_host) / sizeof(of_host[0]); i++)
		CHECK(json_object_get(host, of_host[i]) != NULL);
	CHECK(json_is_array(json_object_get(doc, "results")) && json_is_array(json_object_get(doc, "skipped")));
	measure_doc_result(doc, json_integer(7));
	CHECK_EQ_INT(json_integer_value(json_array_get(json_object_get(doc, "results"), 0)), 7);
	json_decref(doc);
}

static void what_is_skipped_says_why_however_long(void)
{
	json_t *doc = measure_doc_new("perf", 0, NULL), *entry;
	char longer[5000];

	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	measure_doc_skip(doc, "4t@4c", "it needs %d cores, %s", 4, longer);
	entry = json_array_get(json_object_get(doc, "skipped"), 0);
	CHECK_EQ_STR(json_string_value(json_object_get(entry, "what")), "4t@4c");
	CHECK_EQ_INT(json_string_length(json_object_get(entry, "why")), strlen("it needs 4 cores, ") + strlen(longer));
	measure_doc_skip(doc, "\xff", "%s", "");
	entry = json_array_get(json_object_get(doc, "skipped"), 1);
	CHECK_EQ_STR(json_string_value(json_object_get(entry, "what")), "?");
	json_decref(doc);
}

/* As text: what a reader gets. */
static void check_json(json_t *j, const char *want)
{
	char *text = json_dumps(j, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));

	CHECK_EQ_STR(text, want);
	free(text);
	json_decref(j);
}

static void numbers_that_json_has_not_are_null(void)
{
	const double v[] = { 1.5, NAN, INFINITY, -INFINITY };
	struct measure_summary s;

	check_json(measure_json_numbers(v, 4), "[1.5,null,null,null]");
	check_json(measure_json_numbers(v, 0), "[]");
	CHECK_EQ_INT(measure_summarize(&s, v, 1), 0);
	check_json(measure_json_summary(&s, false), "{\"min\":1.5,\"median\":1.5,\"max\":1.5}");
	check_json(measure_json_summary(&s, true), "{\"min\":1.5,\"median\":1.5,\"max\":1.5,\"ci95\":[null,null]}");
}

static void latencies_without_calls_are_null(void)
{
	static struct peer_hist h;
	json_t *j;

	check_json(measure_json_latency(&h),
		   "{\"calls\":0,\"p50\":null,\"p99\":null,\"p999\":null,\"p9999\":null,\"max\":null}");
	measure_hist_add(&h, 1000);
	j = measure_json_latency(&h);
	CHECK_EQ_INT(json_integer_value(json_object_get(j, "calls")), 1);
	CHECK(fabs(json_number_value(json_object_get(j, "max")) - measure_clock_ns(1000)) < 0.001);
	CHECK(fabs(json_number_value(json_object_get(j, "p50")) / measure_clock_ns(1000) - 1) <= 1.0 / 16);
	json_decref(j);
}

/* ---- the machine ---- */

static void check_model(const char *cpuinfo, const char *model)
{
	FILE *f = file_of(cpuinfo);
	json_t *j = measure_cpu_model_of(f);

	if (model)
		CHECK_EQ_STR(json_string_value(j), model);
	else
		CHECK(json_is_null(j));
	json_decref(j);
	fclose(f);
}

static void the_model_is_read_from_any_cpuinfo(void)
{
	check_model("processor\t: 0\ncpu family\t: 6\nmodel\t\t: 143\nmodel name\t: Intel(R) Xeon(R)\n",
		    "Intel(R) Xeon(R)");
	check_model("processor\t: 0\ncpu\t\t: POWER9, altivec supported\nclock\t\t: 2GHz\n",
		    "POWER9, altivec supported");
	check_model("processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n", "0xd0c");
	check_model("Processor\t: ARMv7\nprocessor\t: 0\nmodel name\t: Cortex\n", "Cortex"); /* the better of two */
	check_model("model name\t: first\nmodel name\t: second\n", "first");
	check_model("model name", NULL);
	check_model("model name:\n", NULL);
	check_model("cpus : 4\n", NULL);
	check_model("", NULL);
}

static void check_container(const char *cgroup, const char *kind)
{
	FILE *f = file_of(cgroup);
	const char *found = measure_container_of(f);

	if (kind)
		CHECK_EQ_STR(found, kind);
	else
		CHECK(found == NULL);
	fclose(f);
}

static void a_container_is_known_by_its_cgroup(void)
{
	check_container("12:cpu:/\n0::/init.scope\n", NULL);
	check_container("", NULL);
	check_container("12:cpu:/\n11:pids:/docker/0123abc\n", "docker");
	check_container("0::/lxc/box\n", "lxc");
	check_container("0::/kubepods/besteffort/pod1/docker-1\n", "kubernetes");
}

static double steal_of(const char *text, const char *cpus)
{
	struct corral_cpuset set;
	FILE *f = file_of(text);
	double ms;

	memset(&set, 0, sizeof(set));
	for (; *cpus; cpus++)
		corral_cpuset_add(&set, (unsigned int)(*cpus - '0'));
	ms = measure_steal_of(f, &set);
	fclose(f);
	return ms;
}

static void steal_is_that_of_the_cpus_asked_for(void)
{
	static const char stat[] = "cpu  9 9 9 9 9 9 9 900 0 0\n"
				   "cpu0 1 2 3 4 5 6 7 10 0 0\n"
				   "cpu1 1 2 3 4 5 6 7 20 0 0\n"
				   "cpu3 1 2 3 4 5 6 7 40 0 0\n"
				   "intr 5 4 3 2 1 9 9 9 9 9\n";
	double tick = 1000.0 / (double)sysconf(_SC_CLK_TCK);

	CHECK(steal_of(stat, "0") == 10 * tick);
	CHECK(steal_of(stat, "13") == 60 * tick);
	CHECK(steal_of(stat, "2") < 0); /* one that is not there: unknown, not 0 */
	CHECK(steal_of(stat, "02") < 0);
	CHECK(steal_of("cpu0 1 2 3 4 5 6 7\n", "0") < 0);
	CHECK(steal_of("", "0") < 0);
}

static long migrations_of(const char *text)
{
	FILE *f = file_of(text);
	long n = measure_migrations_of(f);

	fclose(f);
	return n;
}

static void migrations_are_read_or_unknown(void)
{
	CHECK_EQ_INT(migrations_of("cat (7, #threads: 1)\n-----\nse.exec_start : 7.5\nse.nr_migrations   :    12\n"),
		     12);
	CHECK_EQ_INT(migrations_of("nr_switches : 3\n"), -1);
	CHECK_EQ_INT(migrations_of("se.nr_migrations : x\n"), -1);
	CHECK_EQ_INT(migrations_of(""), -1);
}

/* ---- files ---- */

static char folder[] = "/tmp/corral-test-XXXXXX";

static const char *path_of(const char *name)
{
	static char path[200];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void check_content(const char *name, const char *want)
{
	char text[100] = "";
	FILE *f = fopen(path_of(name), "r");

	CHECK(f != NULL);
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	CHECK_EQ_STR(text, want);
}

static void make_file(const char *name, const char *text)
{
	FILE *f = fopen(path_of(name), "w");

	CHECK(f != NULL);
	fputs(text, f);
	CHECK_EQ_INT(fclose(f), 0);
}

/* Nothing but what is named may lie in the folder. */
static void check_folder_and_empty_it(const char *name, const char *other)
{
	if (name)
		CHECK_EQ_INT(unlink(path_of(name)), 0);
	if (other)
		CHECK_EQ_INT(unlink(path_of(other)), 0);
	CHECK_EQ_INT(rmdir(folder), 0);
	CHECK_EQ_INT(mkdir(folder, 0700), 0);
}

static void a_file_is_there_when_it_is_whole(void)
{
	struct measure_sink sink;
	json_t *doc = json_pack("{s:i}", "a", 1);
	struct stat st;

	CHECK_EQ_INT(measure_sink_open(&sink, path_of("r.json")), 0);
	CHECK(access(path_of("r.json"), F_OK) != 0);
	CHECK_EQ_INT(measure_sink_write(&sink, doc), 0);
	check_content("r.json", "{\n \"a\": 1\n}\n");
	CHECK_EQ_INT(chmod(path_of("r.json"), 0640), 0);
	json_object_set_new(doc, "a", json_integer(2));
	CHECK_EQ_INT(measure_sink_open(&sink, path_of("r.json")), 0);
	CHECK_EQ_INT(measure_sink_write(&sink, doc), 0);
	check_content("r.json", "{\n \"a\": 2\n}\n");
	CHECK_EQ_INT(stat(path_of("r.json"), &st), 0);
	CHECK_EQ_INT(st.st_mode & 07777, 0640);
	json_decref(doc);
	check_folder_and_empty_it("r.json", NULL);
}

static void a_file_that_was_there_stays_until_then(void)
{
	struct measure_sink sink;

	make_file("r.json", "old");
	CHECK_EQ_INT(measure_sink_open(&sink, path_of("r.json")), 0);
	check_content("r.json", "old");
	measure_sink_drop(&sink);
	check_content("r.json", "old");
	measure_sink_drop(&sink); /* once more does no harm */
	check_folder_and_empty_it("r.json", NULL);
}

static void a_link_is_followed(void)
{
	struct measure_sink sink;
	json_t *doc = json_array();
	struct stat st;

	make_file("real.json", "old");
	CHECK_EQ_INT(symlink("real.json", path_of("link.json")), 0);
	CHECK_EQ_INT(measure_sink_open(&sink, path_of("link.json")), 0);
	CHECK_EQ_INT(measure_sink_write(&sink, doc), 0);
	check_content("real.json", "[]\n");
	CHECK_EQ_INT(lstat(path_of("link.json"), &st), 0);
	CHECK(S_ISLNK(st.st_mode));
	json_decref(doc);
	check_folder_and_empty_it("real.json", "link.json");
}

static void a_folder_that_is_not_there_is_told_at_once(void)
{
	struct measure_sink sink;

	CHECK_EQ_INT(measure_sink_open(&sink, path_of("none/r.json")), -ENOENT);
	CHECK_EQ_INT(measure_sink_open(&sink, folder), -EISDIR);
	check_folder_and_empty_it(NULL, NULL);
}

static void a_full_device_is_told(void)
{
	struct measure_sink sink;
	json_t *doc = json_array();

	if (access("/dev/full", W_OK) != 0)
		SKIP("no /dev/full here");
	CHECK_EQ_INT(measure_sink_open(&sink, "/dev/full"), 0);
	CHECK_EQ_INT(measure_sink_write(&sink, doc), -ENOSPC);
	json_decref(doc);
}

/* ---- plug-ins ---- */

static void names_of_plug_ins(void)
{
	char names[200], few[8];

	CHECK(measure_known("corral") && !measure_known("corral")->later);
	CHECK_EQ_STR(measure_known("rte_ring")->package, "libdpdk-dev");
	CHECK(measure_known("xenium")->later);
	CHECK(!measure_known("nobody") && !measure_known(""));
	measure_known_names(names, sizeof(names));
	CHECK_HAS_STR(names, "corral, rte_ring, ck_ring, spinlock, mutex");
	CHECK(!strstr(names, "xenium"));
	measure_known_names(few, sizeof(few));
	CHECK_EQ_STR(few, "corral,");
}

static void a_plug_in_that_is_not_there_says_where_it_was_sought(void)
{
	char why[1000];

	CHECK_EQ_INT(setenv("CORRAL_PEERS", folder, 1), 0);
	CHECK(measure_peer_load(measure_known("spinlock"), why, sizeof(why)) == NULL);
	CHECK_HAS_STR(why, "no plug-in corral-peer-spinlock.so");
	CHECK_HAS_STR(why, folder);
	CHECK(measure_peer_load(measure_known("rte_ring"), why, sizeof(why)) == NULL);
	CHECK_HAS_STR(why, "apt-get install libdpdk-dev");
	CHECK_EQ_INT(unsetenv("CORRAL_PEERS"), 0);
	CHECK(measure_peer_load(measure_known("memcpy"), why, sizeof(why)) == NULL);
	CHECK_HAS_STR(why, "/peers, ");
	CHECK_HAS_STR(why, "/bench/peers, ");
	CHECK_HAS_STR(why, "/corral");
	CHECK(measure_peer_load(measure_known("memcpy"), why, 10) == NULL); /* however short */
	CHECK_EQ_INT(strlen(why), 9);
}

static void a_file_that_is_no_plug_in_is_told(void)
{
	char why[1000];

	CHECK_EQ_INT(setenv("CORRAL_PEERS", folder, 1), 0);
	make_file("corral-peer-spinlock.so", "no library");
	CHECK(measure_peer_load(measure_known("spinlock"), why, sizeof(why)) == NULL);
	CHECK_HAS_STR(why, "cannot be loaded");
	/* one that goes by another name than its own */
	CHECK_EQ_INT(symlink(FAKE_PEER, path_of("corral-peer-ck_ring.so")), 0);
	CHECK(measure_peer_load(measure_known("ck_ring"), why, sizeof(why)) == NULL);
	CHECK_HAS_STR(why, "not a plug-in of this version");
	check_folder_and_empty_it("corral-peer-spinlock.so", "corral-peer-ck_ring.so");
}

static void a_plug_in_is_loaded_once(void)
{
	const struct peer *peer;
	char why[1000] = "";

	CHECK_EQ_INT(setenv("CORRAL_PEERS", folder, 1), 0);
	CHECK_EQ_INT(symlink(FAKE_PEER, path_of("corral-peer-mutex.so")), 0);
	peer = measure_peer_load(measure_known("mutex"), why, sizeof(why));
	CHECK_EQ_STR(why, "");
	CHECK(peer != NULL);
	CHECK_EQ_STR(peer->name, "mutex");
	CHECK(measure_peer_mode(peer, "mt") && !measure_peer_mode(peer, "nomode") && !measure_peer_modeless(peer));
	check_folder_and_empty_it("corral-peer-mutex.so", NULL);
	CHECK_EQ_PTR(measure_peer_load(measure_known("mutex"), why, sizeof(why)), peer);
}

int main(void)
{
	measure_clock_init();
	if (!mkdtemp(folder)) {
		perror(folder);
		return 1;
	}
	TEST(text_that_is_no_utf8_gets_question_marks);
	TEST(a_document_has_the_fields_that_all_share);
	TEST(what_is_skipped_says_why_however_long);
	TEST(numbers_that_json_has_not_are_null);
	TEST(latencies_without_calls_are_null);
	TEST(the_model_is_read_from_any_cpuinfo);
	TEST(a_container_is_known_by_its_cgroup);
	TEST(steal_is_that_of_the_cpus_asked_for);
	TEST(migrations_are_read_or_unknown);
	TEST(a_file_is_there_when_it_is_whole);
	TEST(a_file_that_was_there_stays_until_then);
	TEST(a_link_is_followed);
	TEST(a_folder_that_is_not_there_is_told_at_once);
	TEST(a_full_device_is_told);
	TEST(names_of_plug_ins);
	TEST(a_plug_in_that_is_not_there_says_where_it_was_sought);
	TEST(a_file_that_is_no_plug_in_is_told);
	TEST(a_plug_in_is_loaded_once);
	rmdir(folder);
	return test_end();
}
