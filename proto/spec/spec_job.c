/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "proto/spec/spec_parts.h"

/* A job: a variant, a spec, and how to treat it. */

enum { BUILD_TIMEOUT_MS = 30000, RUN_TIMEOUT_MS = 60000, RETRIES = 2, PRIORITY_MAX = 100 };

static enum status
decode_variant(void *out, const struct node *n, struct fault *why)
{
	struct job	*j = out;

	return spec_decode_variant(&j->variant, n, why);
}

static enum status
decode_spec(void *out, const struct node *n, struct fault *why)
{
	struct job	*j = out;

	return spec_decode(&j->spec, n, why);
}

static enum status
decode_against(void *out, const struct node *n, struct fault *why)
{
	struct job	*j = out;

	return spec_decode_variant(&j->against, n, why);
}

static enum status
decode_compare(void *out, const struct node *n, struct fault *why)
{
	struct job	*j = out;

	return spec_decode_contest(&j->contest, n, why);
}

static enum status
decode_meta(void *out, const struct node *n, struct fault *why)
{
	struct job	*j = out;
	enum status	 st = decode_object(n, why);

	if (st == ST_OK)
		j->meta = json_incref((json_t *)n->value);	/* shared with the document, which nobody changes */
	return st;
}

static enum status
decode_priority(void *out, const struct node *n, struct fault *why)
{
	struct job	*j = out;
	int64_t		 v = 0;
	enum status	 st = decode_integer(n, -PRIORITY_MAX, PRIORITY_MAX, &v, why);

	j->priority = (int)v;
	return st;
}

static enum status
decode_not_before(void *out, const struct node *n, struct fault *why)
{
	struct job	*j = out;

	return spec_decode_moment(n, &j->not_before, why);
}

static enum status
decode_deadline(void *out, const struct node *n, struct fault *why)
{
	struct job	*j = out;
	enum status	 st;

	if ((st = spec_decode_moment(n, &j->deadline, why)) != ST_OK)
		return st;
	if (j->deadline == 0 || j->deadline > j->not_before)
		return ST_OK;
	return decode_refuse(n, NULL, why, "is not after not_before: it could never start");
}

static enum status
decode_window(void *out, const struct node *n, struct fault *why)
{
	struct job	*j = out;

	return spec_decode_window(n, &j->window_from, &j->window_to, why);
}

static enum status
decode_unsigned(const struct node *n, int64_t min, int64_t max, unsigned *out, struct fault *why)
{
	int64_t		v = min;
	enum status	st = decode_integer(n, min, max, &v, why);

	*out = (unsigned)v;
	return st;
}

static enum status
decode_build_timeout(void *out, const struct node *n, struct fault *why)
{
	struct job	*j = out;

	return decode_unsigned(n, 1, SPEC_MAX_TIMEOUT_MS, &j->build_timeout_ms, why);
}

static enum status
decode_run_timeout(void *out, const struct node *n, struct fault *why)
{
	struct job	*j = out;

	return decode_unsigned(n, 1, SPEC_MAX_TIMEOUT_MS, &j->run_timeout_ms, why);
}

static enum status
decode_timeout(void *out, const struct node *n, struct fault *why)
{
	static const struct member	members[] = {
		{ "build", decode_build_timeout, false },
		{ "run", decode_run_timeout, false },
		{ NULL, NULL, false }
	};

	return decode_members(n, members, out, why);
}

static enum status
decode_threads(void *out, const struct node *n, struct fault *why)
{
	struct job	*j = out;

	return decode_unsigned(n, 1, SPEC_MAX_THREADS, &j->threads, why);
}

static enum status
decode_retries(void *out, const struct node *n, struct fault *why)
{
	struct job	*j = out;

	return decode_unsigned(n, 0, SPEC_MAX_RETRIES, &j->retries, why);
}

static enum status
decode_key(void *out, const struct node *n, struct fault *why)
{
	struct job	*j = out;

	return decode_label(n, SPEC_MAX_NAME, &j->key, why);
}

