/* SPDX-License-Identifier: Apache-2.0 */
/* Operands of a POET specification. */
#include <stdlib.h>
#include <string.h>

#include "client/import/formula.h"
#include "client/import/poet_parts.h"
#include "proto/base/name.h"

/* ---- the type ---- */

static enum status
bad_type(const struct poet *p, const struct poet_item *item, struct fault *why)
{
	const struct proto_param	*a = &p->prototype.params[item->argument];

	(void)foreign_fault(p->source, item->type.at, why,
	    "%s is %s * in the routine, not %.*s *", a->name, ctype_name(a->type),
	    (int)(item->type.n < 64 ? item->type.n : 64), item->type.at);
	if (a->type != CTYPE_VOID)
		fault_hint(why, "write %s here, or change the routine", ctype_name(a->type));
	return ST_BAD_SPEC;
}

/* The type is the prototype's; of void * it is the statement's. */
static enum status
check_type(struct poet *p, const struct poet_item *item, enum ctype *type, struct fault *why)
{
	const struct proto_param	*a = &p->prototype.params[item->argument];
	char				*text = poet_expanded(p, item->type), *plain = text;
	enum status			 st;

	if (text == NULL)
		return fault_set(why, ST_NOMEM, "type");
	if (name_starts(text, "const "))
		plain += strlen("const ");
	st = ctype_parse(type, plain, why);
	free(text);
	if (st != ST_OK)
		return foreign_blame(p->source, item->type.at, why);
	return *type == a->type || a->type == CTYPE_VOID ? ST_OK : bad_type(p, item, why);
}

/* ---- contents ---- */

static void
explain_random(struct poet *p, const struct poet_item *item)
{
	if (!p->said_random)
		foreign_remark(p->source, item->init.at, "RANDOM: reals from -1 to 1 and integers "
		    "from -100 to 100, where the generator took rand(), 0 to 2147483647");
	p->said_random = true;
}

/* Range(begin,step): begin, begin + step and so on. */
static enum status
put_range(struct poet *p, const struct poet_item *item, struct span inside, json_t *operand,
    struct fault *why)
{
	char	*text = span_on_one_line(inside), *comma;
	long	 begin = 0, step = 0;

	if (text != NULL && (comma = strchr(text, ',')) != NULL) {
		begin = strtol(text, NULL, 10);
		step = strtol(comma + 1, NULL, 10);
	}
	free(text);
	if (begin == 0 && step == 1) {
		(void)json_object_set_new(operand, "init", json_string("index"));
		return ST_OK;
	}
	if (step == 0) {
		(void)json_object_set_new(operand, "init", json_integer(begin));
		return ST_OK;
	}
	(void)foreign_fault(p->source, item->init.at, why,
	    "elements cannot begin at %ld in steps of %ld", begin, step);
	fault_hint(why, "write Range(0,1), RANDOM or a number");
	return ST_BAD_SPEC;
}

static enum status
put_value(struct poet *p, const struct poet_item *item, json_t *operand, struct fault *why)
{
	char		*text;
	enum status	 st;

	if ((st = poet_formula(p, item->init, &text, why)) != ST_OK)
		return st;
	(void)json_object_set_new(operand, "init", formula_is_number(item->init) ?
	    formula_json(text) : json_pack("{s:s}", "value", text));
	free(text);
	return ST_OK;
}

static enum status
put_init(struct poet *p, const struct poet_item *item, json_t *operand, struct fault *why)
{
	struct span	inside;

	if (span_is(item->init, "RANDOM")) {
		explain_random(p, item);
		(void)json_object_set_new(operand, "init", p->seed == 0 ? json_string("random") :
		    json_pack("{s:{s:I}}", "random", "seed",
		    (json_int_t)(p->seed + item->argument)));
		return ST_OK;
	}
	if (item->init.n == 0) {
		(void)foreign_fault(p->source, item->name.at, why, "%.*s has no initial contents",
		    SPAN_ARGS(item->name));
		fault_hint(why, "write RANDOM or a number");
		return ST_BAD_SPEC;
	}
	if (poet_is_call(item->init, "Range", &inside))
		return put_range(p, item, inside, operand, why);
	return put_value(p, item, operand, why);
}

/* ---- sizes and flags ---- */

static enum status
put_dims(struct poet *p, const struct poet_item *item, json_t *operand, struct fault *why)
{
	size_t		 n = item->kind == POET_VECTOR ? 1 : 2;
	json_t		*dims = json_array();
	enum status	 st = ST_OK;
	char		*text;

	(void)json_object_set_new(operand, "dims", dims);
	for (size_t i = 0; st == ST_OK && i < n; i++) {
		if ((st = poet_formula(p, item->sizes[i], &text, why)) == ST_OK) {
			(void)json_array_append_new(dims, formula_json(text));
			free(text);
		}
	}
	return st;
}

static void
put_flags(struct poet *p, const struct poet_item *item, enum ctype type, json_t *operand)
{
	json_int_t	align = (json_int_t)item->align, least = (json_int_t)ctype_bytes(type);

	if (align > 0 && align < least) {
		foreign_remark(p->source, item->align_at.at, "aligned to %d bytes, as %s needs",
		    (int)least, ctype_name(type));
		align = least;
	}
	if (align > 0)
		(void)json_object_set_new(operand, "align", json_integer(align));
	if (item->is_static)
		(void)json_object_set_new(operand, "memory", json_string("static"));
	if (p->prototype.params[item->argument].type == CTYPE_VOID)
		(void)json_object_set_new(operand, "type", json_string(ctype_name(type)));
}

static enum status
check_kind(const struct poet *p, const struct poet_item *item, struct fault *why)
{
	const struct proto_param	*a = &p->prototype.params[item->argument];

	if (!a->is_pointer) {
		(void)foreign_fault(p->source, item->name.at, why, "%s is no pointer in the "
		    "routine, but %s", a->name, ctype_name(a->type));
		fault_hint(why, "write %s *%.64s in the routine, or a number here",
		    ctype_name(a->type), a->name);
		return ST_BAD_SPEC;
	}
	if ((item->kind == POET_ARRAY2D) != a->is_rows) {
		(void)foreign_fault(p->source, item->name.at, why, a->is_rows ?
		    "%s points to pointers in the routine" :
		    "%s does not point to pointers in the routine", a->name);
		fault_hint(why, a->is_rows ? "write Array2D(type,rows,columns,init,flags)" :
		    "use Matrix, or write the routine with %s **%.64s", ctype_name(a->type),
		    a->name);
		return ST_BAD_SPEC;
	}
	return ST_OK;
}

enum status
poet_operand(struct poet *p, struct poet_item *item, json_t **out, struct fault *why)
{
	json_t		*operand = json_object();
	enum ctype	 type = CTYPE_DOUBLE;
	enum status	 st;

	*out = NULL;
	if (operand == NULL)
		return fault_set(why, ST_NOMEM, "operand");
	if ((st = check_kind(p, item, why)) == ST_OK &&
	    (st = check_type(p, item, &type, why)) == ST_OK &&
	    (st = put_dims(p, item, operand, why)) == ST_OK)
		st = put_init(p, item, operand, why);
	if (st != ST_OK) {
		json_decref(operand);
		return st;
	}
	put_flags(p, item, type, operand);
	*out = operand;
	return ST_OK;
}
