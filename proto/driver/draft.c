/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words that all parts of a driver are written with: expressions, numbers, types, lists of
 * arguments.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "proto/driver/draft.h"

void
draft(struct draft *t, const char *fmt, ...)
{
	va_list	ap;

	va_start(ap, fmt);
	vfprintf(t->out, fmt, ap);
	va_end(ap);
}

/*
 * Names become (NAME + 0LL): so an integer param is a long long, as in expr_eval, and a real one
 * stays a double.  Numbers may contain letters; functions begin with rt_.
 */
static void
put_names_widened(struct draft *t, const char *c)
{
	while (*c != '\0') {
		size_t	n = strspn(c,
			    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.");

		if (n == 0)
			draft(t, "%c", *c++);
		else if (isdigit((unsigned char)*c) || *c == '.' || strncmp(c, "rt_", 3) == 0)
			draft(t, "%.*s", (int)n, c);
		else
			draft(t, "(%.*s + 0LL)", (int)n, c);
		c += n;
	}
}

void
draft_expr(struct draft *t, const struct expr *e)
{
	size_t	 bytes = expr_put_c(e, NULL, 0) + 1;
	char	*text = malloc(bytes);

	if (text == NULL) {
		t->no_memory = true;
		return;
	}
	expr_put_c(e, text, bytes);
	put_names_widened(t, text);
	free(text);
}

/* A complex type's parts have this type; other types are their own. */
const char *
draft_real_name(enum ctype type)
{
	return ctype_name(type == CTYPE_CFLOAT ? CTYPE_FLOAT : type == CTYPE_CDOUBLE ?
	    CTYPE_DOUBLE : type);
}

/* A value of this type; a product with the unit would spoil infinities and signs of zeros. */
void
draft_number(struct draft *t, enum ctype type, const struct expr *real,
    const struct expr *imaginary)
{
	if (imaginary == NULL) {
		draft(t, "(%s)", ctype_name(type));
		draft_expr(t, real);
		return;
	}
	draft(t, "__builtin_complex((%s)", draft_real_name(type));
	draft_expr(t, real);
	draft(t, ", (%s)", draft_real_name(type));
	draft_expr(t, imaginary);
	draft(t, ")");
}

/* The driver's number of the operand that argument `arg` is. */
size_t
draft_operand(const struct spec *s, size_t arg)
{
	size_t	n = 0;

	for (size_t i = 0; i < arg; i++)
		n += s->args[i].is_operand;
	return n;
}

size_t
draft_operands(const struct spec *s)
{
	return draft_operand(s, s->routine.nparams);
}

char
draft_class(enum ctype type)
{
	return type == CTYPE_BOOL ? 'b' : ctype_class(type);
}

bool
draft_turns(const struct spec *s)
{
	return s->timing.guard == GUARD_ALTERNATE || s->timing.guard == GUARD_PAIR;
}

/* The type of an operand's elements, as the driver calls it. */
void
draft_element(struct draft *t, size_t arg)
{
	const struct operand	*o = &t->spec->args[arg].operand;

	if (o->record != NULL)
		draft(t, "struct drv_record%zu", draft_operand(t->spec, arg));
	else
		draft(t, "%s", ctype_name(o->type));
}

void
draft_param_type(struct draft *t, size_t i)
{
	const struct proto_param	*p = &t->spec->routine.params[i];

	draft(t, "%s%s%s", p->is_const && p->is_pointer && !p->is_rows ? "const " : "",
	    p->type == CTYPE_STRUCT ? "void" : ctype_name(p->type), p->is_rows ? " **" :
	    p->is_pointer ? " *" : "");
}

void
draft_list(struct draft *t, draft_each_fn *each)
{
	for (size_t i = 0; i < t->spec->routine.nparams; i++) {
		if (i > 0)
			draft(t, ", ");
		each(t, i);
	}
}

void
draft_empty_param(struct draft *t, size_t i)
{
	draft_param_type(t, i);
	draft(t, "%sdrv_a%zu", t->spec->routine.params[i].is_pointer ? "" : " ", i);
}

void
draft_count_from(struct draft *t, const struct operand *o, size_t first)
{
	for (size_t d = first; d < o->ndims; d++) {
		draft(t, "%s(rt_u64)", d > first ? " * " : "");
		draft_expr(t, o->dims[d]);
	}
}
