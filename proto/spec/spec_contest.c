/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "proto/spec/spec_parts.h"

/* --- the rule of one comparison --- */

static const char *const	words_tie_break[] = { "size", NULL };

static enum status
get_tie_break(void *out, const struct node *n, struct fault *why)
{
	bool		*by_size = out;
	unsigned	 word;

	*by_size = !json_is_null(n->value);
	return *by_size ? decode_word(n, words_tie_break, &word, why) : ST_OK;
}

#define ROW(member, ...) SHAPE_ROW(struct contest, member, __VA_ARGS__)
static const struct shape_row	contest_rows[] = {
	ROW(error, SHAPE_REAL, .low = 1e-6, .high = 0.5, SHAPE_DEFAULT(0.05)),
	ROW(resolution, SHAPE_REAL, .low = 0, .high = 0.5, SHAPE_DEFAULT(0.01)),
	ROW(max_pairs, SHAPE_COUNT, .least = SPEC_MIN_PAIRS, .most = SPEC_MAX_PAIRS,
	    SHAPE_DEFAULT(SPEC_PAIRS)),
	SPEC_ROW(offsetof(struct contest, by_size), "tie_break", SHAPE_OWN_PART,
	    .get = get_tie_break, .words = words_tie_break, .forms = FORM_NULL,
	    .preset_text = "null"),
};
const struct shape		contest_shape = SHAPE_OF(struct contest, contest_rows);
#undef ROW

/* --- a document of several variants --- */

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
	return fault_set(why, ST_NOMEM, "comparison");
}

static enum status
get_variants(void *out, const struct node *n, struct fault *why)
{
	struct entrants	*c = out;
	size_t		 size = json_array_size(n->value);

	c->variants = n->value;
	if (json_is_array(n->value) && size >= 2 && size <= SPEC_MAX_COMPARED)
		return ST_OK;
	return decode_refuse(n, NULL, why, "must be an array of 2 to %d variants",
	    SPEC_MAX_COMPARED);
}

#define ROW(member, ...) SHAPE_ROW(struct entrants, member, __VA_ARGS__)
#define KEEP SHAPE_OWN, .get = keep_for_jobs
static const struct shape_row	variant_row = { .kind = SHAPE_OBJECT, .of = &variant_shape };
static const struct shape_row	document_rows[] = {
	SPEC_ROW(0, "spec", KEEP, .of = &spec_shape, .required = true),
	ROW(variants, SHAPE_OWN, .get = get_variants, .required = true, .forms = FORM_LIST,
	    .least = 2, .most = SPEC_MAX_COMPARED, .each = &variant_row),
	SPEC_ROW(0, "compare", KEEP, .of = &contest_shape),
	SPEC_ROW(0, "meta", KEEP, .forms = FORM_MAP),
	ROW(key, SHAPE_LABEL, .most = SPEC_MAX_COMMON_KEY),
	SPEC_ROW(0, "", SHAPE_INLINE, .of = &job_common_shape, .get = keep_for_jobs),
};
const struct shape		contest_document_shape = SHAPE_OF(struct entrants, document_rows);

static enum status
emit(const struct entrants *c, size_t place, sweep_each_fn *each, void *arg, struct fault *why)
{
	json_t	*job = json_copy(c->common);
	bool	 ok;

	ok = json_object_set(job, "variant", json_array_get(c->variants, place)) == 0 &&
	    json_object_set(job, "against", json_array_get(c->variants, 0)) == 0;
	if (ok && c->key != NULL && c->key[0] != '\0')
		ok = json_object_set_new(job, "key", json_sprintf("%s#%zu", c->key, place)) == 0;
	if (ok)
		return each(arg, job, why);
	json_decref(job);
	return fault_set(why, ST_NOMEM, "comparison");
}

static enum status
walk(const struct entrants *c, sweep_each_fn *each, void *arg, struct fault *why)
{
	for (size_t i = 1; i < json_array_size(c->variants); i++) {
		char		place[40];
		enum status	st = emit(c, i, each, arg, why);

		if (st == ST_OK)
			continue;
		(void)snprintf(place, sizeof place, "variants[%zu]", i);
		if (!fault_rename(why, "variant", place))
			(void)fault_rename(why, "against", "variants[0]");
		return st;
	}
	return ST_OK;
}

enum status
contest_expand(const json_t *doc, sweep_each_fn *each, void *arg, struct fault *why)
{
	struct node	root = { .value = doc };
	struct entrants	c = { .common = json_object() };
	enum status	st;

	if (c.common == NULL)
		return fault_set(why, ST_NOMEM, "comparison");
	st = shape_get(&contest_document_shape, &c, &root, SHAPE_WRITTEN, why);
	if (st == ST_OK)
		st = walk(&c, each, arg, why);
	json_decref(c.common);
	free(c.key);
	return st;
}
