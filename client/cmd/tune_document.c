/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/cmd/document.h"
#include "client/cmd/transformed.h"
#include "client/cmd/tune_document.h"
#include "proto/base/name.h"
#include "proto/spec/spec_parts.h"

enum { NAME_BYTES = 200 };

/* ---- lists on the command line ---- */

/* "4" → 4, "0.5" → 0.5; other words stay text. */
static json_t *
value_of(const char *text, size_t n)
{
	json_t	*v = json_loadb(text, n, JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK, NULL);
	char	 whole[64];

	(void)snprintf(whole, sizeof whole, "%.*s", (int)n, text);
	if (json_is_number(v) && strspn(whole, "+-.0123456789eE") == n)
		return v;
	json_decref(v);
	return json_stringn(text, n);
}

/* "1,2,4" → [1, 2, 4], and "1:31:2" from, to, step. */
static json_t *
list_of(const char *text)
{
	json_t		*list = json_array();
	long long	 from, to, step = 1;
	char		 end;

	if ((sscanf(text, "%lld:%lld:%lld%c", &from, &to, &step, &end) == 3 ||
	    (step = 1, sscanf(text, "%lld:%lld%c", &from, &to, &end) == 2)) && step > 0) {
		for (long long v = from; v <= to && json_array_size(list) < SPEC_MAX_POINTS;
		    v += step)
			(void)json_array_append_new(list, json_integer(v));
		return list;
	}
	for (;; text++) {
		size_t	n = strcspn(text, ",");

		(void)json_array_append_new(list, value_of(text, n));
		text += n;
		if (*text == '\0')
			return list;
	}
}

static json_t *
object_in(json_t *o, const char *name)
{
	if (!json_is_object(json_object_get(o, name)))
		(void)json_object_set_new(o, name, json_object());
	return json_object_get(o, name);
}

/* NAME=LIST words: one value goes into `one`, several become a dimension. */
static enum status
put_lists(json_t *sweep, const struct cli_list *words, json_t *one, const char *option,
    struct fault *why)
{
	for (size_t i = 0; i < words->n; i++) {
		const char	*value;
		char		 name[NAME_BYTES];
		size_t		 n;
		json_t		*list;
		enum status	 st = cli_split(words->items[i], &n, &value, why);

		if (st != ST_OK)
			return fault_within(why, option);
		(void)snprintf(name, sizeof name, "%.*s", (int)n, words->items[i]);
		list = list_of(value);
		if (one != NULL && json_array_size(list) == 1)
			(void)json_object_set(one, name, json_array_get(list, 0));
		else
			(void)json_object_set(object_in(sweep, "space"), name, list);
		if (one != NULL && json_array_size(list) > 1)
			(void)json_object_set(one, name, json_array_get(list, 0));
		json_decref(list);
	}
	return ST_OK;
}

static void
put_contexts(json_t *sweep, const char *contexts)
{
	json_t	*list = list_of(contexts), *v;
	size_t	 i;

	json_array_foreach(list, i, v)
		if (json_is_integer(v))
			(void)json_array_set_new(list, i, json_pack("{s:O}", "flush_bytes", v));
	if (json_array_size(list) == 1)
		(void)json_object_set(json_object_get(sweep, "spec"), "context",
		    json_array_get(list, 0));
	else
		(void)json_object_set(object_in(sweep, "space"), "context", list);
	json_decref(list);
}

/* "-O3 -mavx2" → ["-O3", "-mavx2"]; "3" comes from -O3. */
static json_t *
flags_of(const char *text)
{
	json_t	*flags = json_array();

	for (text += strspn(text, " \t"); *text != '\0'; text += strspn(text, " \t")) {
		int	n = (int)strcspn(text, " \t");

		(void)json_array_append_new(flags, json_sprintf("%s%.*s",
		    *text == '-' ? "" : "-O", n, text));
		text += n;
	}
	return flags;
}

/* One -O is the template's flags, several are a dimension. */
static void
put_flags(json_t *sweep, const struct cli_list *words)
{
	json_t	*list = json_array();

	for (size_t i = 0; i < words->n; i++)
		(void)json_array_append_new(list, flags_of(words->items[i]));
	if (words->n == 1)
		(void)json_object_set(object_in(sweep, "template"), "flags",
		    json_array_get(list, 0));
	else if (words->n > 1)
		(void)json_object_set(object_in(sweep, "space"), "flags", list);
	json_decref(list);
}

static enum status
choose(const struct tune_choice *c, json_t *sweep, struct fault *why)
{
	json_t		*spec = json_object_get(sweep, "spec");
	enum status	 st;

	if (!json_is_object(spec))
		return fault_at(why, ST_BAD_SPEC, "spec", "is missing");
	if ((st = put_lists(sweep, &c->params, object_in(spec, "params"), "-p", why)) != ST_OK ||
	    (st = put_lists(sweep, &c->space, NULL, "--space", why)) != ST_OK)
		return st;
	if (c->defines.n > 0 && (st = put_lists(sweep, &c->defines,
	    object_in(object_in(sweep, "template"), "defines"), "-D", why)) != ST_OK)
		return st;
	put_flags(sweep, &c->flags);
	if (c->compiler != NULL)
		(void)json_object_set_new(object_in(sweep, "template"), "compiler",
		    json_string(c->compiler));
	if (c->contexts != NULL)
		put_contexts(sweep, c->contexts);
	for (size_t i = 0; i < c->where.n; i++) {
		if (json_object_get(sweep, "where") == NULL)
			(void)json_object_set_new(sweep, "where", json_array());
		(void)json_array_append_new(json_object_get(sweep, "where"),
		    json_string(c->where.items[i]));
	}
	return ST_OK;
}

