/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/expr.h"
#include "proto/name.h"

/*
 * An expression is kept in postfix order, so that evaluating it needs a small stack and no recursion however long it
 * is.  Between the two operands of a binary operation stands an OP_BETWEEN: there && and || look at the left operand
 * and may jump over the right one, and there expr_put_c writes the operator.
 */
enum op {
	OP_INT, OP_REAL, OP_NAME, OP_BETWEEN,
	OP_NEGATE, OP_NOT, OP_CEIL, OP_FLOOR, OP_LOG2,
	OP_MIN, OP_MAX, OP_POW,
	OP_MULTIPLY, OP_DIVIDE, OP_MODULO, OP_ADD, OP_SUBTRACT,
	OP_LE, OP_GE, OP_LT, OP_GT, OP_EQ, OP_NE, OP_AND, OP_OR,
	OP_N
};

enum { RELATIONAL = 4, TIGHTEST = 6 };	/* precedences: 1 || · 2 && · 3 == != · 4 < > · 5 + - · 6 * / % */

static const struct op_row {
	const char	*text;		/* in the expression */
	const char	*before;	/* in C: before the first operand */
	int		 precedence;	/* binary operators */
	int		 operands;
} op_rows[OP_N] = {
	[OP_NEGATE]   = { "-", "(-", 0, 1 },
	[OP_NOT]      = { "!", "(!", 0, 1 },
	[OP_CEIL]     = { "ceil", "rt_ceil(", 0, 1 },
	[OP_FLOOR]    = { "floor", "rt_floor(", 0, 1 },
	[OP_LOG2]     = { "log2", "rt_log2(", 0, 1 },
	[OP_MIN]      = { "min", "rt_min(", 0, 2 },
	[OP_MAX]      = { "max", "rt_max(", 0, 2 },
	[OP_POW]      = { "pow", "rt_pow(", 0, 2 },
	[OP_MULTIPLY] = { "*", "(", 6, 2 },
	[OP_DIVIDE]   = { "/", "(", 6, 2 },
	[OP_MODULO]   = { "%", "(", 6, 2 },
	[OP_ADD]      = { "+", "(", 5, 2 },
	[OP_SUBTRACT] = { "-", "(", 5, 2 },
	[OP_LE]       = { "<=", "(", 4, 2 },
	[OP_GE]       = { ">=", "(", 4, 2 },
	[OP_LT]       = { "<", "(", 4, 2 },
	[OP_GT]       = { ">", "(", 4, 2 },
	[OP_EQ]       = { "==", "(", 3, 2 },
	[OP_NE]       = { "!=", "(", 3, 2 },
	[OP_AND]      = { "&&", "(", 2, 2 },
	[OP_OR]       = { "||", "(", 1, 2 },
};

static const char *const	function_names[] = { "ceil", "floor", "log2", "min", "max", "pow", NULL };

struct term {
	enum op		 op;
	unsigned	 first;		/* index of the first term of this one's operands; its own for a leaf */
	union {
		int64_t		 i;	/* OP_INT */
		double		 r;	/* OP_REAL */
		unsigned	 name;	/* OP_NAME: index into names */
		unsigned	 owner;	/* OP_BETWEEN: index of its operation */
	};
};

struct expr {
	char		*text;		/* owned */
	struct term	*terms;		/* owned */
	size_t		 nterms, terms_room;
	char		**names;	/* owned, distinct */
	size_t		 nnames, names_room;
};

/* A left operand waits at each precedence, and one more before a function's comma, at each level of nesting. */
enum { STACK_MAX = (TIGHTEST + 2) * (EXPR_MAX_DEPTH + 1) };

struct parser {
	struct expr	*e;
	const char	*at;		/* next character of e->text */
	int		 depth;
	struct fault	*why;
};

static enum status	parse_binary(struct parser *, int least);

/* --- parsing --- */

static enum status __attribute__((format(printf, 2, 3)))
refuse(struct parser *p, const char *fmt, ...)
{
	char	words[128];
	va_list	ap;

	va_start(ap, fmt);
	(void)vsnprintf(words, sizeof words, fmt, ap);
	va_end(ap);
	return fault_set(p->why, ST_BAD_SPEC, "\"%.100s\", column %zu: %s", p->e->text, (size_t)(p->at - p->e->text) + 1,
	    words);
}

static enum status
refuse_here(struct parser *p, const char *wanted)
{
	if (*p->at == '\0')
		return refuse(p, "expected %s, but the expression ends", wanted);
	return refuse(p, "expected %s, not \"%.12s\"", wanted, p->at);
}

