/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/sweep/points.h"
#include "proto/spec/spec_parts.h"
#include "proto/sweep/sweep_yardstick.h"

#define URL_CHARACTERS	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789" \
			"-._~:/?#[]!$&'()*+,;=%"
enum { MAX_WEBHOOK = 2000 };

struct sweep {
	char			*webhook;	/* owned; NULL: none */
	char			*name, *key;	/* owned; of the key NULL or "": none */
	const json_t		*spec, *variants, *template, *space, *where, *meta;
	json_t			*common;	/* owned: job-level members for every job */
	json_t			*doc;		/* owned reference; lends those above */
	struct points		*points;	/* owned; NULL: of variants */
	uint64_t		 places, next;	/* next: 0 before the first */
	bool			 has_jobs;	/* one of the places before `next` */
	struct sweep_yardstick	 yardstick;
};

/* --- reading the document --- */

static enum status
get_object(void *out, const struct node *n, struct fault *why)
{
	const json_t	**object = out;

	*object = n->value;
	return decode_object(n, why);
}

static enum status
get_variants(void *out, const struct node *n, struct fault *why)
{
	struct sweep	*s = out;
	size_t		 count = json_array_size(n->value);

	s->variants = n->value;
	if (count >= 1 && count <= SPEC_MAX_VARIANTS)
		return ST_OK;
	return decode_refuse(n, NULL, why, "must be an array of 1 to %d variants",
	    SPEC_MAX_VARIANTS);
}

static enum status
get_template(void *out, const struct node *n, struct fault *why)
{
	struct sweep	*s = out;
	struct node	 defines = decode_member(n, "defines");
	enum status	 st;

	s->template = n->value;
	if ((st = decode_object(n, why)) != ST_OK || defines.value == NULL)
		return st;
	return decode_object(&defines, why);
}

static enum status
get_where(void *out, const struct node *n, struct fault *why)
{
	struct sweep	*s = out;

	s->where = n->value;
	if (json_is_array(n->value) && json_array_size(n->value) <= POINTS_MAX_CONDITIONS)
		return ST_OK;
	return decode_refuse(n, NULL, why, "must be an array of at most %d expressions",
	    POINTS_MAX_CONDITIONS);
}

static enum status
keep_for_jobs(void *out, const struct node *n, struct fault *why)
{
	struct sweep	*s = out;

	if (json_object_set(s->common, n->name, (json_t *)(uintptr_t)n->value) == -1)
		return fault_set(why, ST_NOMEM, "sweep");
	return ST_OK;
}

#define AT(member) offsetof(struct sweep, yardstick.member)
static const struct shape_row	yardstick_rows[] = {
	SPEC_ROW(AT(every), "every", SHAPE_COUNT, .least = 1, .most = SPEC_MAX_POINTS,
	    SHAPE_DEFAULT(100)),
	SPEC_ROW(AT(correct), "correct", SHAPE_FLAG, SHAPE_DEFAULT(false)),
	SPEC_ROW(AT(variant), "variant", SHAPE_LABEL, .most = SPEC_MAX_NAME, .preset_text = ""),
};
#undef AT
static const struct shape	yardstick_shape = SHAPE_OF(struct sweep, yardstick_rows);

static enum status
get_yardstick(void *out, const struct node *n, struct fault *why)
{
	return n->value == NULL ? ST_OK : shape_get(&yardstick_shape, out, n, SHAPE_WRITTEN, why);
}

/* Where it leads is the daemon's to check: a sweep has the form alone. */
static enum status
check_webhook(void *out, const struct node *n, struct fault *why)
{
	const struct sweep	*s = out;
	const char		*url = s->webhook;

	if (strncmp(url, "https://", 8) != 0 && strncmp(url, "http://", 7) != 0) {
		(void)decode_refuse(n, NULL, why, "must begin with https://");
	} else if (url[strspn(url, URL_CHARACTERS)] != '\0') {
		(void)decode_refuse(n, NULL, why, "has a character that no address has, or a user");
		fault_hint(why, "write others as %%XX; put no user and password into it");
	} else {
		return ST_OK;
	}
	return ST_BAD_SPEC;
}

#define AT(member) offsetof(struct sweep, member)
static const struct shape_row	notify_rows[] = {
	SPEC_ROW(AT(webhook), "webhook", SHAPE_LABEL, .least = 1, .most = MAX_WEBHOOK,
	    .required = true, .check = check_webhook),
};
#undef AT
static const struct shape	notify_shape = SHAPE_OF(struct sweep, notify_rows);

static enum status
get_notify(void *out, const struct node *n, struct fault *why)
{
	enum status	st;

	if (n->value == NULL)
		return ST_OK;
	if ((st = decode_object(n, why)) != ST_OK) {
		fault_hint(why, "as in \"notify\": {\"webhook\": "
		    "\"https://ci.example.org/assay\"}");
		return st;
	}
	return shape_get(&notify_shape, out, n, SHAPE_WRITTEN, why);
}

