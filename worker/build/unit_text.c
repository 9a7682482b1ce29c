/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a source of C may have to be in a unit.  It is included several times in one file, so
 * nothing that it says may reach what follows it, and nothing may tell it where it stands.  The
 * test is coarse: what it does not know is built alone.  What it cannot see, a second declaration
 * of the same thing for one, the compiler refuses, or worker/build/split.h finds in the object.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/name.h"
#include "proto/json/text.h"
#include "worker/build/plain.h"
#include "worker/build/unit_scope.h"
#include "worker/build/unit_text.h"
#include "worker/build/unit_words.h"

enum { UNIT_SOURCE_BYTES = 64 << 10, UNIT_MACRO_BYTES = 4 << 10 };

static bool
is_one_of(const char *at, size_t n, const char *const *words)
{
	for (; *words != NULL; words++)
		if (unit_is_word(at, n, *words))
			return true;
	return false;
}

/* ---- words ---- */

/* Words with which a source places, names or aligns its functions itself, or asks where it is. */
static bool
is_word_unfit(const char *at, size_t n)
{
	static const char *const	words[] = {
		"asm", "__asm", "__asm__", "__attribute", "__attribute__", "_Pragma", "__pragma",
		"__label__", "__COUNTER__", "__LINE__", "__FILE__", "__FILE_NAME__",
		"__BASE_FILE__", "__INCLUDE_LEVEL__", "__TIME__", "__DATE__", "__TIMESTAMP__",
		"__func__", "__FUNCTION__", "__PRETTY_FUNCTION__", "_Alignas", "alignas",
		"__builtin_LINE", "__builtin_FILE", "__builtin_FILE_NAME", "__builtin_FUNCTION",
		"__builtin_COLUMN", "__builtin_source_location", "__has_include",
		"__VA_OPT__", "_Thread_local", "__thread", "__extension__", NULL
	};

	return is_one_of(at, n, words);
}

static bool
has_fit_words(const char *source)
{
	for (const char *at = source; *at != '\0';) {
		const size_t	n = unit_word_bytes(at);

		if (n > 0 && is_word_unfit(at, n))
			return false;
		at += n > 0 ? n : 1;
	}
	return true;
}

/* A compiler joins lines behind a backslash and blanks, too; names may have more than letters. */
static bool
has_fit_bytes(const char *source)
{
	for (const char *at = source; *at != '\0'; at++) {
		if (*at == '$' || (unsigned char)*at >= 0x80)
			return false;
		if (*at == '\\' && at[1 + strspn(at + 1, " \t\v\f")] == '\n')
			return false;
	}
	return true;
}

/* Names that a unit gives: a source that has them would find its neighbours. */
static bool
names_unit(const char *source, const char *routine)
{
	const size_t	n = strlen(routine);

	if (strstr(source, "assay_between_") != NULL)
		return true;
	for (const char *at = source; (at = strstr(at, routine)) != NULL; at += n)
		if (strncmp(at + n, "__", 2) == 0)
			return true;
	return false;
}

/* As labels of a unit's programs are. */
static bool
has_numbered(const char *source)
{
	for (const char *at = source; (at = strstr(at, "__")) != NULL; at++)
		if (at[2] >= '0' && at[2] <= '9')
			return true;
	return false;
}

/* A compiler's own macros: after `#undef` they would be gone for the versions that follow. */
static bool
is_compilers(const char *name, size_t n)
{
	static const char *const	others[] = { "_LP64", "_OPENMP", "_REENTRANT", "linux",
					    "unix", "i386", NULL };

	return strncmp(name, "__", 2) == 0 || is_one_of(name, n, others);
}

/* Lines that go on, trigraphs, digraphs, attributes in brackets, and comments that hide a '#'. */
static bool
has_fit_marks(const struct variant *v)
{
	static const char *const	marks[] = { "\?\?", "%:", "<:", "[[", "\\\n", "\\\r",
					    "\r", NULL };

	if (strlen(v->source) != v->source_bytes || v->source_bytes > UNIT_SOURCE_BYTES ||
	    !has_fit_bytes(v->source))
		return false;
	for (const char *const *m = marks; *m != NULL; m++)
		if (strstr(v->source, *m) != NULL)
			return false;
	return true;
}

