/* SPDX-License-Identifier: Apache-2.0 */
/* The statements of a POET specification's init. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/import/poet_parts.h"
#include "client/import/scan.h"
#include "proto/base/name.h"

bool
poet_is_call(struct span s, const char *name, struct span *inside)
{
	const char	*end = s.at + s.n, *open, *close;
	size_t		 n = s.n > 0 ? name_length(s.at) : 0;

	if (n > s.n || !span_is((struct span){ s.at, n }, name))
		return false;
	open = scan_blank(s.at + n, end);
	if (open >= end || *open != '(' || (close = scan_close(open, end)) == end ||
	    scan_blank(close + 1, end) != end)
		return false;
	*inside = (struct span){ open + 1, (size_t)(close - open) - 1 };
	return true;
}

/* The parts between commas; their number, at most `max` + 1. */
static size_t
split(struct span s, struct span *parts, size_t max)
{
	const char	*end = s.at + s.n;
	size_t		 n = 0;

	for (const char *c = s.at; c <= end; n++) {
		const char	*comma = scan_to(c, end, ",");

		if (n < max)
			parts[n] = span_between(c, comma);
		else
			return max + 1;
		c = comma + 1;
	}
	return n;
}

static enum status
read_flag(struct poet *p, struct poet_item *item, struct span flag, struct fault *why)
{
	struct span	inside;
	char		text[24], *end;

	if (span_is(flag, "flush")) {
		item->flush = true;
		return ST_OK;
	}
	if (!poet_is_call(flag, "align", &inside)) {
		(void)foreign_fault(p->source, flag.at, why, "this is no flag of an operand");
		fault_hint(why, "flags are flush and align(16), joined by |");
		return ST_BAD_SPEC;
	}
	inside = span_trimmed(inside);
	(void)snprintf(text, sizeof text, "%.*s", (int)(inside.n < 20 ? inside.n : 20), inside.at);
	item->align = strtoll(text, &end, 10);
	item->align_at = flag;
	if (end == text || *end != '\0' || item->align < 1 || item->align > 2 << 20 ||
	    (item->align & (item->align - 1)) != 0) {
		(void)foreign_fault(p->source, inside.at, why,
		    "an alignment is a power of two up to 2097152");
		fault_hint(why, "write: align(16)");
		return ST_BAD_SPEC;
	}
	return ST_OK;
}

/* "flush|align(16)"; nothing is no flag. */
static enum status
read_flags(struct poet *p, struct poet_item *item, struct span s, struct fault *why)
{
	const char	*end = s.at + s.n;
	enum status	 st = ST_OK;

	for (const char *c = s.at; s.n > 0 && st == ST_OK && c <= end; ) {
		const char	*bar = scan_to(c, end, "|");

		st = read_flag(p, item, span_between(c, bar), why);
		c = bar + 1;
	}
	return st;
}

static bool
looks_like_flags(struct span s)
{
	struct span	inside, first = { s.at, (size_t)(scan_to(s.at, s.at + s.n, "|") - s.at) };

	first = span_trimmed(first);
	return s.n == 0 || span_is(first, "flush") || poet_is_call(first, "align", &inside);
}

/* Vector(type,init,flags,size), as the generator prints it, or (type,size,init,flags). */
static enum status
read_vector(struct poet *p, struct poet_item *item, struct span inside, struct fault *why)
{
	struct span	part[4];
	size_t		n = split(inside, part, 4);
	bool		printed = n == 4 && looks_like_flags(part[2]) && part[3].n > 0 &&
			    !looks_like_flags(part[3]);

	if (n < 3 || n > 4 || (!printed && n == 4 && !looks_like_flags(part[3]))) {
		(void)foreign_fault(p->source, item->name.at, why,
		    "a vector has a type, a size, its init and flags");
		fault_hint(why, "write: Vector(double,N,RANDOM,flush) or "
		    "Vector(double,RANDOM,flush,N)");
		return ST_BAD_SPEC;
	}
	item->type = part[0];
	item->sizes[0] = printed ? part[3] : part[1];
	item->init = printed ? part[1] : part[2];
	return n == 3 ? ST_OK : read_flags(p, item, printed ? part[2] : part[3], why);
}

