/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/queue/admission.h"

struct job_terms
admission_terms(const struct job *job)
{
	return (struct job_terms){ .priority = (int)job->priority, .not_before = job->not_before,
	    .deadline = job->deadline, .window_from = job->window_from,
	    .window_to = job->window_to, .threads = job_cpus(job), .retries = job->retries };
}

void
admission_release(struct decoded *d)
{
	job_release(&d->job);
	json_decref(d->doc);
	*d = (struct decoded){ .doc = NULL };
}

enum status
admission_decode(const struct admission *in, struct decoded *last, const json_t *doc,
    struct fault *why)
{
	enum status	st = job_decode_next(&last->job, doc, last->doc, why);

	json_decref(last->doc);
	last->doc = st == ST_OK ? json_incref((json_t *)(uintptr_t)doc) : NULL;
	if (st != ST_OK)
		return st;
	return in->check != NULL ? in->check(in->check_arg, &last->job, why) : ST_OK;
}

struct new_job
admission_row(const struct decoded *d, int64_t sweep_id, uid_t who, double submitted)
{
	return (struct new_job){ .sweep_id = sweep_id, .submitter = who, .submitted = submitted,
		.name = d->job.variant.name, .routine = d->job.spec.routine.name,
		.key = d->job.key, .visibility = d->job.visibility,
		.terms = admission_terms(&d->job), .doc = d->doc };
}

enum status
admission_room(const struct admission *in, size_t n, struct fault *why)
{
	const size_t	live = queue_live(in->queue) + in->reserved;
	enum status	st;

	if (live + n <= in->queue->limit)
		return ST_OK;
	st = fault_set(why, ST_FULL, "the queue holds %zu jobs, at most %zu", live,
	    in->queue->limit);
	fault_hint(why, "wait until some are over, or raise queue-limit");
	return st;
}
