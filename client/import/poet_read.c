/* SPDX-License-Identifier: Apache-2.0 */
/* The outline of a POET specification: its sections. */
#include <stdio.h>
#include <string.h>

#include "client/import/poet_parts.h"
#include "client/import/scan.h"
#include "proto/base/name.h"

/* What is read, and how far. */
struct reading {
	struct poet	*p;
	const char	*at, *end;
};

typedef enum status section_fn(struct reading *, struct fault *);

static section_fn	read_include, read_routine, read_checkpoint, read_init, read_returns,
			read_flop;

static const struct section {
	const char	*name;
	char		 sign;		/* behind the name */
	section_fn	*read;		/* behind the sign */
} sections[] = {
	{ "include", '=', read_include }, { "routine", '=', read_routine },
	{ "checkpoint", '=', read_checkpoint }, { "init", '=', read_init },
	{ "returns", '(', read_returns }, { "flop", '=', read_flop },
};
enum { NSECTIONS = sizeof sections / sizeof sections[0] };

static void
pass_semicolon(struct reading *r)
{
	const char	*c = scan_blank(r->at, r->end);

	if (c < r->end && *c == ';')
		r->at = c + 1;
}

/* A section begins here; NULL: none does. */
static const struct section *
section_at(const char *at, const char *end)
{
	size_t		 n = name_length(at);
	const char	*behind = scan_blank(at + n, end);

	for (unsigned i = 0; i < NSECTIONS; i++)
		if (span_is((struct span){ at, n }, sections[i].name) && behind < end &&
		    *behind == sections[i].sign)
			return &sections[i];
	return NULL;
}

/* ---- sections ---- */

/* Statements of C, up to the next section. */
static enum status
read_include(struct reading *r, struct fault *why)
{
	const char	*start = r->at, *c = scan_outline(start, start, r->end);
	unsigned	 depth = 0;

	(void)why;
	for (; c < r->end; c = scan_outline(start, c, r->end)) {
		if (depth == 0 && section_at(c, r->end) != NULL)
			break;
		if (*c == '{' || *c == '(')
			depth++;
		else if ((*c == '}' || *c == ')') && depth > 0)
			depth--;
		c = scan_past(c, r->end);
	}
	r->p->include = (struct span){ start, (size_t)(c - start) };
	r->at = c;
	return ST_OK;
}

static enum status
read_routine(struct reading *r, struct fault *why)
{
	struct poet	*p = r->p;
	const char	*start = scan_blank(r->at, r->end), *open, *close, *c;

	open = scan_to(start, r->end, "(;{");
	close = open < r->end && *open == '(' ? scan_close(open, r->end) : r->end;
	if (close == r->end) {
		(void)foreign_fault(p->source, start, why, "this is no declaration of C");
		fault_hint(why, "write: routine=void f(const int n, double *x);");
		return ST_BAD_SPEC;
	}
	p->routine = (struct span){ start, (size_t)(close + 1 - start) };
	c = scan_outline(start, close + 1, r->end);
	if (c < r->end && *c == '{') {
		if ((close = scan_close(c, r->end)) == r->end)
			return foreign_fault(p->source, c, why, "no brace closes this one");
		p->body = (struct span){ c, (size_t)(close + 1 - c) };
		r->at = close + 1;
		pass_semicolon(r);
		return ST_OK;
	}
	if (c >= r->end || *c != ';') {
		(void)foreign_fault(p->source, c < r->end ? c : close, why,
		    "a routine ends with ; or has a body in braces");
		fault_hint(why, "put a ; behind the parameters");
		return ST_BAD_SPEC;
	}
	r->at = c + 1;
	return ST_OK;
}

static enum status
read_checkpoint(struct reading *r, struct fault *why)
{
	const char	*c = scan_blank(r->at, r->end), *past;

	if (c >= r->end || *c != '"' || (past = scan_past(c, r->end))[-1] != '"' || past - c < 3) {
		(void)foreign_fault(r->p->source, c < r->end ? c : r->at - 1, why,
		    "the name of the checkpoint image is missing");
		fault_hint(why, "write: checkpoint=\"words.image\"");
		return ST_BAD_SPEC;
	}
	r->p->checkpoint = (struct span){ c + 1, (size_t)(past - c) - 2 };
	r->at = past;
	pass_semicolon(r);
	return ST_OK;
}

