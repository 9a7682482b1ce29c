/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/tune/logbook.h"

enum { VERSION = 1 };

static enum status
read_line(struct logbook *j, const char *path, const char *at, size_t n, size_t number,
    struct fault *why)
{
	json_error_t	 error;
	json_t		*o = json_loadb(at, n, JSON_REJECT_DUPLICATES, &error);

	if (o == NULL)
		return fault_set(why, ST_BAD_SPEC, "%s:%zu:%d: %s", path, number, error.column,
		    error.text);
	if (j->head == NULL) {
		j->head = o;
		if (json_integer_value(json_object_get(o, "assay_tune")) == VERSION)
			return ST_OK;
		(void)fault_set(why, ST_BAD_SPEC, "%s:%zu: this is no journal of assay tune", path,
		    number);
		fault_hint(why, "such a file is written by: assay tune --log FILE");
		return ST_BAD_SPEC;
	}
	j->line[json_array_size(j->lines)] = number;
	return json_array_append_new(j->lines, o) == 0 ? ST_OK : fault_set(why, ST_NOMEM, "%s",
	    path);
}

static size_t
count_lines(const char *text, size_t bytes)
{
	size_t	n = 0;

	for (size_t i = 0; i < bytes; i++)
		n += text[i] == '\n';
	return n;
}

enum status
logbook_read(struct logbook *j, const char *path, const char *text, size_t bytes,
    struct fault *why)
{
	size_t		number = 1;
	enum status	st = ST_OK;

	*j = (struct logbook){ .lines = json_array(),
	    .line = calloc(count_lines(text, bytes) + 1, sizeof *j->line) };
	if (j->line == NULL || j->lines == NULL)
		return fault_set(why, ST_NOMEM, "%s", path);
	while (st == ST_OK && j->whole_bytes < bytes) {
		const char	*at = text + j->whole_bytes;
		const char	*end = memchr(at, '\n', bytes - j->whole_bytes);

		if (end == NULL)
			break;
		st = read_line(j, path, at, (size_t)(end - at), number++, why);
		j->whole_bytes += (size_t)(end - at) + 1;
	}
	if (st == ST_OK && j->head == NULL)
		st = fault_set(why, ST_BAD_SPEC, "%s:1: this is no journal of assay tune", path);
	return st;
}

void
logbook_release(struct logbook *j)
{
	json_decref(j->head);
	json_decref(j->lines);
	free(j->line);
	*j = (struct logbook){ .head = NULL };
}

/* Whole variants are told apart by their names here: sources are no part of the file. */
static json_t *
short_space(const json_t *sweep)
{
	json_t		*space = json_copy(json_object_get(sweep, "space")), *names, *v;
	const json_t	*variants = json_object_get(space, "variant");
	size_t		 i;

	if (!json_is_object(json_array_get(variants, 0)))
		return space;
	names = json_array();
	json_array_foreach(variants, i, v) {
		json_t	*name = json_object_get(v, "name");

		(void)json_array_append_new(names, json_pack("{s:o}", "name", name != NULL ?
		    json_incref(name) : json_sprintf("variant %zu", i)));
	}
	(void)json_object_set_new(space, "variant", names);
	return space;
}

json_t *
logbook_head(const struct field *f, const char *strategy, uint64_t seed, unsigned window)
{
	const json_t	*spec = json_object_get(f->sweep, "spec");
	json_t		*params = json_object_get(spec, "params");
	json_t		*where = json_object_get(f->sweep, "where");

	return json_pack("{s:i, s:O?, s:o, s:o, s:O*, s:o, s:s, s:I, s:i}", "assay_tune", VERSION,
	    "name", json_object_get(f->sweep, "name"), "params", params != NULL ?
	    json_incref(params) : json_object(), "space", short_space(f->sweep), "made",
	    json_object_get(f->sweep, "made"), "where", where != NULL ? json_incref(where) :
	    json_array(), "strategy", strategy, "seed", (json_int_t)seed, "window", (int)window);
}

enum status
logbook_agrees(const json_t *found, const json_t *wanted, struct fault *why)
{
	static const char *const	members[] = {
		"params", "space", "made", "where", "strategy", "seed", "window",
	};

	for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
		const json_t	*was = json_object_get(found, members[i]);
		const json_t	*is = json_object_get(wanted, members[i]);

		if (was == is || json_equal(was, is))
			continue;
		(void)fault_at(why, ST_CONFLICT, members[i], "is not the same as in the search "
		    "that the journal is of");
		fault_hint(why, "--resume needs the same file and options; or begin a new search "
		    "with --log");
		return ST_CONFLICT;
	}
	return ST_OK;
}

json_t *
logbook_sweep(const json_t *head)
{
	json_t	*params = json_object_get(head, "params");
	json_t	*space = json_object_get(head, "space"), *where = json_object_get(head, "where");

	return json_pack("{s:{s:o}, s:{}, s:O?, s:O*, s:O?}", "spec", "params", params != NULL ?
	    json_incref(params) : json_object(), "template", "space", space, "made",
	    json_object_get(head, "made"), "where", where);
}
