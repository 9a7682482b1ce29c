/* SPDX-License-Identifier: Apache-2.0 */
/* Two routines that take the place of the timed one. */
#include "proto/driver/draft.h"

/* It is called through a pointer like the routine, so its time is the cost of calling. */
void
draft_empty(struct draft *t)
{
	const struct prototype	*r = &t->spec->routine;

	draft(t, "static __attribute__((noinline)) %s\ndrv_empty(", ctype_name(r->result));
	draft_list(t, draft_empty_param);
	draft(t, "%s)\n{\n", r->nparams == 0 ? "void" : "");
	for (size_t i = 0; i < r->nparams; i++)
		draft(t, "\t(void)drv_a%zu;\n", i);
	draft(t, "\t__asm__ volatile(\"\" ::: \"memory\");\n%s}\n\n", r->result == CTYPE_VOID ? "" :
	    "\treturn 0;\n");
}

/* It takes the routine's place before a walk and reports the working sets of the calls. */
void
draft_witness(struct draft *t)
{
	const struct prototype	*r = &t->spec->routine;

	draft(t, "/* Reports the operands that it is called with. */\n"
	    "static __attribute__((noinline)) %s\ndrv_witness(", ctype_name(r->result));
	draft_list(t, draft_empty_param);
	draft(t, ")\n{\n");
	for (size_t i = 0; i < r->nparams; i++)
		if (t->spec->args[i].is_operand)
			draft(t, "\trt_saw(%zu, (const void *)%sdrv_a%zu);\n",
			    draft_operand(t->spec, i), draft_has_rows(t->spec, i) ? "*" : "", i);
		else
			draft(t, "\t(void)drv_a%zu;\n", i);
	draft(t, "%s}\n\n", r->result == CTYPE_VOID ? "" : "\treturn 0;\n");
}
