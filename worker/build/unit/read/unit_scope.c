/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "worker/build/unit/read/unit_attributes.h"
#include "worker/build/unit/read/unit_macros.h"
#include "worker/build/unit/read/unit_scope.h"
#include "worker/build/unit/read/unit_words.h"

enum { CONDITIONS_MOST = 64, BODIES_MOST = 64 };

/* What the outermost bracket that is open has in it. */
enum within { AT_FILE, IN_BRACKETS, IN_TYPE, IN_ENUM, IN_VALUES, IN_BODY };

/* Of the declarator under way what has been read last. */
enum head {
	HEAD_NAME,		/* words; the last one is its name */
	HEAD_ARGUMENTS,		/* "f(" */
	HEAD_FUNCTION,		/* "f(…)" */
	HEAD_ARRAY,		/* "t[" */
	HEAD_VALUES,		/* "t[8] =" */
	HEAD_OTHER,
};

enum tag { TAG_NONE, TAG_WORD, TAG_NAME };	/* "struct", "struct pair" */

struct declaration {
	bool			is_conditional, names_macro, names_foreign_tag, has_attribute;
	bool			has_loud, has_comma;	/* in a macro that it names */
	bool			is_extern, is_empty;
	bool			is_shared;		/* it has the same name in all versions */
	enum head		head;
	struct unit_word	last;
};

struct scope {
	const char		*routine;		/* borrowed */
	struct unit_names	*names;			/* borrowed */
	struct unit_macros	 macros;
	char			 nest[NEST_MOST];	/* brackets that are open */
	size_t			 depth;
	size_t			 conditions;
	size_t			 condition[CONDITIONS_MOST];	/* the depth at their starts */
	bool			 had_routine, had_condition;
	size_t			 nbodies;
	struct unit_word	 function[BODIES_MOST], body[BODIES_MOST];
	bool			 had_others;	/* functions beside the routine */
	enum within		 within;
	enum tag		 tag;
	bool			 is_enum, is_enumerator_next;
	struct unit_word	 tag_name;
	struct declaration	 now;
	size_t			 local_depth;	/* of a body's static variable; 0: none */
	struct unit_word	 local;
};

/* ---- names ---- */

static bool
is_macro(const struct scope *s, struct unit_word w)
{
	return unit_macros_has(&s->macros, w.at, w.n);
}

static bool
is_name_known(const struct scope *s, struct unit_word w)
{
	for (size_t i = 0; i < s->names->n; i++)
		if (unit_is_word(w.at, w.n, s->names->name[i]))
			return true;
	return false;
}

/* In each version it has a name of its own. */
static bool
add_name(struct scope *s, struct unit_word w)
{
	return !is_macro(s, w) && !unit_is_word(w.at, w.n, s->routine) &&
	    unit_names_add(s->names, w.at, w.n);
}

/* ---- declarations ---- */

static void
begin_declarator(struct scope *s)
{
	s->now.head = HEAD_NAME;
	s->now.last = (struct unit_word){ NULL, 0 };
}

static void
begin_declaration(struct scope *s)
{
	s->now = (struct declaration){ .is_empty = true };
	begin_declarator(s);
}

/* A function without a body, what is somewhere else, and what is not understood: "(*f)(int)". */
static bool
end_declarator(struct scope *s)
{
	const struct declaration	*d = &s->now;
	const bool			 has_name = d->head == HEAD_NAME || d->head == HEAD_ARRAY ||
					    d->head == HEAD_VALUES;

	if (d->is_extern || !has_name)
		s->now.is_shared = true;
	else if (d->last.n > 0 && !add_name(s, d->last))
		return false;
	begin_declarator(s);
	return true;
}

static bool
is_same_for_all(const struct declaration *d)
{
	return !d->is_conditional && !d->names_macro && !d->has_attribute;
}

static bool
end_declaration(struct scope *s)
{
	const bool			 fits = end_declarator(s);
	const struct declaration	 d = s->now;

	begin_declaration(s);
	if (d.is_shared || d.names_foreign_tag)
		return fits && is_same_for_all(&d);
	return fits && !d.has_loud && !d.has_comma;
}

static bool
open_body(struct scope *s, const char *at)
{
	const struct declaration	*d = &s->now;

	if (s->nbodies == BODIES_MOST)
		return false;
	s->within = IN_BODY;
	s->function[s->nbodies] = d->last;
	s->body[s->nbodies].at = at;
	if (unit_is_word(d->last.at, d->last.n, s->routine))
		s->had_routine = true;
	else if (!(s->had_others = add_name(s, d->last)))
		return false;
	return !d->has_loud && !d->has_comma && !(d->names_foreign_tag &&
	    (d->is_conditional || d->names_macro));
}

static void
close_body(struct scope *s, const char *at)
{
	struct unit_word	*body = &s->body[s->nbodies++];

	body->n = (size_t)(at - body->at);
	begin_declaration(s);
}