static enum status
check_whole(const struct job *j, const struct node *n, struct fault *why)
{
	struct node	variant = decode_member(n, "variant"), spec = decode_member(n, "spec");
	struct node	against = decode_member(n, "against");
	struct node	timing = decode_member(&spec, "timing");
	enum status	st;

	if (j->spec.timing.clock == CLK_CPU && j->threads > 1) {
		st = decode_refuse(&timing, "clock", why, "the cpu clock adds up the time of all %u threads",
		    j->threads);
		fault_hint(why, "use wall or cycle, or one thread");
		return st;
	}
	if (j->spec.checkpoint != NULL && j->threads > 1) {
		st = decode_refuse(n, "threads", why, "is %u, but an image has the one thread that entered the "
		    "checkpoint", j->threads);
		fault_hint(why, "leave it out");
		return st;
	}
	if (against.value != NULL && j->spec.timing.difference) {
		st = decode_refuse(&timing, "difference", why,
		    "a comparison's sample is a pair already, of two variants");
		fault_hint(why, "leave difference out, or against");
		return st;
	}
	if (against.value != NULL && j->spec.timing.layout != LAYOUT_FIXED) {
		st = decode_refuse(&timing, "layout", why, "two variants are compared in one layout");
		fault_hint(why, "leave layout out, or against");
		return st;
	}
	if (against.value != NULL && j->spec.timing.trust == TRUST_ASKED_VERIFIED) {
		st = decode_refuse(&timing, "trust", why, "verified, but the two of a comparison are timed in pairs");
		fault_hint(why, "ask for \"audited\", or leave against out");
		return st;
	}
	if (against.value != NULL && j->spec.timing.trust == TRUST_ASKED_AUDITED && j->threads > 1) {
		st = decode_refuse(&timing, "trust", why, "audited, but a thread of one could forge "
		    "what the other is measured by");
		fault_hint(why, "leave trust out, or threads");
		return st;
	}
	if (against.value == NULL && decode_member(n, "compare").value != NULL) {
		st = decode_refuse(n, "compare", why, "there is nothing to compare with");
		fault_hint(why, "give the other variant as \"against\"");
		return st;
	}
	st = spec_check_macros(&j->spec, &j->variant, &variant, why);
	return st == ST_OK ? spec_check_macros(&j->spec, &j->against, &against, why) : st;
}

/* The spec is there already: moved from the job before. */
static enum status
skip_spec(void *out, const struct node *n, struct fault *why)
{
	(void)out;
	(void)n;
	(void)why;
	return ST_OK;
}

/* Everything of a job but its spec, which `spec_fn` takes care of. */
static enum status
decode_job(struct job *j, const json_t *doc, member_fn *spec_fn, struct fault *why)
{
	const struct member	members[] = {
		{ "variant", decode_variant, true },
		{ "spec", spec_fn, true },
		{ "against", decode_against, false },
		{ "compare", decode_compare, false },
		{ "meta", decode_meta, false },
		{ "priority", decode_priority, false },
		{ "not_before", decode_not_before, false },
		{ "deadline", decode_deadline, false },		/* after not_before */
		{ "window", decode_window, false },
		{ "timeout_ms", decode_timeout, false },
		{ "threads", decode_threads, false },
		{ "retries", decode_retries, false },
		{ "key", decode_key, false },
		{ NULL, NULL, false }
	};
	struct node	root = { .value = doc };
	enum status	st;

	j->window_from = j->window_to = -1;
	j->build_timeout_ms = BUILD_TIMEOUT_MS;
	j->run_timeout_ms = RUN_TIMEOUT_MS;
	j->threads = 1;
	j->retries = RETRIES;
	j->contest = spec_contest_default();
	if ((st = decode_members(&root, members, j, why)) != ST_OK || (st = check_whole(j, &root, why)) != ST_OK)
		goto fail;
	if (j->key == NULL && (j->key = strdup("")) == NULL) {
		st = fault_set(why, ST_NOMEM, "key");
		goto fail;
	}
	return ST_OK;
fail:
	job_release(j);
	return st;
}

enum status
job_decode(struct job *j, const json_t *doc, struct fault *why)
{
	memset(j, 0, sizeof *j);
	return decode_job(j, doc, decode_spec, why);
}

enum status
job_decode_next(struct job *j, const json_t *doc, struct job *before, const json_t *before_doc, struct fault *why)
{
	const json_t	*spec = json_object_get(doc, "spec"), *old = json_object_get(before_doc, "spec");

	memset(j, 0, sizeof *j);
	if (spec == NULL || old == NULL || !json_equal(spec, old))
		return decode_job(j, doc, decode_spec, why);
	j->spec = before->spec;
	memset(&before->spec, 0, sizeof before->spec);
	return decode_job(j, doc, skip_spec, why);
}

void
job_release(struct job *j)
{
	spec_release_variant(&j->variant);
	spec_release_variant(&j->against);
	spec_release(&j->spec);
	json_decref(j->meta);
	free(j->key);
	memset(j, 0, sizeof *j);
}
