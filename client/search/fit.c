/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "client/connect/receive.h"
#include "client/connect/submit.h"
#include "client/print/member.h"
#include "client/print/results/results.h"
#include "client/search/fit.h"
#include "client/search/operands.h"

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

static struct operands_caches
caches_of(const json_t *host)
{
	const json_t	*c = json_object_get(host, "caches");

	return (struct operands_caches){
		.l1_bytes = (uint64_t)fmax(0, member_number(c, "l1_bytes")),
		.l2_bytes = (uint64_t)fmax(0, member_number(c, "l2_bytes")),
		.l3_bytes = (uint64_t)fmax(0, member_number(c, "l3_bytes")),
	};
}

static enum status
init_states(struct fit *f, const json_t *host, struct fault *why)
{
	const struct operands_caches	caches = caches_of(host);
	struct states_operand		operand[OPERANDS_MOST];
	size_t				n;
	enum status			st = operands_searched(f->job, &caches, operand,
	    OPERANDS_MOST, &n, why);

	for (unsigned i = 0; st == ST_OK && i < INPUTS_N; i++)
		states_init(&f->states[i], operand, n);
	return st;
}

enum status
fit_init(struct fit *f, struct connection *c, const json_t *job, struct progress *p, double band,
    unsigned evaluations, struct fault *why)
{
	json_t		*host;
	enum status	 st;

	memset(f, 0, sizeof *f);
	f->connection = c;
	f->job = job;
	f->progress = p;
	f->band = band;
	f->evaluations = evaluations;
	if ((st = connection_call(c, "host.get", NULL, &host, why)) != ST_OK)
		return st;
	f->most_bytes = most_bytes(host);
	f->most_bytes -= f->most_bytes % SOLVE_GRAIN_BYTES;
	if ((st = init_states(f, host, why)) == ST_OK)
		st = inputs_members(job, &f->turning, why);
	json_decref(host);
	return st;
}

static void
forget_jobs(struct fit *f)
{
	json_decref(f->ids);
	f->ids = NULL;
}

void
fit_release(struct fit *f)
{
	forget_jobs(f);
	json_decref(f->turning);
	f->turning = NULL;
}

/* ---- timings ---- */

static struct states *
states_of(struct fit *f)
{
	return &f->states[f->inputs];
}

static void
add_members(json_t *spec, const json_t *members)
{
	json_t		*args = json_object_get(spec, "args"), *member;
	const char	*name;

	json_object_foreach((json_t *)(uintptr_t)members, name, member)
		(void)json_object_update(json_object_get(args, name), member);
}

/* Takes both.  The number of calls and the kind of flush follow from them. */
static json_t *
job_in(const struct fit *f, json_t *context, json_t *members)
{
	static const char *const	others[] = { "flush", "calls", "difference" };
	json_t				*job = json_deep_copy(f->job);
	json_t				*spec = json_object_get(job, "spec");

	for (unsigned i = 0; i < sizeof others / sizeof others[0]; i++)
		(void)json_object_del(json_object_get(spec, "timing"), others[i]);
	(void)json_object_del(job, "race");		/* each time is wanted whole */
	(void)json_object_set_new(spec, "context", context);
	add_members(spec, members);
	if (f->inputs == INPUTS_BY_TURNS)
		add_members(spec, f->turning);
	json_decref(members);
	return job;
}

static json_t *
warm_job(const struct fit *f)
{
	return job_in(f, json_string("warm"), json_object());
}

/* Where results of some jobs are put, by their place among the ids. */
struct readings {
	const json_t	*ids;		/* borrowed */
	double		*ns;		/* borrowed; as many */
	enum inputs_sign *sign;		/* borrowed; the most that any shows */
};

static enum status
on_result(void *arg, const json_t *document, const struct result *r, struct fault *why)
{
	const struct readings	*to = arg;
	const enum inputs_sign	 sign = inputs_sign_of(r);
	enum status		 st = results_outcome(r);

	(void)document;
	*to->sign = sign > *to->sign ? sign : *to->sign;
	for (size_t i = 0; i < json_array_size(to->ids); i++)
		if (json_integer_value(json_array_get(to->ids, i)) == (json_int_t)r->job)
			to->ns[i] = r->time.value_ns;
	if (r->time.value_ns > 0 && (st == ST_OK || st == ST_TOO_NOISY))
		return ST_OK;
	if (st == ST_OK)
		st = ST_INTERNAL;		/* timed, and no time */
	return fault_set(why, st, "%s: %.400s", status_text(st),
	    r->detail != NULL ? r->detail : "");
}

/* Takes the jobs, an array; their times into ns[]. */
static enum status
evaluate(struct fit *f, json_t *jobs, double *ns, struct fault *why)
{
	struct submitted	 submitted = { 0 };
	enum status		 st = submit_jobs(f->connection, jobs, true, &submitted, why);

	json_decref(jobs);
	if (st == ST_OK) {
		struct readings	to = { .ids = submitted.ids, .ns = ns, .sign = &f->sign };

		f->ids = json_incref(submitted.ids);
		st = receive_results(f->connection, f->ids, f->progress, on_result, &to, why);
	}
	if (st != ST_CANCELLED)
		forget_jobs(f);		/* they are over; else the jobs are to be cancelled */
	submitted_release(&submitted);
	return st;
}

