/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/print/results/results.h"
#include "client/runs/run.h"
#include "proto/base/rank.h"
#include "proto/spec/spec.h"

void
run_init(struct run *r, const char *label)
{
	*r = (struct run){ .label = label, .hosts = json_object(), .fitness = json_object() };
}

static void
item_release(struct run_item *i)
{
	free(i->name);
	free(i->routine);
	free(i->context);
	free(i->estimator);
	free(i->log_ns);
	free(i->key);
	json_decref(i->params);
	json_decref(i->meta);
}

void
run_release(struct run *r)
{
	for (size_t i = 0; i < r->n; i++)
		item_release(&r->at[i]);
	free(r->at);
	json_decref(r->hosts);
	json_decref(r->fitness);
	*r = (struct run){ .at = NULL };
}

/* ---- what a result says ---- */

static enum run_kind
kind_of(const struct result *r, enum status st)
{
	if (st == ST_OK)
		return !r->has_time ? RUN_OTHER : r->time.raced ? RUN_RACED :
		    r->time.value_ns > 0 ? RUN_TIMED : RUN_OTHER;
	return st == ST_CANCELLED || st == ST_EXPIRED || st == ST_INTERNAL || st == ST_TOO_NOISY ?
	    RUN_OTHER : RUN_FAILED;
}

static bool
is_of(const struct result *r, enum estimator e)
{
	return r->time.estimator != NULL && strcmp(r->time.estimator, estimator_name(e)) == 0;
}

/* Samples as the estimator takes them. */
static bool
take_samples(const struct result *r, double *x)
{
	const struct samples	*s = &r->time.samples;
	const bool		 normalised = is_of(r, EST_NORMALISED);

	if (normalised && s->slowness.n != s->ns.n)
		return false;
	for (size_t i = 0; i < s->ns.n; i++) {
		x[i] = normalised ? s->ns.x[i] / s->slowness.x[i] : s->ns.x[i];
		if (!(x[i] > 0) || !isfinite(x[i]))
			return false;
	}
	return true;
}

/* In place: the least of each process in place of its median. */
static size_t
minima(double *x, const uint64_t *process, size_t n)
{
	size_t	groups = 0;

	for (size_t i = 0; i < n; i++) {
		if (i == 0 || process[i] != process[i - 1])
			x[groups++] = x[i];
		else if (x[i] < x[groups - 1])
			x[groups - 1] = x[i];
	}
	return groups;
}

/* Of a result of one process: none.  Its samples are no independent draws. */
static enum status
take_processes(struct run_item *item, const struct result *r, struct fault *why)
{
	const struct samples	*s = &r->time.samples;

	if (s->ns.n == 0 || s->process.n != s->ns.n)
		return ST_OK;
	if ((item->log_ns = calloc(s->ns.n, sizeof *item->log_ns)) == NULL)
		return fault_set(why, ST_NOMEM, "results");
	if (!take_samples(r, item->log_ns))
		return ST_OK;
	item->n = is_of(r, EST_MIN) ? minima(item->log_ns, s->process.x, s->ns.n) :
	    rank_medians(item->log_ns, s->process.x, s->ns.n, item->log_ns);
	for (size_t i = 0; i < item->n; i++)
		item->log_ns[i] = log(item->log_ns[i]);
	return ST_OK;
}

static char *
copy(const char *s)
{
	return strdup(s != NULL ? s : "");
}

static enum status
fill(struct run_item *item, const struct result *r, struct fault *why)
{
	const enum status	st = results_outcome(r);

	*item = (struct run_item){ .kind = kind_of(r, st), .job = r->job, .status = status_word(st),
	    .name = copy(r->name), .routine = copy(r->routine),
	    .context = copy(r->found.has_technique ? r->found.technique.context : NULL),
	    .estimator = copy(r->has_time ? r->time.estimator : NULL),
	    .params = json_incref(r->params), .meta = json_incref(r->meta),
	    .value_ns = r->has_time ? r->time.value_ns : NAN,
	    .bound_ns = r->has_time ? r->time.bound_ns : NAN };
	if (item->name == NULL || item->routine == NULL || item->context == NULL ||
	    item->estimator == NULL)
		return fault_set(why, ST_NOMEM, "results");
	return item->kind == RUN_TIMED ? take_processes(item, r, why) : ST_OK;
}

static bool
has_room(struct run *run)
{
	const size_t	 room = run->room != 0 ? 2 * run->room : 64;
	struct run_item	*at;

	if (run->n < run->room)
		return true;
	if ((at = realloc(run->at, room * sizeof *at)) == NULL)
		return false;
	run->at = at;
	run->room = room;
	return true;
}

static enum status
add(struct run *run, const struct result *r, struct fault *why)
{
	if (r->yardstick) {
		run->yardsticks++;
		return ST_OK;
	}
	if (!has_room(run))
		return fault_set(why, ST_NOMEM, "results");
	if (r->host_class != NULL)
		(void)json_object_set_new(run->hosts, r->host_class, json_true());
	if (r->fitness != NULL)
		(void)json_object_set_new(run->fitness, r->fitness, json_true());
	return fill(&run->at[run->n++], r, why);
}

enum status
run_add(struct run *run, const json_t *document, struct fault *why)
{
	struct result	r;
	enum status	st = results_read_one(&r, document, why);

	if (st != ST_OK)
		return st;
	st = add(run, &r, why);
	result_release(&r);
	return st;
}

/* ---- files ---- */

static enum status
add_line(struct run *run, const char *path, size_t number, const char *line, size_t bytes,
    struct fault *why)
{
	json_error_t	 error;
	json_t		*document = json_loadb(line, bytes, 0, &error);
	enum status	 st;

	if (!json_is_object(document) || json_object_get(document, "status") == NULL) {
		json_decref(document);
		(void)fault_set(why, ST_BAD_REQUEST, "%s:%zu: is no result", path, number);
		fault_hint(why, "give a sweep, or a file of: assay export SWEEP --format ndjson");
		return ST_BAD_REQUEST;
	}
	st = run_add(run, document, why);
	json_decref(document);
	return st;
}

enum status
run_read_file(struct run *run, const char *path, struct fault *why)
{
	FILE		*from = fopen(path, "re");
	char		*line = NULL;
	size_t		 room = 0, number = 0;
	ssize_t		 n;
	enum status	 st = ST_OK;

	if (from == NULL)
		return fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
	while (st == ST_OK && (n = getline(&line, &room, from)) > 0)
		st = add_line(run, path, ++number, line, (size_t)n, why);
	if (st == ST_OK && ferror(from))
		st = fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
	free(line);
	(void)fclose(from);
	return st;
}
