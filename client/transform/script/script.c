/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/transform/script/script.h"
#include "proto/base/name.h"

struct line {
	char		*text;		/* without blanks around it and without a remark */
	unsigned	 number, column;
};

static enum status __attribute__((format(printf, 5, 6)))
refuse(const struct script *s, unsigned line, unsigned column, struct fault *why,
    const char *fmt, ...)
{
	enum status	st;
	va_list		ap;

	va_start(ap, fmt);
	st = fault_in_file(why, s->path, line, column, fmt, ap);
	va_end(ap);
	return st;
}

enum status
script_refuse(const struct script *s, const struct script_step *step, struct fault *why,
    const char *fmt, ...)
{
	enum status	st;
	va_list		ap;

	va_start(ap, fmt);
	st = fault_in_file(why, s->path, step->line, step->column, fmt, ap);
	va_end(ap);
	return st;
}

/* ---- values of a parameter ---- */

static enum status
add_value(struct script *s, struct script_param *p, const char *value, const struct line *l,
    struct fault *why)
{
	if (p->n == SCRIPT_MAX_POINTS)
		return refuse(s, l->number, l->column, why, "%s has more than %d values", p->name,
		    SCRIPT_MAX_POINTS);
	p->values = arena_grow(s->arena, p->values, p->n, sizeof *p->values);
	p->values[p->n++] = value;
	return ST_OK;
}

/* "1..31", "1..31:2" or "1:31:2"; false: is no range */
static bool
read_range(const char *item, long long *from, long long *to, long long *step)
{
	char	*end;

	*step = 1;
	*from = strtoll(item, &end, 10);
	if (end == item || (strncmp(end, "..", 2) != 0 && *end != ':'))
		return false;
	item = end + (*end == ':' ? 1 : 2);
	*to = strtoll(item, &end, 10);
	if (end == item)
		return false;
	if (*end == ':') {
		item = end + 1;
		*step = strtoll(item, &end, 10);
		if (end == item)
			return false;
	}
	return *end == '\0';
}

static enum status
add_item(struct script *s, struct script_param *p, const char *item, const struct line *l,
    struct fault *why)
{
	long long	from, to, step;
	enum status	st = ST_OK;

	if (!read_range(item, &from, &to, &step))
		return add_value(s, p, item, l, why);
	if (step < 1 || from > to || from < -(1LL << 40) || to > 1LL << 40 || step > 1LL << 40)
		return refuse(s, l->number, l->column, why, "\"%s\" is an empty range", item);
	for (long long v = from; v <= to && st == ST_OK; v += step)
		st = add_value(s, p, arena_format(s->arena, "%lld", v), l, why);
	return st;
}

/* The next item of a list; *at moves on.  NULL: the list is over, or a quote does not end. */
static const char *
next_item(struct script *s, const char **at, bool *is_quoted)
{
	const char	*from;
	size_t		 n;

	*at += strspn(*at, " \t,");
	*is_quoted = **at == '"';
	if (!*is_quoted) {
		n = strcspn(*at, " \t,");
		from = *at;
		*at += n;
		return n > 0 ? arena_text(s->arena, from, n) : NULL;
	}
	from = *at + 1;
	n = strcspn(from, "\"");
	*at = from + n + (from[n] == '"');
	return from[n] == '"' ? arena_text(s->arena, from, n) : NULL;
}

static enum status
read_values(struct script *s, struct script_param *p, const char *text, const struct line *l,
    struct fault *why)
{
	const char	*item;
	bool		 quoted;
	enum status	 st = ST_OK;

	while (st == ST_OK && (item = next_item(s, &text, &quoted)) != NULL)
		st = quoted ? add_value(s, p, item, l, why) : add_item(s, p, item, l, why);
	if (st == ST_OK && quoted)
		return refuse(s, l->number, l->column, why, "a quoted text does not end");
	if (st == ST_OK && p->n == 0) {
		st = refuse(s, l->number, l->column, why, "%s has no values", p->name);
		fault_hint(why, "for example: param B = 1,2,4..8");
	}
	return st;
}