/* ---- files ---- */

/* NAME.spec.json beside NAME.c. */
static enum status
spec_beside(const char *path, char spec[PATH_MAX], struct fault *why)
{
	const char	*slash = strrchr(path, '/'), *dot = strrchr(path, '.');
	const int	 n = dot != NULL && (slash == NULL || dot > slash) ? (int)(dot - path) :
			    (int)strlen(path);

	if (snprintf(spec, PATH_MAX, "%.*s.spec.json", n, path) < PATH_MAX &&
	    access(spec, R_OK) == 0)
		return ST_OK;
	(void)fault_set(why, ST_NOT_FOUND, "%s: has no spec: there is no %.200s", path, spec);
	fault_hint(why, "name it with --spec SPEC.json; assay-spec(5) describes it");
	return ST_NOT_FOUND;
}

/* The legal variants that a script makes are the values of one dimension. */
static enum status
put_transformed(const struct tune_choice *c, const char *path, json_t *sweep, struct fault *why)
{
	struct transformed_request	 request = { .source = path, .script = c->script,
					    .spec = json_object_get(sweep, "spec") };
	json_t				*made, *list;
	enum status			 st = transformed_get(&request, &made, why);

	if (st != ST_OK)
		return st;
	list = transformed_variants(&request, made);
	json_decref(made);
	if (json_array_size(list) == 0) {
		json_decref(list);
		(void)fault_set(why, ST_BAD_SPEC, "%s: the script makes no legal variant", path);
		fault_hint(why, "to see why: assay variants %s --script %s", path, c->script);
		return ST_BAD_SPEC;
	}
	(void)json_object_set_new(sweep, "template", json_object());
	(void)json_object_set_new(object_in(sweep, "space"), "variant", list);
	return ST_OK;
}

static enum status
from_source(const struct tune_choice *c, const char *path, json_t **sweep, struct fault *why)
{
	char		 beside[PATH_MAX];
	const char	*spec_path = c->spec;
	json_t		*spec = NULL, *template = NULL;
	enum status	 st = ST_OK;

	*sweep = NULL;
	if (spec_path == NULL && (st = spec_beside(path, beside, why)) == ST_OK)
		spec_path = beside;
	if (st == ST_OK && (st = document_load(spec_path, &spec, why)) == ST_OK &&
	    (st = document_resolve(spec, spec_path, why)) != ST_OK)
		(void)fault_within(why, spec_path);
	if (st == ST_OK && json_is_object(json_object_get(spec, "spec"))) {
		json_t	*inner = json_incref(json_object_get(spec, "spec"));

		json_decref(spec);
		spec = inner;
	}
	if (st == ST_OK && (st = document_variant(path, &template, why)) == ST_OK)
		*sweep = json_pack("{s:O, s:O, s:O}", "name", json_object_get(template, "name"),
		    "spec", spec, "template", template);
	if (st == ST_OK && c->script != NULL)
		st = put_transformed(c, path, *sweep, why);
	json_decref(spec);
	json_decref(template);
	return st;
}

/* A member that no sweep has is a slip of the pen. */
static enum status
check_members(const json_t *sweep, struct fault *why)
{
	const char	*member;
	json_t		*value;

	json_object_foreach((json_t *)(uintptr_t)sweep, member, value) {
		if (shape_row(&sweep_shape, member) != NULL)
			continue;
		(void)fault_at(why, ST_BAD_SPEC, member, "is no member of a sweep");
		fault_hint(why, "see assay-sweep(1), and assay-tune(1) for \"tune\"");
		return ST_BAD_SPEC;
	}
	return ST_OK;
}

static enum status
from_sweep(const char *path, json_t **sweep, json_t **tune, struct fault *why)
{
	enum status	st;

	if ((st = document_load(path, sweep, why)) != ST_OK)
		return st;
	if (!json_is_object(*sweep))
		return fault_set(why, ST_BAD_SPEC, "a sweep is an object");
	*tune = json_incref(json_object_get(*sweep, "tune"));
	(void)json_object_del(*sweep, "tune");
	if (*tune != NULL && !json_is_object(*tune))
		return fault_at(why, ST_BAD_SPEC, "tune", "must be an object");
	if ((st = document_resolve(*sweep, path, why)) != ST_OK)
		return st;
	return check_members(*sweep, why);
}

enum status
tune_document(const struct tune_choice *c, const char *path, json_t **sweep, json_t **tune,
    struct fault *why)
{
	const char	*language = document_language(path);
	enum status	 st;

	*sweep = *tune = NULL;
	st = language != NULL ? from_source(c, path, sweep, why) :
	    from_sweep(path, sweep, tune, why);
	if (st == ST_OK)
		st = choose(c, *sweep, why);
	if (st == ST_OK && language != NULL && json_object_get(*sweep, "space") == NULL) {
		st = fault_set(why, ST_BAD_REQUEST, "there is no space to search");
		fault_hint(why, "give it: --space UNROLL=1,2,4,8 -O 2 -O \"3 -march=native\"");
	}
	if (st != ST_OK && language == NULL && strstr(why->text, path) == NULL)
		(void)fault_within(why, path);
	if (st != ST_OK) {
		json_decref(*sweep);
		json_decref(*tune);
		*sweep = *tune = NULL;
	}
	return st;
}

json_t *
tune_document_common(const json_t *sweep)
{
	json_t		*common = json_object(), *value;
	const char	*member;

	json_object_foreach((json_t *)(uintptr_t)sweep, member, value)
		if (shape_row(&job_common_shape, member) != NULL)
			(void)json_object_set(common, member, value);
	return common;
}
