/* SPDX-License-Identifier: Apache-2.0 */
/* What the routine is given for a parameter that is no pointer. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "proto/spec/spec_parts.h"

/* ---- a number that is drawn once, when the spec is read ---- */

/* splitmix64 of a counter */
static uint64_t
number(uint64_t seed, uint64_t i)
{
	uint64_t	x = seed * 0xd1342543de82ef95u + (i + 1) * 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

static double
between_0_and_1(uint64_t seed, uint64_t i)
{
	return (double)(number(seed, i) >> 11) * 0x1p-53;
}

/* The i-th; of an integer type both ends are included. */
static double
draw(const struct operand *o, uint64_t i)
{
	const double	share = between_0_and_1(o->init.seed, i);
	const char	class = ctype_class(o->type);

	if (class != 'i' && class != 'u')
		return o->init.min + (o->init.max - o->init.min) * share;
	return fmin(o->init.max, floor(o->init.min + (o->init.max - o->init.min + 1) * share));
}

static enum status
put_drawn(const struct operand *o, uint64_t i, struct expr **out, struct fault *why)
{
	char	text[48];

	(void)snprintf(text, sizeof text, "%.17g", draw(o, i));
	return expr_parse(out, text, why);
}

static enum status
draw_all(struct arg *a, const struct place *p, struct fault *why)
{
	enum status	st = put_drawn(&p->o, 0, &a->scalar, why);

	if (st == ST_OK && ctype_class(p->o.type) == 'c')
		st = put_drawn(&p->o, 1, &a->imaginary, why);
	return st;
}

/* ---- { "init": … } ---- */

static enum status
check_init(const struct place *p, const struct node *n, struct fault *why)
{
	static const char *const	of_many[] = { "order", "swaps", "distinct", "density" };
	struct node			random = decode_member(n, "random");
	enum status			st = ST_OK;

	if (p->o.init.kind != INIT_RANDOM && p->o.init.kind != INIT_VALUE)
		st = decode_refuse(n, NULL, why, "of one number it is random or a value");
	for (size_t i = 0; i < sizeof of_many / sizeof of_many[0] && st == ST_OK; i++)
		if (json_object_get(random.value, of_many[i]) != NULL)
			st = decode_refuse(&random, of_many[i], why, "one number has none");
	if (st != ST_OK)
		fault_hint(why, "{ \"random\": { \"seed\": 1, \"min\": 0, \"max\": 1 } }");
	return st;
}

/* The expressions are the argument's from now on. */
static enum status
take_init(struct arg *a, struct place *p, struct fault *why)
{
	if (p->o.init.kind == INIT_RANDOM)
		return draw_all(a, p, why);
	a->scalar = p->o.init.value;
	a->imaginary = p->o.init.imaginary;
	p->o.init.value = p->o.init.imaginary = NULL;
	return ST_OK;
}

static enum status
get_object(struct spec *s, size_t index, const struct node *n, struct fault *why)
{
	struct place	p = { .spec = s, .param = &s->routine.params[index], .index = index };
	struct node	init = decode_member(n, "init");
	enum status	st;

	if (init.value == NULL || json_object_size(n->value) != 1) {
		st = decode_refuse(n, NULL, why, "the routine takes %s here, of which an object "
		    "has only an init", ctype_name(p.param->type));
		fault_hint(why, "{ \"init\": \"random\" }, or the number itself");
		return st;
	}
	p.o.type = p.param->type;
	p.o.elements = 1;
	if ((st = spec_get_init(&p, &init, why)) == ST_OK &&
	    (st = check_init(&p, &init, why)) == ST_OK)
		st = take_init(&s->args[index], &p, why);
	expr_free(p.o.init.value);
	expr_free(p.o.init.imaginary);
	free(p.o.init.data);
	free(p.o.init.function);
	return st;
}

/* ---- both forms ---- */

enum status
spec_decode_scalar(struct spec *s, size_t index, const struct node *n, struct fault *why)
{
	struct arg	*a = &s->args[index];
	enum ctype	 type = s->routine.params[index].type;
	enum status	 st;

	if (json_is_object(n->value)) {
		st = get_object(s, index, n, why);
	} else if (json_is_string(n->value) || json_is_number(n->value)) {
		st = spec_decode_expr(n, &a->scalar, why);
	} else {
		st = decode_refuse(n, NULL, why,
		    "the routine takes %s here: an expression or a number", ctype_name(type));
		fault_hint(why, "\"2*N\" or 8; only pointers take an operand");
	}
	if (st != ST_OK || (st = spec_eval(s, n, a->scalar, &a->value, why)) != ST_OK)
		return st;
	return spec_fit(n, type, &a->value, why);
}