static enum status
read_param(struct script *s, const struct line *l, const char *text, struct fault *why)
{
	struct script_param	*p = &s->params[s->nparams];
	size_t			 n = name_length(text);
	const char		*values = text + n + strspn(text + n, " \t");
	enum status		 st;

	if (n == 0 || *values != '=') {
		st = refuse(s, l->number, l->column, why, "a parameter is NAME = VALUES");
		fault_hint(why, "for example: param B = 1,2,4..8");
		return st;
	}
	if (s->nparams == SCRIPT_MAX_PARAMS)
		return refuse(s, l->number, l->column, why, "more than %d parameters",
		    SCRIPT_MAX_PARAMS);
	*p = (struct script_param){ .name = arena_text(s->arena, text, n), .line = l->number };
	for (size_t i = 0; i < s->nparams; i++)
		if (strcmp(s->params[i].name, p->name) == 0)
			return refuse(s, l->number, l->column, why, "%s is a parameter already",
			    p->name);
	if ((st = read_values(s, p, values + 1, l, why)) != ST_OK)
		return st;
	if (__builtin_mul_overflow(s->npoints, p->n, &s->npoints) ||
	    s->npoints > SCRIPT_MAX_POINTS) {
		st = refuse(s, l->number, l->column, why, "the space has more than %d points",
		    SCRIPT_MAX_POINTS);
		fault_hint(why, "take fewer values; `where` does not count before the product");
		return st;
	}
	s->nparams++;
	return ST_OK;
}

/* ---- lines ---- */

static enum status
read_where(struct script *s, const struct line *l, const char *text, struct fault *why)
{
	struct script_where	*w = &s->wheres[s->nwheres];
	char			 hint[sizeof why->hint];
	enum status		 st;

	if (s->nwheres == SCRIPT_MAX_STEPS)
		return refuse(s, l->number, l->column, why, "more than %d conditions",
		    SCRIPT_MAX_STEPS);
	if ((st = expr_parse(&w->expr, text, why)) != ST_OK) {
		memcpy(hint, why->hint, sizeof hint);
		(void)refuse(s, l->number, l->column, why, "%.600s", why->text);
		fault_hint(why, "%s", hint);
		return ST_BAD_SPEC;
	}
	w->line = l->number;
	s->nwheres++;
	return ST_OK;
}

static enum status
unknown_word(struct script *s, const struct line *l, const char *word,
    const char *const *words, struct fault *why)
{
	const char	*near = nearest_name(word, words);
	char		 all[sizeof why->hint] = "";
	size_t		 n = 0;

	(void)refuse(s, l->number, l->column, why, "\"%.40s\" is no step", word);
	for (size_t i = 0; words[i] != NULL && n < sizeof all; i++)
		n += (size_t)snprintf(all + n, sizeof all - n, "%s%s", i > 0 ? ", " : "",
		    words[i]);
	if (near != NULL)
		fault_hint(why, "did you mean \"%s\"?", near);
	else
		fault_hint(why, "%s, param, where, compiler, flags", all);
	return ST_BAD_SPEC;
}

static enum status
set_once(struct script *s, const struct line *l, const char **to, unsigned *line,
    const char *text, struct fault *why)
{
	if (*to != NULL)
		return refuse(s, l->number, l->column, why, "line %u says this already", *line);
	if (text[0] == '\0')
		return refuse(s, l->number, l->column, why, "a value is missing");
	*to = text;
	*line = l->number;
	return ST_OK;
}

static enum status
read_step(struct script *s, const struct line *l, const char *word, const char *text,
    const char *const *words, struct fault *why)
{
	if (!name_is_among(word, words))
		return unknown_word(s, l, word, words, why);
	if (s->nsteps == SCRIPT_MAX_STEPS)
		return refuse(s, l->number, l->column, why, "more than %d steps",
		    SCRIPT_MAX_STEPS);
	s->steps[s->nsteps++] = (struct script_step){ word, text, l->number, l->column };
	return ST_OK;
}

static enum status
read_line(struct script *s, const struct line *l, const char *const *words, bool *versioned,
    struct fault *why)
{
	size_t		 n = strcspn(l->text, " \t");
	const char	*word = arena_text(s->arena, l->text, n);
	const char	*text = l->text + n + strspn(l->text + n, " \t");

