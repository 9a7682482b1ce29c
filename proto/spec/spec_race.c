/* SPDX-License-Identifier: Apache-2.0 */
/* A race: what of a job must be open so that its variant can be given up early. */
#include "proto/spec/spec_parts.h"

#define MOST_NS	1e18

static const struct shape_row	race_rows[] = {
	SHAPE_ROW(struct race, above_ns, SHAPE_REAL, .required = true, .high = MOST_NS),
};
const struct shape		race_shape = SHAPE_OF(struct race, race_rows);

struct objection {
	bool		 holds;
	const char	*text, *remedy;
};

/* Its kind of time has no lower bound while it is taken, or is needed whole. */
static enum status
check_kind(const struct job *j, const struct node *race, struct fault *why)
{
	const struct timing	*t = &j->spec.timing;
	const struct objection	 objections[] = {
		{ j->against.source != NULL, "a comparison ends by a rule of its own",
		    "leave race out, or against" },
		{ j->yardstick, "a yardstick shows the drift, so it is timed whole",
		    "leave race out, or yardstick" },
		{ t->estimator == EST_MIN, "spec.timing.estimator is \"min\", and no samples "
		    "bound the least of the next ones", "use \"median\" or \"normalised\"" },
		{ t->layout != LAYOUT_FIXED, "spec.timing.layout asks for a time over several "
		    "layouts", "leave race out, or layout" },
		{ t->gate == GATING_OFF, "spec.timing.gate is false, and samples beside a "
		    "neighbour would count", "leave race out, or gate" },
		{ t->trust == TRUST_ASKED_VERIFIED, "spec.timing.trust is \"verified\", whose "
		    "samples are challenges", "leave race out, or use \"audited\"" },
	};
	enum status		 st = ST_OK;

	for (size_t i = 0; st == ST_OK && i < sizeof objections / sizeof objections[0]; i++)
		if (objections[i].holds) {
			st = decode_refuse(race, NULL, why, "%s", objections[i].text);
			fault_hint(why, "%s", objections[i].remedy);
		}
	return st;
}

/* The most samples that the spec allows; 0: it leaves them open. */
static unsigned
most_samples(const struct timing *t)
{
	return t->interval != 0 ? t->max_samples : t->samples;
}

static enum status
check_samples(const struct timing *t, const struct node *race, struct fault *why)
{
	const unsigned	 samples = most_samples(t);
	const bool	 is_few = samples != 0 && samples < SPEC_RACE_LEAST;
	const char	*what = is_few ? "samples" : "processes";
	enum status	 st;

	if (!is_few && (t->processes <= 1 || t->processes >= SPEC_RACE_LEAST))
		return ST_OK;
	st = decode_refuse(race, NULL, why,
	    "spec.timing asks for %u %s, and no variant is given up on fewer than %d",
	    is_few ? samples : t->processes, what, SPEC_RACE_LEAST);
	fault_hint(why, "leave race out, or spec.timing.%s", what);
	return st;
}

enum status
spec_check_race(const struct job *j, const struct node *n, struct fault *why)
{
	const struct node	race = decode_member(n, "race");
	enum status		st;

	if (!j->race.is_asked)
		return ST_OK;
	if ((st = check_kind(j, &race, why)) != ST_OK)
		return st;
	return check_samples(&j->spec.timing, &race, why);
}
