/* SPDX-License-Identifier: Apache-2.0 */
/* Directives of GCO, in comments of a file of C. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client/import/gco_parts.h"
#include "client/import/scan.h"
#include "proto/base/name.h"
#include "proto/spec/spec.h"

enum { MAX_WORDS = 16 };

static const char	mark[] = "$ATLAS";

bool
gco_same_name(struct span a, struct span b)
{
	return a.n == b.n && strncasecmp(a.at, b.at, a.n) == 0;
}

struct gco_arg *
gco_arg(struct gco *g, struct span name)
{
	for (size_t i = 0; i < g->nargs; i++)
		if (gco_same_name(g->args[i].name, name))
			return &g->args[i];
	return NULL;
}

static enum status
refuse(const struct gco *g, const char *at, const char *reason, const char *remedy,
    struct fault *why)
{
	(void)foreign_fault(g->source, at, why, "%s", reason);
	fault_hint(why, "write: /*$ATLAS %s */", remedy);
	return ST_BAD_SPEC;
}

/* ---- ROUTINE ---- */

static enum status
read_routine(struct gco *g, struct span rest, struct fault *why)
{
	if (g->routine.at != NULL)
		return foreign_fault(g->source, rest.at, why, "there is a ROUTINE already");
	if (rest.n == 0)
		return refuse(g, rest.at, "the routine's name is missing", "ROUTINE name", why);
	g->routine = rest;
	return ST_OK;
}

/* ---- SIZE ---- */

/* A number at *at, and the colon behind it. */
static bool
take_number(const char **at, const char *end, int64_t *n)
{
	char	*past;

	*at = scan_blank(*at, end);
	if (*at >= end || !isdigit((unsigned char)**at))
		return false;
	errno = 0;
	*n = strtoll(*at, &past, 10);
	if (errno != 0 || past > end)
		return false;
	*at = scan_blank(past, end);
	if (*at < end && **at != ':')
		return false;
	*at += *at < end;
	return true;
}

static enum status
read_size(struct gco *g, struct span rest, struct fault *why)
{
	const char	*at = rest.at, *end = rest.at + rest.n;
	bool		 is_sound;

	if (g->size.at != NULL)
		return foreign_fault(g->source, rest.at, why, "there is a SIZE already");
	g->size = rest;
	g->step = 1;
	is_sound = take_number(&at, end, &g->first);
	g->last = g->first;
	if (is_sound && at < end)
		is_sound = take_number(&at, end, &g->last);
	if (is_sound && at < end)
		is_sound = take_number(&at, end, &g->step);
	if (!is_sound || at < end || g->first < 1 || g->last < g->first || g->step < 1)
		return refuse(g, rest.at, "sizes are first:last:step, from 1 up", "SIZE 1:31:1",
		    why);
	if ((g->last - g->first) / g->step >= SPEC_MAX_POINTS) {
		(void)foreign_fault(g->source, rest.at, why,
		    "there are %lld sizes, and a sweep has at most %d points",
		    (long long)((g->last - g->first) / g->step) + 1, SPEC_MAX_POINTS);
		fault_hint(why, "take a larger step");
		return ST_BAD_SPEC;
	}
	return ST_OK;
}

/* ---- ARG ---- */

/* "A[IA2][IA2]" → name and dims; *at gets the byte behind it. */
static enum status
read_name(struct gco *g, struct gco_arg *a, const char **at, const char *end, struct fault *why)
{
	const char	*c = *at, *close;

	a->name = (struct span){ c, name_length(c) };
	if (a->name.n == 0)
		return refuse(g, c, "the argument's name is missing", "ARG N IN int $size", why);
	for (c = scan_blank(c + a->name.n, end); c < end && *c == '['; ) {
		if ((close = scan_close(c, end)) == end)
			return refuse(g, c, "no bracket closes this one",
			    "ARG A[N][N] IN double $rand", why);
		if (a->ndims >= GCO_MAX_DIMS)
			return foreign_fault(g->source, c, why,
			    "an array has at most %d dimensions", GCO_MAX_DIMS);
		a->dims[a->ndims++] = span_between(c + 1, close);
		c = scan_blank(close + 1, end);
	}
	*at = c;
	return ST_OK;
}