static enum status
read_matrix(struct poet *p, struct poet_item *item, struct span inside, struct fault *why)
{
	struct span	part[5];
	size_t		n = split(inside, part, 5);

	if (n < 4 || n > 5) {
		(void)foreign_fault(p->source, item->name.at, why,
		    "a matrix has a type, rows, columns, its init and flags");
		fault_hint(why, "write: Matrix(double,M,N,RANDOM,flush|align(16))");
		return ST_BAD_SPEC;
	}
	item->type = part[0];
	item->sizes[0] = part[1];
	item->sizes[1] = part[2];
	item->init = part[3];
	return n == 4 ? ST_OK : read_flags(p, item, part[4], why);
}

static enum status
read_value(struct poet *p, struct poet_item *item, struct span value, struct fault *why)
{
	static const struct {
		const char	*word;
		enum poet_kind	 kind;
		bool		 is_static;
	} known[] = {
		{ "Vector", POET_VECTOR, false }, { "SVector", POET_VECTOR, true },
		{ "Matrix", POET_MATRIX, false }, { "SMatrix", POET_MATRIX, true },
		{ "Array2D", POET_ARRAY2D, false },
	};
	struct span	inside;

	for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++) {
		if (!poet_is_call(value, known[i].word, &inside))
			continue;
		item->kind = known[i].kind;
		item->is_static = known[i].is_static;
		return (item->kind == POET_VECTOR ? read_vector : read_matrix)(p, item, inside,
		    why);
	}
	item->kind = POET_SCALAR;
	item->init = value;
	if (value.n == 0)
		return foreign_fault(p->source, value.at, why, "the value of %.*s is missing",
		    SPAN_ARGS(item->name));
	return ST_OK;
}

static enum status
no_such_argument(const struct poet *p, struct span name, struct fault *why)
{
	const char	*names[PROTOTYPE_MAX_PARAMS + 1] = { NULL }, *near;
	char		 word[NAME_MAX_BYTES + 1];

	for (size_t i = 0; i < p->prototype.nparams; i++)
		names[i] = p->prototype.params[i].name;
	(void)snprintf(word, sizeof word, "%.*s",
	    (int)(name.n < NAME_MAX_BYTES ? name.n : NAME_MAX_BYTES), name.at);
	(void)foreign_fault(p->source, name.at, why, "%s has no parameter \"%s\"",
	    p->prototype.name, word);
	if ((near = nearest_name(word, names)) != NULL)
		fault_hint(why, "did you mean \"%s\"?", near);
	return ST_BAD_SPEC;
}

static enum status
add_item(struct poet *p, struct span name, struct span value, struct fault *why)
{
	struct poet_item	*item;

	if (poet_item(p, name) != NULL)
		return foreign_fault(p->source, name.at, why, "%.*s has a value already",
		    SPAN_ARGS(name));
	if (p->nitems >= POET_MAX_ITEMS)
		return foreign_fault(p->source, name.at, why, "init has more than %d statements",
		    POET_MAX_ITEMS);
	item = &p->items[p->nitems];
	*item = (struct poet_item){ .name = name, .argument = poet_argument(p, name) };
	if (item->argument == p->prototype.nparams)
		return no_such_argument(p, name, why);
	p->nitems++;
	return read_value(p, item, value, why);
}

enum status
poet_read_items(struct poet *p, struct fault *why)
{
	const char	*end, *c, *equals, *semicolon;
	enum status	 st = ST_OK;

	if (p->init.at == NULL)
		return ST_OK;
	end = p->init.at + p->init.n;
	for (c = scan_blank(p->init.at, end); st == ST_OK && c < end; c = scan_blank(c, end)) {
		struct span	name = { c, name_length(c) };

		if (*c == ';') {
			c++;
			continue;
		}
		equals = scan_blank(c + name.n, end);
		semicolon = scan_to(c, end, ";");
		if (name.n == 0 || equals >= end || *equals != '=' || semicolon == end) {
			(void)foreign_fault(p->source, c, why, "a statement is NAME=VALUE;");
			fault_hint(why, "%s", semicolon == end ? "a ; is missing" :
			    "write: n=Macro(N,100);");
			return ST_BAD_SPEC;
		}
		st = add_item(p, name, span_between(equals + 1, semicolon), why);
		c = semicolon + 1;
	}
	return st;
}
