/* SPDX-License-Identifier: Apache-2.0 */
/* Documents of one spec and several variants: plain jobs, or comparisons with the first variant. */
#include <stdio.h>
#include <stdlib.h>

#include "proto/spec/spec_parts.h"

struct entrants {
	json_t		*common;	/* owned; what all its jobs have */
	const json_t	*variants;	/* borrowed from the document */
	char		*key;		/* owned; NULL or "": none */
};

static enum status
keep_for_jobs(void *out, const struct node *n, struct fault *why)
{
	struct entrants	*c = out;

	if (json_object_set(c->common, n->name, (json_t *)(uintptr_t)n->value) == 0)
		return ST_OK;
	return fault_set(why, ST_NOMEM, "job");
}

static enum status
get_list(struct entrants *c, const struct node *n, size_t least, size_t most, struct fault *why)
{
	size_t	size = json_array_size(n->value);

	c->variants = n->value;
	if (json_is_array(n->value) && size >= least && size <= most)
		return ST_OK;
	return decode_refuse(n, NULL, why, "must be an array of %zu to %zu variants", least, most);
}

static enum status
get_variants(void *out, const struct node *n, struct fault *why)
{
	return get_list(out, n, 1, SPEC_MAX_VARIANTS, why);
}

static enum status
get_compared(void *out, const struct node *n, struct fault *why)
{
	return get_list(out, n, 2, SPEC_MAX_COMPARED, why);
}

#define ROW(member, ...) SHAPE_ROW(struct entrants, member, __VA_ARGS__)
#define KEEP SHAPE_OWN, .get = keep_for_jobs
#define VARIANTS(of, n, limit) ROW(variants, SHAPE_OWN, .get = of, .required = true, \
	.forms = FORM_LIST, .least = n, .most = limit, .each = &variant_row)
static const struct shape_row	variant_row = { .kind = SHAPE_OBJECT, .of = &variant_shape };
static const struct shape_row	common_rows[] = {
	SPEC_ROW(0, "spec", KEEP, .of = &spec_shape, .required = true),
	SPEC_ROW(0, "meta", KEEP, .forms = FORM_MAP),
	ROW(key, SHAPE_LABEL, .most = SPEC_MAX_COMMON_KEY),
	SPEC_ROW(0, "", SHAPE_INLINE, .of = &job_common_shape, .get = keep_for_jobs),
};
static const struct shape	common_shape = SHAPE_OF(struct entrants, common_rows);

static const struct shape_row	variants_rows[] = {
	SPEC_ROW(0, "", SHAPE_INLINE, .of = &common_shape),
	VARIANTS(get_variants, 1, SPEC_MAX_VARIANTS),
};
const struct shape		variants_document_shape = SHAPE_OF(struct entrants, variants_rows);

static const struct shape_row	contest_rows[] = {
	SPEC_ROW(0, "", SHAPE_INLINE, .of = &common_shape),
	VARIANTS(get_compared, 2, SPEC_MAX_COMPARED),
	SPEC_ROW(0, "compare", KEEP, .of = &contest_shape),
};
const struct shape		contest_document_shape = SHAPE_OF(struct entrants, contest_rows);

static enum status
emit(const struct entrants *c, size_t place, const json_t *against, sweep_each_fn *each, void *arg,
    struct fault *why)
{
	json_t	*job = json_copy(c->common);
	bool	 ok;

	ok = json_object_set(job, "variant", json_array_get(c->variants, place)) == 0;
	if (ok && against != NULL)
		ok = json_object_set(job, "against", (json_t *)(uintptr_t)against) == 0;
	if (ok && c->key != NULL && c->key[0] != '\0')
		ok = json_object_set_new(job, "key", json_sprintf("%s#%zu", c->key, place)) == 0;
	if (ok)
		return each(arg, job, why);
	json_decref(job);
	return fault_set(why, ST_NOMEM, "job");
}

/* against: NULL, or the first variant, which then has no job of its own. */
static enum status
walk(const struct entrants *c, const json_t *against, sweep_each_fn *each, void *arg,
    struct fault *why)
{
	for (size_t i = against != NULL; i < json_array_size(c->variants); i++) {
		char		place[40];
		enum status	st = emit(c, i, against, each, arg, why);

		if (st == ST_OK)
			continue;
		(void)snprintf(place, sizeof place, "variants[%zu]", i);
		if (!fault_rename(why, "variant", place))
			(void)fault_rename(why, "against", "variants[0]");
		return st;
	}
	return ST_OK;
}

static enum status
expand(const struct shape *shape, bool compares, const json_t *doc, sweep_each_fn *each, void *arg,
    struct fault *why)
{
	struct node	root = { .value = doc };
	struct entrants	c = { .common = json_object() };
	enum status	st;

	if (c.common == NULL)
		return fault_set(why, ST_NOMEM, "job");
	if ((st = shape_get(shape, &c, &root, SHAPE_WRITTEN, why)) == ST_OK)
		st = walk(&c, compares ? json_array_get(c.variants, 0) : NULL, each, arg, why);
	json_decref(c.common);
	free(c.key);
	return st;
}

enum status
variants_expand(const json_t *doc, sweep_each_fn *each, void *arg, struct fault *why)
{
	return expand(&variants_document_shape, false, doc, each, arg, why);
}

enum status
contest_expand(const json_t *doc, sweep_each_fn *each, void *arg, struct fault *why)
{
	return expand(&contest_document_shape, true, doc, each, arg, why);
}
