/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "client/cmd/job/option_value.h"
#include "client/cmd/job/time_axes.h"
#include "proto/sweep/points.h"
#include "proto/spec/spec.h"

enum { NAME_BYTES = 256 };

/* ---- values between commas ---- */

/* Is there one that separates? */
static bool
has_several(const char *text)
{
	return strchr(text, ',') != NULL;
}

static bool
is_in(const json_t *list, const char *text, size_t n)
{
	const json_t	*item;
	size_t		 i;

	json_array_foreach(list, i, item)
		if (json_string_length(item) == n &&
		    strncmp(json_string_value(item), text, n) == 0)
			return true;
	return false;
}

static enum status
add_text(json_t *list, const char *text, size_t n, const char *option, struct fault *why)
{
	if (n == 0)
		return fault_at(why, ST_BAD_REQUEST, option,
		    "there is nothing beside a comma; give values as in 200,1000");
	if (is_in(list, text, n))
		return fault_at(why, ST_BAD_REQUEST, option, "\"%.*s\" is given twice", (int)n,
		    text);
	if (json_array_append_new(list, json_stringn(text, n)) != 0)
		return fault_at(why, ST_BAD_REQUEST, option, "is not UTF-8");
	return ST_OK;
}

static enum status
split(const char *text, json_t *list, const char *option, struct fault *why)
{
	enum status	st = ST_OK;

	for (size_t n; st == ST_OK; text += n + 1) {
		n = strcspn(text, ",");
		st = add_text(list, text, n, option, why);
		if (text[n] == '\0')
			break;
	}
	return st;
}

/* A comma separates flags in front of another flag, or levels without a dash. */
static size_t
flags_length(const char *text)
{
	size_t	n = 0;

	while (text[n] != '\0' && !(text[n] == ',' &&
	    (text[n + 1] == '-' || memchr(text, '-', n) == NULL)))
		n++;
	return n;
}

static enum status
split_flags(const char *text, json_t *list, struct fault *why)
{
	enum status	st = ST_OK;

	for (size_t n; st == ST_OK; text += n + 1) {
		n = flags_length(text);
		st = add_text(list, text, n, "--flags", why);
		if (text[n] == '\0')
			break;
	}
	return st;
}

/* ---- cells ---- */

/* "N=200,1000": a dimension, of which the choice keeps the first value. */
static enum status
take_param(struct time_axes *a, char **word, struct fault *why)
{
	const size_t	 n = strcspn(*word, "=");
	json_t		*texts = json_array(), *values = json_array(), *text, *first;
	char		 name[NAME_BYTES];
	enum status	 st = split(*word + n + 1, texts, "-p", why);
	size_t		 i;

	(void)snprintf(name, sizeof name, "%.*s", (int)n, *word);
	json_array_foreach(texts, i, text)
		(void)json_array_append_new(values, option_value(json_string_value(text)));
	first = json_sprintf("%s=%s", name, json_string_value(json_array_get(texts, 0)));
	json_decref(texts);
	if (st == ST_OK && (first == NULL || json_array_append(a->words, first) != 0 ||
	    json_object_set(a->cells, name, values) != 0))
		st = fault_at(why, ST_BAD_REQUEST, "-p", "is not UTF-8");
	json_decref(first);			/* the words hold it */
	json_decref(values);
	if (st == ST_OK)
		*word = (char *)(uintptr_t)json_string_value(first);
	return st;
}

static enum status
take_params(struct time_axes *a, struct cli_list *params, struct fault *why)
{
	enum status	st = ST_OK;

	for (size_t i = 0; i < params->n && st == ST_OK; i++)
		if (strchr(params->items[i], '=') != NULL && has_several(params->items[i]))
			st = take_param(a, &params->items[i], why);
	return st;
}

static enum status
take_contexts(struct time_axes *a, const char **context, struct fault *why)
{
	json_t		*texts = json_array(), *values = json_array(), *text, *value;
	enum status	 st = split(*context, texts, "--context", why);
	size_t		 i;

	json_array_foreach(texts, i, text) {
		if (st == ST_OK &&
		    (st = time_job_context(json_string_value(text), &value, why)) == ST_OK)
			(void)json_array_append_new(values, value);
	}
	(void)json_object_set_new(a->cells, "context", values);
	(void)json_array_append(a->words, json_array_get(texts, 0));
	if (st == ST_OK)
		*context = json_string_value(json_array_get(texts, 0));
	json_decref(texts);
	return st;
}

/* ---- variants ---- */

static enum status
take_flags(struct time_axes *a, const struct cli_list *flags, struct fault *why)
{
	enum status	st = ST_OK;

	for (size_t i = 0; i < flags->n && st == ST_OK; i++) {
		json_t	*list = json_array();

		st = split_flags(flags->items[i], list, why);
		(void)json_array_append_new(a->flags, list);
	}
	return st;
}

static size_t
combinations(const struct time_axes *a)
{
	const json_t	*list;
	size_t		 n = 1, i;

	json_array_foreach(a->flags, i, list)
		n *= json_array_size(list);
	return n;
}