/* ---- directives ---- */

struct directives {
	unsigned	depth;		/* of conditions */
	bool		includes, defines_under_condition;
};

/* Of a function alone. */
static bool
is_pragma_fit(const char *at)
{
	static const char *const	first[] = { "GCC", "clang", NULL };
	static const char *const	second[] = { "unroll", "ivdep", NULL };
	size_t				n;
	bool				is_clang;

	at = unit_skip_blanks(at);
	if (!is_one_of(at, n = unit_word_bytes(at), first))
		return false;
	is_clang = strncmp(at, "clang", n) == 0;
	at = unit_skip_blanks(at + n);
	n = unit_word_bytes(at);
	return is_clang ? unit_is_word(at, n, "loop") : is_one_of(at, n, second);
}

static bool
is_define_fit(struct directives *d, const char *at, const char *routine)
{
	const char	*name = unit_skip_blanks(at);
	const size_t	 n = unit_word_bytes(name);

	d->defines_under_condition |= d->depth > 0;
	return n > 0 && n <= NAME_MAX_BYTES && !unit_is_word(name, n, routine) &&
	    !is_compilers(name, n);
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
	if (name_is_in(routine, rest, strcspn(rest, "\n")) || memchr(rest, '#',
	    strcspn(rest, "\n")) != NULL || memmem(rest, strcspn(rest, "\n"), "/*", 2) != NULL)
		return false;
	if (unit_is_word(word, n, "include")) {
		d->includes = true;
		return d->depth == 0 && *unit_skip_blanks(rest) == '<';
	}
	if (unit_is_word(word, n, "define"))
		return is_define_fit(d, rest, routine);
	if (unit_is_word(word, n, "pragma"))
		return is_pragma_fit(rest);
	if (is_one_of(word, n, opens))
		return ++d->depth > 0;
	if (unit_is_word(word, n, "endif"))
		return d->depth-- > 0;
	return is_one_of(word, n, goes_on) || unit_is_word(word, n, "error");
}

/* Each '#' begins a directive that reaches no further than the source. */
static bool
has_fit_directives(const char *source, const char *routine)
{
	struct directives	d = { .depth = 0 };

	for (const char *line = source; *line != '\0'; line = unit_next_line(line)) {
		const char	*at = unit_skip_blanks(line);

		if (*at == '#' && !is_directive_fit(&d, at + 1, routine))
			return false;
		if (*at != '#' && memchr(line, '#', strcspn(line, "\n")) != NULL)
			return false;
	}
	return d.depth == 0 && !(d.includes && d.defines_under_condition);
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
					    "-ftest", "-fpatchable", "-x", "-Wno-", NULL };

	for (size_t i = 0; i < v->nflags; i++)
		for (const char *const *s = starts; *s != NULL; s++)
			if (strncmp(v->flags[i], *s, strlen(*s)) == 0)
				return false;
	return true;
}

bool
unit_text_fits(const struct job *job)
{
	const struct variant	*v = &job->variant;

	if (v->nfiles > 0 || v->nlibraries > 0 || !has_fit_flags(v))
		return false;
	if (v->language == LANG_ASM)
		return plain_is(&job->spec, v) && v->source_bytes <= UNIT_SOURCE_BYTES &&
		    !has_numbered(v->source);
	return v->language == LANG_C && has_fit_marks(v) && has_fit_words(v->source) &&
	    !names_unit(v->source, job->spec.routine.name) &&
	    has_fit_directives(v->source, job->spec.routine.name) && unit_scope_fits(job);
}

/* ---- writing C ---- */

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

