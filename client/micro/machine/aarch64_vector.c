/* SPDX-License-Identifier: Apache-2.0 */
/* AArch64's instructions of vector registers: q, d and s as loads name them, v.4s as sums do. */
#include "client/micro/machine/aarch64_parts.h"

static char
view(const struct operation *o)
{
	return o->bytes == 16 ? 'q' : o->bytes == 8 ? 'd' : 's';
}

static void
transfer(const struct operation *o, const struct memory *m, const char *verb, unsigned number,
    FILE *to)
{
	char	address[AARCH64_ADDRESS_BYTES];

	aarch64_address(m, o->bytes, to, address);
	(void)fprintf(to, "%s %c%u, %s\n", verb, view(o), number, address);
}

static bool
is_general(const struct operand *o)
{
	return o->kind == OPERAND_REGISTER && o->reg.class == REG_GENERAL;
}

static bool
is_vector(const struct operand *o)
{
	return o->kind == OPERAND_REGISTER && o->reg.class != REG_GENERAL;
}

/* Between a general register and a vector register: movd, movq. */
static enum status
cross(const struct aarch64 *w, const struct operation *o, const struct operand *source,
    const struct operand *target)
{
	char	lane = view(o), general = o->bytes == 8 ? 'x' : 'w';

	if (o->bytes == 16)
		return aarch64_refuse(w, "no move of 16 bytes from or to a general register");
	if (is_general(source))
		(void)fprintf(w->to, "fmov %c%u, %c%u\n", lane, target->reg.number, general,
		    register_aarch64(source->reg));
	else
		(void)fprintf(w->to, "fmov %c%u, %c%u\n", general, register_aarch64(target->reg),
		    lane, source->reg.number);
	return ST_OK;
}

static enum status
move(const struct aarch64 *w, const struct operation *o)
{
	const struct operand	*source = &w->in->operand[0];
	const struct operand	*target = &w->in->operand[w->in->n - 1];

	if (source->kind == OPERAND_MEMORY && is_vector(target))
		transfer(o, &source->memory, "ldr", target->reg.number, w->to);
	else if (is_vector(source) && target->kind == OPERAND_MEMORY)
		transfer(o, &target->memory, "str", source->reg.number, w->to);
	else if (is_general(source) || is_general(target))
		return cross(w, o, source, target);
	else if (!is_vector(source) || !is_vector(target))
		return aarch64_refuse(w, "no move between these operands");
	else if (o->bytes == 16)
		(void)fprintf(w->to, "mov v%u.16b, v%u.16b\n", target->reg.number,
		    source->reg.number);
	else
		(void)fprintf(w->to, "fmov %c%u, %c%u\n", view(o), target->reg.number, view(o),
		    source->reg.number);
	return ST_OK;
}

/* "v3.4s", "s3". */
static void
name_lanes(const struct operation *o, unsigned number, char to[REGISTER_NAME_BYTES])
{
	if (o->bytes == 16)
		(void)snprintf(to, REGISTER_NAME_BYTES, "v%u.%s", number, o->lanes);
	else
		(void)snprintf(to, REGISTER_NAME_BYTES, "%s%u", o->lanes, number);
}

/* With two operands, SSE's, the destination is the first source too. */
static enum status
compute(const struct aarch64 *w, const struct operation *o)
{
	const struct operand	*source = &w->in->operand[0], *first = &w->in->operand[1];
	const struct operand	*target = &w->in->operand[w->in->n - 1];
	char			 from[REGISTER_NAME_BYTES], with[REGISTER_NAME_BYTES];
	char			 into[REGISTER_NAME_BYTES];

	if (!is_vector(first) || !is_vector(target) ||
	    (source->kind != OPERAND_MEMORY && !is_vector(source)))
		return aarch64_refuse(w, "no such operands for it");
	if (source->kind == OPERAND_MEMORY)
		transfer(o, &source->memory, "ldr", AARCH64_VECTOR, w->to);
	name_lanes(o, source->kind == OPERAND_MEMORY ? AARCH64_VECTOR : source->reg.number, from);
	name_lanes(o, first->reg.number, with);
	name_lanes(o, target->reg.number, into);
	if (o->shape == SHAPE_UNARY)
		(void)fprintf(w->to, "%s %s, %s\n", o->aarch64, into, from);
	else
		(void)fprintf(w->to, "%s %s, %s, %s\n", o->aarch64, into, with, from);
	return ST_OK;
}

enum status
aarch64_vector(const struct aarch64 *w, const struct operation *o)
{
	if (o->aarch64 == NULL)
		return aarch64_refuse(w, "no such instruction");
	if (w->in->n != 2 && w->in->n != 3)
		return aarch64_refuse(w, "no form of it with so many operands");
	return o->shape == SHAPE_MOVE ? move(w, o) : compute(w, o);
}
