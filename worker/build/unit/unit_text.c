/* SPDX-License-Identifier: Apache-2.0 */
/* A unit of C: what stands before each version, and behind it. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/json/text.h"
#include "worker/build/split/split_mark.h"
#include "worker/build/unit/read/unit_include.h"
#include "worker/build/unit/read/unit_pragmas.h"
#include "worker/build/unit/read/unit_scope.h"
#include "worker/build/unit/read/unit_words.h"
#include "worker/build/unit/unit_fits.h"
#include "worker/build/unit/unit_text.h"

struct source {
	const char		*routine;	/* borrowed */
	char			*clean;		/* owned */
	struct unit_names	 names;		/* beside the routine's */
};

static bool
read_source(struct source *s, const struct job *job)
{
	s->routine = job->spec.routine.name;
	s->names.n = 0;
	s->clean = unit_clean_source(job);
	return s->clean != NULL && unit_scope_read(job, s->clean, &s->names);
}

static void
put(struct text *t, const char *words)
{
	text_raw(t, words, strlen(words));
}

static void __attribute__((format(printf, 2, 3)))
put_line(struct text *t, const char *fmt, ...)
{
	char	line[8 * NAME_MAX_BYTES];
	va_list	ap;

	va_start(ap, fmt);
	(void)vsnprintf(line, sizeof line, fmt, ap);
	va_end(ap);
	put(t, line);
}

static bool
put_macros(struct text *t, const struct recipe *r, const char *routine)
{
	for (size_t i = r->first_macro; i < r->first_macro + r->nmacros; i++) {
		const char	*word = r->words[i], *text = strchr(word, '=');

		if (!unit_macro_fits(word, routine))
			return false;
		put(t, "#define ");
		text_raw(t, word + 2, (size_t)(text - word) - 2);
		text_char(t, ' ');
		put(t, text + 1);
		text_char(t, '\n');
	}
	return true;
}

/*
 * "push_macro" before a version and "pop_macro" behind it, for each name that it may define: the
 * compiler's own macros are there again, and the others are gone.
 */
static void
put_pragmas(struct text *t, const struct recipe *r, const char *clean, const char *pragma)
{
	const char	*name;

	for (size_t i = r->first_macro; i < r->first_macro + r->nmacros; i++) {
		name = r->words[i] + 2;
		put_line(t, "#pragma %s(\"%.*s\")\n", pragma, (int)unit_word_bytes(name), name);
	}
	for (const char *line = clean; *line != '\0'; line = unit_next_line(line)) {
		name = unit_directive(line, "define");
		if (name != NULL)
			put_line(t, "#pragma %s(\"%.*s\")\n", pragma,
			    (int)unit_word_bytes(name), name);
	}
}

/* It is no macro, and nothing that the compiler knows by name, as it knows memcpy. */
static void
put_name_check(struct text *t, const char *name)
{
	put_line(t, "#ifdef %s\n#error\n#endif\n", name);
	put_line(t, "#ifdef __has_builtin\n#if __has_builtin(%s)\n#error\n#endif\n#endif\n", name);
}

static void
put_name_checks(struct text *t, const struct source *s)
{
	put_name_check(t, s->routine);
	for (size_t i = 0; i < s->names.n; i++)
		put_name_check(t, s->names.name[i]);
}

/* The version's own names, before its source; and the ends of them, behind it. */
static void
put_names(struct text *t, const struct source *s, unsigned k)
{
	put_line(t, "#define %s %s" SPLIT_MARK "%u\n", s->routine, s->routine, k);
	for (size_t i = 0; i < s->names.n; i++)
		put_line(t, "#define %s %s" SPLIT_MARK "%u\n", s->names.name[i],
		    s->names.name[i], k);
}

static void
put_ends_of_names(struct text *t, const struct source *s)
{
	put_line(t, "#undef %s\n", s->routine);
	for (size_t i = 0; i < s->names.n; i++)
		put_line(t, "#undef %s\n", s->names.name[i]);
}

/*
 * Nothing may stand before an assertion, and such a function is defined between functions alone:
 * they find a source that has left something open.  No code is made of it, and no warning.
 */
static void
put_between(struct text *t, unsigned k)
{
	put_line(t, "_Static_assert(1, \"\");\n"
	    UNIT_BETWEEN "%u(void) { return 0; }\n", k);
}

static bool
put_version(struct text *t, const struct recipe *r, const struct source *s, unsigned k)
{
	bool	fits;

	put_between(t, k);
	put_pragmas(t, r, s->clean, "push_macro");
	fits = put_macros(t, r, s->routine);
	put_names(t, s, k);
	put(t, "#include \"" UNIT_SOURCE "\"\n");
	put_ends_of_names(t, s);
	put_pragmas(t, r, s->clean, "pop_macro");
	return fits;
}

char *
unit_text_c(const struct job *job, const struct recipe *const *recipes, unsigned n)
{
	struct source	s;
	struct text	t = { .at = NULL };
	bool		fits = read_source(&s, job);

	put_name_checks(&t, &s);
	for (unsigned k = 0; k < n && fits; k++)
		fits = put_version(&t, recipes[k], &s, k);
	put_between(&t, n);
	free(s.clean);
	if (fits)
		return text_take(&t);
	free(t.at);
	return NULL;
}

bool
unit_text_has_names(const struct job *job)
{
	struct source	s;
	const bool	fits = read_source(&s, job);

	free(s.clean);
	return fits && s.names.n > 0;
}

/* ---- its headers ---- */

/* Once for each name: that no header has it as a macro, and that none declares it. */
static void
put_question(struct text *t, const char *name)
{
	const int	n = (int)unit_word_bytes(name);

	put_line(t, "#ifndef assay_asked_%.*s\n#define assay_asked_%.*s\n", n, name, n, name);
	put_line(t, "#ifdef %.*s\n#error\n#endif\nenum { %.*s };\n#endif\n", n, name, n, name);
}

/* Names that begin with an underline are what headers ask for, and equal in all versions. */
static void
put_questions(struct text *t, const struct source *s, const struct recipe *const *recipes,
    unsigned n)
{
	const char	*name;

	put_question(t, s->routine);
	for (size_t i = 0; i < s->names.n; i++)
		put_question(t, s->names.name[i]);
	for (unsigned k = 0; k < n; k++)
		for (size_t i = 0; i < recipes[k]->nmacros; i++)
			put_question(t, recipes[k]->words[recipes[k]->first_macro + i] + 2);
	for (const char *line = s->clean; *line != '\0'; line = unit_next_line(line))
		if ((name = unit_directive(line, "define")) != NULL && *name != '_')
			put_question(t, name);
}

/* Its headers, and the reserved names before them.  False: it has none. */
static bool
put_headers(struct text *t, const char *clean)
{
	const char	*name;
	bool		 includes = false;

	for (const char *line = clean; *line != '\0'; line = unit_next_line(line)) {
		const bool	is_include = unit_directive(line, "include") != NULL;

		includes |= is_include;
		if (is_include || ((name = unit_directive(line, "define")) != NULL && *name == '_'))
			text_raw(t, line, (size_t)(unit_next_line(line) - line));
	}
	return includes;
}

bool
unit_text_headers(char **out, const struct job *job, const struct recipe *const *recipes,
    unsigned n)
{
	struct text	 t = { .at = NULL };
	struct source	 s;
	const bool	 fits = read_source(&s, job), includes = fits && put_headers(&t, s.clean);

	*out = NULL;
	if (includes) {
		put_questions(&t, &s, recipes, n);
		*out = text_take(&t);
	} else
		free(t.at);
	free(s.clean);
	return fits && (!includes || *out != NULL);
}
