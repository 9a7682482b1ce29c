/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/import/formula.h"
#include "client/import/scan.h"
#include "proto/base/name.h"
#include "proto/text/expr.h"

enum { MAX_DEPTH = 16, MAX_TOKENS = 20000, NUMBER_BYTES = 64 };

struct writing {
	const struct foreign		*source;
	const struct formula_names	*names;
	const char			*place;	/* of the macro that is expanded; NULL: none */
	unsigned			 depth, tokens;
	char				*to;	/* EXPR_MAX_BYTES + 1 of them */
	size_t				 n;
};

static enum status	write_all(struct writing *, struct span, struct fault *);

static enum status
refuse(const struct writing *w, const char *at, const char *text, struct fault *why)
{
	return foreign_fault(w->source, w->place != NULL ? w->place : at, why, "%s", text);
}

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* Two words do not become one. */
static enum status
put(struct writing *w, const char *at, struct span s, struct fault *why)
{
	if (w->n + 1 + s.n > EXPR_MAX_BYTES)
		return refuse(w, at, "the expression is too long", why);
	if (w->n > 0 && s.n > 0 && is_word(w->to[w->n - 1]) && is_word(s.at[0]))
		w->to[w->n++] = ' ';
	memcpy(w->to + w->n, s.at, s.n);
	w->n += s.n;
	w->to[w->n] = '\0';
	return ST_OK;
}

static enum status
put_text(struct writing *w, const char *at, const char *text, struct fault *why)
{
	return put(w, at, (struct span){ text, strlen(text) }, why);
}

/* ---- numbers ---- */

/* 0x10u → 16, 1.f → 1.0; 0 bytes: it is no number. */
static void
plain_number(struct span s, char text[NUMBER_BYTES])
{
	char		 copy[NUMBER_BYTES], *end;
	long long	 whole;
	double		 real;

	text[0] = '\0';
	if (s.n >= sizeof copy)
		return;
	(void)snprintf(copy, sizeof copy, "%.*s", SPAN_ARGS(s));
	errno = 0;
	whole = strtoll(copy, &end, 0);
	if (end[strspn(end, "uUlL")] == '\0' && errno == 0) {
		(void)snprintf(text, NUMBER_BYTES, "%lld", whole);
		return;
	}
	real = strtod(copy, &end);
	if (end == copy || end[strspn(end, "fFlL")] != '\0' || !isfinite(real))
		return;
	(void)snprintf(text, NUMBER_BYTES, "%.17g", real);
	if (strpbrk(text, ".e") == NULL)
		(void)strcat(text, ".0");
}

static enum status
write_number(struct writing *w, struct span s, struct fault *why)
{
	char	text[NUMBER_BYTES];

	plain_number(s, text);
	if (text[0] == '\0')
		return refuse(w, s.at, "this is no number", why);
	return put_text(w, s.at, text, why);
}

bool
formula_is_number(struct span s)
{
	char		text[NUMBER_BYTES];
	const char	*end;

	s = span_trimmed(s);
	end = s.at + s.n;
	if (s.n > 0 && (*s.at == '-' || *s.at == '+')) {
		const char	*c = scan_blank(s.at + 1, end);

		s = (struct span){ c, (size_t)(end - c) };
	}
	if (s.n == 0 || (!isdigit((unsigned char)*s.at) && *s.at != '.') ||
	    (*s.at != '.' && scan_past(s.at, end) != end))
		return false;
	plain_number(s, text);
	return text[0] != '\0';
}

/* ---- names ---- */

static bool
is_function(struct span name)
{
	static const char *const	known[] = { "min", "max", "pow", "log2", "ceil", "floor" };

	for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++)
		if (span_is(name, known[i]))
			return true;
	return false;
}

/* "1" and "N" as they are, others in parentheses. */
static bool
is_simple(const char *text)
{
	for (; *text != '\0'; text++)
		if (!is_word(*text))
			return false;
	return true;
}

static enum status
write_meaning(struct writing *w, struct span name, const char *text, struct fault *why)
{
	bool		bare = is_simple(text);
	enum status	st = ST_OK;

	if (!bare)
		st = put_text(w, name.at, "(", why);
	if (st == ST_OK)
		st = put_text(w, name.at, text, why);
	return st == ST_OK && !bare ? put_text(w, name.at, ")", why) : st;
}

static enum status
write_name(struct writing *w, struct span name, struct fault *why)
{
	char		*text = NULL, said[320];
	enum status	 st = w->names->find(w->names->arg, name, &text, why);

	if (st == ST_OK)
		st = write_meaning(w, name, text, why);
	else if (st == ST_NOT_FOUND) {
		(void)snprintf(said, sizeof said, "there is no %s \"%.*s\"", w->names->known,
		    (int)(name.n < 128 ? name.n : 128), name.at);
		st = refuse(w, name.at, said, why);
		fault_hint(why, "sizes and formulas have names of %ss, numbers, + - * / %% ( ) "
		    "min max pow log2 ceil floor", w->names->known);
	}
	free(text);
	return st;
}

/* ---- macros ---- */

/* "(a, b)": *at gets the byte behind it. */
static enum status
read_arguments(const struct writing *w, const struct macro *m, const char **at, const char *end,
    struct span arguments[MACRO_MAX_PARAMETERS], struct fault *why)
{
	const char	*c = scan_blank(*at, end), *close;
	size_t		 n = 0;

