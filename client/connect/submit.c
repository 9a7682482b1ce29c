/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/connect/submit.h"

enum {
	SMALL_JOBS = 100, SMALL_BYTES = 1 << 20,	/* in one call, for any daemon */
	ENVELOPE_BYTES = 4096,			/* of a call, beside its jobs */
};

struct limits {
	size_t	jobs, bytes;
};

static void
ask_limits(struct connection *c, struct limits *l)
{
	json_t		*info, *limits;
	json_int_t	 jobs, bytes;
	struct fault	 none;

	if (connection_call(c, "server.info", NULL, &info, &none) != ST_OK)
		return;
	limits = json_object_get(info, "limits");
	jobs = json_integer_value(json_object_get(limits, "jobs_per_call"));
	bytes = json_integer_value(json_object_get(limits, "line_bytes"));
	if (jobs > 0)
		l->jobs = (size_t)jobs;
	if (bytes > 2 * ENVELOPE_BYTES)
		l->bytes = (size_t)bytes - ENVELOPE_BYTES;
	json_decref(info);
}

/* As many of jobs[from …] as fit into one call, one at least.  New reference. */
static json_t *
take_chunk(const json_t *jobs, size_t from, const struct limits *l)
{
	json_t	*chunk = json_array();
	size_t	 bytes = 0;

	for (size_t i = from; i < json_array_size(jobs) && i - from < l->jobs; i++) {
		bytes += json_dumpb(json_array_get(jobs, i), NULL, 0, JSON_COMPACT) + 1;
		if (bytes > l->bytes && i > from)
			break;
		(void)json_array_append(chunk, json_array_get(jobs, i));
	}
	return chunk;
}

/* All of a job but its variant.  New reference. */
static json_t *
without_variant(const json_t *job)
{
	json_t	*rest = json_copy((json_t *)(uintptr_t)job);

	(void)json_object_del(rest, "variant");
	return rest;
}

/* Members that a document of several variants cannot have for all of its jobs. */
static bool
is_single(const json_t *job)
{
	return !json_is_object(job) || json_object_get(job, "spec") == NULL ||
	    json_object_get(job, "variants") != NULL || json_object_get(job, "key") != NULL ||
	    json_object_get(job, "against") != NULL || json_object_get(job, "compare") != NULL;
}

/* Jobs that differ in their variants alone, as one document; NULL: they differ in more. */
static json_t *
one_document(const json_t *jobs)
{
	const json_t	*first = json_array_get(jobs, 0), *job;
	json_t		*common, *variants;
	size_t		 i;
	bool		 alike = json_array_size(jobs) > 1 && !is_single(first);

	if (!alike)
		return NULL;
	common = without_variant(first);
	variants = json_array();
	json_array_foreach(jobs, i, job) {
		json_t	*rest = without_variant(job);

		alike = alike && json_equal(rest, common) &&
		    json_array_append(variants, json_object_get(job, "variant")) == 0;
		json_decref(rest);
	}
	(void)json_object_set_new(common, "variants", variants);
	if (alike)
		return common;
	json_decref(common);
	return NULL;
}

/* The daemon's names for members of one document, as if jobs had been sent. */
static void
explain_document(struct fault *why)
{
	char	from[40], to[40];
	size_t	at;

	if (why->member[0] == '\0' || strcmp(why->member, "follow") == 0)
		return;
	if (strncmp(why->member, "variants[", 9) != 0) {
		(void)fault_within(why, "jobs[0]");
		return;
	}
	at = strtoul(why->member + 9, NULL, 10);
	(void)snprintf(from, sizeof from, "variants[%zu]", at);
	(void)snprintf(to, sizeof to, "jobs[%zu].variant", at);
	(void)fault_rename(why, from, to);
}

static enum status
submit_chunk(struct connection *c, json_t *chunk, bool follow, struct submitted *s,
    struct fault *why)
{
	json_t		*document = one_document(chunk), *reply;
	json_t		*params = document != NULL ? document : json_pack("{s:O}", "jobs", chunk);
	enum status	 st;

	if (follow)
		(void)json_object_set_new(params, "follow", json_true());
	if ((st = connection_call(c, "job.submit", params, &reply, why)) != ST_OK) {
		if (document != NULL)
			explain_document(why);
		return st;
	}
	if (json_array_size(json_object_get(reply, "ids")) != json_array_size(chunk)) {
		json_decref(reply);
		return fault_set(why, ST_IO, "the daemon's reply has not one id for each job");
	}
	(void)json_array_extend(s->ids, json_object_get(reply, "ids"));
	s->repeated += (size_t)json_integer_value(json_object_get(reply, "repeated"));
	json_decref(reply);
	return ST_OK;
}

/* jobs[from …] of the caller's list were refused: the daemon counted from 0. */
static void
explain_chunk(size_t from, struct fault *why)
{
	char	rest[sizeof why->member];
	char	*end;
	size_t	at, used;

	if (from == 0 || strncmp(why->member, "jobs[", 5) != 0)
		return;
	at = strtoul(why->member + 5, &end, 10);
	(void)snprintf(rest, sizeof rest, "jobs[%zu%.150s", from + at, end);
	memcpy(why->member, rest, sizeof rest);
	used = strlen(why->text);
	(void)snprintf(why->text + used, sizeof why->text - used,
	    "; jobs[0] to jobs[%zu] have been submitted", from - 1);
}

enum status
submit_jobs(struct connection *c, json_t *jobs, bool follow, struct submitted *s, struct fault *why)
{
	struct limits	 l = { SMALL_JOBS, SMALL_BYTES };
	size_t		 n = json_array_size(jobs), from = 0;
	enum status	 st = ST_OK;

	s->ids = json_array();
	s->repeated = 0;
	if (n > l.jobs || json_dumpb(jobs, NULL, 0, JSON_COMPACT) > l.bytes)
		ask_limits(c, &l);
	do {
		json_t	*chunk = take_chunk(jobs, from, &l);

		if ((st = submit_chunk(c, chunk, follow, s, why)) != ST_OK)
			explain_chunk(from, why);
		from += json_array_size(chunk);
		json_decref(chunk);
	} while (st == ST_OK && from < n);
	return st;
}

void
submitted_release(struct submitted *s)
{
	json_decref(s->ids);
	s->ids = NULL;
}
