/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "client/micro/machine/operations.h"
#include "client/micro/write/element.h"

/* A logical name is as wide as the move that was chosen; x0 is a vector, r9 a whole register. */
static struct reg
logical_register(const struct pattern *p, const struct described *d)
{
	const struct candidate	*c = p->is_move && p->ncandidates > 0 ?
				    &p->candidates[p->candidate] : NULL;

	if (c != NULL)
		return (struct reg){ .class = c->class, .bits = 8 * c->bytes };
	return (struct reg){ .class = described_name(d)[0] == 'x' ? REG_XMM : REG_GENERAL,
	    .bits = 64 };
}

/* The first register of the class or size that tells how wide an access is; false: none does. */
static bool
find_register(const struct pattern *p, struct reg *to)
{
	enum register_class	class;

	for (size_t i = 0; i < p->nslots; i++) {
		const char	*name = p->slots[i].base.physical;

		if (p->slots[i].kind != SLOT_REGISTER)
			continue;
		*to = logical_register(p, &p->slots[i].base);
		if (name == NULL || register_parse(name, to))
			return true;
		if (register_class_parse(name, &class)) {
			to->class = class;
			return true;
		}
	}
	return false;
}

/* movss, addps: 4; movsd, mulpd: 8.  0: the name says nothing. */
static unsigned
suffix_bytes(const char *operation)
{
	const size_t	n = strlen(operation);
	const char	*end = n >= 2 ? operation + n - 2 : "";

	if (strcmp(end, "ps") == 0 || strcmp(end, "ss") == 0)
		return 4;
	return strcmp(end, "pd") == 0 || strcmp(end, "sd") == 0 ? 8 : 0;
}

/* movl: 4, addq: 8 … of the forms whose last letter is a size. */
static unsigned
letter_bytes(const char *operation)
{
	static const char	letters[] = "bwlq";
	const size_t		n = strlen(operation);
	const char		*at = n > 0 ? strchr(letters, operation[n - 1]) : NULL;

	return at != NULL && general_find(operation) != NULL ? 1u << (at - letters) : 0;
}

unsigned
access_bytes(const struct pattern *p)
{
	const struct operation	*o = operation_find(pattern_operation(p));
	struct reg		 reg;

	if (o != NULL && o->bytes < 16)
		return o->bytes;
	if (find_register(p, &reg))
		return register_bytes(reg);
	return letter_bytes(pattern_operation(p)) > 0 ? letter_bytes(pattern_operation(p)) : 4;
}

unsigned
element_bytes(const struct pattern *p)
{
	const struct operation	*o = operation_find(pattern_operation(p));
	const unsigned		 suffix = suffix_bytes(pattern_operation(p));
	const unsigned		 bytes = access_bytes(p);

	if (suffix > 0)
		return suffix;
	if (o != NULL && o->bytes < 16)
		return o->bytes;
	return bytes < 8 ? bytes : bytes == 8 ? 8 : 4;
}

struct scale
pattern_scale(const struct target *t, const struct pattern *p)
{
	struct instruction	in = { .operation = pattern_operation(p), .n = 1 };

	in.operand[0].kind = OPERAND_REGISTER;
	if (!find_register(p, &in.operand[0].reg))
		return (struct scale){ 1, 1 };
	return instruction_scale(t, &in);
}
