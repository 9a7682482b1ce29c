/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "worker/build/unit_scope.h"
#include "worker/build/unit_words.h"

/* The declaration under way is the one at file scope. */
struct scope {
	const struct job	*job;			/* borrowed */
	unsigned		 conditions, braces;
	bool			 has_loud;		/* a macro that could end a declaration */
	bool			 is_conditional, names_macro, names_routine;
};

/* ---- macros ---- */

static bool
is_loud(const char *text, size_t n)
{
	return memchr(text, ';', n) != NULL || memchr(text, '{', n) != NULL ||
	    memchr(text, '}', n) != NULL;
}

static bool
has_loud_macro(const struct job *job)
{
	const struct variant	*v = &job->variant;

	for (size_t i = 0; i < v->ndefines; i++)
		if (is_loud(v->defines[i].text, strlen(v->defines[i].text)))
			return true;
	for (const char *line = v->source; *line != '\0'; line = unit_next_line(line))
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
is_macro(const struct job *job, const char *at, size_t n)
{
	const struct variant	*v = &job->variant;

	if (is_param(&job->spec, at, n))
		return true;
	for (size_t i = 0; i < v->ndefines; i++)
		if (unit_is_word(at, n, v->defines[i].name))
			return true;
	for (const char *line = v->source; *line != '\0'; line = unit_next_line(line)) {
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
	s->is_conditional = s->names_macro = s->names_routine = false;
}

static void
take_word(struct scope *s, const char *at, size_t n)
{
	if (s->braces > 0)
		return;
	s->is_conditional |= s->conditions > 0;
	s->names_macro |= is_macro(s->job, at, n);
	s->names_routine |= unit_is_word(at, n, s->job->spec.routine.name);
}

static bool
open_brace(struct scope *s)
{
	if (s->braces++ > 0)
		return true;
	return s->names_routine ? !(s->names_macro && s->has_loud) :
	    !(s->is_conditional || s->names_macro);
}

static bool
close_brace(struct scope *s)
{
	if (s->braces == 0)
		return false;
	if (--s->braces == 0)
		begin_declaration(s);
	return true;
}

static bool
end_statement(struct scope *s)
{
	const bool	fits = s->braces > 0 || !(s->is_conditional || s->names_macro);

	if (s->braces == 0)
		begin_declaration(s);
	return fits;
}

static bool
take_mark(struct scope *s, char c)
{
	return c == '{' ? open_brace(s) : c == '}' ? close_brace(s) :
	    c == ';' ? end_statement(s) : true;
}

/* ---- text ---- */

/* A comment or a literal that starts here; 0: neither does. */
static size_t
skipped_bytes(const char *at)
{
	const char	*end;
	size_t		 n = 1;

	if (strncmp(at, "//", 2) == 0)
		return strcspn(at, "\n");
	if (strncmp(at, "/*", 2) == 0)
		return (end = strstr(at + 2, "*/")) != NULL ? (size_t)(end + 2 - at) : strlen(at);
	if (*at != '"' && *at != '\'')
		return 0;
	while (at[n] != '\0' && at[n] != '\n' && at[n] != *at)
		n += at[n] == '\\' && at[n + 1] != '\0' ? 2 : 1;
	return n + (at[n] == *at);
}

/* Of a directive: the whole line. */
static size_t
take_directive(struct scope *s, const char *at)
{
	const char	*word = unit_skip_blanks(at + 1);

	if (strncmp(word, "if", 2) == 0)
		s->conditions++;
	else if (strncmp(word, "endif", 5) == 0 && s->conditions > 0)
		s->conditions--;
	return strcspn(at, "\n");
}

/* The next word, mark or literal.  False: it declares what must stay in its version. */
static bool
take_next(struct scope *s, const char *at, size_t *n)
{
	if ((*n = skipped_bytes(at)) > 0)
		return true;
	if (*at == '#') {
		*n = take_directive(s, at);
		return true;
	}
	if ((*n = unit_word_bytes(at)) > 0) {
		take_word(s, at, *n);
		return true;
	}
	*n = 1;
	return take_mark(s, *at);
}

bool
unit_scope_fits(const struct job *job)
{
	struct scope	s = { .job = job, .has_loud = has_loud_macro(job) };
	size_t		n;

	for (const char *at = job->variant.source; *at != '\0'; at += n)
		if (!take_next(&s, at, &n))
			return false;
	return s.braces == 0;
}
