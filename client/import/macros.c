/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "client/import/macros.h"
#include "client/import/scan.h"
#include "proto/base/name.h"

/* ---- reading ---- */

/* "(a, b)" behind a macro's name. */
static enum status
read_parameters(struct macro *m, const struct foreign *s, const char **at, const char *end,
    struct fault *why)
{
	const char	*c = scan_blank(*at + 1, end);

	m->is_function = true;
	while (c < end && *c != ')') {
		size_t	n = name_length(c);

		if (n == 0 || n > (size_t)(end - c) || m->nparameters >= MACRO_MAX_PARAMETERS)
			return foreign_fault(s, c, why,
			    "a macro has at most %d parameters, which are names",
			    MACRO_MAX_PARAMETERS);
		m->parameters[m->nparameters++] = (struct span){ c, n };
		c = scan_blank(c + n, end);
		if (c < end && *c == ',')
			c = scan_blank(c + 1, end);
	}
	*at = c < end ? c + 1 : end;
	return ST_OK;
}

static enum status
read_definition(struct macros *all, const struct foreign *s, const char *at, const char *end,
    struct fault *why)
{
	struct macro	 m = { .is_function = false }, *more;
	enum status	 st;

	m.name = (struct span){ at, name_length(at) };
	if (m.name.n == 0 || at + m.name.n > end)
		return foreign_fault(s, at, why, "#define needs a name");
	at += m.name.n;
	if (at < end && *at == '(' && (st = read_parameters(&m, s, &at, end, why)) != ST_OK)
		return st;
	m.body = span_trimmed((struct span){ at, (size_t)(end - at) });
	if (all->n >= MACROS_MAX)
		return foreign_fault(s, m.name.at, why, "there are more than %d macros",
		    MACROS_MAX);
	if ((more = realloc(all->list, (all->n + 1) * sizeof *more)) == NULL)
		return fault_set(why, ST_NOMEM, "macros");
	all->list = more;
	all->list[all->n++] = m;
	return ST_OK;
}

/* Behind the # of a line. */
static enum status
read_line(struct macros *all, const struct foreign *s, const char *at, const char *end,
    struct fault *why)
{
	at = scan_blank(at, end);
	if (at >= end || !name_starts(at, "define") || name_length(at) != strlen("define"))
		return ST_OK;
	return read_definition(all, s, scan_blank(at + strlen("define"), end), end, why);
}

enum status
macros_read(struct macros *all, const struct foreign *s, struct span part, struct fault *why)
{
	const char	*end, *next;
	enum status	 st = ST_OK;

	if (part.n == 0)
		return ST_OK;
	end = part.at + part.n;
	for (const char *c = part.at; c < end && st == ST_OK; c = next) {
		c = scan_blank(c, end);
		if (c < end && scan_is_directive(part.at, c)) {
			next = scan_line(c + 1, end);
			st = read_line(all, s, c + 1, next, why);
		} else {
			next = c < end ? scan_past(c, end) : end;
		}
	}
	return st;
}

const struct macro *
macros_find(const struct macros *all, struct span name)
{
	for (size_t i = all->n; i-- > 0; )
		if (span_equals(all->list[i].name, name))
			return &all->list[i];
	return NULL;
}

void
macros_release(struct macros *all)
{
	free(all->list);
	*all = (struct macros){ NULL, 0 };
}

/* ---- expanding ---- */

static struct span
instead_of(const struct macro *m, const struct span *arguments, struct span token)
{
	for (size_t i = 0; i < m->nparameters; i++)
		if (span_equals(m->parameters[i], token))
			return arguments[i];
	return token;
}

char *
macro_expand(const struct macro *m, const struct span *arguments)
{
	const char	*end = m->body.at + m->body.n, *past;
	char		*text = malloc(MACRO_MAX_BYTES + 1), *to = text;

	if (text == NULL)
		return NULL;
	for (const char *c = scan_blank(m->body.at, end); c < end; c = scan_blank(past, end)) {
		struct span	put;

		past = scan_past(c, end);
		put = instead_of(m, arguments, (struct span){ c, (size_t)(past - c) });
		if (put.n + 1 > (size_t)(text + MACRO_MAX_BYTES - to)) {
			free(text);
			return NULL;
		}
		to = (char *)mempcpy(to, put.at, put.n);
		*to++ = ' ';
	}
	*to = '\0';
	return text;
}
