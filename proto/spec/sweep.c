/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "proto/spec/points.h"
#include "proto/spec/spec_parts.h"

struct sweep {
	char			*name, *key;	/* owned; of the key NULL or "": none */
	const json_t		*spec, *variants, *template, *space, *where, *meta;
	json_t			*common;	/* owned: job-level members for every job */
	sweep_each_fn		*each;
	void			*arg;
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
	if (count >= 1 && count <= SPEC_MAX_POINTS)
		return ST_OK;
	return decode_refuse(n, NULL, why, "must be an array of 1 to %d variants", SPEC_MAX_POINTS);
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

/* Members of a variant, of the space and of the spec are looked at when they make a job. */
#define ROW(member, ...) SHAPE_ROW(struct sweep, member, __VA_ARGS__)
static const struct shape_row	variant_row = { .kind = SHAPE_OBJECT, .of = &variant_shape };
static const struct shape_row	values_row = { .kind = SHAPE_OWN, .forms = FORM_LIST, .least = 1 };
static const struct shape_row	condition_row = { .kind = SHAPE_OWN, SPEC_EXPRESSION };
static const struct shape_row	sweep_rows[] = {
	ROW(name, SHAPE_LABEL, .least = 1, .most = SPEC_MAX_NAME, .required = true),
	ROW(spec, SHAPE_OWN_PART, .get = get_object, .of = &spec_shape, .required = true),
	ROW(variants, SHAPE_OWN, .get = get_variants, .forms = FORM_LIST, .least = 1,
	    .most = SPEC_MAX_POINTS, .each = &variant_row),
	ROW(template, SHAPE_OWN, .get = get_template, .of = &variant_shape),
	ROW(space, SHAPE_OWN_PART, .get = get_object, .forms = FORM_MAP, .least = 1,
	    .most = POINTS_MAX_DIMENSIONS, .each = &values_row),
	ROW(where, SHAPE_OWN, .get = get_where, .forms = FORM_LIST, .most = POINTS_MAX_CONDITIONS,
	    .each = &condition_row),
	ROW(meta, SHAPE_OWN_PART, .get = get_object, .forms = FORM_MAP),
	ROW(key, SHAPE_LABEL, .most = SPEC_MAX_COMMON_KEY),
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

/* Adds what the sweep has for all jobs to this one, which is taken. */
static enum status
emit(const struct sweep *s, uint64_t place, json_t *job, struct fault *why)
{
	bool	ok = json_object_update_missing(job, s->common) == 0;

	if (ok && s->key != NULL && s->key[0] != '\0')
		ok = json_object_set_new(job, "key",
		    json_sprintf("%s#%" PRIu64, s->key, place)) == 0;
	if (ok)
		return s->each(s->arg, job, why);
	json_decref(job);
	return fault_set(why, ST_NOMEM, "sweep");
}

static enum status
emit_point(const struct sweep *s, const struct points *space, uint64_t point, struct fault *why)
{
	json_t		*job;
	enum status	 st = points_job(space, &job, why);

	return st != ST_OK ? st : points_blame(space, emit(s, point, job, why), why);
}

static enum status
walk_points(const struct sweep *s, struct points *space, const struct node *root, struct fault *why)
{
	const uint64_t	points = points_count(space);
	size_t		n = 0;
	bool		wanted;
	enum status	st;

	if (points > SPEC_MAX_POINTS)
		return decode_refuse(root, "space", why, "has more than %d points",
		    SPEC_MAX_POINTS);
	for (uint64_t point = 0; point < points; point++, points_next(space)) {
		if ((st = points_admits(space, &wanted, why)) != ST_OK ||
		    (wanted && (st = emit_point(s, space, point, why)) != ST_OK))
			return st;
		n += wanted;
	}
	if (n > 0)
		return ST_OK;
	return decode_refuse(root, "where", why, "leaves none of the %" PRIu64 " points", points);
}

static enum status
walk_space(const struct sweep *s, const struct node *root, struct fault *why)
{
	struct points	*space;
	enum status	 st = points_open(&space, root->value, why);

	if (st == ST_OK)
		st = walk_points(s, space, root, why);
	points_free(space);
	return st;
}

static enum status
blame_variant(size_t index, enum status st, struct fault *why)
{
	char	place[40];

	(void)snprintf(place, sizeof place, "variants[%zu]", index);
	(void)fault_rename(why, "variant", place);
	return st;
}

static enum status
walk_variants(const struct sweep *s, struct fault *why)
{
	const json_t	*variant;
	json_t		*job;
	size_t		 i;
	enum status	 st;

	json_array_foreach(s->variants, i, variant) {
		job = json_pack("{s:O, s:O, s:o}", "variant", variant, "spec", s->spec, "meta",
		    s->meta != NULL ? json_copy((json_t *)(uintptr_t)s->meta) : json_object());
		if (job == NULL)
			return fault_set(why, ST_NOMEM, "sweep");
		if ((st = emit(s, i, job, why)) != ST_OK)
			return blame_variant(i, st, why);
	}
	return ST_OK;
}

static enum status
read_document(struct sweep *s, const struct node *root, struct fault *why)
{
	enum status	st;

	if ((st = shape_get(&sweep_shape, s, root, SHAPE_WRITTEN, why)) != ST_OK)
		return st;
	return check_form(s, root, why);
}

static void
sweep_free(struct sweep *s)
{
	json_decref(s->common);
	free(s->name);
	free(s->key);
	free(s);
}

enum status
sweep_expand(const json_t *doc, sweep_each_fn *each, void *arg, struct fault *why)
{
	struct sweep	*s = calloc(1, sizeof *s);
	struct node	 root = { .value = doc };
	enum status	 st;

	if (s == NULL || (s->common = json_object()) == NULL) {
		free(s);
		return fault_set(why, ST_NOMEM, "sweep");
	}
	s->each = each;
	s->arg = arg;
	if ((st = read_document(s, &root, why)) == ST_OK)
		st = s->variants != NULL ? walk_variants(s, why) : walk_space(s, &root, why);
	sweep_free(s);
	return st;
}