/* The n-th combination of flags, the last option fastest; the name gets those that are chosen. */
static void
choose_flags(const struct time_axes *a, size_t n, struct cli_list *flags, char *name, size_t bytes)
{
	for (size_t i = json_array_size(a->flags); i-- > 0;) {
		const json_t	*list = json_array_get(a->flags, i);
		const size_t	 many = json_array_size(list);
		const char	*text = json_string_value(json_array_get(list, n % many));
		const size_t	 used = strlen(name);

		n /= many;
		flags->items[i] = (char *)(uintptr_t)text;
		if (many > 1)
			(void)snprintf(name + used, bytes - used, " %s%s",
			    text[0] == '-' ? "" : "-O", text);
	}
}

/* One variant: the name says what of compiler and flags was chosen among several. */
static enum status
add_variant(const struct time_choice *c, const json_t *base, const char *path, const char *chosen,
    json_t *variants, struct fault *why)
{
	json_t		*job, *variant;
	const char	*name;
	enum status	 st;

	if ((st = time_job_make(c, base, path, &job, why)) != ST_OK)
		return st;
	variant = json_object_get(job, "variant");
	name = json_string_value(json_object_get(variant, "name"));
	if (chosen[0] != '\0')
		(void)json_object_set_new(variant, "name", json_sprintf("%s%s",
		    name != NULL ? name : "variant", chosen));
	(void)json_array_append(variants, variant);
	json_decref(job);
	return ST_OK;
}

enum status
time_axes_variants(const struct time_axes *a, const struct time_choice *choice, const json_t *base,
    const char *path, json_t *variants, struct fault *why)
{
	const size_t		 compilers = json_array_size(a->compilers);
	struct time_choice	 c = *choice;
	enum status		 st = ST_OK;

	for (size_t k = 0; k < (compilers > 0 ? compilers : 1) && st == ST_OK; k++) {
		for (size_t n = 0; n < combinations(a) && st == ST_OK; n++) {
			char	chosen[NAME_BYTES] = "";

			if (compilers > 0) {
				c.compiler = json_string_value(json_array_get(a->compilers, k));
				(void)snprintf(chosen, sizeof chosen, " %s", c.compiler);
			}
			choose_flags(a, n, &c.flags, chosen, sizeof chosen);
			st = add_variant(&c, base, path, chosen, variants, why);
		}
	}
	return st;
}

/* ---- jobs ---- */

/* Without cells: as many jobs as variants. */
static enum status
plain_jobs(const json_t *base, const json_t *variants, json_t *jobs, struct fault *why)
{
	json_t	*variant, *job;
	size_t	 i;

	json_array_foreach(variants, i, variant) {
		job = json_copy((json_t *)(uintptr_t)base);
		if (job == NULL || json_object_set(job, "variant", variant) != 0 ||
		    json_array_append_new(jobs, job) != 0)
			return fault_set(why, ST_NOMEM, "jobs");
	}
	return ST_OK;
}

static enum status
add_points(const json_t *base, struct points *points, json_t *jobs, struct fault *why)
{
	json_t		*job;
	enum status	 st = ST_OK;

	if (points_count(points) > SPEC_MAX_VARIANTS)
		return fault_set(why, ST_BAD_REQUEST, "these values make more than %d jobs",
		    SPEC_MAX_VARIANTS);
	for (uint64_t n = 0; n < points_count(points) && st == ST_OK; n++, points_next(points)) {
		if ((st = points_job(points, &job, why)) == ST_OK &&
		    (json_object_update_missing(job, (json_t *)(uintptr_t)base) != 0 ||
		    json_array_append_new(jobs, job) != 0))
			st = fault_set(why, ST_NOMEM, "jobs");
	}
	return st;
}

/* As a sweep over the same space has them. */
static enum status
cell_jobs(const struct time_axes *a, const json_t *base, const json_t *variants, json_t *jobs,
    struct fault *why)
{
	json_t		*space = json_copy(a->cells), *sweep;
	struct points	*points;
	enum status	 st;

	(void)json_object_set(space, "variant", (json_t *)(uintptr_t)variants);
	sweep = json_pack("{s:O, s:{}, s:o, s:O*}", "spec", json_object_get(base, "spec"),
	    "template", "space", space, "meta", json_object_get(base, "meta"));
	if (sweep == NULL)
		return fault_set(why, ST_NOMEM, "jobs");
	if ((st = points_open(&points, sweep, why)) == ST_OK)
		st = add_points(base, points, jobs, why);
	points_free(points);
	json_decref(sweep);
	return st;
}

enum status
time_axes_jobs(const struct time_axes *a, const json_t *base, const json_t *variants,
    json_t **jobs, struct fault *why)
{
	*jobs = json_array();
	return json_object_size(a->cells) == 0 ? plain_jobs(base, variants, *jobs, why) :
	    cell_jobs(a, base, variants, *jobs, why);
}

/* ---- the whole ---- */

enum status
time_axes_init(struct time_axes *a, struct time_choice *c, struct fault *why)
{
	enum status	st;

	*a = (struct time_axes){ json_object(), json_array(), json_array(), json_array() };
	if ((st = take_params(a, &c->params, why)) == ST_OK && c->context != NULL &&
	    has_several(c->context))
		st = take_contexts(a, &c->context, why);
	if (st == ST_OK && c->compiler != NULL && has_several(c->compiler))
		st = split(c->compiler, a->compilers, "--compiler", why);
	return st == ST_OK ? take_flags(a, &c->flags, why) : st;
}

void
time_axes_release(struct time_axes *a)
{
	json_decref(a->cells);
	json_decref(a->compilers);
	json_decref(a->flags);
	json_decref(a->words);
	*a = (struct time_axes){ .cells = NULL };
}
