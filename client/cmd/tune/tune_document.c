/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "client/cmd/job/document.h"
#include "client/cmd/job/known_names.h"
#include "client/cmd/job/option_value.h"
#include "client/cmd/job/transformed.h"
#include "client/cmd/tune/tune_document.h"
#include "client/cmd/tune/tune_source.h"
#include "proto/base/name.h"
#include "proto/spec/spec_parts.h"

enum { NAME_BYTES = 200 };

/* ---- lists on the command line ---- */

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

		(void)json_array_append_new(list, option_value_of(text, n));
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

/* One -O is the template's flags, several are a dimension. */
static void
put_flags(json_t *sweep, const struct cli_list *words)
{
	json_t	*list = json_array();

	for (size_t i = 0; i < words->n; i++) {
		(void)json_array_append_new(list, json_array());
		(void)option_flags(json_array_get(list, i), words->items[i]);
	}
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
	option_visibility(sweep, c->readers);
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

/* ---- names ---- */

/* All of a sweep, with the texts that a source includes. */
static enum status
list_variants(const json_t *sweep, const char *path, json_t *to, struct fault *why)
{
	const struct transformed_request	 q = { .source = path };
	json_t					*template, *files;
	enum status				 st = ST_OK;

	if (json_object_get(sweep, "template") != NULL) {
		template = json_copy(json_object_get(sweep, "template"));
		(void)json_array_append_new(to, template);
		if (document_language(path) != NULL &&
		    (st = transformed_files(&q, &files, why)) == ST_OK && files != NULL)
			(void)json_object_set_new(template, "files", files);
	}
	(void)json_array_extend(to, json_object_get(sweep, "variants"));
	(void)json_array_extend(to, json_object_get(json_object_get(sweep, "space"), "variant"));
	return st;
}

static bool
has_all_sources(const json_t *variants)
{
	json_t	*one;
	size_t	 i;

	json_array_foreach((json_t *)(uintptr_t)variants, i, one)
		if (!json_is_string(json_object_get(one, "source")))
			return false;
	return true;
}

/* A condition of the space is an expression, too. */
static enum status
check_new_params(const struct cli_list *added, const json_t *sweep, const char *path,
    struct fault *why)
{
	json_t		*variants = json_array();
	json_t		*spec = json_copy(json_object_get(sweep, "spec"));
	enum status	 st = list_variants(sweep, path, variants, why);

	if (json_object_get(sweep, "where") != NULL)
		(void)json_object_set(spec, "where", json_object_get(sweep, "where"));
	if (st == ST_OK && has_all_sources(variants))
		st = known_names_params(added, spec, variants, why);
	json_decref(spec);
	json_decref(variants);
	return st;
}

static enum status
choose_known(const struct tune_choice *c, json_t *sweep, const char *path, struct fault *why)
{
	struct cli_list	 added = { NULL, 0 };
	enum status	 st = known_names_new(&c->params, json_object_get(json_object_get(sweep,
			    "spec"), "params"), &added, why);

	if (st == ST_OK && (st = choose(c, sweep, why)) == ST_OK && added.n > 0)
		st = check_new_params(&added, sweep, path, why);
	cli_list_release(&added);
	return st;
}

/* ---- the whole ---- */

enum status
tune_document(const struct tune_choice *c, const char *path, const json_t *host, json_t **sweep,
    json_t **tune, struct fault *why)
{
	const char	*language = document_language(path);
	enum status	 st;

	*sweep = *tune = NULL;
	st = language != NULL ? tune_source_sweep(c, path, sweep, why) :
	    from_sweep(path, sweep, tune, why);
	if (st == ST_OK)
		st = choose_known(c, *sweep, path, why);
	if (st == ST_OK && language != NULL)
		st = tune_source_variants(c, path, host, *sweep, why);
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
