/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of x86-64 as text of AT&T, with vector registers of the width that is wanted. */
#include <inttypes.h>
#include <string.h>

#include "client/micro/machine/instruction.h"
#include "client/micro/machine/operations.h"

/* Bytes of the widest vector register in it; 0: it has none. */
static unsigned
width(const struct instruction *in)
{
	unsigned	widest = 0;

	for (unsigned i = 0; i < in->n; i++) {
		const struct operand	*o = &in->operand[i];

		if (o->kind == OPERAND_REGISTER && o->reg.class >= REG_XMM &&
		    o->reg.class <= REG_ZMM && register_bytes(o->reg) > widest)
			widest = register_bytes(o->reg);
	}
	return widest;
}

struct scale
instruction_scale(const struct target *t, const struct instruction *in)
{
	const struct operation	*o = operation_find(in->operation);
	unsigned		 bytes = width(in);

	if (bytes == 0 || t->vector_bytes == 0 || o == NULL || o->bytes != 16)
		return (struct scale){ 1, 1 };
	return (struct scale){ t->vector_bytes, bytes };
}

static enum register_class
class_of(unsigned bytes)
{
	return bytes == 64 ? REG_ZMM : bytes == 32 ? REG_YMM : REG_XMM;
}

/* AVX's three-operand forms name the destination twice. */
static void
name_destination_twice(struct instruction *in)
{
	in->operand[2] = in->operand[1];
	in->n = 3;
}

static bool
is_register(const struct operand *o)
{
	return o->kind == OPERAND_REGISTER && o->reg.class != REG_GENERAL;
}

/* With AVX, what leaves a part of the destination as it is has that part's source, too. */
static bool
merges(const struct operation *o, const struct instruction *in)
{
	static const char *const	halves[] = { "movlps", "movhps", "movlpd", "movhpd" };

	for (size_t i = 0; i < sizeof halves / sizeof halves[0]; i++)
		if (strcmp(o->name, halves[i]) == 0)
			return is_register(&in->operand[1]);
	return (strcmp(o->name, "movss") == 0 || strcmp(o->name, "movsd") == 0) &&
	    is_register(&in->operand[0]) && is_register(&in->operand[1]);
}

static bool
has_three(const struct operation *o, const struct instruction *in)
{
	return in->n == 2 && (o->shape == SHAPE_BINARY ||
	    (o->shape == SHAPE_UNARY && o->bytes < 16) || merges(o, in));
}

enum { NAME_BYTES = 24 };

/* `name` gets the operation's, `in` the registers of the width that is wanted. */
static enum status
widen(const struct target *t, struct instruction *in, char name[NAME_BYTES], struct fault *why)
{
	const struct operation	*o = operation_find(in->operation);
	unsigned		 bytes = t->vector_bytes;
	bool			 was_vex = in->operation[0] == 'v';

	if (o == NULL) {
		(void)fault_at(why, ST_BAD_SPEC, in->operation, "its form with registers of %u "
		    "bytes is not known", bytes);
		fault_hint(why, "leave out --vector");
		return ST_BAD_SPEC;
	}
	if (bytes == 16 && !was_vex)
		return ST_OK;
	(void)snprintf(name, NAME_BYTES, "v%s", bytes == 64 && o->bytes == 16 && o->zmm != NULL ?
	    o->zmm : o->name);
	if (!was_vex && has_three(o, in))
		name_destination_twice(in);
	for (unsigned i = 0; i < in->n && o->bytes == 16; i++)
		if (is_register(&in->operand[i]) && in->operand[i].reg.class <= REG_ZMM)
			in->operand[i].reg.class = class_of(bytes);
	in->operation = name;
	return ST_OK;
}

static void
write_memory(const struct memory *m, FILE *to)
{
	char	base[REGISTER_NAME_BYTES], index[REGISTER_NAME_BYTES];

	register_name(m->base, base);
	register_name(m->index, index);
	if (m->multiplier == 0)
		(void)fprintf(to, "%" PRId64 "(%s)", m->offset, base);
	else
		(void)fprintf(to, "%" PRId64 "(%s,%s,%u)", m->offset, base, index, m->multiplier);
}

static void
write_operand(const struct operand *o, FILE *to)
{
	char	name[REGISTER_NAME_BYTES];

	switch (o->kind) {
	case OPERAND_IMMEDIATE:
		(void)fprintf(to, "$%" PRId64, o->immediate);
		return;
	case OPERAND_REGISTER:
		register_name(o->reg, name);
		(void)fputs(name, to);
		return;
	case OPERAND_MEMORY:
		write_memory(&o->memory, to);
		return;
	case OPERAND_LABEL:
		(void)fputs(o->label, to);
	}
}

enum status
instruction_write(const struct target *t, const struct instruction *given, FILE *to,
    struct fault *why)
{
	struct instruction	in = *given;
	char			name[NAME_BYTES];
	enum status		st = ST_OK;

	if (t->machine == MACHINE_AARCH64)
		return instruction_write_aarch64(given, to, why);
	if (t->vector_bytes != 0 && width(&in) != 0)
		st = widen(t, &in, name, why);
	if (st != ST_OK)
		return st;
	(void)fputs(in.operation, to);
	for (unsigned i = 0; i < in.n; i++) {
		(void)fputs(i == 0 ? " " : ", ", to);
		write_operand(&in.operand[i], to);
	}
	(void)fputc('\n', to);
	return ST_OK;
}