/* A warm job, and one in another context beside it: takes both. */
static enum status
evaluate_beside_warm(struct fit *f, json_t *context, json_t *members, double ns[2],
    struct fault *why)
{
	json_t	*job = job_in(f, context, members);

	return evaluate(f, json_pack("[o,o]", warm_job(f), job), ns, why);
}

static enum status
time_state(struct fit *f, const struct states_point *p, struct fault *why)
{
	double		ns[2];
	enum status	st;

	if (states_is_warm(p)) {
		if ((st = evaluate(f, json_pack("[o]", warm_job(f)), ns, why)) == ST_OK)
			states_add(states_of(f), p, ns[0], ns[0]);
		return st;
	}
	st = evaluate_beside_warm(f, json_string(p->is_cold ? "cold" : "warm"),
	    operands_members(states_of(f), p), ns, why);
	if (st == ST_OK)
		states_add(states_of(f), p, ns[0], ns[1]);
	return st;
}

static enum status
time_size(struct fit *f, uint64_t bytes, struct fault *why)
{
	double		ns[2];
	enum status	st;

	st = evaluate_beside_warm(f, json_pack("{s:I}", "flush_bytes", (json_int_t)bytes),
	    json_object(), ns, why);
	if (st == ST_OK)
		solve_add(&f->solve, bytes, ns[1] / ns[0] * states_warm_ns(states_of(f)));
	return st;
}

/* ---- the search ---- */

static bool
may_turn(const struct fit *f)
{
	return f->inputs == INPUTS_AS_GIVEN && json_object_size(f->turning) > 0;
}

/* From here on inputs take turns.  Times before were on the one or the other. */
static void
turn_inputs(struct fit *f)
{
	const struct states	*given = states_of(f);
	struct states		*turning = &f->states[INPUTS_BY_TURNS];

	states_seek(turning, given->target_ns, given->band, given->left);
	f->inputs = INPUTS_BY_TURNS;
}

static enum status
search_states(struct fit *f, struct fault *why)
{
	struct states_point	p;
	enum status		st = ST_OK;

	while (st == ST_OK && states_next(states_of(f), &p)) {
		st = time_state(f, &p, why);
		if (f->sign == INPUTS_TOOK_TURNS && may_turn(f))
			turn_inputs(f);
	}
	return st;
}

/* Warm is known. */
static enum status
search_sizes(struct fit *f, struct fault *why)
{
	const struct states	*s = states_of(f);
	enum status		 st = ST_OK;
	uint64_t		 bytes;

	solve_init(&f->solve, s->target_ns, f->band, f->most_bytes, s->left / 2);
	solve_add(&f->solve, 0, states_warm_ns(s));
	solve_add(&f->solve, 0, states_warm_ns(s));
	while (st == ST_OK && solve_next(&f->solve, &bytes))
		st = time_size(f, bytes, why);
	return st;
}

static bool
is_nearer(const struct solve *sizes, const struct states *states)
{
	return sizes->point[sizes->best].bytes > 0 &&
	    fabs(solve_difference(sizes)) < fabs(states_difference(states));
}

/*
 * Sizes are tried if no state of operands hits a time between warm and cold.  A part of the
 * timings is kept for them.
 */
static enum status
search(struct fit *f, double asked_ns, struct fitted *out, struct fault *why)
{
	const unsigned	kept = f->evaluations / 3;
	struct states	*s = states_of(f);
	enum status	st;

	memset(&f->solve, 0, sizeof f->solve);
	states_seek(s, asked_ns, f->band, f->evaluations - kept);
	if ((st = search_states(f, why)) != ST_OK)
		return st;
	s = states_of(f);
	*out = (struct fitted){ .end = s->end, .asked_ns = asked_ns, .band = f->band };
	s->left += kept;
	if (s->end == SOLVE_CLOSEST && (st = search_sizes(f, why)) == ST_OK) {
		out->by_bytes = is_nearer(&f->solve, s);
		if (out->by_bytes && f->solve.end == SOLVE_HIT)
			out->end = SOLVE_HIT;
	}
	out->turning = f->inputs == INPUTS_BY_TURNS ? f->turning : NULL;
	out->states = *s;
	out->solve = f->solve;
	return st;
}

/* The time may be one of inputs that are not known by heart. */
static enum status
search_by_turns(struct fit *f, double asked_ns, struct fitted *out, struct fault *why)
{
	struct fitted	other;
	enum status	st;

	f->inputs = INPUTS_BY_TURNS;
	st = search(f, asked_ns, &other, why);
	f->inputs = INPUTS_AS_GIVEN;
	if (st == ST_OK && fabs(fitted_difference(&other)) < fabs(fitted_difference(out)))
		*out = other;
	return st;
}

enum status
fit_time(struct fit *f, double asked_ns, struct fitted *out, struct fault *why)
{
	enum status	st = search(f, asked_ns, out, why);

	if (st == ST_OK && out->end != SOLVE_HIT && f->sign == INPUTS_WERE_LEARNT && may_turn(f))
		st = search_by_turns(f, asked_ns, out, why);
	return st;
}
