/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "client/connect/receive.h"
#include "client/connect/submit.h"
#include "client/print/member.h"
#include "client/print/results.h"
#include "client/search/fit.h"

#define UNKNOWN_BYTES	((uint64_t)256 << 20)	/* of a flush on a host of unknown caches */
enum { CACHES = 8 };		/* a flush without calibration: sizes of the largest cache */

/* ---- the host ---- */

static uint64_t
most_bytes(const json_t *host)
{
	static const char *const	levels[] = { "l1_bytes", "l2_bytes", "l3_bytes" };
	const json_t			*caches = json_object_get(host, "caches");
	double				 largest = 0, calibrated;

	for (unsigned i = 0; i < sizeof levels / sizeof levels[0]; i++)
		largest = fmax(largest, member_number(caches, levels[i]));
	calibrated = member_number(json_object_get(host, "calibration"), "flush_bytes");
	if (calibrated > 0)
		return (uint64_t)calibrated;
	return largest > 0 ? CACHES * (uint64_t)largest : UNKNOWN_BYTES;
}

enum status
fit_init(struct fit *f, struct connection *c, const json_t *job, struct progress *p, double band,
    unsigned evaluations, struct fault *why)
{
	json_t		*host;
	uint64_t	 bytes;
	enum status	 st;

	memset(f, 0, sizeof *f);
	f->connection = c;
	f->job = job;
	f->progress = p;
	f->evaluations = evaluations;
	if ((st = connection_call(c, "host.get", NULL, &host, why)) != ST_OK)
		return st;
	bytes = most_bytes(host);
	json_decref(host);
	solve_init(&f->solve, 1, band, bytes - bytes % SOLVE_GRAIN_BYTES, 0);
	return ST_OK;
}

void
fit_release(struct fit *f)
{
	json_decref(f->ids);
	f->ids = NULL;
}

/* ---- one evaluation ---- */

/* The number of calls and the kind of flush follow from the context. */
static json_t *
job_in(const struct fit *f, json_t *context)
{
	static const char *const	others[] = { "flush", "calls", "difference" };
	json_t				*job = json_deep_copy(f->job);
	json_t				*spec = json_object_get(job, "spec");

	for (unsigned i = 0; i < sizeof others / sizeof others[0]; i++)
		(void)json_object_del(json_object_get(spec, "timing"), others[i]);
	(void)json_object_set_new(spec, "context", context);
	return json_pack("[o]", job);
}

static enum status
on_result(void *arg, const json_t *document, const struct result *r, struct fault *why)
{
	double			*ns = arg;
	enum status		 st = results_outcome(r);

	(void)document;
	*ns = r->time.value_ns;
	if (*ns > 0 && (st == ST_OK || st == ST_TOO_NOISY))
		return ST_OK;
	if (st == ST_OK)
		st = ST_INTERNAL;		/* timed, and no time */
	return fault_set(why, st, "%s: %.400s", status_text(st),
	    r->detail != NULL ? r->detail : "");
}

/* Takes the context. */
static enum status
evaluate(struct fit *f, json_t *context, double *ns, struct fault *why)
{
	struct submitted	 submitted = { 0 };
	json_t			*jobs = job_in(f, context);
	enum status		 st = submit_jobs(f->connection, jobs, true, &submitted, why);

	json_decref(jobs);
	if (st == ST_OK) {
		f->ids = json_incref(submitted.ids);
		st = receive_results(f->connection, f->ids, f->progress, on_result, ns, why);
	}
	if (st != ST_CANCELLED)
		fit_release(f);		/* it is over; else the job is to be cancelled */
	submitted_release(&submitted);
	return st;
}

/* Twice, as the ends of the curve are. */
static enum status
time_cold(struct fit *f, struct fault *why)
{
	enum status	st = ST_OK;
	double		ns;

	while (st == ST_OK && f->cold_times < 2) {
		if ((st = evaluate(f, json_string("cold"), &ns, why)) != ST_OK)
			break;
		f->cold_ns = (f->cold_ns * f->cold_times + ns) / (f->cold_times + 1);
		f->cold_times++;
	}
	return st;
}

/* ---- the answer ---- */

/* If no flush is enough, the cold context may be, or may be nearer. */
static bool
cold_is_nearer(const struct fit *f, enum solve_end *end)
{
	const double	off = f->cold_ns / f->solve.target_ns - 1;

	if (f->solve.end != SOLVE_ABOVE_COLD || fabs(off) >= fabs(solve_difference(&f->solve)))
		return false;
	if (fabs(off) <= f->solve.band)
		*end = SOLVE_HIT;
	else if (off > 0)
		*end = SOLVE_CLOSEST;
	return true;
}

static void
put_answer(const struct fit *f, struct fitted *out)
{
	const struct solve		*s = &f->solve;
	const struct solve_point	*best = &s->point[s->best];

	*out = (struct fitted){ .end = s->end, .asked_ns = s->target_ns, .band = s->band,
	    .flush_bytes = best->bytes, .reached_ns = best->time_ns, .n = s->n,
	    .cold_ns = f->cold_times > 0 ? f->cold_ns : NAN };
	memcpy(out->point, s->point, s->n * sizeof *s->point);
	if (cold_is_nearer(f, &out->end)) {
		out->is_cold = true;
		out->reached_ns = f->cold_ns;
	}
}

enum status
fit_time(struct fit *f, double asked_ns, struct fitted *out, struct fault *why)
{
	enum status	st = ST_OK;
	uint64_t	bytes;
	double		ns;

	solve_again(&f->solve, asked_ns, f->evaluations);
	while (st == ST_OK && solve_next(&f->solve, &bytes)) {
		st = evaluate(f, fitted_context(&(struct fitted){ .flush_bytes = bytes }), &ns,
		    why);
		if (st == ST_OK)
			solve_add(&f->solve, bytes, ns);
	}
	if (st == ST_OK && f->solve.end == SOLVE_ABOVE_COLD)
		st = time_cold(f, why);
	if (st == ST_OK)
		put_answer(f, out);
	return st;
}
