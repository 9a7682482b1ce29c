/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoint images make the calls (automated timer generation, section 3.2). */
#include "proto/driver/draft.h"

static void
put_given_arg(struct draft *t, size_t i)
{
	draft(t, "drv_a%zu", i);
}

static void
put_nothing(struct draft *t, size_t i)
{
	(void)i;
	draft(t, "0");
}

/*
 * The image calls this in the routine's place.  Clock readings enclose the call alone; the last
 * call counts.
 */
static void
put_between(struct draft *t)
{
	const struct prototype	*r = &t->spec->routine;
	const bool		 returns = r->result != CTYPE_VOID;

	draft(t, "static drv_routine *drv_go;\nstatic rt_u64 drv_ticks;\n\n"
	    "/* The image calls this.  All of it but the call is outside of the time. */\n"
	    "static __attribute__((noinline)) %s\ndrv_between(", ctype_name(r->result));
	draft_list(t, draft_empty_param);
	draft(t, "%s)\n{\n\tdrv_routine *const drv_code = drv_go;\n\n\trt_image_in();\n",
	    r->nparams == 0 ? "void" : "");
	draft(t, "\tconst rt_u64 drv_start = rt_%s_start();\n\n\t", t->clock);
	if (returns)
		draft(t, "const %s drv_given = ", ctype_name(r->result));
	draft(t, "drv_code(");
	draft_list(t, put_given_arg);
	draft(t, ");\n\tdrv_ticks = rt_%s_stop() - drv_start;\n", t->clock);
	if (returns)
		draft(t, "\tdrv_result = drv_given;\n");
	draft(t, "\trt_image_out(%s);\n%s}\n\n",
	    returns ? "&drv_result, sizeof drv_result" : "0, 0",
	    returns ? "\treturn drv_given;\n" : "");
}

/* The empty routine is timed without the image, which would take another path after it. */
static void
put_image_repeat(struct draft *t)
{
	draft(t, "static rt_u64\n"
	    "drv_repeat(rt_code *drv_code, void *const *drv_at, rt_u64 drv_calls)\n{\n"
	    "\t(void)drv_at;\n\t(void)drv_calls;\n\tdrv_go = (drv_routine *)drv_code;\n"
	    "\tif (drv_go != drv_empty) {\n"
	    "\t\trt_image_run(drv_code, (rt_code *)drv_between);\n\t\treturn drv_ticks;\n\t}\n"
	    "\tconst rt_u64 drv_start = rt_%s_start();\n\n\t%sdrv_go(", t->clock, draft_keep(t));
	draft_list(t, put_nothing);
	draft(t, ");\n\treturn rt_%s_stop() - drv_start;\n}\n\n", t->clock);
	draft(t, "static void\ndrv_call(rt_code *drv_code, void *const *drv_at)\n{\n"
	    "\tdrv_repeat(drv_code, drv_at, 1);\n}\n\n");
}

void
draft_image(struct draft *t)
{
	put_between(t);
	put_image_repeat(t);
}