/* Members of a variant, of the space and of the spec are looked at when they make a job. */
#define ROW(member, ...) SHAPE_ROW(struct sweep, member, __VA_ARGS__)
static const struct shape_row	variant_row = { .kind = SHAPE_OBJECT, .of = &variant_shape };
static const struct shape_row	values_row = { .kind = SHAPE_OWN, .forms = FORM_LIST, .least = 1 };
static const struct shape_row	condition_row = { .kind = SHAPE_OWN, SPEC_EXPRESSION };
static const struct shape_row	sweep_rows[] = {
	ROW(name, SHAPE_LABEL, .least = 1, .most = SPEC_MAX_NAME, .required = true),
	ROW(spec, SHAPE_OWN_PART, .get = get_object, .of = &spec_shape, .required = true),
	ROW(variants, SHAPE_OWN, .get = get_variants, .forms = FORM_LIST, .least = 1,
	    .most = SPEC_MAX_VARIANTS, .each = &variant_row),
	ROW(template, SHAPE_OWN, .get = get_template, .of = &variant_shape),
	ROW(space, SHAPE_OWN_PART, .get = get_object, .forms = FORM_MAP, .least = 1,
	    .most = POINTS_MAX_DIMENSIONS, .each = &values_row),
	ROW(where, SHAPE_OWN, .get = get_where, .forms = FORM_LIST, .most = POINTS_MAX_CONDITIONS,
	    .each = &condition_row),
	ROW(meta, SHAPE_OWN_PART, .get = get_object, .forms = FORM_MAP),
	ROW(key, SHAPE_LABEL, .most = SPEC_MAX_COMMON_KEY),
	SPEC_ROW(0, "yardstick", SHAPE_OWN, .get = get_yardstick, .of = &yardstick_shape),
	SPEC_ROW(0, "notify", SHAPE_OWN, .get = get_notify, .of = &notify_shape),
	SPEC_ROW(0, "", SHAPE_INLINE, .of = &job_common_shape, .get = keep_for_jobs),
};
const struct shape		sweep_shape = SHAPE_OF(struct sweep, sweep_rows);

static enum status
check_form(const struct sweep *s, const struct node *n, struct fault *why)
{
	const char	*missing;
	enum status	 st;

	if (s->variants != NULL && (s->template != NULL || s->space != NULL || s->where != NULL)) {
		const char	*extra = s->template != NULL ? "template" :
				    s->space != NULL ? "space" : "where";

		st = decode_refuse(n, extra, why, "does not go with variants");
		fault_hint(why, "list the variants, or give a template and its space");
		return st;
	}
	if (s->variants != NULL || (s->template != NULL && s->space != NULL))
		return ST_OK;
	missing = s->template != NULL ? "space" : s->space != NULL ? "template" : "variants";
	st = decode_refuse(n, missing, why, "is missing");
	fault_hint(why, "a sweep has variants, or a template and its space");
	return st;
}

/* --- jobs --- */

/* Adds what the sweep has for all jobs to this one, which is taken if it fails. */
static enum status
complete(const struct sweep *s, json_t **job, struct fault *why)
{
	bool	ok = *job != NULL && json_object_update_missing(*job, s->common) == 0;

	if (ok && s->key != NULL && s->key[0] != '\0')
		ok = json_object_set_new(*job, "key",
		    json_sprintf("%s#%" PRIu64, s->key, s->next - 1)) == 0;
	if (ok)
		return ST_OK;
	json_decref(*job);
	*job = NULL;
	return fault_set(why, ST_NOMEM, "sweep");
}

static enum status
next_point(struct sweep *s, json_t **job, struct fault *why)
{
	bool		wanted;
	enum status	st;

	if (s->next++ > 0)
		points_next(s->points);
	if ((st = points_admits(s->points, &wanted, why)) != ST_OK || !wanted)
		return st;
	return (st = points_job(s->points, job, why)) == ST_OK ? complete(s, job, why) : st;
}

/* NULL: no memory. */
static json_t *
variant_job(const struct sweep *s, const json_t *variant)
{
	return json_pack("{s:O, s:O, s:o}", "variant", variant, "spec", s->spec, "meta",
	    s->meta != NULL ? json_copy((json_t *)(uintptr_t)s->meta) : json_object());
}

static enum status
next_variant(struct sweep *s, json_t **job, struct fault *why)
{
	*job = variant_job(s, json_array_get(s->variants, (size_t)s->next++));
	return complete(s, job, why);
}

