/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/trial/pipeline.h"

void
pipeline_build(struct pipeline *p, const struct link end[PAIRS_SIDES], const struct job *job)
{
	const bool	compares = job->against.source != NULL;

	pipeline_end_audits(p);
	for (unsigned side = 0; side < PAIRS_SIDES; side++) {
		p->audit[side].side = side;
		p->lane[side] = p->pairs.side[side] = end[side];
	}
	p->orders = compares ? pairs_link(&p->pairs) : p->lane[PAIRS_VARIANT];
	p->doubling.next = p->orders;
	p->samples = job->spec.timing.difference ? doubling_link(&p->doubling) : p->orders;
}

void
pipeline_build_on(struct pipeline *p, struct bench *b, const uint64_t *deadline_ns,
    const struct job *job)
{
	struct link	end[PAIRS_SIDES];

	for (unsigned side = 0; side < PAIRS_SIDES; side++) {
		p->bench[side] = (struct bench_lane){ b, side, deadline_ns };
		p->audit[side].lane = bench_audit_lane(&p->bench[side]);
		end[side] = bench_lane_link(&p->bench[side]);
	}
	pipeline_build(p, end, job);
}

void
pipeline_end_audits(struct pipeline *p)
{
	for (unsigned side = 0; side < PAIRS_SIDES; side++)
		job_audit_end(&p->audit[side]);
}
