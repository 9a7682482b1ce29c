/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A source of C is included several times in one file.  So nothing that it says may reach what
 * follows it, and nothing may tell it where it stands.  The test is coarse: what it does not know
 * is built alone.  What it cannot see, a second declaration of the same thing for one, the compiler
 * refuses, or worker/build/split/split.h finds in the object.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/name.h"
#include "worker/build/recipe/plain.h"
#include "worker/build/unit/read/unit_attributes.h"
#include "worker/build/unit/read/unit_include.h"
#include "worker/build/unit/read/unit_listed.h"
#include "worker/build/unit/read/unit_paste.h"
#include "worker/build/unit/read/unit_pragmas.h"
#include "worker/build/unit/read/unit_scope.h"
#include "worker/build/unit/read/unit_words.h"
#include "worker/build/unit/unit_fits.h"

enum { UNIT_MACRO_BYTES = 4 << 10 };

/* ---- words ---- */

/* What attributes name and count is looked at next. */
static bool
is_word_fit(const char *at, size_t n)
{
	if (unit_is_attribute(at, n))
		return unit_is_word(at, n, "_Alignas") || unit_is_word(at, n, "alignas") ||
		    unit_attributes_fit(at + n);
	return !unit_is_listed(at, n);
}

static bool
has_fit_words(const char *clean)
{
	for (const char *at = clean; *at != '\0';) {
		const size_t	n = unit_word_bytes(at);

		if (n > 0 && !is_word_fit(at, n))
			return false;
		at += n > 0 ? n : 1;
	}
	return true;
}

/* ---- directives ---- */

struct directives {
	unsigned	depth;		/* of conditions */
	bool		includes, defines_under_condition;
	bool		tells_headers;	/* a reserved name that is more than a number */
};

static bool
ends_line(const char *at)
{
	at = unit_skip_blanks(at);
	return *at == '\n' || *at == '\0';
}

static bool
is_number_or_nothing(const char *line)
{
	const char	*at = unit_skip_blanks(line);

	return ends_line(at + (isdigit((unsigned char)*at) ? unit_word_bytes(at) : 0));
}

static bool
is_define_fit(struct directives *d, const char *at, const char *routine)
{
	const char	*name = unit_skip_blanks(at);
	const size_t	 n = unit_word_bytes(name);

	d->defines_under_condition |= d->depth > 0;
	d->tells_headers |= *name == '_' && !is_number_or_nothing(name + n);
	return n > 0 && n <= NAME_MAX_BYTES && !unit_is_word(name, n, routine) &&
	    unit_is_balanced(name + n, strcspn(name + n, "\n")) && unit_pastes_fit(name);
}

/* "<name>", as in "#include <sys/types.h>". */
static bool
is_header_fit(const char *at)
{
	const char	*name = unit_skip_blanks(at), *end = name + (*name == '<');

	while (isalnum((unsigned char)*end) || (*end != '\0' && strchr("_./+-", *end) != NULL))
		end++;
	return end > name + 1 && *end == '>' && ends_line(end + 1);
}

/* A line behind its '#'. */
static bool
is_directive_fit(struct directives *d, const char *at, const char *routine)
{
	static const char *const	opens[] = { "if", "ifdef", "ifndef", NULL };
	static const char *const	goes_on[] = { "else", "elif", NULL };
	const char			*word = unit_skip_blanks(at), *rest;
	const size_t			 n = unit_word_bytes(word);

	rest = word + n;
	if (name_is_in(routine, rest, strcspn(rest, "\n")) || (!unit_is_word(word, n, "define") &&
	    memchr(rest, '#', strcspn(rest, "\n")) != NULL))
		return false;
	if (unit_is_word(word, n, "include")) {
		d->includes = true;
		return d->depth == 0 && is_header_fit(rest);
	}
	if (unit_is_word(word, n, "define"))
		return is_define_fit(d, rest, routine);
	if (unit_is_word(word, n, "undef")) {		/* of what, unit_scope.c looks at */
		d->defines_under_condition |= d->depth > 0;
		return true;
	}
	if (unit_is_word(word, n, "pragma"))
		return unit_pragma_words(rest) > 0;
	if (unit_is_one_of(word, n, opens))
		return ++d->depth > 0;
	if (unit_is_word(word, n, "endif"))
		return d->depth-- > 0;
	return unit_is_one_of(word, n, goes_on) || unit_is_word(word, n, "error");
}

