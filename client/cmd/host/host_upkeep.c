/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "client/cmd/host/host_upkeep.h"
#include "client/print/format.h"
#include "client/print/member.h"
#include "client/print/progress.h"
#include "client/print/table.h"

enum { LOOK_MS = 100, WORDS_BYTES = 256, DAY_S = 86400 };
#define SIGMAS_OF_A_DIFFERENCE	(1.96 * 1.4142)	/* each of two times has the spread */

/* ---- asking ---- */

static bool
is_running(const json_t *host)
{
	return json_is_true(json_object_get(json_object_get(host, "calibration"), "running")) ||
	    json_is_true(json_object_get(json_object_get(host, "reference"), "running"));
}

static void
show(struct progress *p, const json_t *host)
{
	size_t	n = json_array_size(json_object_get(json_object_get(host, "calibration"),
		    "progress"));
	char	words[WORDS_BYTES] = "timing the reference kernel";

	if (json_is_true(json_object_get(json_object_get(host, "calibration"), "running")))
		(void)snprintf(words, sizeof words, "%zu sizes of the flush area timed", n);
	progress_show(p, 0, 0, words);
}

static enum status
wait_until_over(struct connection *c, struct progress *p, json_t **host, struct fault *why)
{
	static const struct timespec	pause = { 0, LOOK_MS * 1000000L };
	enum status			st;

	while ((st = connection_call(c, "host.get", NULL, host, why)) == ST_OK &&
	    is_running(*host)) {
		show(p, *host);
		json_decref(*host);
		*host = NULL;
		(void)nanosleep(&pause, NULL);
	}
	progress_clear(p);
	return st;
}

enum status
host_upkeep_run(struct connection *c, const char *errand, bool quiet, json_t **host,
    struct fault *why)
{
	bool		 calibrates = strcmp(errand, "calibrate") == 0;
	const json_t	*failed;
	json_t		*reply;
	struct progress	 p;
	enum status	 st;

	*host = NULL;
	if ((st = connection_call(c, calibrates ? "host.calibrate" : "host.reference", NULL, &reply,
	    why)) != ST_OK)
		return st;
	json_decref(reply);
	progress_init(&p, quiet);
	if ((st = wait_until_over(c, &p, host, why)) != ST_OK)
		return st;
	failed = json_object_get(json_object_get(*host, calibrates ? "calibration" : "reference"),
	    "failed");
	if (!json_is_string(failed))
		return ST_OK;
	st = fault_set(why, ST_INTERNAL, "%.250s", json_string_value(failed));
	json_decref(*host);
	*host = NULL;
	return st;
}

/* ---- printing ---- */

static const json_t *
level_of(const json_t *last, const char *name)
{
	return json_object_get(json_object_get(last, "levels"), name);
}

/* "flush area 256 MiB, of L1 32 KiB, of L2 2 MiB (found, 15:00)" */
static void
print_areas(const json_t *calibration, const json_t *last)
{
	static const char *const	inner[] = { "L1", "L2" };
	char				bytes[FORMAT_BYTES], when[FORMAT_BYTES];

	(void)printf("flush area %s",
	    format_bytes(member_number(calibration, "flush_bytes"), bytes));
	for (unsigned i = 0; i < sizeof inner / sizeof inner[0]; i++)
		if (member_number(level_of(last, inner[i]), "flush_bytes") > 0)
			(void)printf(", of %s %s", inner[i], format_bytes(member_number(
			    level_of(last, inner[i]), "flush_bytes"), bytes));
	(void)printf(" (%s, %s)\n", member_text(last, "outcome"),
	    format_time(member_number(last, "taken"), when));
}

void
host_upkeep_print_calibration(const json_t *calibration)
{
	const json_t	*last = json_object_get(calibration, "last");
	const json_t	*failed = json_object_get(calibration, "failed");
	char		 when[FORMAT_BYTES], words[WORDS_BYTES];

	if (json_is_true(json_object_get(calibration, "running"))) {
		(void)printf("running\n");
	} else if (!json_is_object(last) && json_is_string(failed)) {
		(void)snprintf(words, sizeof words, "%s", json_string_value(failed));
		(void)printf("none; the last one failed: %s\n", format_clean(words, false));
	} else if (!json_is_object(last)) {
		(void)printf("none; assay host calibrate finds how much must be read "
		    "here to flush\n");
	} else if (!json_is_number(json_object_get(calibration, "flush_bytes"))) {
		(void)printf("%s, %s\n", member_text(last, "outcome"),
		    format_time(member_number(last, "taken"), when));
	} else {
		print_areas(calibration, last);
	}
}