static enum status
next_place(struct sweep *s, json_t **job, struct fault *why)
{
	const struct node	root = { .value = s->doc };
	enum status		st;

	*job = NULL;
	st = s->points != NULL ? next_point(s, job, why) : next_variant(s, job, why);
	if (st != ST_OK)
		return st;
	s->has_jobs |= *job != NULL;
	if (s->has_jobs || s->next < s->places)
		return ST_OK;
	return decode_refuse(&root, "where", why, "leaves none of the %" PRIu64 " points",
	    s->places);
}

enum status
sweep_next(struct sweep *s, json_t **job, struct fault *why)
{
	enum status	st;

	if ((*job = sweep_yardstick_held(&s->yardstick)) != NULL)
		return ST_OK;
	if (s->next < s->places)
		return (st = next_place(s, job, why)) != ST_OK ? st :
		    sweep_yardstick_pass(&s->yardstick, s->key, job, why);
	s->yardstick.is_over = true;
	return sweep_yardstick_next(&s->yardstick, s->key, job, why);
}

enum status
sweep_blame(const struct sweep *s, enum status st, struct fault *why)
{
	char	place[40];

	if (st == ST_OK)
		return st;
	if (s->points != NULL)
		return points_blame(s->points, st, why);
	(void)snprintf(place, sizeof place, "variants[%" PRIu64 "]", s->next - 1);
	(void)fault_rename(why, "variant", place);
	return st;
}

bool
sweep_is_over(const struct sweep *s)
{
	return s->next == s->places && s->yardstick.held == NULL &&
	    (s->yardstick.every == 0 || s->yardstick.is_over);
}

uint64_t
sweep_places(const struct sweep *s)
{
	return s->places;
}

/* --- the whole --- */

static enum status
open_space(struct sweep *s, const struct node *root, struct fault *why)
{
	enum status	st = points_open(&s->points, s->doc, why);

	if (st != ST_OK)
		return st;
	s->places = points_count(s->points);
	if (s->places <= SPEC_MAX_POINTS)
		return ST_OK;
	return decode_refuse(root, "space", why, "has more than %d points", SPEC_MAX_POINTS);
}

/* The variant that the yardstick names, with what all jobs have. */
static enum status
name_yardstick(struct sweep *s, const struct node *root, struct fault *why)
{
	const char		*wanted = s->yardstick.variant, *name;
	const struct node	 at = decode_member(root, "yardstick");
	const json_t		*variant;
	json_t			*job;
	size_t			 i;

	if (wanted == NULL || wanted[0] == '\0')
		return ST_OK;
	json_array_foreach(s->variants, i, variant) {
		name = json_string_value(json_object_get(variant, "name"));
		if (name == NULL || strcmp(name, wanted) != 0)
			continue;
		if ((job = variant_job(s, variant)) == NULL ||
		    json_object_update_missing(job, s->common) != 0) {
			json_decref(job);
			return fault_set(why, ST_NOMEM, "sweep");
		}
		return sweep_yardstick_is(&s->yardstick, job, why);
	}
	return decode_refuse(&at, "variant", why, "names none of the sweep's variants");
}

static enum status
read_document(struct sweep *s, struct fault *why)
{
	const struct node	root = { .value = s->doc };
	enum status		st;

	if ((st = shape_get(&sweep_shape, s, &root, SHAPE_WRITTEN, why)) != ST_OK ||
	    (st = check_form(s, &root, why)) != ST_OK ||
	    (st = name_yardstick(s, &root, why)) != ST_OK)
		return st;
	if (s->variants == NULL)
		return open_space(s, &root, why);
	s->places = json_array_size(s->variants);
	return ST_OK;
}

enum status
sweep_open(struct sweep **out, const json_t *doc, struct fault *why)
{
	struct sweep	*s = calloc(1, sizeof *s);
	enum status	 st;

	*out = NULL;
	if (s == NULL || (s->common = json_object()) == NULL) {
		free(s);
		return fault_set(why, ST_NOMEM, "sweep");
	}
	s->doc = json_incref((json_t *)(uintptr_t)doc);
	if ((st = read_document(s, why)) != ST_OK)
		sweep_close(s);
	else
		*out = s;
	return st;
}

void
sweep_close(struct sweep *s)
{
	if (s == NULL)
		return;
	points_free(s->points);
	json_decref(s->common);
	sweep_yardstick_release(&s->yardstick);
	json_decref(s->doc);
	free(s->name);
	free(s->key);
	free(s->webhook);
	free(s);
}

enum status
sweep_expand(const json_t *doc, sweep_each_fn *each, void *arg, struct fault *why)
{
	struct sweep	*s;
	json_t		*job;
	enum status	 st;

	if ((st = sweep_open(&s, doc, why)) != ST_OK)
		return st;
	while (st == ST_OK && !sweep_is_over(s))
		if ((st = sweep_next(s, &job, why)) == ST_OK && job != NULL)
			st = sweep_blame(s, each(arg, job, why), why);
	sweep_close(s);
	return st;
}