static void
skip_space(struct parser *p)
{
	while (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r')
		p->at++;
}

/* Make room for one more element of `bytes` in an array that grows by doubling. */
static bool
make_room(void **array, size_t n, size_t *room, size_t bytes)
{
	size_t	wanted = *room == 0 ? 4 : 2 * *room;
	void	*moved;

	if (n < *room)
		return true;
	if ((moved = realloc(*array, wanted * bytes)) == NULL)
		return false;
	*array = moved;
	*room = wanted;
	return true;
}

static enum status
add_term(struct parser *p, struct term t)
{
	struct expr	*e = p->e;

	if (!make_room((void **)&e->terms, e->nterms, &e->terms_room, sizeof *e->terms))
		return fault_set(p->why, ST_NOMEM, "expression");
	e->terms[e->nterms++] = t;
	return ST_OK;
}

static enum status
add_name(struct parser *p, const char *name, size_t length, unsigned *out)
{
	struct expr	*e = p->e;

	for (size_t i = 0; i < e->nnames; i++) {
		if (strlen(e->names[i]) == length && memcmp(e->names[i], name, length) == 0) {
			*out = (unsigned)i;
			return ST_OK;
		}
	}
	if (!make_room((void **)&e->names, e->nnames, &e->names_room, sizeof *e->names) ||
	    (e->names[e->nnames] = strndup(name, length)) == NULL)
		return fault_set(p->why, ST_NOMEM, "expression");
	*out = (unsigned)e->nnames++;
	return ST_OK;
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* digits [ . digits ] [ e [sign] digits ]: an integer without the last two. */
static enum status
parse_number(struct parser *p)
{
	const char	*s = p->at;
	bool		 is_real = false;
	struct term	 t = { .op = OP_INT, .first = (unsigned)p->e->nterms };

	for (; is_digit(*s); s++)
		if (__builtin_mul_overflow(t.i, 10, &t.i) || __builtin_add_overflow(t.i, *s - '0', &t.i))
			is_real = true;
	if (is_real && *s != '.' && *s != 'e' && *s != 'E')
		return refuse(p, "this integer does not fit 64 bits; write it with a point to make it a real");
	if (*s == '.')
		for (is_real = true, s++; is_digit(*s); s++)
			continue;
	if ((*s == 'e' || *s == 'E') && (is_digit(s[1]) || ((s[1] == '+' || s[1] == '-') && is_digit(s[2]))))
		for (is_real = true, s += 2; is_digit(*s); s++)
			continue;
	if (name_length(s) > 0 || *s == '.')
		return refuse(p, "this is not a number");
	if (is_real) {
		t.op = OP_REAL;
		t.r = strtod(p->at, NULL);
		if (!isfinite(t.r))
			return refuse(p, "this number is too large");
	}
	p->at = s;
	return add_term(p, t);
}

static enum status
parse_call(struct parser *p, enum op op)
{
	unsigned	first = (unsigned)p->e->nterms, between = 0;
	enum status	st;

	p->at++;				/* the parenthesis */
	if ((st = parse_binary(p, 1)) != ST_OK)
		return st;
	if (op_rows[op].operands == 2) {
		if (*p->at != ',')
			return refuse_here(p, "a comma (this function takes two values)");
		p->at++;
		between = (unsigned)p->e->nterms;
		if ((st = add_term(p, (struct term){ .op = OP_BETWEEN })) != ST_OK ||
		    (st = parse_binary(p, 1)) != ST_OK)
			return st;
		p->e->terms[between].owner = (unsigned)p->e->nterms;
	}
	if (*p->at != ')')
		return refuse_here(p, "a closing parenthesis");
	p->at++;
	return add_term(p, (struct term){ .op = op, .first = first });
}

static enum status
refuse_function(struct parser *p, const char *name)
{
	const char	*near = nearest_name(name, function_names);
	enum status	 st = refuse(p, "there is no function \"%.40s\"", name);

	if (near != NULL)
		fault_hint(p->why, "did you mean \"%s\"?", near);
	else
		fault_hint(p->why, "functions: min max pow log2 ceil floor");
	return st;
}

static enum status
parse_name(struct parser *p)
{
	size_t		 length = name_length(p->at);
	char		 name[NAME_MAX_BYTES + 1];
	struct term	 t = { .op = OP_NAME, .first = (unsigned)p->e->nterms };
	enum status	 st;

	if (length > NAME_MAX_BYTES)
		return refuse(p, "a name has at most %d bytes", NAME_MAX_BYTES);
	memcpy(name, p->at, length);
	name[length] = '\0';
	p->at += length;
	skip_space(p);
	if (*p->at == '(') {
		for (enum op op = OP_CEIL; op <= OP_POW; op++)
			if (strcmp(name, op_rows[op].text) == 0)
				return parse_call(p, op);
		return refuse_function(p, name);
	}
	if ((st = add_name(p, name, length, &t.name)) != ST_OK)
		return st;
	return add_term(p, t);
}

static enum status	parse_unary(struct parser *);

static enum status
parse_prefix(struct parser *p, enum op op)
{
	unsigned	first = (unsigned)p->e->nterms;
	enum status	st;

	p->at++;
	if ((st = parse_unary(p)) != ST_OK)
		return st;
	return add_term(p, (struct term){ .op = op, .first = first });
}

static enum status
parse_parenthesised(struct parser *p)
{
	enum status	st;

	p->at++;
	if ((st = parse_binary(p, 1)) != ST_OK)
		return st;
	if (*p->at != ')')
		return refuse_here(p, "a closing parenthesis");
	p->at++;
	return ST_OK;
}

static enum status
parse_primary(struct parser *p)
{
	if (*p->at == '-')
		return parse_prefix(p, OP_NEGATE);
	if (*p->at == '!' && p->at[1] != '=')
		return parse_prefix(p, OP_NOT);
	if (*p->at == '(')
		return parse_parenthesised(p);
	if (is_digit(*p->at) || (*p->at == '.' && is_digit(p->at[1])))
		return parse_number(p);
	if (name_length(p->at) > 0)
		return parse_name(p);
	return refuse_here(p, "a value");
}

/* Every nesting passes here: this is where it is counted. */
static enum status
parse_unary(struct parser *p)
{
	enum status	st;

	skip_space(p);
	if (p->depth == EXPR_MAX_DEPTH)
		return refuse(p, "nested deeper than %d levels", EXPR_MAX_DEPTH);
	p->depth++;
	st = parse_primary(p);
	p->depth--;
	skip_space(p);
	return st;
}

/* The binary operator that starts here, longest first; OP_N: none. */
static enum op
operator_here(const char *at)
{
	for (enum op op = OP_MULTIPLY; op < OP_N; op++)
		if (name_starts(at, op_rows[op].text))
			return op;
	return OP_N;
}

/* A value and every operator after it that binds at least as tightly as `least`. */
static enum status
parse_binary(struct parser *p, int least)
{
	unsigned	first = (unsigned)p->e->nterms, between;
	enum status	st;
	enum op		op;
	bool		compared = false;

	if ((st = parse_unary(p)) != ST_OK)
		return st;
	while ((op = operator_here(p->at)) != OP_N && op_rows[op].precedence >= least) {
		if (compared && op_rows[op].precedence == RELATIONAL)
			return refuse(p, "comparisons do not chain; write a < b && b < c");
		compared = op_rows[op].precedence == RELATIONAL;
		p->at += strlen(op_rows[op].text);
		between = (unsigned)p->e->nterms;
		if ((st = add_term(p, (struct term){ .op = OP_BETWEEN })) != ST_OK ||
		    (st = parse_binary(p, op_rows[op].precedence + 1)) != ST_OK)
			return st;
		p->e->terms[between].owner = (unsigned)p->e->nterms;
		if ((st = add_term(p, (struct term){ .op = op, .first = first })) != ST_OK)
			return st;
	}
	return ST_OK;
}

enum status
expr_parse(struct expr **out, const char *text, struct fault *why)
{
	struct parser	 p = { .why = why };
	enum status	 st;

	*out = NULL;
	if (strlen(text) > EXPR_MAX_BYTES)
		return fault_set(why, ST_BAD_SPEC, "an expression has at most %d bytes", EXPR_MAX_BYTES);
	if ((p.e = calloc(1, sizeof *p.e)) == NULL || (p.e->text = strdup(text)) == NULL) {
		st = fault_set(why, ST_NOMEM, "expression");
		goto fail;
	}
	p.at = p.e->text;
	if ((st = parse_binary(&p, 1)) != ST_OK)
		goto fail;
	if (*p.at != '\0') {
		st = refuse_here(&p, "an operator or the end");
		goto fail;
	}
	*out = p.e;
	return ST_OK;
fail:
	expr_free(p.e);
	return st;
}

const char *
expr_text(const struct expr *e)
{
	return e->text;
}

const char *
expr_name(const struct expr *e, size_t n)
{
	return n < e->nnames ? e->names[n] : NULL;
}

void
expr_free(struct expr *e)
{
	if (e == NULL)
		return;
	for (size_t i = 0; i < e->nnames; i++)
		free(e->names[i]);
	free(e->names);
	free(e->terms);
	free(e->text);
	free(e);
}

/* --- evaluation: each step returns NULL or what is wrong --- */

double
value_real(const struct value *v)
{
	return v->kind == VALUE_INT ? (double)v->i : v->kind == VALUE_REAL ? v->r : (double)NAN;
}

static bool
is_true(const struct value *v)
{
	return v->kind == VALUE_INT ? v->i != 0 : v->r != 0;
}

static void
set_int(struct value *v, int64_t i)
{
	v->kind = VALUE_INT;
	v->i = i;
}

static const char *
set_real(struct value *v, double r)
{
	v->kind = VALUE_REAL;
	v->r = r;
	return isfinite(r) ? NULL : "the result is not finite";
}

static const char *
apply_rounding(enum op op, struct value *v)
{
	double	r;

	if (v->kind == VALUE_INT)
		return NULL;
	r = op == OP_CEIL ? ceil(v->r) : floor(v->r);
	if (!(r >= -0x1p63 && r < 0x1p63))
		return "the rounded value does not fit 64 bits";
	set_int(v, (int64_t)r);
	return NULL;
}

static const char *
apply_unary(enum op op, struct value *v)
{
	switch (op) {
	case OP_NOT:
		set_int(v, !is_true(v));
		return NULL;
	case OP_LOG2:
		return set_real(v, log2(value_real(v)));
	case OP_NEGATE:
		if (v->kind == VALUE_REAL)
			return set_real(v, -v->r);
		return __builtin_sub_overflow(0, v->i, &v->i) ? "the result does not fit 64 bits" : NULL;
	default:
		return apply_rounding(op, v);
	}
}

static const char *
divide_ints(enum op op, struct value *a, int64_t b)
{
	if (b == 0)
		return "division by zero";
	if (b == -1)		/* the one quotient that overflows; its remainder would trap */
		return op == OP_MODULO ? set_int(a, 0), NULL : apply_unary(OP_NEGATE, a);
	set_int(a, op == OP_MODULO ? a->i % b : a->i / b);
	return NULL;
}

static const char *
apply_to_ints(enum op op, struct value *a, int64_t b)
{
	bool	overflow = false;

	switch (op) {
	case OP_MULTIPLY:
		overflow = __builtin_mul_overflow(a->i, b, &a->i);
		break;
	case OP_ADD:
		overflow = __builtin_add_overflow(a->i, b, &a->i);
		break;
	case OP_SUBTRACT:
		overflow = __builtin_sub_overflow(a->i, b, &a->i);
		break;
	case OP_MIN:
		a->i = a->i < b ? a->i : b;
		break;
	case OP_MAX:
		a->i = a->i > b ? a->i : b;
		break;
	default:
		return divide_ints(op, a, b);
	}
	return overflow ? "the result does not fit 64 bits" : NULL;
}

static const char *
apply_to_reals(enum op op, struct value *v, double a, double b)
{
	switch (op) {
	case OP_MULTIPLY:
		return set_real(v, a * b);
	case OP_ADD:
		return set_real(v, a + b);
	case OP_SUBTRACT:
		return set_real(v, a - b);
	case OP_MIN:
		return set_real(v, a < b ? a : b);
	case OP_MAX:
		return set_real(v, a > b ? a : b);
	case OP_MODULO:
		return "% takes integers only";
	default:
		return b == 0 ? "division by zero" : set_real(v, a / b);
	}
}

/* -1, 0, 1: a below, equal to, above b. */
static int
compare(const struct value *a, const struct value *b)
{
	double	x = value_real(a), y = value_real(b);

	if (a->kind == VALUE_INT && b->kind == VALUE_INT)
		return (a->i > b->i) - (a->i < b->i);
	return (x > y) - (x < y);
}

static bool
holds(enum op op, int order)
{
	switch (op) {
	case OP_LE:
		return order <= 0;
	case OP_GE:
		return order >= 0;
	case OP_LT:
		return order < 0;
	case OP_GT:
		return order > 0;
	case OP_EQ:
		return order == 0;
	default:
		return order != 0;
	}
}

static const char *
apply_binary(enum op op, struct value *a, const struct value *b)
{
	if (op == OP_AND || op == OP_OR) {	/* the left operand did not decide: OP_BETWEEN saw to that */
		set_int(a, is_true(b));
		return NULL;
	}
	if (op >= OP_LE) {
		set_int(a, holds(op, compare(a, b)));
		return NULL;
	}
	if (op == OP_POW)
		return set_real(a, pow(value_real(a), value_real(b)));
	if (a->kind == VALUE_INT && b->kind == VALUE_INT)
		return apply_to_ints(op, a, b->i);
	return apply_to_reals(op, a, value_real(a), value_real(b));
}

/* True: the left operand decides its && or ||, whose value it becomes. */
static bool
is_decided(enum op op, struct value *left)
{
	if ((op != OP_AND && op != OP_OR) || is_true(left) != (op == OP_OR))
		return false;
	set_int(left, op == OP_OR);
	return true;
}

static enum status
look_up(const struct expr *e, const struct term *t, expr_lookup_fn *lookup, void *arg, struct value *out,
    struct fault *why)
{
	const char	*name = e->names[t->name];

	if (!lookup(arg, name, out))
		return fault_set(why, ST_BAD_SPEC, "there is no \"%s\" to use in \"%.100s\"", name, e->text);
	if (out->kind == VALUE_TEXT)
		return fault_set(why, ST_BAD_SPEC, "\"%s\" is text, not a number, in \"%.100s\"", name, e->text);
	if (out->kind == VALUE_REAL && !isfinite(out->r))
		return fault_set(why, ST_BAD_SPEC, "\"%s\" is not finite in \"%.100s\"", name, e->text);
	return ST_OK;
}

enum status
expr_eval(const struct expr *e, expr_lookup_fn *lookup, void *arg, struct value *out, struct fault *why)
{
	struct value	 stack[STACK_MAX], *top = stack - 1;
	const char	*wrong = NULL;
	enum status	 st;

	for (size_t i = 0; i < e->nterms && wrong == NULL; i++) {
		const struct term	*t = &e->terms[i];

		if (t->op == OP_INT) {
			set_int(++top, t->i);
		} else if (t->op == OP_REAL) {
			wrong = set_real(++top, t->r);
		} else if (t->op == OP_NAME) {
			if ((st = look_up(e, t, lookup, arg, ++top, why)) != ST_OK)
				return st;
		} else if (t->op == OP_BETWEEN) {
			if (is_decided(e->terms[t->owner].op, top))
				i = t->owner;
		} else if (op_rows[t->op].operands == 1) {
			wrong = apply_unary(t->op, top);
		} else {
			top--;
			wrong = apply_binary(t->op, top, top + 1);
		}
	}
	if (wrong != NULL)
		return fault_set(why, ST_BAD_SPEC, "%s in \"%.100s\"", wrong, e->text);
	*out = stack[0];
	return ST_OK;
}

/* --- as C --- */

struct text {
	char	*buf;
	size_t	 bytes, length;		/* length may pass bytes: what it needs */
};

static void __attribute__((format(printf, 2, 3)))
put(struct text *t, const char *fmt, ...)
{
	size_t	room = t->length < t->bytes ? t->bytes - t->length : 0;
	va_list	ap;
	int	n;

	va_start(ap, fmt);
	n = vsnprintf(room > 0 ? t->buf + t->length : NULL, room, fmt, ap);
	va_end(ap);
	t->length += n > 0 ? (size_t)n : 0;
}

static void
put_leaf(struct text *out, const struct expr *e, const struct term *t)
{
	char	digits[40];

	if (t->op == OP_NAME) {
		put(out, "%s", e->names[t->name]);
	} else if (t->op == OP_INT) {
		put(out, "%lldLL", (long long)t->i);
	} else {
		(void)snprintf(digits, sizeof digits, "%.17g", t->r);
		put(out, "%s%s", digits, strpbrk(digits, ".e") == NULL ? ".0" : "");
	}
}

/* In postfix order the operations that start at one leaf stand after it, the outermost last. */
static void
put_openings(struct text *out, const struct expr *e, size_t leaf)
{
	for (size_t i = e->nterms - 1; i > leaf; i--)
		if (e->terms[i].op > OP_BETWEEN && e->terms[i].first == leaf)
			put(out, "%s", op_rows[e->terms[i].op].before);
}

size_t
expr_put_c(const struct expr *e, char *buf, size_t bytes)
{
	struct text	out = { .buf = buf, .bytes = bytes };

	for (size_t i = 0; i < e->nterms; i++) {
		const struct term	*t = &e->terms[i];

		if (t->op > OP_BETWEEN) {
			put(&out, ")");
		} else if (t->op == OP_BETWEEN) {
			enum op	op = e->terms[t->owner].op;

			if (op_rows[op].precedence == 0)
				put(&out, ", ");
			else
				put(&out, " %s ", op_rows[op].text);
		} else {
			put_openings(&out, e, i);
			put_leaf(&out, e, t);
		}
	}
	return out.length;
}