/* The most words from here that are a type: "unsigned int $size" → 2 words. */
static struct span
type_at(const char *at, const char *end)
{
	struct span	 found = { at, 0 };
	const char	*c = at;

	for (unsigned i = 0; i < MAX_WORDS && c < end; i++) {
		enum ctype	type;
		char		*text;

		c = scan_past(c, end);
		if ((text = span_copy((struct span){ at, (size_t)(c - at) })) != NULL &&
		    ctype_parse(&type, text, NULL) == ST_OK)
			found.n = (size_t)(c - at);
		free(text);
		c = scan_blank(c, end);
	}
	return found;
}

static bool
is_direction(struct span s)
{
	return span_is(s, "IN") || span_is(s, "OUT") || span_is(s, "INOUT");
}

static enum status
read_arg(struct gco *g, struct span rest, struct fault *why)
{
	const char	*c = rest.at, *end = rest.at + rest.n;
	struct gco_arg	*a = &g->args[g->nargs];
	enum status	 st;

	if (g->nargs >= PROTOTYPE_MAX_PARAMS)
		return foreign_fault(g->source, c, why, "there are more than %d arguments",
		    PROTOTYPE_MAX_PARAMS);
	*a = (struct gco_arg){ .ndims = 0 };
	if ((st = read_name(g, a, &c, end, why)) != ST_OK)
		return st;
	if (gco_arg(g, a->name) != NULL)
		return foreign_fault(g->source, a->name.at, why, "%.*s is described already",
		    (int)(a->name.n < 128 ? a->name.n : 128), a->name.at);
	a->direction = (struct span){ c, c < end ? name_length(c) : 0 };
	if (!is_direction(a->direction))
		return refuse(g, c < end ? c : rest.at, "the direction is IN, OUT or INOUT",
		    "ARG A[N] INOUT double $rand", why);
	c = scan_blank(c + a->direction.n, end);
	a->type = type_at(c, end);
	if (a->type.n == 0)
		return refuse(g, c < end ? c : rest.at, "this is no type known here",
		    "ARG N IN int $size", why);
	a->value = span_between(a->type.at + a->type.n, end);
	if (a->value.n == 0)
		return refuse(g, rest.at, "the argument's value is missing",
		    "ARG N IN int $size", why);
	g->nargs++;
	return ST_OK;
}

/* ---- all ---- */

static enum status
read_directive(struct gco *g, struct span s, struct fault *why)
{
	static const struct {
		const char	*word;
		enum status	(*read)(struct gco *, struct span, struct fault *);
	} known[] = {
		{ "ROUTINE", read_routine }, { "SIZE", read_size }, { "ARG", read_arg },
	};
	const char	*at = scan_blank(s.at, s.at + s.n), *end = s.at + s.n;
	struct span	 word = { at, at < end ? name_length(at) : 0 };

	for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++)
		if (span_is(word, known[i].word))
			return known[i].read(g, span_between(at + word.n, end), why);
	return refuse(g, at, "this is no directive of GCO", "ROUTINE, SIZE or ARG", why);
}

enum status
gco_read(struct gco *g, struct fault *why)
{
	const char	*end = g->source->text + g->source->bytes;
	enum status	 st = ST_OK;

	for (const char *c = strstr(g->source->text, "/*"); st == ST_OK && c != NULL; ) {
		const char	*at = c + 2 + strspn(c + 2, " \t"), *close = strstr(c + 2, "*/");

		if (name_starts(at, mark) && close == NULL)
			return refuse(g, c, "the comment does not end", "ARG N IN int 1", why);
		if (name_starts(at, mark))
			st = read_directive(g, span_between(at + strlen(mark), close), why);
		c = close != NULL ? strstr(close + 2, "/*") : NULL;
	}
	if (st == ST_OK && g->routine.at == NULL)
		return refuse(g, end > g->source->text ? g->source->text : end,
		    "there is no ROUTINE directive", "ROUTINE name", why);
	return st;
}
