/* SPDX-License-Identifier: Apache-2.0 */
/* What of a job cannot be had together: its spec, its variants and its threads. */
#include <string.h>

#include "proto/base/name.h"
#include "proto/spec/spec_parts.h"

/* ---- macros ---- */

static const struct param *
param_called(const struct spec *s, const char *name, size_t length)
{
	for (size_t i = 0; i < s->nparams; i++)
		if (strlen(s->params[i].name) == length &&
		    memcmp(s->params[i].name, name, length) == 0)
			return &s->params[i];
	return NULL;
}

static enum status
refuse_macro(const struct node *n, const struct param *p, struct fault *why)
{
	enum status	st;

	st = decode_refuse(n, NULL, why,
	    "\"%s\" is one of the spec's params, which every variant shares", p->name);
	fault_hint(why, "change it in spec.params, or choose another name");
	return st;
}

/* A variant that changed a param for itself would be timed by a driver that has the other value. */
enum status
spec_check_macros(const struct spec *s, const struct variant *v, const struct node *n,
    struct fault *why)
{
	struct node		 defines = { .up = n, .name = "defines" };
	struct node		 flags = { .up = n, .name = "flags" };
	const struct param	*p;

	for (size_t i = 0; i < v->ndefines; i++) {
		struct node	define = { .up = &defines, .name = v->defines[i].name };

		if ((p = param_called(s, define.name, strlen(define.name))) != NULL)
			return refuse_macro(&define, p, why);
	}
	for (size_t i = 0; i < v->nflags; i++) {
		struct node	 flag = { .up = &flags, .index = i };
		const char	*text = v->flags[i];

		if ((name_starts(text, "-D") || name_starts(text, "-U")) &&
		    (p = param_called(s, text + 2, name_length(text + 2))) != NULL)
			return refuse_macro(&flag, p, why);
	}
	return ST_OK;
}

/* ---- threads ---- */

static enum status
check_threads(const struct job *j, const struct node *n, const struct node *timing,
    struct fault *why)
{
	enum status	st;

	if (j->threads == 1)
		return ST_OK;
	if (j->spec.timing.clock == CLK_CPU) {
		st = decode_refuse(timing, "clock", why,
		    "the cpu clock adds up the time of all %u threads", j->threads);
		fault_hint(why, "use wall or cycle, or one thread");
		return st;
	}
	if (j->spec.checkpoint != NULL) {
		st = decode_refuse(n, "threads", why, "is %u, but an image has the one thread "
		    "that entered the checkpoint", j->threads);
		fault_hint(why, "leave it out");
		return st;
	}
	return ST_OK;
}

/* ---- copies at once ---- */

/* Each needs a process, and samples, of one kind: a time of several beside each other. */
static enum status
check_copies(const struct job *j, const struct node *n, const struct node *timing,
    struct fault *why)
{
	const struct timing	*t = &j->spec.timing;
	enum status		 st = ST_OK;

	if (j->copies == 1)
		return ST_OK;
	if (j->threads > 1)
		st = decode_refuse(n, "copies", why, "is %u, but the routine has %u threads of its "
		    "own, and a copy has one CPU", j->copies, j->threads);
	else if (j->spec.checkpoint != NULL)
		st = decode_refuse(n, "copies", why, "is %u, but an image is restarted in one "
		    "process", j->copies);
	else if (j->against.source != NULL)
		st = decode_refuse(n, "copies", why, "is %u, but two variants that are compared "
		    "take turns on one CPU", j->copies);
	else if (t->difference)
		st = decode_refuse(timing, "difference", why, "a region of one copy would be "
		    "beside one of twice the calls of another");
	else if (t->layout != LAYOUT_FIXED)
		st = decode_refuse(timing, "layout", why, "copies are timed in one layout");
	else if (t->metric.present)
		st = decode_refuse(timing, "metric", why, "is of one process, and copies are many");
	else if (t->trust > TRUST_ASKED_CLAIMED)
		st = decode_refuse(timing, "trust", why, "an audit would time one copy without the "
		    "others beside it");
	if (st != ST_OK)
		fault_hint(why, "leave it out, or copies");
	return st;
}

