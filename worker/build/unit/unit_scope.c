/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "worker/build/unit/unit_scope.h"
#include "worker/build/unit/unit_words.h"

enum { CONDITIONS_MOST = 64 };

/* Where the routine's definition is, in the declaration under way. */
enum head { HEAD_BEFORE, HEAD_NAME, HEAD_ARGUMENTS, HEAD_BODY_NEXT, HEAD_OTHER };

/* The declaration under way is the one at file scope. */
struct scope {
	const struct job	*job;			/* borrowed */
	const char		*clean;			/* borrowed */
	char			 nest[NEST_MOST];	/* brackets that are open */
	size_t			 depth;
	size_t			 conditions;
	size_t			 condition[CONDITIONS_MOST];	/* the depth at their starts */
	bool			 has_loud;		/* a macro that could end a declaration */
	bool			 in_body, had_body, had_condition;
	enum head		 head;
	bool			 is_conditional, names_macro, names_tag;
	bool			 declares;		/* no object of its own */
	bool			 is_empty;
};

/* ---- macros ---- */

static bool
is_tag(const char *at, size_t n)
{
	return unit_is_one_of(at, n, (const char *const[]){ "struct", "union", "enum", NULL });
}

/* It may end a declaration, or make a tag that outlives it. */
static bool
is_loud(const char *text, size_t n)
{
	for (size_t i = 0, word; i < n; i += word > 0 ? word : 1) {
		word = unit_word_bytes(text + i);
		if (strchr(";{}", text[i]) != NULL || is_tag(text + i, word))
			return true;
	}
	return false;
}

static bool
has_loud_macro(const struct job *job, const char *clean)
{
	const struct variant	*v = &job->variant;

	for (size_t i = 0; i < v->ndefines; i++)
		if (is_loud(v->defines[i].text, strlen(v->defines[i].text)))
			return true;
	for (const char *line = clean; *line != '\0'; line = unit_next_line(line))
		if (unit_directive(line, "define") != NULL && is_loud(line, strcspn(line, "\n")))
			return true;
	return false;
}

static bool
is_param(const struct spec *spec, const char *at, size_t n)
{
	for (size_t i = 0; i < spec->nparams; i++)
		if (unit_is_word(at, n, spec->params[i].name))
			return !spec_param_is_argument(spec, &spec->params[i]);
	return false;
}

static bool
is_macro(const struct scope *s, const char *at, size_t n)
{
	const struct variant	*v = &s->job->variant;

	if (is_param(&s->job->spec, at, n))
		return true;
	for (size_t i = 0; i < v->ndefines; i++)
		if (unit_is_word(at, n, v->defines[i].name))
			return true;
	for (const char *line = s->clean; *line != '\0'; line = unit_next_line(line)) {
		const char	*name = unit_directive(line, "define");

		if (name != NULL && unit_word_bytes(name) == n && strncmp(name, at, n) == 0)
			return true;
	}
	return false;
}

/* ---- declarations ---- */

static void
begin_declaration(struct scope *s)
{
	s->is_conditional = s->names_macro = s->names_tag = s->declares = false;
	s->is_empty = true;
	s->head = HEAD_BEFORE;
}

static void
take_word(struct scope *s, const char *at, size_t n)
{
	static const char *const	declaring[] = { "extern", "typedef", NULL };

	s->names_macro |= is_macro(s, at, n);
	s->names_tag |= is_tag(at, n);
	s->declares |= unit_is_one_of(at, n, declaring) || is_tag(at, n);
	if (s->depth > 0)
		return;
	if (s->head == HEAD_BEFORE && unit_is_word(at, n, s->job->spec.routine.name))
		s->head = HEAD_NAME;
	else if (s->head == HEAD_NAME || s->head == HEAD_BODY_NEXT)
		s->head = HEAD_OTHER;
}

/* Of the routine's own definition; any other body, or a list of values, is there only once. */
static bool
open_body(struct scope *s)
{
	s->in_body = true;
	return s->head == HEAD_BODY_NEXT && !(s->names_macro && s->has_loud) &&
	    !(s->names_tag && (s->is_conditional || s->names_macro));
}

/* A mark outside of all brackets: "f(", and "{" right behind the brackets that this opens. */
static bool
take_outer_mark(struct scope *s, char c)
{
	if (c == '{')
		return open_body(s);
	if (c == '(') {
		s->declares = true;
		s->head = s->head == HEAD_NAME ? HEAD_ARGUMENTS : HEAD_OTHER;
	} else if (s->head != HEAD_BEFORE)
		s->head = HEAD_OTHER;
	return c != '=';
}

static bool
end_declaration(struct scope *s)
{
	const bool	fits = !(s->is_conditional || s->names_macro) &&
			    (s->declares || s->is_empty);

	begin_declaration(s);
	return fits;
}

/* A bracket that has come back to file scope. */
static void
close_outer(struct scope *s, char c)
{
	if (s->in_body) {
		s->in_body = false;
		s->had_body = true;
		begin_declaration(s);
	} else if (s->head == HEAD_ARGUMENTS && c == ')')
		s->head = HEAD_BODY_NEXT;
}

static bool
take_mark(struct scope *s, char c)
{
	const size_t	before = s->depth;

	if (c == ';' && before == 0)
		return end_declaration(s);
	s->is_empty = false;
	if (before == 0 && !take_outer_mark(s, c))
		return false;
	if (!unit_nest(s->nest, &s->depth, c))
		return false;
	if (before > 0 && s->depth == 0)
		close_outer(s, c);
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

/* A header is there for all behind it; so no version may look at what it brings before it does. */
static bool
take_directive(struct scope *s, const char *at)
{
	const char	*word = unit_skip_blanks(at + 1);
	const size_t	 n = unit_word_bytes(word);

	if (unit_is_word(word, n, "include"))
		return s->depth == 0 && !s->had_body && !s->had_condition;
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
	s->is_conditional |= s->conditions > 0 && !s->in_body;
	if (unit_word_bytes(at) == 0)
		return take_mark(s, *at);
	*n = unit_word_bytes(at);
	s->is_empty = false;
	if (!s->in_body)
		take_word(s, at, *n);
	return true;
}

bool
unit_scope_fits(const struct job *job, const char *clean)
{
	struct scope	s = { .job = job, .clean = clean,
			    .has_loud = has_loud_macro(job, clean) };
	size_t		n;

	begin_declaration(&s);
	for (const char *at = clean; *at != '\0'; at += n)
		if (!take_next(&s, at, &n))
			return false;
	return s.depth == 0 && s.had_body && s.is_empty;
}
