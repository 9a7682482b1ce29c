/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "proto/spec/spec_parts.h"

/* --- the rule of one comparison --- */

#define ERROR_LEAST	1e-6
#define ERROR_MOST	0.5
#define RESOLUTION_MOST	0.5

struct contest
spec_contest_default(void)
{
	return (struct contest){ .error = 0.05, .resolution = 0.01, .max_pairs = SPEC_PAIRS };
}

static enum status
decode_error(void *out, const struct node *n, struct fault *why)
{
	struct contest	*c = out;

	return decode_real(n, ERROR_LEAST, ERROR_MOST, &c->error, why);
}

static enum status
decode_resolution(void *out, const struct node *n, struct fault *why)
{
	struct contest	*c = out;

	return decode_real(n, 0, RESOLUTION_MOST, &c->resolution, why);
}

static enum status
decode_max_pairs(void *out, const struct node *n, struct fault *why)
{
	struct contest	*c = out;
	int64_t		 pairs = 0;
	enum status	 st = decode_integer(n, SPEC_MIN_PAIRS, SPEC_MAX_PAIRS, &pairs, why);

	c->max_pairs = (unsigned)pairs;
	return st;
}

static enum status
decode_tie_break(void *out, const struct node *n, struct fault *why)
{
	static const char *const	words[] = { "size", NULL };
	struct contest			*c = out;
	unsigned			 word;

	c->by_size = !json_is_null(n->value);
	return c->by_size ? decode_word(n, words, &word, why) : ST_OK;
}

enum status
spec_decode_contest(void *out, const struct node *n, struct fault *why)
{
	static const struct member	members[] = {
		{ "error", decode_error, false },
		{ "resolution", decode_resolution, false },
		{ "max_pairs", decode_max_pairs, false },
		{ "tie_break", decode_tie_break, false },
		{ NULL, NULL, false }
	};

	return decode_members(n, members, out, why);
}

json_t *
spec_encode_contest(const struct contest *c)
{
	return json_pack("{s:f, s:f, s:i, s:s?}", "error", c->error, "resolution", c->resolution, "max_pairs",
	    (int)c->max_pairs, "tie_break", c->by_size ? "size" : NULL);
}

/* --- a document of several variants --- */

struct entrants {
	json_t		*common;	/* owned; what all its jobs have */
	const json_t	*variants, *key;
};

static enum status
keep_for_jobs(void *out, const struct node *n, struct fault *why)
{
	struct entrants	*c = out;

	if (json_object_set(c->common, n->name, (json_t *)n->value) == 0)
		return ST_OK;
	return fault_set(why, ST_NOMEM, "comparison");
}

static enum status
decode_variants(void *out, const struct node *n, struct fault *why)
{
	struct entrants	*c = out;
	size_t		 size = json_array_size(n->value);

	c->variants = n->value;
	if (json_is_array(n->value) && size >= 2 && size <= SPEC_MAX_COMPARED)
		return ST_OK;
	return decode_refuse(n, NULL, why, "must be an array of 2 to %d variants", SPEC_MAX_COMPARED);
}

static enum status
decode_key(void *out, const struct node *n, struct fault *why)
{
	enum { PLACE_BYTES = 7 };
	struct entrants	*c = out;
	char		*text = NULL;
	enum status	 st = decode_label(n, SPEC_MAX_NAME - PLACE_BYTES, &text, why);

	if (st == ST_OK && text[0] != '\0')
		c->key = n->value;
	free(text);
	return st;
}

static enum status
emit(const struct entrants *c, size_t place, sweep_each_fn *each, void *arg, struct fault *why)
{
	json_t	*job = json_copy(c->common);
	bool	 ok;

	ok = json_object_set(job, "variant", json_array_get(c->variants, place)) == 0 &&
	    json_object_set(job, "against", json_array_get(c->variants, 0)) == 0;
	if (ok && c->key != NULL)
		ok = json_object_set_new(job, "key", json_sprintf("%s#%zu", json_string_value(c->key), place)) == 0;
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
	static const struct member	members[] = {
		{ "spec", keep_for_jobs, true },
		{ "variants", decode_variants, true },
		{ "compare", keep_for_jobs, false },
		{ "meta", keep_for_jobs, false },
		{ "key", decode_key, false },
		SPEC_JOB_MEMBERS(keep_for_jobs),
		{ NULL, NULL, false }
	};
	struct node	root = { .value = doc };
	struct entrants	c = { .common = json_object() };
	enum status	st;

	if (c.common == NULL)
		return fault_set(why, ST_NOMEM, "comparison");
	if ((st = decode_members(&root, members, &c, why)) == ST_OK)
		st = walk(&c, each, arg, why);
	json_decref(c.common);
	return st;
}
