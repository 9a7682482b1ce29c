/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/print/format.h"
#include "client/print/results/results.h"
#include "client/print/results/row.h"

enum { MARKS_BYTES = 256, WORDS_BYTES = 64 };

char *
row_plain_value(const json_t *value)
{
	const json_t	*item;
	char		*joined, *each, *longer;
	size_t		 i;

	if (json_is_string(value))
		return strdup(json_string_value(value));
	if (!json_is_array(value))
		return json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(6));
	joined = strdup("");
	json_array_foreach(value, i, item) {
		each = joined != NULL ? row_plain_value(item) : NULL;
		if (each == NULL || asprintf(&longer, "%s%s%s", joined, i > 0 ? " " : "", each) < 0)
			longer = NULL;
		free(each);
		free(joined);
		joined = longer;
	}
	return joined;
}

/* Append the pair to `text` (taken), unless `known` has it.  NULL: no memory. */
static char *
with_pair(char *text, const char *name, const json_t *value, const char *known)
{
	char	*plain = row_plain_value(value), *pair = NULL, *longer = NULL;

	if (plain == NULL || asprintf(&pair, "%s=%s", name, plain) < 0)
		pair = NULL;
	free(plain);
	if (pair != NULL && strstr(known, pair) != NULL) {
		free(pair);
		return text;
	}
	if (pair == NULL || asprintf(&longer, "%s%s%s", text, text[0] != '\0' ? " " : "", pair) < 0)
		longer = NULL;
	free(pair);
	free(text);
	return longer;
}

/* Of a place in a space: a document that a program put into meta is none. */
static bool
is_of_point(const json_t *value)
{
	const json_t	*one;
	size_t		 i;

	json_array_foreach(value, i, one)
		if (json_is_object(one) || json_is_array(one))
			return false;
	return !json_is_object(value);
}

/* A variant may be named after its values, which are not repeated; it is after a whole variant. */
char *
row_point(const struct result *r)
{
	char		*text = strdup("");
	const char	*name;
	json_t		*value;

	json_object_foreach(r->meta, name, value)
		if (text != NULL && strcmp(name, "variant") != 0 && is_of_point(value))
			text = with_pair(text, name, value, r->name != NULL ? r->name : "");
	return text;
}

char *
row_first_error(const char *text)
{
	const char	*error = strstr(text, "error"), *line = error != NULL ? error : text;

	while (line > text && line[-1] != '\n')
		line--;
	while (*line == '\n' || *line == ' ')
		line++;
	return strndup(line, strcspn(line, "\n"));
}

static void
add_mark(char marks[MARKS_BYTES], bool is_due, const char *mark)
{
	const size_t	used = strlen(marks);

	if (is_due)
		(void)snprintf(marks + used, MARKS_BYTES - used, "%s%s", used > 0 ? "; " : "",
		    mark);
}

static const char *
corrected_words(const struct result *r, char words[WORDS_BYTES])
{
	char	time[FORMAT_BYTES];

	(void)snprintf(words, WORDS_BYTES, "without drift %s",
	    format_duration_ns(r->corrected_ns, time));
	return words;
}

/* Reservations about an ok time; owned.  "": none. */
static char *
marks_of(const struct result *r)
{
	const struct sample_technique	*s = &r->found.technique.sample;
	char				 marks[MARKS_BYTES] = "", bound[FORMAT_BYTES];
	char				 given_up[MARKS_BYTES / 2];
	char				 words[WORDS_BYTES];

	(void)snprintf(given_up, sizeof given_up, "given up: slower than %s",
	    format_duration_ns(r->time.bound_ns, bound));
	add_mark(marks, r->time.raced, given_up);
	add_mark(marks, r->time.quick, "built by tcc for its answer alone: not ranked");
	add_mark(marks, !r->found.check.done, "not checked");
	add_mark(marks, s->canary != NULL && strncmp(s->canary, "off", 3) == 0, "not watched");
	add_mark(marks, s->within_noise, "too short for the clock: lost in its noise");
	add_mark(marks, !isnan(r->corrected_ns), corrected_words(r, words));
	return strdup(marks);
}

