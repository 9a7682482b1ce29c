/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments of one call. */
#include "proto/driver/draft.h"

/* The argument that has the memory to which argument i points. */
size_t
draft_owner(const struct spec *s, size_t i)
{
	return s->args[i].is_shared ? s->args[i].shared.of : i;
}

bool
draft_has_memory(const struct spec *s, size_t i)
{
	return s->args[draft_owner(s, i)].is_operand;
}

/* GNU C counts void pointers in bytes; the prototype converts them to the routine's types. */
static void
put_place(struct draft *t, size_t i)
{
	const size_t		 owner = draft_owner(t->spec, i);
	const struct expr	*from = t->spec->args[i].shared.from;

	draft(t, "drv_at[%zu]", draft_operand(t->spec, owner));
	if (from == NULL)
		return;
	draft(t, " + (rt_u64)");
	draft_expr(t, from);
	draft(t, " * sizeof(");
	draft_element(t, owner);
	draft(t, ")");
}

void
draft_scalar(struct draft *t, size_t i)
{
	draft_number(t, t->spec->routine.params[i].type, t->spec->args[i].scalar,
	    t->spec->args[i].imaginary);
}

void
draft_call_arg(struct draft *t, size_t i)
{
	if (t->spec->args[i].is_null)
		draft(t, "0");
	else if (draft_has_rows(t->spec, i))
		draft(t, "(void *)drv_rows%zu", draft_operand(t->spec, i));
	else if (draft_has_memory(t->spec, i))
		put_place(t, i);
	else
		draft_scalar(t, i);
}