static void
print_kernel(const json_t *kernel)
{
	char	last[FORMAT_BYTES], median[FORMAT_BYTES], cv[FORMAT_BYTES];
	char	words[WORDS_BYTES];

	(void)snprintf(words, sizeof words, "%.60s", member_text(kernel, "kernel"));
	(void)printf("%s ", format_clean(words, false));
	if (!(member_number(kernel, "count") > 0)) {
		(void)printf("not timed yet\n");
		return;
	}
	(void)printf("%s, median %s", format_duration_ns(member_number(kernel, "last_ns"), last),
	    format_duration_ns(member_number(kernel, "median_ns"), median));
	if (json_is_number(json_object_get(kernel, "cv")))
		(void)printf(", noise floor %s", format_percent(member_number(kernel, "cv"), cv));
	(void)printf(" (%.0f times)\n", member_number(kernel, "count"));
}

void
host_upkeep_print_reference(const json_t *reference, int indent)
{
	const json_t	*kernel;
	size_t		 i;

	json_array_foreach(json_object_get(reference, "kernels"), i, kernel) {
		(void)printf("%*s", i > 0 ? indent : 0, "");
		print_kernel(kernel);
	}
	if (json_array_size(json_object_get(reference, "kernels")) == 0)
		(void)printf("-\n");
}

static bool
is_of_today(const json_t *kernel)
{
	return (double)time(NULL) - member_number(kernel, "taken") < DAY_S;
}

double
host_upkeep_noise(const json_t *host, bool in_cache)
{
	const json_t	*kernels = json_object_get(json_object_get(host, "reference"), "kernels");
	const char	*name = in_cache ? "dot_warm" : "dot_cold";
	const json_t	*kernel;
	size_t		 i;

	json_array_foreach(kernels, i, kernel)
		if (strcmp(member_text(kernel, "kernel"), name) == 0 && is_of_today(kernel))
			return SIGMAS_OF_A_DIFFERENCE * member_number(kernel, "cv");
	return NAN;
}

static enum status
add_point(struct table *t, const json_t *point, struct fault *why)
{
	char		 bytes[FORMAT_BYTES], time[FORMAT_BYTES], cold[FORMAT_BYTES];
	const char	*cells[] = { bytes, time, cold };

	(void)format_bytes(member_number(point, "bytes"), bytes);
	(void)format_duration_ns(member_number(point, "time_ns"), time);
	(void)format_percent(member_number(point, "coldness"), cold);
	return table_add(t, cells, why);
}

static void
print_points(const json_t *points)
{
	static const struct table_column	columns[] = {
		{ "flushed", true }, { "time", true }, { "coldness", true }, { NULL, false }
	};
	const json_t	*point;
	struct table	*t;
	struct fault	 none;
	size_t		 i;

	if (table_new(&t, columns, &none) != ST_OK)
		return;
	json_array_foreach(points, i, point)
		(void)add_point(t, point, &none);
	table_print(t, stdout, 0);
	table_free(t);
}

void
host_upkeep_print_curve(const json_t *calibration)
{
	const json_t	*last = json_object_get(calibration, "last"), *level;
	char		 bytes[FORMAT_BYTES], words[WORDS_BYTES];
	const char	*name;

	json_object_foreach(json_object_get(last, "levels"), name, level) {
		(void)printf("%s: %s\n", name, member_text(level, "outcome"));
		print_points(json_object_get(level, "points"));
		(void)printf("\n");
	}
	(void)printf("all caches:\n");
	print_points(json_object_get(last, "points"));
	(void)snprintf(words, sizeof words, "%s", member_text(last, "words"));
	(void)printf("\n%s: %s\n", member_text(last, "outcome"), format_clean(words, false));
	if (json_is_number(json_object_get(calibration, "flush_bytes")))
		(void)printf("flush area: %s, from now on\n",
		    format_bytes(member_number(calibration, "flush_bytes"), bytes));
}