/* Of a failure: a line of the detail, or the meaning of the status. */
static char *
note_of(const struct result *r, enum status st)
{
	const char	*detail = r->detail != NULL && r->detail[0] != '\0' ? r->detail :
			    result_words(r);

	if (st == ST_OK)
		return marks_of(r);
	return row_first_error(detail != NULL ? detail : "");
}

static char *
copy_of(const char *text)
{
	return strdup(text != NULL ? text : "");
}

/* Times under one spec can be compared.  Results of older daemons have its routine and params. */
static char *
problem_of(const struct result *r)
{
	char	*params, *text;

	if (r->spec_hash != NULL)
		return strdup(r->spec_hash);
	params = r->params != NULL ? json_dumps(r->params, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
	if (asprintf(&text, "%s %s", r->routine != NULL ? r->routine : "",
	    params != NULL ? params : "") < 0)
		text = NULL;
	free(params);
	return text;
}

/* What a spec may differ in from another one of its sweep; NULL: no memory. */
static json_t *
cell_of(const struct result *r)
{
	json_t		*cell = r->params != NULL ? json_copy(r->params) : json_object(), *value;
	json_t		*context = json_object_get(r->meta, "context");
	const char	*name;

	if (context != NULL)
		(void)json_object_set(cell, "context", context);
	else if (r->found.technique.context != NULL)
		(void)json_object_set_new(cell, "context",
		    json_string(r->found.technique.context));
	json_object_foreach(r->meta, name, value)
		if (strchr(name, '.') != NULL)
			(void)json_object_set(cell, name, value);
	return cell;
}

static void
copy_interval(double to[2], const struct summary *s)
{
	to[0] = s->has_ci95_ns ? s->ci95_ns[0] : NAN;
	to[1] = s->has_ci95_ns ? s->ci95_ns[1] : NAN;
}

static void
copy_intervals(struct row *row, const struct result_time *t)
{
	const bool	is_normalised = t->has_normalised && t->estimator != NULL &&
			    strcmp(t->estimator, "normalised") == 0;

	copy_interval(row->ci95_ns, &t->raw);
	copy_interval(row->value_ci95_ns, is_normalised ? &t->normalised : &t->raw);
}

bool
row_init(struct row *row, const struct result *r)
{
	*row = (struct row){
		.job = r->job != INT64_MIN ? r->job : 0, .status = results_outcome(r),
		.name = copy_of(r->name), .sweep = copy_of(r->sweep.name),
		.word = copy_of(r->status != NULL ? r->status : "unknown"),
		.point = row_point(r), .note = note_of(r, results_outcome(r)),
		.estimator = copy_of(r->time.estimator), .problem = problem_of(r),
		.cell = cell_of(r),
		.quick = r->time.quick, .raced = r->time.raced, .bound_ns = r->time.bound_ns,
		.value_ns = r->time.value_ns, .min_ns = r->time.raw.min_ns,
		.median_ns = r->time.raw.median_ns, .cv = r->time.raw.cv,
		.mflops = r->rate.mflops_max, .gbs = r->rate.gbs_max,
		.correction = results_correction(r),
	};
	copy_intervals(row, &r->time);
	if (row->cell != NULL && row->name != NULL && row->sweep != NULL && row->word != NULL &&
	    row->point != NULL && row->note != NULL && row->estimator != NULL &&
	    row->problem != NULL)
		return true;
	row_release(row);
	return false;
}

bool
row_is_ranked(const struct row *r)
{
	return r->status == ST_OK && !r->raced && !r->quick;
}

void
row_release(struct row *r)
{
	free(r->name);
	free(r->sweep);
	free(r->word);
	free(r->point);
	free(r->note);
	free(r->estimator);
	free(r->problem);
	json_decref(r->cell);
	memset(r, 0, sizeof *r);
}
