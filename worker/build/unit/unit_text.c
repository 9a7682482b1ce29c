/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a source of C may have to be in a unit.  It is included several times in one file, so
 * nothing that it says may reach what follows it, and nothing may tell it where it stands.  The
 * test is coarse: what it does not know is built alone.  What it cannot see, a second declaration
 * of the same thing for one, the compiler refuses, or worker/build/split/split.h finds in the
 * object.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/name.h"
#include "proto/json/text.h"
#include "worker/build/recipe/plain.h"
#include "worker/build/unit/unit_attributes.h"
#include "worker/build/unit/unit_clean.h"
#include "worker/build/unit/unit_scope.h"
#include "worker/build/unit/unit_text.h"
#include "worker/build/unit/unit_words.h"

enum { UNIT_SOURCE_BYTES = 64 << 10, UNIT_MACRO_BYTES = 4 << 10 };

/* ---- words ---- */

/* Words with which a source places, names or aligns its functions itself, or asks where it is. */
static bool
is_word_listed(const char *at, size_t n)
{
	static const char *const	words[] = {
		"asm", "__asm", "__asm__", "__attribute", "__attribute__", "_Pragma", "__pragma",
		"__declspec", "_declspec", "__label__", "_Alignas", "alignas", "_Thread_local",
		"__thread", "thread_local", "__extension__", "__private_extern__",
		"__COUNTER__", "__LINE__", "__FILE__", "__FILE_NAME__", "__BASE_FILE__",
		"__INCLUDE_LEVEL__", "__TIME__", "__DATE__", "__TIMESTAMP__", "__func__",
		"__FUNCTION__", "__PRETTY_FUNCTION__", "__FUNCSIG__", "__FUNCDNAME__",
		"L__FUNCTION__", "L__FUNCSIG__", "__has_include", "__has_include_next",
		"__has_embed", "__VA_OPT__",
		"assert", "assert_perror",	/* in a header, but with the place of its call */
		NULL
	};

	return unit_is_one_of(at, n, words);
}

/* All that ask for a place are upper case but for some of clang's; so are those yet to come. */
static bool
is_builtin_of_place(const char *at, size_t n)
{
	static const char	start[] = "__builtin_";
	const size_t		k = sizeof start - 1;

	if (n <= k || strncmp(at, start, k) != 0)
		return false;
	return isupper((unsigned char)at[k]) || memmem(at, n, "source_location", 15) != NULL ||
	    memmem(at, n, "stable_name", 11) != NULL;
}

/* A name that the unit makes itself: of a version, or of what stands between two. */
static bool
is_of_unit(const char *at, size_t n, const char *routine)
{
	const size_t	k = strlen(routine);

	return (n > k + 2 && strncmp(at, routine, k) == 0 && strncmp(at + k, "__", 2) == 0) ||
	    (n > 6 && strncmp(at, "assay_", 6) == 0);
}

static bool
is_attribute(const char *at, size_t n)
{
	return unit_is_word(at, n, "__attribute__") || unit_is_word(at, n, "__attribute");
}

static bool
is_alignment(const char *at, size_t n)
{
	return unit_is_word(at, n, "_Alignas") || unit_is_word(at, n, "alignas");
}

/* In a body attributes are of variables and types.  What they name and count is looked at next. */
static bool
is_word_fit(const char *at, size_t n, bool in_body, const char *routine)
{
	if (in_body && (is_alignment(at, n) || (is_attribute(at, n) &&
	    unit_attributes_fit(at + n))))
		return true;
	return !is_word_listed(at, n) && !is_builtin_of_place(at, n) &&
	    !is_of_unit(at, n, routine);
}

