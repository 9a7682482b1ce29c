/* SPDX-License-Identifier: Apache-2.0 */
/* Members of a job that a timer without Assay cannot serve. */
#include <string.h>

#include "client/driver/package.h"

struct limits {
	const struct job	*job;		/* borrowed */
	char			*remarks;	/* borrowed */
	size_t			 bytes;
};

static void
remark(struct limits *l, const char *member, const char *text)
{
	const size_t	used = strlen(l->remarks);

	(void)snprintf(l->remarks + used, l->bytes - used, "%s: %s\n", member, text);
}

static enum status
refuse(const char *member, const char *text, const char *remedy, struct fault *why)
{
	(void)fault_at(why, ST_BAD_SPEC, member, "%s", text);
	fault_hint(why, "%s", remedy);
	return ST_BAD_SPEC;
}

static enum status
check_operand(const struct spec *s, size_t i, struct fault *why)
{
	const struct operand	*o = &s->args[i].operand;

	if (o->init.kind == INIT_FUNCTION)
		return refuse("init.function",
		    "the stand-alone timer does not run the spec's setup",
		    "give \"data\", or another form of init", why);
	if (o->cache != CACHE_COLD && o->cache != CACHE_WARM)
		return refuse("cache", "the stand-alone timer places operands in no single cache",
		    "say \"cold\" or \"warm\"", why);
	if (spec_is_for_one_call(s, i))
		return refuse("state", "the stand-alone timer does not choose the state of lines",
		    "leave it out", why);
	if (o->home == HOME_LOCAL || o->home == HOME_REMOTE)
		return refuse("node", "the stand-alone timer knows no slots",
		    "give the node's number", why);
	return ST_OK;
}

static enum status
check_operands(const struct spec *s, struct fault *why)
{
	enum status	st = ST_OK;
	char		member[PROTOTYPE_NAME_MAX + 16];

	for (size_t i = 0; i < s->routine.nparams && st == ST_OK; i++) {
		if (!s->args[i].is_operand || (st = check_operand(s, i, why)) == ST_OK)
			continue;
		(void)snprintf(member, sizeof member, "spec.args.%s", s->routine.params[i].name);
		(void)fault_within(why, member);
	}
	return st;
}

static enum status
check_timing(const struct spec *s, struct fault *why)
{
	const struct timing	*t = &s->timing;

	if (t->method == FLUSH_MULTI_CALL_LRU)
		return refuse("spec.timing.flush.method",
		    "the stand-alone timer has one working set only",
		    "say OneCallFlushX86 or OneCallFlushLRU", why);
	if (t->calls > 1 && spec_is_cold(s))
		return refuse("spec.timing.calls", "only the first call of a sample would be cold",
		    "leave it out: a cold sample is one call", why);
	if (t->difference)
		return refuse("spec.timing.difference",
		    "the stand-alone timer takes no differences", "leave it out", why);
	if (t->guard == GUARD_SEPARATE)
		return refuse("spec.timing.range_guard",
		    "the stand-alone timer has one working set only",
		    "say \"restore\" or \"alternate\"", why);
	return ST_OK;
}

static enum status
check_spec(const struct spec *s, struct fault *why)
{
	enum status	st;

	if (s->program.present)
		return refuse("spec.program", "a program is started, and needs no driver",
		    "time it with: assay time", why);
	if (s->checkpoint != NULL)
		return refuse("spec.checkpoint", "the stand-alone timer runs no images",
		    "time it with: assay time", why);
	if (s->code == CODE_COLD)
		return refuse("spec.code", "the stand-alone timer does not flush code",
		    "leave it out", why);
	if (s->context == CONTEXT_FLUSH_LEVEL)
		return refuse("spec.context", "the stand-alone timer flushes no single cache",
		    "say \"cold\", or { \"flush_bytes\": N }", why);
	st = check_timing(s, why);
	return st == ST_OK ? check_operands(s, why) : st;
}

static void
remark_on_timing(struct limits *l)
{
	const struct timing	*t = &l->job->spec.timing;

	if (t->gate == GATING_ON)
		remark(l, "spec.timing.gate", "no canary: noisy samples count, too");
	if (t->interval != 0)
		remark(l, "spec.timing.interval", "the number of samples is fixed");
	if (t->processes > 1)
		remark(l, "spec.timing.processes", "all samples are taken in one process");
	if (t->ncounters > 0)
		remark(l, "spec.timing.counters", "no events are counted");
	if (t->trust == TRUST_ASKED_AUDITED || t->trust == TRUST_ASKED_VERIFIED)
		remark(l, "spec.timing.trust", "no audits: a variant can forge its time");
	if (t->layout != LAYOUT_FIXED)
		remark(l, "spec.timing.layout", "code and operands have one layout");
	if (t->page_tables != TABLES_AUTO)
		remark(l, "spec.timing.page_tables", "page tables are left where they are");
	if (t->tlb != TLB_AUTO)
		remark(l, "spec.timing.tlb", "translations are left where they are");
}

static void
remark_on_data(struct limits *l)
{
	const struct spec	*s = &l->job->spec;
	bool			 rotates = s->data.kind == DATA_ROTATE;

	for (size_t i = 0; i < s->routine.nparams; i++)
		if (s->args[i].is_operand && s->args[i].operand.data.kind == DATA_ROTATE)
			rotates = true;
	if (rotates)
		remark(l, "spec.data", "all calls meet one input");
}

enum status
limits_check(const struct job *job, char *remarks, size_t bytes, struct fault *why)
{
	struct limits	l = { .job = job, .remarks = remarks, .bytes = bytes };
	enum status	st = check_spec(&job->spec, why);

	remarks[0] = '\0';
	if (st != ST_OK)
		return st;
	remark_on_timing(&l);
	remark_on_data(&l);
	if (job->spec.iterations != NULL || job->spec.iterations_returned)
		remark(&l, "spec.iterations", "times are of calls");
	if (job->against.source != NULL)
		remark(&l, "against", "variants are not compared in turn");
	if (job->threads > 1)
		remark(&l, "threads", "threads are not pinned; set OMP_NUM_THREADS yourself");
	if (job->copies > 1)
		remark(&l, "copies", "one copy is timed");
	if (job->profile != PROFILE_PLAIN)
		remark(&l, "jail", "nothing is contained");
	return ST_OK;
}
