/* SPDX-License-Identifier: Apache-2.0 */
/* AArch64's instructions of general registers.  Those of 8 and 16 bits compute with 32. */
#include <inttypes.h>
#include <string.h>

#include "client/micro/machine/aarch64_parts.h"

/* The bits that an instruction works on: its register's, or the suffix's where it has none. */
static unsigned
bits_of(const struct instruction *in)
{
	size_t	n = strlen(in->operation);
	char	suffix = n > 0 ? in->operation[n - 1] : '\0';

	for (unsigned i = in->n; i-- > 0;)
		if (in->operand[i].kind == OPERAND_REGISTER)
			return in->operand[i].reg.bits;
	return suffix == 'b' ? 8 : suffix == 'w' ? 16 : suffix == 'l' ? 32 : 64;
}

static char
letter(unsigned bits)
{
	return bits == 64 ? 'x' : 'w';
}

/* A load or a store. */
static void
transfer(const char *verb, unsigned bits, unsigned number, const struct memory *m, FILE *to)
{
	const char	*size = bits == 8 ? "b" : bits == 16 ? "h" : "";
	char		 address[AARCH64_ADDRESS_BYTES];

	aarch64_address(m, bits / 8, to, address);
	(void)fprintf(to, "%s%s %c%u, %s\n", verb, size, letter(bits), number, address);
}

/* The number of the register with the source's value: x17 if it had to be made. */
static unsigned
source_in_register(const struct operand *source, unsigned bits, FILE *to)
{
	if (source->kind == OPERAND_REGISTER)
		return register_aarch64(source->reg);
	if (source->kind == OPERAND_IMMEDIATE)
		aarch64_constant(source->immediate, to);
	else
		transfer("ldr", bits, AARCH64_CONSTANT, &source->memory, to);
	return AARCH64_CONSTANT;
}

static enum status
move(const struct aarch64 *w)
{
	const struct operand	*source = &w->in->operand[0], *target = &w->in->operand[1];
	unsigned		 bits = bits_of(w->in), from;

	if (target->kind == OPERAND_MEMORY && source->kind == OPERAND_IMMEDIATE)
		return aarch64_refuse(w, "no store of a constant: move it to a register first");
	if (target->kind == OPERAND_MEMORY) {
		transfer("str", bits, register_aarch64(source->reg), &target->memory, w->to);
		return ST_OK;
	}
	if (source->kind == OPERAND_MEMORY) {
		transfer("ldr", bits, register_aarch64(target->reg), &source->memory, w->to);
		return ST_OK;
	}
	from = source_in_register(source, bits, w->to);
	(void)fprintf(w->to, "mov %c%u, %c%u\n", letter(bits), register_aarch64(target->reg),
	    letter(bits), from);
	return ST_OK;
}

/* The verb with which an instruction has a constant in itself, and that constant; NULL: none. */
static const char *
with_constant(const struct general_operation *o, const struct operand *source, int64_t *value)
{
	*value = source->immediate;
	if (source->kind != OPERAND_IMMEDIATE)
		return NULL;
	if (o->kind == GENERAL_SHIFT)
		return *value >= 0 && *value < 32 ? o->aarch64 : NULL;
	if (o->kind == GENERAL_ADD && *value < 0 && *value >= -AARCH64_IMMEDIATE) {
		*value = -*value;
		return o->opposite;
	}
	return (o->kind == GENERAL_ADD || o->kind == GENERAL_COMPARE) &&
	    strcmp(o->aarch64, "tst") != 0 && *value >= 0 && *value <= AARCH64_IMMEDIATE ?
	    o->aarch64 : NULL;
}

/* target = target OP source; a comparison has no result. */
static enum status
compute(const struct aarch64 *w, const struct general_operation *o)
{
	const struct operand	*source = &w->in->operand[0], *target = &w->in->operand[1];
	unsigned		 bits = bits_of(w->in), number = register_aarch64(target->reg);
	char			 x = letter(bits), last[32], result[16] = "";
	int64_t			 value;
	const char		*verb = with_constant(o, source, &value);

	if (target->kind != OPERAND_REGISTER)
		return aarch64_refuse(w, "no arithmetic on memory: load, change and store");
	if (verb != NULL)
		(void)snprintf(last, sizeof last, "#%" PRId64, value);
	else
		(void)snprintf(last, sizeof last, "%c%u", x,
		    source_in_register(source, bits, w->to));
	if (o->kind != GENERAL_COMPARE)
		(void)snprintf(result, sizeof result, "%c%u, ", x, number);
	(void)fprintf(w->to, "%s %s%c%u, %s\n", verb != NULL ? verb : o->aarch64, result, x, number,
	    last);
	return ST_OK;
}

/* inc and dec. */
static enum status
step(const struct aarch64 *w, const struct general_operation *o)
{
	struct instruction		in = *w->in;
	const struct aarch64		with_one = { .in = &in, .to = w->to, .why = w->why };
	const struct general_operation	add = { .kind = GENERAL_ADD, .aarch64 = o->aarch64 };

	in.operand[1] = in.operand[0];
	in.operand[0] = (struct operand){ .kind = OPERAND_IMMEDIATE, .immediate = 1 };
	in.n = 2;
	return compute(&with_one, &add);
}

static enum status
prefetch(const struct aarch64 *w, const struct general_operation *o)
{
	char	address[AARCH64_ADDRESS_BYTES];

	if (w->in->operand[0].kind != OPERAND_MEMORY)
		return aarch64_refuse(w, "no address in this operand");
	aarch64_address(&w->in->operand[0].memory, 8, w->to, address);
	(void)fprintf(w->to, "prfm %s, %s\n", o->aarch64, address);
	return ST_OK;
}

static enum status
jump(const struct aarch64 *w, const struct general_operation *o)
{
	if (w->in->operand[0].kind != OPERAND_LABEL)
		return aarch64_refuse(w, "no jump but to a label");
	(void)fprintf(w->to, "%s %s\n", o->aarch64, w->in->operand[0].label);
	return ST_OK;
}

enum status
aarch64_general(const struct aarch64 *w, const struct general_operation *o)
{
	static const unsigned	operands[] = {
		[GENERAL_MOVE] = 2, [GENERAL_ADD] = 2, [GENERAL_LOGIC] = 2, [GENERAL_SHIFT] = 2,
		[GENERAL_COMPARE] = 2, [GENERAL_ONE] = 1, [GENERAL_PREFETCH] = 1,
		[GENERAL_BRANCH] = 1, [GENERAL_NONE] = 0
	};

	if (w->in->n != operands[o->kind])
		return aarch64_refuse(w, "no form of it with so many operands");
	switch (o->kind) {
	case GENERAL_MOVE:
		return move(w);
	case GENERAL_ONE:
		return step(w, o);
	case GENERAL_PREFETCH:
		return prefetch(w, o);
	case GENERAL_BRANCH:
		return jump(w, o);
	case GENERAL_NONE:
		(void)fprintf(w->to, "%s\n", o->aarch64);
		return ST_OK;
	default:
		return compute(w, o);
	}
}
