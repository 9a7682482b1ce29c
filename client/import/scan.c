/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <string.h>

#include "client/import/scan.h"

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static const char *
past_comment(const char *at, const char *end)
{
	if (at[1] == '/') {
		const char	*line = memchr(at, '\n', (size_t)(end - at));

		return line != NULL ? line : end;
	}
	for (at += 2; at + 1 < end; at++)
		if (at[0] == '*' && at[1] == '/')
			return at + 2;
	return end;
}

const char *
scan_blank(const char *at, const char *end)
{
	while (at < end) {
		if (isspace((unsigned char)*at))
			at++;
		else if (at + 1 < end && *at == '/' && (at[1] == '*' || at[1] == '/'))
			at = past_comment(at, end);
		else if (at + 1 < end && *at == '\\' && at[1] == '\n')
			at += 2;
		else
			break;
	}
	return at;
}

bool
scan_is_directive(const char *start, const char *at)
{
	if (*at != '#')
		return false;
	while (at > start && (at[-1] == ' ' || at[-1] == '\t'))
		at--;
	return at == start || at[-1] == '\n';
}

const char *
scan_line(const char *at, const char *end)
{
	for (; at < end; at++)
		if (*at == '\n' && at[-1] != '\\')
			return at + 1;
	return end;
}

const char *
scan_outline(const char *start, const char *at, const char *end)
{
	for (;;) {
		at = scan_blank(at, end);
		if (at >= end || !scan_is_directive(start, at))
			return at;
		at = scan_line(at + 1, end);
	}
}

static const char *
past_literal(const char *at, const char *end)
{
	const char	quote = *at;

	for (at++; at < end && *at != quote && *at != '\n'; at++)
		if (*at == '\\' && at + 1 < end)
			at++;
	return at < end && *at == quote ? at + 1 : at < end ? at : end;
}

/* 1.5e-3: a sign behind an exponent belongs to it. */
static const char *
past_number(const char *at, const char *end)
{
	while (at < end && (is_word(*at) || *at == '.' ||
	    ((*at == '+' || *at == '-') && (at[-1] == 'e' || at[-1] == 'E'))))
		at++;
	return at;
}

const char *
scan_past(const char *at, const char *end)
{
	if (*at == '"' || *at == '\'')
		return past_literal(at, end);
	if (isdigit((unsigned char)*at))
		return past_number(at, end);
	if (!is_word(*at))
		return at + 1;
	while (at < end && is_word(*at))
		at++;
	return at;
}

const char *
scan_to(const char *at, const char *end, const char *stops)
{
	const char	*start = at;
	unsigned	 depth = 0;

	for (at = scan_outline(start, at, end); at < end; at = scan_outline(start, at, end)) {
		if (depth == 0 && strchr(stops, *at) != NULL)
			return at;
		if (strchr("([{", *at) != NULL)
			depth++;
		else if (strchr(")]}", *at) != NULL && depth-- == 0)
			return end;
		at = scan_past(at, end);
	}
	return end;
}

const char *
scan_close(const char *at, const char *end)
{
	const char	*closing = *at == '(' ? ")" : *at == '{' ? "}" : "]";

	return scan_to(at + 1, end, closing);
}
