/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "worker/bench/schedstat.h"
#include "worker/trust/bench_audit.h"

const char *
bench_audit_unwanted(const struct job *job)
{
	if (job->spec.timing.trust == TRUST_ASKED_CLAIMED)
		return "no more was asked for";
	if (job->spec.checkpoint != NULL)
		return "the data of an image cannot be drawn anew";
	if (job->against.source != NULL && job->threads > 1)
		return "a thread of one could forge what the other is measured by";
	if (job->spec.timing.layout == LAYOUT_RANDOM)
		return "processes of many layouts are not audited";
	return job->spec.check.present ? NULL : "there is no reference to answer fresh inputs";
}

const struct challenge *
bench_audit_prepare(struct bench_audit *a, const struct job *job)
{
	bench_audit_release(a);
	if (bench_audit_unwanted(job) != NULL)
		return NULL;
	a->cannot = challenge_make(&a->challenge, &job->spec);
	a->can = a->cannot == NULL;
	return a->can ? &a->challenge : NULL;
}

enum status
bench_audit_prime(struct bench_audit *a, struct bench *bench, struct fault *why)
{
	enum status	st;

	if (!a->can)
		return ST_OK;
	if ((st = bench_prime(bench, why)) != ST_OK)
		return st;
	if ((a->first = malloc(a->challenge.bytes)) == NULL)
		return fault_set(why, ST_INTERNAL, "no memory for the operands' first contents");
	memcpy(a->first, bench_challenge(bench), a->challenge.bytes);
	return ST_OK;
}

bool
bench_audit_serves(const struct bench_audit *a, const struct job *job)
{
	return bench_audit_unwanted(job) != NULL || a->can || a->cannot != NULL;
}

void
bench_audit_forget(struct bench_audit *a)
{
	audit_stock_release(&a->stock);
}

void
bench_audit_release(struct bench_audit *a)
{
	bench_audit_forget(a);
	free(a->first);
	memset(a, 0, sizeof *a);
}

/* ---- what audits need of a bench's lane ---- */

static uint64_t
lane_delay_ns(void *arg)
{
	const struct bench_lane	*l = arg;

	return bench_delay_ns(l->bench, l->lane);
}

static uint64_t
own_delay_ns(void *arg)
{
	(void)arg;
	return schedstat_waited_ns(0);
}

struct audit_lane
bench_audit_lane(struct bench_lane *l)
{
	return (struct audit_lane){ .link = bench_lane_link(l), .delay_ns = lane_delay_ns,
	    .own_delay_ns = own_delay_ns, .arg = l, .area = bench_challenge(l->bench),
	    .result = bench_output(l->bench) };
}