/* Each '#' begins a directive that reaches no further than the source. */
static bool
has_fit_directives(const char *clean, const char *routine)
{
	struct directives	d = { .depth = 0 };

	for (const char *line = clean; *line != '\0'; line = unit_next_line(line)) {
		const char	*at = unit_skip_blanks(line);

		if (*at == '#' && !is_directive_fit(&d, at + 1, routine))
			return false;
		if (*at != '#' && memchr(line, '#', strcspn(line, "\n")) != NULL)
			return false;
	}
	return d.depth == 0 && !(d.includes && (d.defines_under_condition || d.tells_headers));
}

/* ---- flags ---- */

/*
 * Macros that are not seen here, files of their own, what names lines or whole programs, and what
 * silences a warning that ends a unit.
 */
static bool
has_fit_flags(const struct variant *v)
{
	static const char *const	starts[] = { "-D", "-U", "-g", "-p", "-finstrument",
					    "-fsanitize", "-fprofile", "-fwhole-program",
					    "-ftest", "-fpatchable", "-x", "-Wno-",
					    "-fpreprocessed", "-finput-charset", NULL };

	for (size_t i = 0; i < v->nflags; i++) {
		if (strcmp(v->flags[i], "-w") == 0)
			return false;
		for (const char *const *s = starts; *s != NULL; s++)
			if (strncmp(v->flags[i], *s, strlen(*s)) == 0)
				return false;
	}
	return true;
}

/* Before C99 "//" began no comment. */
static bool
has_doubtful_comments(const struct variant *v)
{
	static const char *const	starts[] = { "-ansi", "-std=c8", "-std=c90",
					    "-std=iso9899:199", "-std=gnu8", "-std=gnu90", NULL };

	for (size_t i = 0; i < v->nflags; i++)
		for (const char *const *s = starts; *s != NULL; s++)
			if (strncmp(v->flags[i], *s, strlen(*s)) == 0)
				return v->nfiles > 0 || strstr(v->source, "//") != NULL;
	return false;
}

/* A compiler's bounds for a whole unit: what a version makes of them depends on the others. */
static bool
has_bounds_of_units(const struct variant *v)
{
	for (size_t i = 0; i < v->nflags; i++)
		if (strstr(v->flags[i], "unit-") != NULL)
			return true;
	return false;
}

static bool
source_fits(const struct job *job)
{
	const struct variant	*v = &job->variant;
	const char		*routine = job->spec.routine.name;
	struct unit_names	 names;
	char			*clean;
	bool			 fits;

	if (strlen(v->source) != v->source_bytes || v->source_bytes > UNIT_SOURCE_BYTES ||
	    has_doubtful_comments(v) || (clean = unit_clean_source(job)) == NULL)
		return false;
	fits = has_fit_words(clean) && has_fit_directives(clean, routine) &&
	    unit_scope_read(job, clean, &names) && !(names.n > 0 && has_bounds_of_units(v));
	free(clean);
	return fits;
}

bool
unit_fits(const struct job *job)
{
	const struct variant	*v = &job->variant;

	if (v->nlibraries > 0 || !has_fit_flags(v))
		return false;
	if (v->language == LANG_ASM)
		return v->nfiles == 0 && v->source_bytes <= UNIT_SOURCE_BYTES &&
		    plain_is(&job->spec, v) && unit_asm_fits(v->source);
	return v->language == LANG_C && source_fits(job);
}

/* ---- macros ---- */

/* As in a source; and in a line of one, nothing ends it, or is a comment. */
static bool
is_macro_text_fit(const char *text, const char *routine)
{
	char	*clean;
	bool	 fits;

	if (strlen(text) > UNIT_MACRO_BYTES || strpbrk(text, "\n\\#") != NULL ||
	    strstr(text, "/*") != NULL || strstr(text, "//") != NULL ||
	    (clean = unit_clean_macro(text)) == NULL)
		return false;
	fits = has_fit_words(clean) && !name_is_in(routine, clean, strlen(clean)) &&
	    unit_is_balanced(clean, strlen(clean));
	free(clean);
	return fits;
}

bool
unit_macro_fits(const char *word, const char *routine)
{
	const char	*name = word + 2, *text = strchr(word, '=');
	const size_t	 n = unit_word_bytes(name);

	return text != NULL && name + n == text && n > 0 && name[0] != '_' &&
	    !unit_is_word(name, n, routine) && !unit_is_listed(name, n) &&
	    is_macro_text_fit(text + 1, routine);
}