static enum status
read_init(struct reading *r, struct fault *why)
{
	const char	*c = scan_blank(r->at, r->end), *close = r->end;

	if (c < r->end && *c == '{')
		close = scan_close(c, r->end);
	if (close == r->end) {
		(void)foreign_fault(r->p->source, c < r->end ? c : r->at - 1, why,
		    "init needs its statements in braces");
		fault_hint(why, "write: init={ n=Macro(N,100); };");
		return ST_BAD_SPEC;
	}
	r->p->init = (struct span){ c + 1, (size_t)(close - c) - 1 };
	r->at = close + 1;
	pass_semicolon(r);
	return ST_OK;
}

static enum status
read_returns(struct reading *r, struct fault *why)
{
	const char	*close = scan_close(r->at - 1, r->end);

	if (close == r->end)
		return foreign_fault(r->p->source, r->at - 1, why,
		    "no parenthesis closes this one");
	r->p->returns = span_between(r->at, close);
	r->at = close + 1;
	pass_semicolon(r);
	return ST_OK;
}

/* The generator pastes the text of a literal as it is. */
static enum status
read_flop(struct reading *r, struct fault *why)
{
	const char	*semicolon = scan_to(r->at, r->end, ";");
	struct span	 s = span_between(r->at, semicolon);

	if (s.n >= 2 && s.at[0] == '"' && scan_past(s.at, s.at + s.n) == s.at + s.n)
		s = (struct span){ s.at + 1, s.n - 2 };
	if (span_trimmed(s).n == 0) {
		(void)foreign_fault(r->p->source, s.at < r->end ? s.at : r->at - 1, why,
		    "flop needs a formula");
		fault_hint(why, "write: flop=\"2*N\";");
		return ST_BAD_SPEC;
	}
	r->p->flop = s;
	r->at = semicolon < r->end ? semicolon + 1 : r->end;
	return ST_OK;
}

static enum status
not_a_section(const struct reading *r, struct fault *why)
{
	const char	*names[NSECTIONS + 1] = { NULL }, *near;
	char		 word[NAME_MAX_BYTES + 1];
	size_t		 n = name_length(r->at);

	for (unsigned i = 0; i < NSECTIONS; i++)
		names[i] = sections[i].name;
	(void)snprintf(word, sizeof word, "%.*s", (int)(n < NAME_MAX_BYTES ? n : NAME_MAX_BYTES),
	    r->at);
	(void)foreign_fault(r->p->source, r->at, why, "no section begins like this");
	if ((near = nearest_name(word, names)) != NULL)
		fault_hint(why, "did you mean %s%s?", near,
		    strcmp(near, "returns") == 0 ? "(...)" : "=");
	else
		fault_hint(why, "sections are include=, routine=, checkpoint=, init=, returns(), "
		    "flop=");
	return ST_BAD_SPEC;
}

enum status
poet_read(struct poet *p, struct fault *why)
{
	const struct foreign	*s = p->source;
	struct reading		 r = { p, s->text, s->text + s->bytes };
	bool			 seen[NSECTIONS] = { false };
	enum status		 st = ST_OK;

	for (r.at = scan_blank(r.at, r.end); st == ST_OK && r.at < r.end;
	    r.at = scan_blank(r.at, r.end)) {
		const struct section	*one = section_at(r.at, r.end);

		if (one == NULL)
			return not_a_section(&r, why);
		if (seen[one - sections])
			return foreign_fault(s, r.at, why, "there is a %s section already",
			    one->name);
		seen[one - sections] = true;
		r.at = scan_blank(r.at + strlen(one->name), r.end) + 1;
		st = one->read(&r, why);
	}
	return st;
}
