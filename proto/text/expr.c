/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/name.h"
#include "proto/text/expr_parts.h"

const struct expr_op	expr_ops[OP_N] = {
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

static const char *const	function_names[] = {
	"ceil", "floor", "log2", "min", "max", "pow", NULL
};

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
	return fault_set(p->why, ST_BAD_SPEC, "\"%.100s\", column %zu: %s", p->e->text,
	    (size_t)(p->at - p->e->text) + 1, words);
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
		if (__builtin_mul_overflow(t.i, 10, &t.i) ||
		    __builtin_add_overflow(t.i, *s - '0', &t.i))
			is_real = true;
	if (is_real && *s != '.' && *s != 'e' && *s != 'E')
		return refuse(p, "this integer does not fit 64 bits; write it with a point to "
		    "make it a real");
	if (*s == '.')
		for (is_real = true, s++; is_digit(*s); s++)
			continue;
	if ((*s == 'e' || *s == 'E') &&
	    (is_digit(s[1]) || ((s[1] == '+' || s[1] == '-') && is_digit(s[2]))))
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
	if (expr_ops[op].operands == 2) {
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
			if (strcmp(name, expr_ops[op].text) == 0)
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
		if (name_starts(at, expr_ops[op].text))
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
	while ((op = operator_here(p->at)) != OP_N && expr_ops[op].precedence >= least) {
		if (compared && expr_ops[op].precedence == RELATIONAL)
			return refuse(p, "comparisons do not chain; write a < b && b < c");
		compared = expr_ops[op].precedence == RELATIONAL;
		p->at += strlen(expr_ops[op].text);
		between = (unsigned)p->e->nterms;
		if ((st = add_term(p, (struct term){ .op = OP_BETWEEN })) != ST_OK ||
		    (st = parse_binary(p, expr_ops[op].precedence + 1)) != ST_OK)
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
		return fault_set(why, ST_BAD_SPEC, "an expression has at most %d bytes",
		    EXPR_MAX_BYTES);
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
			put(out, "%s", expr_ops[e->terms[i].op].before);
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

			if (expr_ops[op].precedence == 0)
				put(&out, ", ");
			else
				put(&out, " %s ", expr_ops[op].text);
		} else {
			put_openings(&out, e, i);
			put_leaf(&out, e, t);
		}
	}
	return out.length;
}
