/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions for AArch64.  Memory is reached by loads and stores alone: an operation with a
 * memory operand becomes a load and the operation.
 */
#include <inttypes.h>

#include "client/micro/machine/aarch64_parts.h"

enum { NEAREST = -256, NEAR = 255 };

enum status
aarch64_refuse(const struct aarch64 *w, const char *reason)
{
	return fault_at(w->why, ST_BAD_SPEC, w->in->operation, "AArch64 has %s", reason);
}

void
aarch64_constant(int64_t value, FILE *to)
{
	uint64_t	bits = (uint64_t)value;

	(void)fprintf(to, "movz x17, #%" PRIu64 "\n", bits & 0xffff);
	for (unsigned at = 16; at < 64; at += 16)
		if ((bits >> at & 0xffff) != 0)
			(void)fprintf(to, "movk x17, #%" PRIu64 ", lsl #%u\n",
			    bits >> at & 0xffff, at);
}

static unsigned
log2_of(unsigned multiplier)
{
	return multiplier == 8 ? 3 : multiplier == 4 ? 2 : multiplier == 2 ? 1 : 0;
}

static bool
fits(int64_t offset, unsigned bytes)
{
	return (offset >= NEAREST && offset <= NEAR) || (offset >= 0 &&
	    offset <= (int64_t)AARCH64_IMMEDIATE * bytes && offset % bytes == 0);
}

void
aarch64_address(const struct memory *m, unsigned bytes, FILE *to,
    char address[AARCH64_ADDRESS_BYTES])
{
	char		base[REGISTER_NAME_BYTES];
	unsigned	number = register_aarch64(m->base), index = register_aarch64(m->index);
	unsigned	shift = log2_of(m->multiplier);

	(void)snprintf(base, sizeof base, number == 31 ? "sp" : "x%u", number);
	if (m->multiplier != 0 && m->offset == 0 &&
	    (m->multiplier == 1 || m->multiplier == bytes)) {
		(void)snprintf(address, AARCH64_ADDRESS_BYTES, "[%s, x%u, lsl #%u]", base, index,
		    shift);
		return;
	}
	if (m->multiplier != 0) {
		(void)fprintf(to, "add x16, %s, x%u, lsl #%u\n", base, index, shift);
		(void)snprintf(base, sizeof base, "x16");
	}
	if (!fits(m->offset, bytes)) {
		aarch64_constant(m->offset, to);
		(void)fprintf(to, "add x16, %s, x17\n", base);
		(void)snprintf(address, AARCH64_ADDRESS_BYTES, "[x16]");
		return;
	}
	(void)snprintf(address, AARCH64_ADDRESS_BYTES, "[%s, #%" PRId64 "]", base, m->offset);
}

static enum status
check_registers(const struct aarch64 *w)
{
	static const struct target	target = { .machine = MACHINE_AARCH64 };
	char				name[REGISTER_NAME_BYTES];

	for (unsigned i = 0; i < w->in->n; i++) {
		const struct operand	*o = &w->in->operand[i];

		if (o->kind != OPERAND_REGISTER ||
		    o->reg.number < register_count(&target, o->reg.class) ||
		    o->reg.class == REG_GENERAL)
			continue;
		register_name(o->reg, name);
		return fault_at(w->why, ST_BAD_SPEC, w->in->operation,
		    "AArch64 has no register for %s", name);
	}
	return ST_OK;
}

static bool
has_vector(const struct instruction *in)
{
	for (unsigned i = 0; i < in->n; i++)
		if (in->operand[i].kind == OPERAND_REGISTER &&
		    in->operand[i].reg.class != REG_GENERAL)
			return true;
	return false;
}

enum status
instruction_write_aarch64(const struct instruction *in, FILE *to, struct fault *why)
{
	struct aarch64			 w = { .in = in, .to = to, .why = why };
	const struct operation		*o = operation_find(in->operation);
	const struct general_operation	*g = general_find(in->operation);
	enum status			 st = check_registers(&w);

	if (st != ST_OK)
		return st;
	if (has_vector(in) && o != NULL)
		return aarch64_vector(&w, o);
	if (!has_vector(in) && g != NULL)
		return aarch64_general(&w, g);
	st = aarch64_refuse(&w, "no instruction for it that is known here");
	fault_hint(why, "leave out --machine aarch64");
	return st;
}