	if (c >= end || *c != '(' || (close = scan_close(c, end)) == end)
		return refuse(w, *at, "the macro needs its arguments in parentheses", why);
	*at = close + 1;
	for (c++; c <= close && n < MACRO_MAX_PARAMETERS; n++) {
		const char	*comma = scan_to(c, close, ",");

		arguments[n] = span_trimmed((struct span){ c, (size_t)(comma - c) });
		c = comma + 1;
	}
	if (n != m->nparameters && !(m->nparameters == 0 && n == 1 && arguments[0].n == 0))
		return refuse(w, *at - 1, "the macro has another number of arguments", why);
	return ST_OK;
}

static enum status
write_macro(struct writing *w, const struct macro *m, struct span name, const char **at,
    const char *end, struct fault *why)
{
	struct span	 arguments[MACRO_MAX_PARAMETERS];
	const char	*place = w->place;
	char		*text;
	enum status	 st;

	*at = name.at + name.n;
	if (w->depth >= MAX_DEPTH)
		return refuse(w, name.at, "macros are nested too deeply, or use themselves", why);
	if (m->is_function &&
	    (st = read_arguments(w, m, at, end, arguments, why)) != ST_OK)
		return st;
	if ((text = macro_expand(m, arguments)) == NULL)
		return refuse(w, name.at, "the macro is too long when expanded", why);
	w->depth++;
	if (w->place == NULL)
		w->place = name.at;
	st = write_all(w, (struct span){ text, strlen(text) }, why);
	w->place = place;
	w->depth--;
	free(text);
	return st;
}

/* ---- the whole ---- */

static enum status
write_word(struct writing *w, struct span name, const char **at, const char *end,
    struct fault *why)
{
	const struct macro	*m = w->names->macros != NULL ?
				    macros_find(w->names->macros, name) : NULL;
	const char		*next = scan_blank(*at, end);

	if (m != NULL && (!m->is_function || (next < end && *next == '(')))
		return write_macro(w, m, name, at, end, why);
	if (next < end && *next == '(') {
		if (is_function(name))
			return put(w, name.at, name, why);
		(void)refuse(w, name.at, "this function is not known here", why);
		fault_hint(why, "known are min, max, pow, log2, ceil and floor");
		return ST_BAD_SPEC;
	}
	return write_name(w, name, why);
}

static enum status
write_token(struct writing *w, struct span token, const char **at, const char *end,
    struct fault *why)
{
	const char	c = token.at[0];

	if (isdigit((unsigned char)c))
		return write_number(w, token, why);
	if (c == '.' && *at < end && isdigit((unsigned char)**at)) {
		*at = scan_past(*at, end);
		return write_number(w, (struct span){ token.at, (size_t)(*at - token.at) }, why);
	}
	if (isalpha((unsigned char)c) || c == '_')
		return write_word(w, token, at, end, why);
	if (c == '$' && name_length(*at) > 0) {
		*at = scan_past(*at, end);
		return write_name(w, (struct span){ token.at, (size_t)(*at - token.at) }, why);
	}
	if (strchr("+-*/%(),", c) != NULL)
		return put(w, token.at, token, why);
	(void)refuse(w, token.at, "this is no part of an expression here", why);
	fault_hint(why, "use names, numbers, + - * / %% ( ) min max pow log2 ceil floor");
	return ST_BAD_SPEC;
}

static enum status
write_all(struct writing *w, struct span s, struct fault *why)
{
	const char	*end = s.at + s.n;
	enum status	 st = ST_OK;

	for (const char *c = scan_blank(s.at, end); c < end && st == ST_OK;
	    c = scan_blank(c, end)) {
		struct span	token = { c, (size_t)(scan_past(c, end) - c) };

		if (++w->tokens > MAX_TOKENS)
			return refuse(w, c, "the expression is too long", why);
		c = token.at + token.n;
		st = write_token(w, token, &c, end, why);
	}
	return st;
}

enum status
formula_read(const struct foreign *source, struct span s, const struct formula_names *names,
    char **text, struct fault *why)
{
	struct writing	 w = { .source = source, .names = names };
	struct expr	*e;
	enum status	 st;

	*text = NULL;
	if ((w.to = malloc(EXPR_MAX_BYTES + 1)) == NULL)
		return fault_set(why, ST_NOMEM, "expression");
	w.to[0] = '\0';
	st = write_all(&w, s, why);
	if (st == ST_OK && w.n == 0)
		st = foreign_fault(source, s.at, why, "an expression is missing");
	if (st == ST_OK && (st = expr_parse(&e, w.to, why)) != ST_OK)
		st = foreign_blame(source, s.at, why);
	else if (st == ST_OK)
		expr_free(e);
	if (st != ST_OK)
		free(w.to);
	else
		*text = w.to;
	return st;
}

json_t *
formula_json(const char *text)
{
	char		*end;
	long long	 whole;
	double		 real;

	errno = 0;
	whole = strtoll(text, &end, 10);
	if (end != text && *end == '\0' && errno == 0)
		return json_integer(whole);
	real = strtod(text, &end);
	return end != text && *end == '\0' && isfinite(real) ? json_real(real) :
	    json_string(text);
}
