/* SPDX-License-Identifier: Apache-2.0 */
/* A job: a variant, a spec, and how to treat it. */
#include <stdlib.h>
#include <string.h>

#include "proto/spec/spec_parts.h"
#include "proto/spec/words.h"

enum { BUILD_TIMEOUT_MS = 30000, RUN_TIMEOUT_MS = 60000, RETRIES = 2, PRIORITY_MAX = 100 };

static enum status
get_spec(void *out, const struct node *n, struct fault *why)
{
	struct job	*j = out;

	if (j->spec.routine_text != NULL)
		return ST_OK;		/* kept of the job before: it is equal */
	return spec_decode(&j->spec, n, why);
}

/* Shared with the document, which nothing changes. */
static enum status
get_meta(void *out, const struct node *n, struct fault *why)
{
	json_t		**meta = out;
	enum status	  st = decode_object(n, why);

	if (st == ST_OK)
		*meta = json_incref((json_t *)(uintptr_t)n->value);
	return st;
}

static enum status
check_deadline(void *out, const struct node *n, struct fault *why)
{
	const struct job	*j = out;

	if (j->deadline == 0 || j->deadline > j->not_before)
		return ST_OK;
	return decode_refuse(n, NULL, why, "is not after not_before: it could never start");
}

static enum status
get_window(void *out, const struct node *n, struct fault *why)
{
	struct job	*j = out;

	j->window_from = j->window_to = -1;
	return n->value == NULL ? ST_OK : spec_get_window(n, &j->window_from, &j->window_to, why);
}

/* A name of those who may read.  The words stand alone: in a list each would say something else. */
static enum status
check_reader(const struct node *name, struct fault *why)
{
	char		*text = NULL;
	enum status	 st = decode_label(name, SPEC_MAX_USER, &text, why);

	if (st == ST_OK && text[0] == '\0')
		st = decode_refuse(name, NULL, why, "must be a user's name");
	for (unsigned i = 0; st == ST_OK && words_visibility[i] != NULL; i++)
		if (strcmp(text, words_visibility[i]) == 0)
			st = decode_refuse(name, NULL, why, "\"%s\" stands alone, not in a list "
			    "of users' names", text);
	free(text);
	return st;
}

/* "private", "all", or the names of those who may read: kept as JSON. */
static enum status
get_visibility(void *out, const struct node *n, struct fault *why)
{
	char		**visibility = out;
	const size_t	  count = json_array_size(n->value);
	unsigned	  word = 0;
	enum status	  st;

	if (!json_is_array(n->value)) {
		if (!json_is_string(n->value))
			return decode_refuse_type(n,
			    "\"private\", \"all\" or a list of users' names", why);
		if ((st = decode_word(n, words_visibility, &word, why)) != ST_OK || word == 0)
			return st;
	} else if (count < 1 || count > SPEC_MAX_READERS) {
		return decode_refuse(n, NULL, why, "must name 1 to %d users", SPEC_MAX_READERS);
	}
	for (size_t i = 0; i < count; i++) {
		const struct node	 name = decode_element(n, i);

		if ((st = check_reader(&name, why)) != ST_OK)
			return st;
	}
	*visibility = json_dumps(n->value, JSON_COMPACT | JSON_ENCODE_ANY);
	return *visibility != NULL ? ST_OK : fault_set(why, ST_NOMEM, "visibility");
}

enum status
spec_check_visibility(const json_t *value, struct fault *why)
{
	const struct node	 root = { .value = NULL };
	const struct node	 n = { .up = &root, .name = "visibility", .value = value };
	char			*text = NULL;
	enum status		 st = get_visibility(&text, &n, why);

	free(text);
	return st;
}

json_t *
spec_read_visibility(const char *text)
{
	json_t	*names;
	size_t	 n;

	for (unsigned i = 0; words_visibility[i] != NULL; i++)
		if (strcmp(text, words_visibility[i]) == 0)
			return json_string(text);
	names = json_array();
	for (; ; text += n + 1) {
		n = strcspn(text, ",");
		(void)json_array_append_new(names, json_stringn(text, n));
		if (text[n] == '\0')
			return names;
	}
}

#define ROW(member, ...) SHAPE_ROW(struct job, member, __VA_ARGS__)
#define AT(member) offsetof(struct job, member)
static const struct shape_row	timeout_rows[] = {
	SPEC_ROW(AT(build_timeout_ms), "build", SHAPE_COUNT, .least = 1,
	    .most = SPEC_MAX_TIMEOUT_MS, SHAPE_DEFAULT(BUILD_TIMEOUT_MS)),
	SPEC_ROW(AT(run_timeout_ms), "run", SHAPE_COUNT, .least = 1,
	    .most = SPEC_MAX_TIMEOUT_MS, SHAPE_DEFAULT(RUN_TIMEOUT_MS)),
};
static const struct shape	timeout_shape = SHAPE_OF(struct job, timeout_rows);