/*
 * Does a body name its own function, or one behind it?  Then functions may call each other in
 * circles, and what gcc inlines of those depends on the others of a unit.
 */
static bool
has_circles(struct scope *s)
{
	for (size_t i = 0; i < s->nbodies; i++)
		for (const char *at = s->body[i].at; at < s->body[i].at + s->body[i].n;) {
			const size_t	n = unit_word_bytes(at);

			if (n > 0 && unit_macros_name(&s->macros, at, n, &s->function[i],
			    s->nbodies - i))
				return true;
			at += n > 0 ? n : 1;
		}
	return false;
}

/* ---- marks ---- */

/* "struct pair {", and "struct {" within another. */
static bool
open_type(struct scope *s)
{
	if (s->depth > 0)
		return s->within == IN_TYPE && s->tag == TAG_WORD && !s->is_enum;
	s->within = s->is_enum ? IN_ENUM : IN_TYPE;
	s->is_enumerator_next = s->is_enum;
	return s->tag == TAG_WORD || add_name(s, s->tag_name);
}

static bool
open_brace(struct scope *s, const char *at)
{
	if (s->within == IN_BODY)
		return true;
	if (s->tag != TAG_NONE)
		return open_type(s);
	if (s->depth > 0)
		return s->within == IN_VALUES;
	if (s->now.head == HEAD_FUNCTION)
		return open_body(s, at);
	s->within = IN_VALUES;
	return s->now.head == HEAD_VALUES;
}

static void
open_bracket(struct scope *s, char c)
{
	struct declaration	*d = &s->now;

	if (s->depth > 0)
		return;
	s->within = IN_BRACKETS;
	if (d->head == HEAD_NAME && d->last.n > 0)
		d->head = c == '(' ? HEAD_ARGUMENTS : HEAD_ARRAY;
	else if (d->head != HEAD_VALUES && !(d->head == HEAD_ARRAY && c == '['))
		d->head = HEAD_OTHER;
}

/* A bracket that has come back to file scope. */
static void
close_outer(struct scope *s, const char *at)
{
	if (s->within == IN_BODY)
		close_body(s, at);
	else if (s->within == IN_TYPE || s->within == IN_ENUM)
		begin_declarator(s);
	else if (s->now.head == HEAD_ARGUMENTS)
		s->now.head = *at == ')' ? HEAD_FUNCTION : HEAD_OTHER;
	s->within = AT_FILE;
	s->is_enumerator_next = false;		/* "enum { A, B, }" */
}

/* Outside of all brackets. */
static bool
take_outer_mark(struct scope *s, char c)
{
	struct declaration	*d = &s->now;

	if (c == ';')
		return end_declaration(s);
	if (c == ',')
		return end_declarator(s);
	if (c == '=') {
		const bool	fits = d->last.n > 0 && !d->is_extern && d->head != HEAD_FUNCTION &&
				    d->head != HEAD_OTHER;

		d->head = HEAD_VALUES;
		return fits;
	}
	if (d->head == HEAD_FUNCTION && c != '{')
		d->head = HEAD_OTHER;
	return true;
}

/* The name of a body's static variable is the word before one of these marks. */
static bool
take_local_mark(struct scope *s, char c)
{
	const struct unit_word	w = s->local;

	if (s->local_depth != s->depth || strchr("[=;,({", c) == NULL)
		return true;
	s->local_depth = 0;
	return strchr("({", c) != NULL || w.n == 0 || is_macro(s, w) || add_name(s, w);
}

static bool
take_mark(struct scope *s, const char *at)
{
	const char	c = *at;
	const size_t	before = s->depth;

	if (s->local_depth > 0 && !take_local_mark(s, c))
		return false;
	s->now.is_empty &= c == ';' && before == 0;
	s->is_enumerator_next |= c == ',' && s->within == IN_ENUM && before == 1;
	if (before == 0 && !take_outer_mark(s, c))
		return false;
	if (c == '{' && !open_brace(s, at))
		return false;
	if (c == '(' || c == '[')
		open_bracket(s, c);
	s->tag = TAG_NONE;
	if (!unit_nest(s->nest, &s->depth, c))
		return false;
	if (before > 0 && s->depth == 0)
		close_outer(s, at);
	return true;
}

/* ---- words ---- */

static void
take_macro(struct scope *s, struct unit_word w)
{
	const struct unit_macro_marks	marks = unit_macro_marks(&s->macros, w.at, w.n);

	s->now.names_macro |= marks.is_macro;
	s->now.has_loud |= marks.is_loud;
	s->now.has_comma |= marks.has_comma && s->depth == 0;
}

/* Of a tag that the source has not defined the first mention is a declaration. */
static void
take_tag_name(struct scope *s, struct unit_word w)
{
	const bool	is_defined = is_name_known(s, w) ||
			    *unit_skip_space(w.at + w.n) == '{';

	s->tag = TAG_NAME;
	s->tag_name = w;
	s->now.names_foreign_tag |= !is_defined;
}

