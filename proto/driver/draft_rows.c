/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of pointers: a table for each working set, laid before the clock starts. */
#include "proto/driver/draft.h"

bool
draft_has_rows(const struct spec *s, size_t arg)
{
	return s->args[arg].is_operand && s->routine.params[arg].is_rows;
}

/* The routine may change its pointers, so they are laid anew each time. */
void
draft_table(struct draft *t, size_t arg)
{
	const struct operand	*o = &t->spec->args[arg].operand;
	const size_t		 k = draft_operand(t->spec, arg);

	draft(t, "static void **drv_rows%zu;\nstatic rt_u64 drv_tables%zu;\n\nstatic void\n"
	    "drv_lay%zu(char *drv_from, rt_u64 drv_set)\n{\n\tconst rt_u64 drv_count = (rt_u64)",
	    k, k, k);
	draft_expr(t, o->dims[0]);
	draft(t, ";\n\tconst rt_u64 drv_bytes = sizeof(");
	draft_element(t, arg);
	draft(t, ") * ");
	draft_count_from(t, o, 1);
	draft(t, ";\n\n\tif (drv_set >= drv_tables%zu) {\n\t\tdrv_tables%zu = 2 * drv_set + 1;\n"
	    "\t\tdrv_rows%zu = __builtin_realloc(drv_rows%zu,\n"
	    "\t\t    drv_tables%zu * drv_count * sizeof(void *));\n"
	    "\t\tif (drv_rows%zu == 0)\n\t\t\t__builtin_trap();\n\t}\n", k, k, k, k, k, k);
	draft(t, "\tfor (rt_u64 drv_n = 0; drv_n < drv_count; drv_n++)\n"
	    "\t\tdrv_rows%zu[drv_set * drv_count + drv_n] = drv_from + drv_n * drv_bytes;\n"
	    "}\n\n", k);
}

/* Before a call on one working set. */
void
draft_lay(struct draft *t)
{
	for (size_t i = 0; i < t->spec->routine.nparams; i++)
		if (draft_has_rows(t->spec, i))
			draft(t, "\tdrv_lay%zu(drv_at[%zu], 0);\n", draft_operand(t->spec, i),
			    draft_operand(t->spec, i));
}

/* Before calls on many.  A table moves while more are made. */
void
draft_lay_walk(struct draft *t)
{
	const char	*turned = draft_turns(t->spec) ? " % RT_TURNED" : "";

	for (size_t i = 0; i < t->spec->routine.nparams; i++) {
		const size_t	k = draft_operand(t->spec, i);

		if (!draft_has_rows(t->spec, i))
			continue;
		draft(t, "\tfor (rt_u64 drv_n = 0; drv_n < drv_calls; drv_n++)\n"
		    "\t\tdrv_lay%zu((char *)drv_at[%zu] + drv_walk[drv_n]%s * drv_step[%zu],\n"
		    "\t\t    drv_walk[drv_n]%s);\n", k, k, turned, k, turned);
	}
}