static bool
has_fit_words(const char *clean, const char *routine)
{
	int	depth = 0;

	for (const char *at = clean; *at != '\0';) {
		const size_t	n = unit_word_bytes(at);

		depth += (*at == '{') - (*at == '}');
		if (n > 0 && !is_word_fit(at, n, depth > 0, routine))
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

/* Of the next loop alone, or unknown to both compilers. */
static bool
is_pragma_fit(const char *at)
{
	static const char *const	of_loops[] = { "unroll", "nounroll", "unroll_and_jam",
					    "nounroll_and_jam", "ivdep", "vector", NULL };
	static const char *const	of_gcc[] = { "unroll", "ivdep", NULL };
	const char			*first = unit_skip_blanks(at), *second;
	const size_t			 n = unit_word_bytes(first);
	size_t				 m;

	second = unit_skip_blanks(first + n);
	m = unit_word_bytes(second);
	if (unit_is_word(first, n, "GCC"))
		return unit_is_one_of(second, m, of_gcc);
	return (unit_is_word(first, n, "clang") && unit_is_word(second, m, "loop")) ||
	    (unit_is_word(first, n, "omp") && unit_is_word(second, m, "simd")) ||
	    unit_is_one_of(first, n, of_loops);
}

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
	    unit_is_balanced(name + n, strcspn(name + n, "\n"));
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
	if (name_is_in(routine, rest, strcspn(rest, "\n")) ||
	    memchr(rest, '#', strcspn(rest, "\n")) != NULL)
		return false;
	if (unit_is_word(word, n, "include")) {
		d->includes = true;
		return d->depth == 0 && is_header_fit(rest);
	}
	if (unit_is_word(word, n, "define"))
		return is_define_fit(d, rest, routine);
	if (unit_is_word(word, n, "pragma"))
		return is_pragma_fit(rest);
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
				return strstr(v->source, "//") != NULL;
	return false;
}

static bool
source_fits(const struct job *job)
{
	const struct variant	*v = &job->variant;
	const char		*routine = job->spec.routine.name;
	char			*clean;
	bool			 fits;

	if (strlen(v->source) != v->source_bytes || v->source_bytes > UNIT_SOURCE_BYTES ||
	    has_doubtful_comments(v) || (clean = unit_clean(v->source)) == NULL)
		return false;
	fits = has_fit_words(clean, routine) && has_fit_directives(clean, routine) &&
	    unit_attributes_are_no_macros(job, clean) && unit_scope_fits(job, clean);
	free(clean);
	return fits;
}

bool
unit_text_fits(const struct job *job)
{
	const struct variant	*v = &job->variant;

	if (v->nfiles > 0 || v->nlibraries > 0 || !has_fit_flags(v))
		return false;
	if (v->language == LANG_ASM)
		return v->source_bytes <= UNIT_SOURCE_BYTES && plain_is(&job->spec, v) &&
		    unit_asm_fits(v->source);
	return v->language == LANG_C && source_fits(job);
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

/* As in a source; and in a line of one, nothing ends it, or is a comment. */
static bool
is_macro_text_fit(const char *text, const char *routine)
{
	char	*clean;
	bool	 fits;

	if (strlen(text) > UNIT_MACRO_BYTES || strpbrk(text, "\n\\#") != NULL ||
	    strstr(text, "/*") != NULL || strstr(text, "//") != NULL ||
	    (clean = unit_clean(text)) == NULL)
		return false;
	fits = has_fit_words(clean, routine) && !name_is_in(routine, clean, strlen(clean)) &&
	    unit_is_balanced(clean, strlen(clean));
	free(clean);
	return fits;
}

/* "-DNAME=text". */
static bool
is_macro_fit(const char *word, const char *routine)
{
	const char	*name = word + 2, *text = strchr(word, '=');
	const size_t	 n = unit_word_bytes(name);

	return text != NULL && name + n == text && n > 0 && name[0] != '_' &&
	    !unit_is_word(name, n, routine) && !is_word_listed(name, n) &&
	    !is_of_unit(name, n, routine) && is_macro_text_fit(text + 1, routine);
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

/* Its versions are no macro, and nothing that the compiler knows by name, as it knows memcpy. */
static void
put_name_check(struct text *t, const char *routine)
{
	put_line(t, "#ifdef %s\n#error\n#endif\n", routine);
	put_line(t, "#ifdef __has_builtin\n#if __has_builtin(%s)\n#error\n#endif\n#endif\n",
	    routine);
}

/*
 * Nothing may stand before an assertion, and a static function is declared between functions alone:
 * they find a source that has left something open.
 */
static void
put_between(struct text *t, unsigned k)
{
	put_line(t, "_Static_assert(1, \"\");\n"
	    UNIT_BETWEEN "%u(void) __attribute__((unused));\n", k);
}

static bool
put_version(struct text *t, const struct recipe *r, const char *clean, const char *routine,
    unsigned k)
{
	bool	fits;

	put_between(t, k);
	put_pragmas(t, r, clean, "push_macro");
	fits = put_macros(t, r, routine);
	put_line(t, "#define %s %s__%u\n#include \"" UNIT_SOURCE "\"\n#undef %s\n", routine,
	    routine, k, routine);
	put_pragmas(t, r, clean, "pop_macro");
	return fits;
}

char *
unit_text_c(const struct job *job, const struct recipe *const *recipes, unsigned n)
{
	const char	*routine = job->spec.routine.name;
	char		*clean = unit_clean(job->variant.source);
	struct text	 t = { .at = NULL };
	bool		 fits = clean != NULL;

	put_name_check(&t, routine);
	for (unsigned k = 0; k < n && fits; k++)
		fits = put_version(&t, recipes[k], clean, routine, k);
	put_between(&t, n);
	free(clean);
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
put_questions(struct text *t, const char *routine, const char *clean,
    const struct recipe *const *recipes, unsigned n)
{
	const char	*name;

	put_question(t, routine);
	for (unsigned k = 0; k < n; k++)
		for (size_t i = 0; i < recipes[k]->nmacros; i++)
			put_question(t, recipes[k]->words[recipes[k]->first_macro + i] + 2);
	for (const char *line = clean; *line != '\0'; line = unit_next_line(line))
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
	char		*clean = unit_clean(job->variant.source);
	const bool	 includes = clean != NULL && put_headers(&t, clean);

	*out = NULL;
	if (includes) {
		put_questions(&t, job->spec.routine.name, clean, recipes, n);
		*out = text_take(&t);
	} else
		free(t.at);
	free(clean);
	return clean != NULL && (!includes || *out != NULL);
}
