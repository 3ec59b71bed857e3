/* SPDX-License-Identifier: BSD-3-Clause */
/* doc.c - building result documents. */
#include "doc.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clock.h"
#include "hist.h"

static json_t *must(json_t *j)
{
	if (!j) {
		fputs("corral: out of memory\n", stderr);
		exit(3);
	}
	return j;
}

json_t *measure_json_text(const char *text)
{
	json_t *j = json_string(text);
	char *plain, *c;

	if (j)
		return j;
	plain = strdup(text);
	for (c = plain; c && *c; c++) {
		if ((unsigned char)*c >= 0x80)
			*c = '?';
	}
	j = plain ? json_string(plain) : NULL;
	free(plain);
	return must(j);
}

/* 2026-07-31T12:00:00+02:00 */
static json_t *now(void)
{
	char text[40], zone[8];
	time_t t = time(NULL);
	struct tm tm;

	localtime_r(&t, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
	strftime(zone, sizeof(zone), "%z", &tm); /* +0200 */
	return must(json_sprintf("%s%.3s:%.2s", text, zone, zone + 3));
}

json_t *measure_doc_new(const char *verb, int argc, char **argv)
{
	json_t *doc, *args = must(json_array());
	int i;

	for (i = 0; i < argc; i++)
		json_array_append_new(args, measure_json_text(argv[i]));
	doc = must(json_object());
	json_object_set_new(doc, "corral", must(json_string(CORRAL_VERSION)));
	json_object_set_new(doc, "verb", must(json_string(verb)));
	json_object_set_new(doc, "when", now());
	json_object_set_new(doc, "argv", args);
	json_object_set_new(doc, "host", must(measure_host()));
	json_object_set_new(doc, "results", must(json_array()));
	json_object_set_new(doc, "skipped", must(json_array()));
	return doc;
}

void measure_doc_result(json_t *doc, json_t *result)
{
	json_array_append_new(json_object_get(doc, "results"), must(result));
}

void measure_doc_skip(json_t *doc, const char *what, const char *why, ...)
{
	json_t *entry = must(json_object());
	va_list ap;
	char *text;

	va_start(ap, why);
	if (vasprintf(&text, why, ap) < 0)
		must(NULL);
	va_end(ap);
	json_object_set_new(entry, "what", measure_json_text(what));
	json_object_set_new(entry, "why", measure_json_text(text));
	free(text);
	json_array_append_new(json_object_get(doc, "skipped"), entry);
}

json_t *measure_json_number(double v)
{
	return must(isfinite(v) ? json_real(v) : json_null());
}

json_t *measure_json_numbers(const double *v, unsigned int n)
{
	json_t *a = must(json_array());
	unsigned int i;

	for (i = 0; i < n; i++)
		json_array_append_new(a, measure_json_number(v[i]));
	return a;
}

json_t *measure_json_summary(const struct measure_summary *s, bool interval)
{
	json_t *o = must(json_object()), *ci;

	json_object_set_new(o, "min", measure_json_number(s->min));
	json_object_set_new(o, "median", measure_json_number(s->median));
	json_object_set_new(o, "max", measure_json_number(s->max));
	if (interval) {
		ci = must(json_array());
		json_array_append_new(ci, measure_json_number(s->lo));
		json_array_append_new(ci, measure_json_number(s->hi));
		json_object_set_new(o, "ci95", ci);
	}
	return o;
}

json_t *measure_json_latency(const struct peer_hist *h)
{
	static const struct {
		const char *name;
		double q;
	} at[] = { { "p50", 0.5 }, { "p99", 0.99 }, { "p999", 0.999 }, { "p9999", 0.9999 } };
	json_t *o = must(json_object());
	unsigned int i;

	json_object_set_new(o, "calls", must(json_integer((json_int_t)h->calls)));
	for (i = 0; i < sizeof(at) / sizeof(at[0]); i++) {
		double ns = measure_hist_quantile(h, at[i].q) * 1e9 / measure_clock_hz();

		json_object_set_new(o, at[i].name, h->calls ? measure_json_number(ns) : must(json_null()));
	}
	json_object_set_new(o, "max", h->calls ? measure_json_number(measure_clock_ns(h->max)) : must(json_null()));
	return o;
}