/* "-DNAME=text".  On a command line nothing in the text is a comment or ends the line. */
static bool
is_macro_fit(const char *word, const char *routine)
{
	const char	*name = word + 2, *text = strchr(word, '=');
	const size_t	 n = unit_word_bytes(name);

	return text != NULL && name + n == text && n > 0 && name[0] != '_' &&
	    !unit_is_word(name, n, routine) && strlen(text) <= UNIT_MACRO_BYTES &&
	    strpbrk(text, "\n\r\\#") == NULL && strstr(text, "/*") == NULL &&
	    strstr(text, "//") == NULL && strstr(text, "\?\?") == NULL &&
	    strstr(text, "%:") == NULL && !name_is_in(routine, text, strlen(text)) &&
	    has_fit_words(text);
}

static bool
put_macros(struct text *t, const struct recipe *r, const char *routine)
{
	for (size_t i = r->first_macro; i < r->first_macro + r->nmacros; i++) {
		const char	*word = r->words[i], *text = strchr(word, '=');

		if (!is_macro_fit(word, routine))
			return false;
		put(t, "#define ");
		text_raw(t, word + 2, (size_t)(text - word) - 2);
		text_char(t, ' ');
		put(t, text + 1);
		text_char(t, '\n');
	}
	return true;
}

static void
put_undefined(struct text *t, const struct recipe *r, const char *source)
{
	const char	*name;

	for (size_t i = r->first_macro; i < r->first_macro + r->nmacros; i++) {
		name = r->words[i] + 2;
		put_line(t, "#undef %.*s\n", (int)unit_word_bytes(name), name);
	}
	for (const char *line = source; *line != '\0'; line = unit_next_line(line)) {
		name = unit_directive(line, "define");
		/* in a comment there may be any */
		if (name != NULL && !is_compilers(name, unit_word_bytes(name)))
			put_line(t, "#undef %.*s\n", (int)unit_word_bytes(name), name);
	}
}

/*
 * Nothing may stand before an assertion, and a static function is declared between functions alone:
 * they find a source that has left something open.
 */
static void
put_between(struct text *t, unsigned k)
{
	put_line(t, "_Static_assert(1, \"\");\n"
	    "static int assay_between_%u(void) __attribute__((unused));\n", k);
}

char *
unit_text_c(const struct job *job, const struct recipe *const *recipes, unsigned n)
{
	const char	*routine = job->spec.routine.name;
	struct text	 t = { .at = NULL };
	bool		 fits = true;

	for (unsigned k = 0; k < n && fits; k++) {
		put_between(&t, k);
		fits = put_macros(&t, recipes[k], routine);
		put_line(&t, "#define %s %s__%u\n#include \"" UNIT_SOURCE "\"\n#undef %s\n",
		    routine, routine, k, routine);
		put_undefined(&t, recipes[k], job->variant.source);
	}
	put_between(&t, n);
	if (fits)
		return text_take(&t);
	free(t.at);
	return NULL;
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
put_questions(struct text *t, const struct job *job, const struct recipe *const *recipes,
    unsigned n)
{
	const char	*name;

	put_question(t, job->spec.routine.name);
	for (unsigned k = 0; k < n; k++)
		for (size_t i = 0; i < recipes[k]->nmacros; i++)
			put_question(t, recipes[k]->words[recipes[k]->first_macro + i] + 2);
	for (const char *line = job->variant.source; *line != '\0'; line = unit_next_line(line))
		if ((name = unit_directive(line, "define")) != NULL && *name != '_')
			put_question(t, name);
}

bool
unit_text_headers(char **out, const struct job *job, const struct recipe *const *recipes,
    unsigned n)
{
	struct text	 t = { .at = NULL };
	const char	*name;
	bool		 includes = false;

	*out = NULL;
	for (const char *line = job->variant.source; *line != '\0'; line = unit_next_line(line)) {
		const bool	is_include = unit_directive(line, "include") != NULL;

		includes |= is_include;
		if (is_include || ((name = unit_directive(line, "define")) != NULL && *name == '_'))
			text_raw(&t, line, (size_t)(unit_next_line(line) - line));
	}
	put_questions(&t, job, recipes, n);
	if (includes)
		*out = text_take(&t);
	else
		free(t.at);
	return !includes || *out != NULL;
}
