/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "client/cmd/best/fleet_best.h"
#include "client/cmd/job/ids.h"
#include "client/connect/fleet.h"
#include "client/print/member.h"
#include "client/print/output.h"
#include "client/print/results/listing.h"

static const char *
class_of(const json_t *result, const json_t *answer)
{
	const char	*own = json_string_value(json_object_get(result, "host_class"));
	const char	*host = json_string_value(json_object_get(answer, "host_class"));

	return own != NULL ? own : host != NULL ? host : "unknown";
}

/* As its host ranks it. */
static double
time_of(const json_t *result)
{
	if (json_is_number(json_object_get(result, "corrected_ns")))
		return member_number(result, "corrected_ns");
	return member_number(json_object_get(result, "time"), "value_ns");
}

/* Keep the list in the order of times. */
static void
insert(json_t *list, json_t *result)
{
	size_t	at = 0;

	while (at < json_array_size(list) && time_of(json_array_get(list, at)) <= time_of(result))
		at++;
	(void)json_array_insert(list, at, result);
}

/* {class: [results, the fastest first, each with its host]} */
static json_t *
by_class(const json_t *answers)
{
	json_t		*classes = json_object(), *result, *list;
	const json_t	*answer;
	size_t		 i, k;

	json_array_foreach(answers, i, answer) {
		json_array_foreach(json_object_get(json_object_get(answer, "answer"), "results"),
		    k, result) {
			const char	*name = class_of(result, answer);

			(void)json_object_set(result, "host", json_object_get(answer, "host"));
			if ((list = json_object_get(classes, name)) == NULL) {
				list = json_array();
				(void)json_object_set_new(classes, name, list);
			}
			insert(list, result);
		}
	}
	return classes;
}

static void
cut(json_t *list, size_t top)
{
	while (json_array_size(list) > top)
		(void)json_array_remove(list, json_array_size(list) - 1);
}

static enum status
print_table(const struct cli *cli, const char *name, const json_t *list, bool is_first,
    struct fault *why)
{
	const json_t	*result;
	struct listing	*l;
	size_t		 i;
	enum status	 st;

	(void)printf("%shost class %s:\n", is_first ? "" : "\n", name);
	if ((st = listing_new(&l, listing_form(cli), 0, why)) != ST_OK)
		return st;
	if ((st = listing_add_all(l, list, why)) == ST_OK)
		st = listing_end(l, NULL, why);
	listing_free(l);
	json_array_foreach(list, i, result)
		(void)printf("job %.0f is of %s\n", member_number(result, "job"),
		    member_text(result, "host"));
	return st;
}

static enum status
print_lines(const json_t *list, struct fault *why)
{
	const json_t	*result;
	size_t		 i;
	enum status	 st = ST_OK;

	json_array_foreach(list, i, result)
		if (st == ST_OK)
			st = output_line(result, why);
	return st;
}

static enum status
print_classes(const struct cli *cli, json_t *classes, size_t top, struct fault *why)
{
	const char	*name;
	json_t		*list, *document;
	bool		 is_first = true;
	enum status	 st = ST_OK;

	json_object_foreach(classes, name, list) {
		cut(list, top);
		if (st == ST_OK && cli->ndjson)
			st = print_lines(list, why);
		else if (st == ST_OK && !cli->json)
			st = print_table(cli, name, list, is_first, why);
		is_first = false;
	}
	if (st != ST_OK || !cli->json || cli->ndjson)
		return st;
	document = json_pack("{s:O}", "classes", classes);
	st = output_document(document, why);
	json_decref(document);
	return st;
}

/* Results of several cells come without an order of their own. */
static enum status
check_cells(const json_t *answers, struct fault *why)
{
	const json_t	*answer;
	size_t		 i;

	json_array_foreach(answers, i, answer) {
		if (json_array_size(json_object_get(json_object_get(answer, "answer"),
		    "cells")) < 2)
			continue;
		(void)fault_set(why, ST_BAD_REQUEST,
		    "the sweep has several cells, and times of two cells are not compared");
		fault_hint(why, "ask one host at a time");
		return ST_BAD_REQUEST;
	}
	return ST_OK;
}

enum status
fleet_best(const struct cli *cli, const char *sweep, int64_t top, struct fault *why)
{
	json_t		*answers, *classes;
	struct fault	 ours;
	enum status	 asked, st;

	asked = fleet_call(cli, "results.best",
	    json_pack("{s:o, s:I}", "sweep", ids_sweep(sweep), "top", (json_int_t)top), &answers,
	    why);
	classes = by_class(answers);
	if ((st = check_cells(answers, &ours)) == ST_OK)
		st = print_classes(cli, classes, (size_t)top, &ours);
	if (st == ST_OK && asked == ST_OK && json_object_size(classes) == 0)
		st = fault_set(&ours, ST_NOT_FOUND, "no job of sweep %s has ended ok", sweep);
	json_decref(classes);
	json_decref(answers);
	if (asked == ST_OK && st != ST_OK)
		*why = ours;
	return asked != ST_OK ? asked : st;
}