	if (!*versioned) {
		*versioned = true;
		if (strcmp(word, "script") == 0 && strcmp(text, "1") == 0)
			return ST_OK;
		(void)refuse(s, l->number, l->column, why, strcmp(word, "script") == 0 ?
		    "only version 1 of scripts is known" : "the version is missing");
		fault_hint(why, "begin with the line: script 1");
		return ST_BAD_SPEC;
	}
	if (strcmp(word, "param") == 0)
		return read_param(s, l, text, why);
	if (strcmp(word, "where") == 0)
		return read_where(s, l, text, why);
	if (strcmp(word, "compiler") == 0)
		return set_once(s, l, &s->compiler, &s->compiler_line, text, why);
	if (strcmp(word, "flags") == 0)
		return set_once(s, l, &s->flags, &s->flags_line, text, why);
	return read_step(s, l, word, text, words, why);
}

/* A remark begins at a # that stands at the beginning or behind a blank, and outside quotes. */
static void
cut_remark(char *text)
{
	bool	quoted = false;

	for (char *at = text; *at != '\0'; at++) {
		if (*at == '"')
			quoted = !quoted;
		/* p#2 is a loop */
		if (*at == '#' && !quoted && (at == text || at[-1] == ' ' || at[-1] == '\t')) {
			*at = '\0';
			return;
		}
	}
}

static enum status
take_line(struct script *s, struct line *l, const char *from, size_t bytes, struct fault *why)
{
	size_t	blanks;

	l->column = 1;
	if (bytes > SCRIPT_MAX_LINE)
		return refuse(s, l->number, 1, why, "the line is longer than %d bytes",
		    SCRIPT_MAX_LINE);
	for (size_t i = 0; i < bytes; i++)
		if (((unsigned char)from[i] < ' ' && from[i] != '\t' && from[i] != '\r') ||
		    (unsigned char)from[i] >= 0x7f)
			return fault_hint(why, "a script is plain ASCII text"),
			    refuse(s, l->number, (unsigned)i + 1, why,
			    "a byte of value 0x%02x", (unsigned char)from[i]);
	l->text = arena_text(s->arena, from, bytes);
	cut_remark(l->text);
	bytes = strlen(l->text);
	while (bytes > 0 && strchr(" \t\r", l->text[bytes - 1]) != NULL)
		l->text[--bytes] = '\0';
	blanks = strspn(l->text, " \t\r");
	l->text += blanks;
	l->column += (unsigned)blanks;
	return ST_OK;
}

/* Names that conditions use are parameters. */
static enum status
check_names(const struct script *s, struct fault *why)
{
	const char	*name;

	for (size_t i = 0; i < s->nwheres; i++) {
		for (size_t k = 0; (name = expr_name(s->wheres[i].expr, k)) != NULL; k++) {
			bool	known = false;

			for (size_t p = 0; p < s->nparams + s->nfixed; p++)
				known = known || strcmp(name, p < s->nparams ? s->params[p].name :
				    s->fixed[p - s->nparams].name) == 0;
			if (!known) {
				(void)refuse(s, s->wheres[i].line, 1, why,
				    "there is no parameter %s", name);
				fault_hint(why, "name it: param %s = VALUES", name);
				return ST_BAD_SPEC;
			}
		}
	}
	return ST_OK;
}

enum status
script_parse(struct script *s, struct arena *a, const char *path, const char *text,
    size_t bytes, const char *const *words, struct fault *why)
{
	struct line	l = { .number = 0 };
	bool		versioned = false;
	const char	*end = text + bytes, *newline;
	enum status	st = ST_OK;

	*s = (struct script){ .path = path, .arena = a, .npoints = 1, .fixed = s->fixed,
	    .nfixed = s->nfixed };
	if (bytes > SCRIPT_MAX_BYTES)
		return refuse(s, 1, 1, why, "the script is longer than %d bytes",
		    SCRIPT_MAX_BYTES);
	for (const char *at = text; at < end && st == ST_OK; at = newline + 1) {
		if ((newline = memchr(at, '\n', (size_t)(end - at))) == NULL)
			newline = end;
		l.number++;
		if ((st = take_line(s, &l, at, (size_t)(newline - at), why)) == ST_OK &&
		    l.text[0] != '\0')
			st = read_line(s, &l, words, &versioned, why);
	}
	if (st == ST_OK && !versioned) {
		st = refuse(s, 1, 1, why, "the script is empty");
		fault_hint(why, "begin with the line: script 1");
	}
	return st != ST_OK ? st : check_names(s, why);
}

void
script_release(struct script *s)
{
	for (size_t i = 0; i < s->nwheres; i++)
		expr_free(s->wheres[i].expr);
	s->nwheres = 0;
}
