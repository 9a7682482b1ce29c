/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calls: one alone, and a sample of many.  With RangeGuard (Whaley and Castaldo, section 5.2) a
 * sign changes with every call or traversal.
 */
#include "proto/driver/draft.h"

const char *
draft_keep(const struct draft *t)
{
	return t->spec->routine.result == CTYPE_VOID ? "" : "drv_result = ";
}

void
draft_call(struct draft *t)
{
	draft(t, "static void\ndrv_call(rt_code *drv_code, void *const *drv_at)\n{\n");
	if (draft_operands(t->spec) == 0)
		draft(t, "\t(void)drv_at;\n");
	draft_lay(t);
	draft(t, "\t%s((drv_routine *)drv_code)(", draft_keep(t));
	draft_list(t, draft_call_arg);
	draft(t, ");\n}\n\n");
}

static bool
is_turned_scalar(const struct spec *s, size_t arg)
{
	return s->timing.guard == GUARD_ALTERNATE && s->timing.guard_arg == arg;
}

static bool
sums_results(const struct spec *s)
{
	return is_turned_scalar(s, SPEC_RETURN);
}

/* Scalars are computed before the clock starts. */
static void
put_timed_scalar(struct draft *t, size_t i)
{
	const char	*type = ctype_name(t->spec->routine.params[i].type);

	if (!is_turned_scalar(t->spec, i)) {
		draft(t, "\tconst %s drv_a%zu = ", type, i);
		draft_scalar(t, i);
		draft(t, ";\n");
		return;
	}
	draft(t, "\tconst %s drv_a%zu[2] = { ", type, i);
	draft_scalar(t, i);
	draft(t, ", -");
	draft_scalar(t, i);
	draft(t, " };\n");
}

static void
put_timed_scalars(struct draft *t)
{
	draft(t, "\tdrv_routine *const drv_go = (drv_routine *)drv_code;\n");
	for (size_t i = 0; i < t->spec->routine.nparams; i++)
		if (t->spec->args[i].scalar != NULL)
			put_timed_scalar(t, i);
	if (sums_results(t->spec))
		draft(t, "\tconst %s drv_sign[2] = { 1, -1 };\n\t%s drv_sum = 0;\n",
		    draft_real_name(t->spec->routine.result), ctype_name(t->spec->routine.result));
}

/* Pointer i; of an operand with a negated copy, both. */
static void
put_timed_pointer(struct draft *t, size_t i)
{
	if (spec_is_paired(t->spec, i)) {
		draft(t, "\tvoid *const drv_a%zu[2] = { drv_at[%zu], drv_at[%zu] };\n", i,
		    draft_operand(t->spec, i), draft_operands(t->spec));
		return;
	}
	draft(t, "\tvoid *const drv_a%zu = ", i);
	draft_call_arg(t, i);
	draft(t, ";\n");
}

/* From one set's operand, or its table of rows, to the next. */
static void
put_step(struct draft *t, size_t i)
{
	draft(t, "\tconst rt_u64 drv_step%zu = ", i);
	if (draft_has_rows(t->spec, i)) {
		draft(t, "sizeof(void *) * (rt_u64)");
		draft_expr(t, t->spec->args[i].operand.dims[0]);
		draft(t, ";\n");
		return;
	}
	draft(t, "drv_step[%zu];\n", draft_operand(t->spec, i));
}

static void
put_timed_pointers(struct draft *t, bool with_steps)
{
	for (size_t i = 0; i < t->spec->routine.nparams; i++) {
		if (!t->spec->routine.params[i].is_pointer)
			continue;
		put_timed_pointer(t, i);
		if (with_steps && t->spec->args[i].is_operand)
			put_step(t, i);
	}
}

static void
put_repeat_arg(struct draft *t, size_t i)
{
	draft(t, "drv_a%zu%s", i, is_turned_scalar(t->spec, i) || spec_is_paired(t->spec, i) ?
	    "[drv_odd]" : "");
}

/* "drv_result = drv_go(…);" */
static void
put_timed_call(struct draft *t, draft_each_fn *each)
{
	draft(t, "%sdrv_go(", sums_results(t->spec) ? "drv_sum += drv_sign[drv_odd] * " :
	    draft_keep(t));
	draft_list(t, each);
	draft(t, ");\n");
}

/*
 * Without a fence the calls of a region overlap: a core begins the next one while this one's last
 * results are under way.
 */
static void
put_repeat_calls(struct draft *t)
{
	const bool	turned = draft_turns(t->spec), serialised = t->spec->timing.serialised;

	draft(t, "\tfor (rt_u64 drv_n = 0; drv_n < drv_calls; drv_n++%s)%s\n\t\t",
	    turned ? ", drv_odd ^= 1" : "", serialised ? " {" : "");
	put_timed_call(t, put_repeat_arg);
	if (serialised)
		draft(t, "\t\trt_fence();\n\t}\n");
}

/* A sum of results is stored after the clock has stopped. */
static void
put_timed_end(struct draft *t)
{
	if (!sums_results(t->spec)) {
		draft(t, "\treturn rt_%s_stop() - drv_start;\n}\n\n", t->clock);
		return;
	}
	draft(t, "\tconst rt_u64 drv_ticks = rt_%s_stop() - drv_start;\n\n\tdrv_result = drv_sum;\n"
	    "\treturn drv_ticks;\n}\n\n", t->clock);
}

void
draft_repeat(struct draft *t)
{
	draft(t, "/* One sample: all calls on the same operands. */\nstatic rt_u64\n"
	    "drv_repeat(rt_code *drv_code, void *const *drv_at, rt_u64 drv_calls)\n{\n");
	draft_lay(t);
	put_timed_scalars(t);
	put_timed_pointers(t, false);
	if (draft_operands(t->spec) == 0)
		draft(t, "\t(void)drv_at;\n");
	if (draft_turns(t->spec))
		draft(t, "\trt_u64 drv_odd = drv_turn;\n");
	draft(t, "\tconst rt_u64 drv_start = rt_%s_start();\n\n", t->clock);
	put_repeat_calls(t);
	put_timed_end(t);
}

static void
put_rotate_arg(struct draft *t, size_t i)
{
	put_repeat_arg(t, i);
	if (draft_has_memory(t->spec, i))
		draft(t, " + drv_set * drv_step%zu", draft_owner(t->spec, i));
}

void
draft_rotate(struct draft *t, const char *name, bool fences)
{
	const struct spec	*s = t->spec;

	draft(t, "/* One sample: each call on the next working set, %s. */\n"
	    "static rt_u64\n"
	    "drv_%s(rt_code *drv_code, void *const *drv_at, const rt_u64 *drv_step,\n"
	    "    const rt_u32 *drv_walk, rt_u64 drv_calls)\n{\n",
	    fences ? "a fence after each" : "without fences", name);
	draft_lay_walk(t);
	put_timed_scalars(t);
	put_timed_pointers(t, true);
	draft(t, "\tconst rt_u64 drv_start = rt_%s_start();\n\n", t->clock);
	draft(t, "\tfor (rt_u64 drv_n = 0; drv_n < drv_calls; drv_n++) {\n"
	    "\t\tconst rt_u64 drv_set = drv_walk[drv_n]%s;\n",
	    draft_turns(s) ? " % RT_TURNED, drv_odd = drv_walk[drv_n] / RT_TURNED" : "");
	draft(t, "\n\t\t");
	put_timed_call(t, put_rotate_arg);
	draft(t, "%s\t}\n", fences ? "\t\trt_fence();\n" : "");
	put_timed_end(t);
}