/* ---- rights beyond the usual ---- */

/* Files keep what a call leaves in them, and another process can work on past the reply. */
static enum status
check_profile(const struct job *j, const struct node *n, const struct node *timing,
    struct fault *why)
{
	const char	*word = jail_profile_name(j->profile);
	enum status	 st = ST_OK;

	if (j->profile == PROFILE_PLAIN)
		return ST_OK;
	if (j->spec.checkpoint != NULL)
		st = decode_refuse(n, "jail", why, "is \"%s\", but an image has the rights of "
		    "every routine only", word);
	else if (j->spec.timing.trust > TRUST_ASKED_CLAIMED)
		st = decode_refuse(timing, "trust", why,
		    "cannot be had in the jail \"%s\": audits see no more than memory", word);
	else if (j->profile == PROFILE_FORK && j->threads > 1)
		st = decode_refuse(n, "threads", why, "is %u, and the jail \"fork\" is for "
		    "routines without threads", j->threads);
	if (st != ST_OK)
		fault_hint(why, "leave one of them out");
	return st;
}

/* ---- two variants ---- */

static bool
is_quick(const struct variant *v)
{
	return strcmp(v->compiler, "tcc") == 0;
}

static enum status
check_pair(const struct job *j, const struct node *n, const struct node *timing,
    struct fault *why)
{
	const struct timing	*t = &j->spec.timing;
	enum status		 st = ST_OK;

	if (is_quick(&j->variant) || is_quick(&j->against)) {
		st = decode_refuse(n, is_quick(&j->against) ? "against" : "variant", why,
		    "built by tcc it has an answer to check, and no time to compare");
		fault_hint(why, "name another compiler");
	} else if (t->difference) {
		st = decode_refuse(timing, "difference", why,
		    "a comparison's sample is a pair already, of two variants");
		fault_hint(why, "leave difference out, or against");
	} else if (t->layout != LAYOUT_FIXED) {
		st = decode_refuse(timing, "layout", why,
		    "two variants are compared in one layout");
		fault_hint(why, "leave layout out, or against");
	} else if (t->trust == TRUST_ASKED_VERIFIED) {
		st = decode_refuse(timing, "trust", why,
		    "verified, but the two of a comparison are timed in pairs");
		fault_hint(why, "ask for \"audited\", or leave against out");
	} else if (t->trust == TRUST_ASKED_AUDITED && j->threads > 1) {
		st = decode_refuse(timing, "trust", why, "audited, but a thread of one could "
		    "forge what the other is measured by");
		fault_hint(why, "leave trust out, or threads");
	} else if (t->metric.present) {
		st = decode_refuse(timing, "metric", why,
		    "is of one variant, and two are compared");
		fault_hint(why, "leave metric out, or against");
	}
	return st;
}

static enum status
check_alone(const struct node *n, struct fault *why)
{
	enum status	st;

	if (decode_member(n, "compare").value == NULL)
		return ST_OK;
	st = decode_refuse(n, "compare", why, "there is nothing to compare with");
	fault_hint(why, "give the other variant as \"against\"");
	return st;
}

enum status
spec_check_job(const struct job *j, const struct node *n, struct fault *why)
{
	struct node	variant = decode_member(n, "variant");
	struct node	against = decode_member(n, "against");
	struct node	spec = decode_member(n, "spec"), timing = decode_member(&spec, "timing");
	enum status	st;

	if ((st = check_threads(j, n, &timing, why)) != ST_OK ||
	    (st = check_copies(j, n, &timing, why)) != ST_OK ||
	    (st = check_profile(j, n, &timing, why)) != ST_OK ||
	    (st = spec_check_programs(j, n, why)) != ST_OK ||
	    (st = spec_check_race(j, n, why)) != ST_OK)
		return st;
	st = against.value != NULL ? check_pair(j, n, &timing, why) : check_alone(n, why);
	if (st != ST_OK || (st = spec_check_macros(&j->spec, &j->variant, &variant, why)) != ST_OK)
		return st;
	return spec_check_macros(&j->spec, &j->against, &against, why);
}