static void
take_outer_word(struct scope *s, struct unit_word w)
{
	struct declaration	*d = &s->now;

	d->is_extern |= unit_is_word(w.at, w.n, "extern");
	if (d->head == HEAD_NAME)
		d->last = w;
	else if (d->head != HEAD_VALUES)
		d->head = HEAD_OTHER;
}

static bool
take_word(struct scope *s, struct unit_word w)
{
	take_macro(s, w);
	s->now.is_empty = false;
	if (s->is_enumerator_next) {
		s->is_enumerator_next = false;
		return add_name(s, w);
	}
	if (s->tag == TAG_WORD) {
		take_tag_name(s, w);
		return true;
	}
	s->tag = unit_is_tag(w.at, w.n) ? TAG_WORD : TAG_NONE;
	s->is_enum = unit_is_word(w.at, w.n, "enum");
	if (s->depth == 0 && s->tag == TAG_NONE)
		take_outer_word(s, w);
	return true;
}

static void
take_body_word(struct scope *s, struct unit_word w)
{
	if (unit_is_word(w.at, w.n, "static")) {
		s->local_depth = s->depth;
		s->local.n = 0;
	} else if (s->local_depth > 0)
		s->local = w;
}

/* Its macros count; what it says of types and variables reaches no further. */
static bool
take_attribute(struct scope *s, const char *at, size_t n)
{
	s->now.has_attribute = true;
	s->now.is_empty = false;
	for (size_t i = 0, word; i < n; i += word > 0 ? word : 1) {
		word = unit_word_bytes(at + i);
		if (word > 0)
			take_macro(s, (struct unit_word){ at + i, word });
		if (at[i] == '{' || unit_is_tag(at + i, word))
			return false;
	}
	return true;
}

/* ---- text ---- */

/* Under each condition as many brackets close as open: so all readings have the same bodies. */
static bool
take_condition(struct scope *s, const char *word, size_t n)
{
	if (strncmp(word, "if", 2) == 0) {
		s->had_condition = true;
		if (s->conditions == CONDITIONS_MOST)
			return false;
		s->condition[s->conditions++] = s->depth;
		return true;
	}
	if (n < 2 || strncmp(word, "e", 1) != 0 || unit_is_word(word, n, "error"))
		return true;
	if (s->conditions == 0 || s->condition[s->conditions - 1] != s->depth)
		return false;
	s->conditions -= unit_is_word(word, n, "endif");
	return true;
}

/*
 * A header is there for all behind it; so no version may look at what it brings before it does.
 * Macros are as they were behind each version (unit_text.c), but only those that a version may
 * define.
 */
static bool
take_directive(struct scope *s, const char *at)
{
	const char	*word = unit_skip_blanks(at + 1), *rest;
	const size_t	 n = unit_word_bytes(word);

	rest = unit_skip_blanks(word + n);
	if (unit_is_word(word, n, "undef"))
		return unit_macros_has(&s->macros, rest, unit_word_bytes(rest));
	if (unit_is_word(word, n, "include"))
		return s->depth == 0 && s->nbodies == 0 && !s->had_condition;
	return take_condition(s, word, n);
}

/* The next word, mark or literal.  False: it declares what must stay in its version. */
static bool
take_next(struct scope *s, const char *at, size_t *n)
{
	if (*at == '#') {
		*n = strcspn(at, "\n");
		return take_directive(s, at);
	}
	*n = 1;
	if (strchr(" \t\n", *at) != NULL)
		return true;
	s->now.is_conditional |= s->conditions > 0 && s->within != IN_BODY;
	if ((*n = unit_word_bytes(at)) == 0) {
		*n = 1;
		return take_mark(s, at);
	}
	if (unit_is_attribute(at, *n)) {
		*n += unit_attributes_bytes(at + *n);
		return s->within == IN_BODY || take_attribute(s, at, *n);
	}
	if (s->within != IN_BODY)
		return take_word(s, (struct unit_word){ at, *n });
	take_body_word(s, (struct unit_word){ at, *n });
	return true;
}

bool
unit_scope_read(const struct job *job, const char *clean, struct unit_names *names)
{
	struct scope	s = { .routine = job->spec.routine.name, .names = names };
	size_t		n;

	names->n = 0;
	if (!unit_macros_read(&s.macros, job, clean))
		return false;
	begin_declaration(&s);
	for (const char *at = clean; *at != '\0'; at += n)
		if (!take_next(&s, at, &n))
			return false;
	return s.depth == 0 && s.had_routine && s.now.is_empty && unit_names_fit(names, clean) &&
	    unit_attributes_are_no_macros(&s.macros) && !(s.had_others && has_circles(&s));
}