#define MOMENT SHAPE_OWN_PART, .get = spec_get_moment, .forms = FORM_INTEGER | FORM_TEXT, \
	.most = SPEC_MOMENT_MAX
static const struct shape_row	reader_row = { .kind = SHAPE_LABEL, .least = 1,
	.most = SPEC_MAX_USER };
static const struct shape_row	common_rows[] = {
	ROW(priority, SHAPE_INTEGER, .least = -PRIORITY_MAX, .most = PRIORITY_MAX,
	    SHAPE_DEFAULT(0)),
	ROW(not_before, MOMENT),
	ROW(deadline, MOMENT, .check = check_deadline),
	SPEC_ROW(0, "window", SHAPE_OWN, .get = get_window, .always = true, .forms = FORM_TEXT),
	SPEC_ROW(0, "timeout_ms", SHAPE_OBJECT, .of = &timeout_shape),
	ROW(threads, SHAPE_COUNT, .least = 1, .most = SPEC_MAX_THREADS, SHAPE_DEFAULT(1)),
	ROW(copies, SHAPE_COUNT, .least = 1, .most = SPEC_MAX_COPIES, SHAPE_DEFAULT(1)),
	ROW(retries, SHAPE_COUNT, .most = SPEC_MAX_RETRIES, SHAPE_DEFAULT(RETRIES)),
	SPEC_ROW(AT(profile), "jail", SHAPE_WORD, .words = words_profile,
	    SHAPE_DEFAULT(PROFILE_PLAIN)),
	ROW(fresh, SHAPE_FLAG, SHAPE_DEFAULT(false)),
	ROW(visibility, SHAPE_OWN_PART, .get = get_visibility, .words = words_visibility,
	    .forms = FORM_LIST, .least = 1, .most = SPEC_MAX_READERS, .each = &reader_row,
	    .preset_text = "\"private\""),
	ROW(race, SHAPE_OBJECT, .of = &race_shape, .has = AT(race.is_asked)),
};
const struct shape		job_common_shape = SHAPE_OF(struct job, common_rows);

static const struct shape_row	job_rows[] = {
	ROW(variant, SHAPE_OBJECT, .of = &variant_shape, .required = true),
	ROW(spec, SHAPE_OWN, .get = get_spec, .of = &spec_shape, .required = true),
	ROW(against, SHAPE_OBJECT, .of = &variant_shape),
	SPEC_ROW(AT(contest), "compare", SHAPE_OBJECT, .of = &contest_shape, SHAPE_DEFAULT(0)),
	ROW(meta, SHAPE_OWN_PART, .get = get_meta, .forms = FORM_MAP),
	SPEC_ROW(0, "", SHAPE_INLINE, .of = &job_common_shape),
	ROW(key, SHAPE_LABEL, .most = SPEC_MAX_NAME, .preset_text = ""),
	ROW(yardstick, SHAPE_FLAG, SHAPE_DEFAULT(false)),
};
const struct shape		job_shape = SHAPE_OF(struct job, job_rows);

/* Into a job that is zero but for, maybe, its spec. */
static enum status
decode(struct job *j, const json_t *doc, struct fault *why)
{
	struct node	root = { .value = doc };
	enum status	st;

	if ((st = shape_get(&job_shape, j, &root, SHAPE_WRITTEN, why)) != ST_OK ||
	    (st = spec_check_job(j, &root, why)) != ST_OK)
		job_release(j);
	return st;
}

enum status
job_decode(struct job *j, const json_t *doc, struct fault *why)
{
	memset(j, 0, sizeof *j);
	return decode(j, doc, why);
}

/*
 * Of both variants, meta, key and visibility; then all but the spec is as in a job that was
 * cleared.
 */
static void
release_but_spec(struct job *j)
{
	const size_t	end = offsetof(struct job, spec) + sizeof j->spec;

	spec_release_variant(&j->variant);
	spec_release_variant(&j->against);
	json_decref(j->meta);
	free(j->key);
	free(j->visibility);
	memset(j, 0, offsetof(struct job, spec));
	memset((char *)j + end, 0, sizeof *j - end);
}

enum status
job_decode_next(struct job *j, const json_t *doc, const json_t *before, struct fault *why)
{
	const json_t	*spec = json_object_get(doc, "spec");
	const json_t	*old = json_object_get(before, "spec");

	if (spec != NULL && old != NULL && json_equal(spec, old))
		release_but_spec(j);
	else
		job_release(j);
	return decode(j, doc, why);
}

void
job_release(struct job *j)
{
	release_but_spec(j);
	spec_release(&j->spec);
	memset(&j->spec, 0, sizeof j->spec);
}
