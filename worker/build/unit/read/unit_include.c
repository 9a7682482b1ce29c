/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/name.h"
#include "proto/json/text.h"
#include "worker/build/unit/read/unit_clean.h"
#include "worker/build/unit/read/unit_include.h"
#include "worker/build/unit/read/unit_macros.h"

enum { FILES_MOST = 32, NESTED_MOST = 8 };

struct guard {
	char	name[NAME_MAX_BYTES + 1];	/* "": none; or that file was not included */
};

struct includes {
	const struct variant	*variant;
	struct text		 text;
	unsigned		 depth;			/* of files in files */
	unsigned		 conditions;		/* that are open */
	struct guard		 guard[FILES_MOST];	/* by file */
};

/* ---- which file ---- */

static int
file_named(const struct variant *v, const char *dir, size_t dir_bytes, const char *name, size_t n)
{
	for (size_t i = 0; i < v->nfiles; i++) {
		const char	*path = v->files[i].name;

		if (strlen(path) == dir_bytes + n && strncmp(path, dir, dir_bytes) == 0 &&
		    strncmp(path + dir_bytes, name, n) == 0)
			return (int)i;
	}
	return -1;
}

/* The folder of the file that includes it comes first, then that of the source ("-I."). */
static int
find_file(const struct variant *v, const char *from, const char *name, size_t n)
{
	const char	*slash = strrchr(from, '/');
	const int	 beside = slash == NULL ? -1 :
			    file_named(v, from, (size_t)(slash + 1 - from), name, n);

	return beside != -1 ? beside : file_named(v, "", 0, name, n);
}

/* ---- guards ---- */

static bool
is_empty(const char *at, const char *end)
{
	return at + strspn(at, " \t\n") >= end;
}

/* The next line that is not empty. */
static char *
next_of_words(char *line)
{
	while (*line != '\0' && is_empty(line, line + strcspn(line, "\n")))
		line = (char *)(uintptr_t)unit_next_line(line);
	return line;
}

/* "#ifndef NAME" and nothing else; NULL: another line. */
static const char *
name_alone(const char *line, const char *directive, size_t *n)
{
	const char	*name = unit_directive(line, directive);

	*n = name != NULL ? unit_word_bytes(name) : 0;
	return *n > 0 && *n <= NAME_MAX_BYTES && *unit_skip_blanks(name + *n) == '\n' ? name : NULL;
}

static bool
opens_condition(const char *line)
{
	return unit_directive(line, "if") != NULL || unit_directive(line, "ifdef") != NULL ||
	    unit_directive(line, "ifndef") != NULL;
}

/* The "#endif" of the condition that opens here, if it is the last of the file; or NULL. */
static char *
end_of_guard(char *line)
{
	unsigned	depth = 0;

	for (; *line != '\0'; line = (char *)(uintptr_t)unit_next_line(line)) {
		depth += opens_condition(line);
		if (depth == 1 && (unit_directive(line, "else") != NULL ||
		    unit_directive(line, "elif") != NULL))
			return NULL;
		if (unit_directive(line, "endif") != NULL && --depth == 0)
			return *next_of_words((char *)(uintptr_t)unit_next_line(line)) == '\0' ?
			    line : NULL;
	}
	return NULL;
}

static void
blank_line(char *line)
{
	memset(line, ' ', strcspn(line, "\n"));
}

/* "#ifndef X", "#define X" and, at the end, "#endif". */
static void
take_guard(char *clean, struct guard *g)
{
	char		*open = next_of_words(clean), *define, *end;
	const char	*asked, *defined;
	size_t		 n, m;

	if ((asked = name_alone(open, "ifndef", &n)) == NULL)
		return;
	define = next_of_words((char *)(uintptr_t)unit_next_line(open));
	defined = name_alone(define, "define", &m);
	if (defined == NULL || n != m || strncmp(asked, defined, n) != 0 ||
	    (end = end_of_guard(open)) == NULL)
		return;
	memcpy(g->name, asked, n);
	g->name[n] = '\0';
	blank_line(open);
	blank_line(end);
}

/* ---- once ---- */

/* "#pragma once", where no line before it goes on. */
static bool
is_once(const char *text, const char *line)
{
	const char	*words = unit_directive(line, "pragma");
	const char	*end = words != NULL ? words + unit_word_bytes(words) : NULL;

	if (words == NULL || !unit_is_word(words, (size_t)(end - words), "once") ||
	    (line > text + 1 && line[-2] == '\\'))
		return false;
	end = unit_skip_blanks(end);
	return *end == '\n' || *end == '\0';
}

static bool
take_once(char *text)
{
	bool	found = false;

	for (char *line = text; *line != '\0'; line = (char *)(uintptr_t)unit_next_line(line))
		if (is_once(text, line)) {
			found = true;
			blank_line(line);
		}
	return found;
}

char *
unit_file_text(const struct source_file *f, unsigned k)
{
	static const char	end[] = "\n#endif\n";
	char			*text = strdup(f->bytes), guard[64];
	struct text		 guarded = { .at = NULL };

	if (text == NULL || !take_once(text))
		return text;
	(void)snprintf(guard, sizeof guard, "#ifndef file_once_%u\n#define file_once_%u\n", k, k);
	text_raw(&guarded, guard, strlen(guard));
	text_raw(&guarded, text, strlen(text));
	text_raw(&guarded, end, strlen(end));
	free(text);
	return text_take(&guarded);
}

/* ---- texts ---- */

static bool	put_text(struct includes *, const char *from, const char *clean);

static bool
put_file(struct includes *in, int k)
{
	const struct source_file	*f = &in->variant->files[k];
	struct guard			*guard = &in->guard[k];
	char				*text, *clean;
	bool				 fits;

	if (guard->name[0] != '\0')
		return true;				/* it has been here */
	if (in->depth == NESTED_MOST || strlen(f->bytes) != f->nbytes ||
	    (text = unit_file_text(f, (unsigned)k)) == NULL)
		return false;
	clean = unit_clean(text);
	free(text);
	if (clean == NULL)
		return false;
	take_guard(clean, guard);
	in->depth++;
	fits = put_text(in, f->name, clean);
	in->depth--;
	free(clean);
	return fits;
}

/* What the file `from` includes by name; other directives of that kind are looked at later. */
static bool
put_include(struct includes *in, const char *from, const char *line, const char *named)
{
	const size_t	bytes = (size_t)(unit_next_line(line) - line);
	const size_t	n = *named == '"' || *named == '<' ?
			    strcspn(named + 1, *named == '<' ? ">\n" : "\"\n") : 0;
	const int	k = n > 0 ? find_file(in->variant, from, named + 1, n) : -1;

	if (n == 0 || (*named == '<' && k == -1)) {
		text_raw(&in->text, line, bytes);
		return true;
	}
	return *named == '"' && k != -1 && in->conditions == 0 && named[n + 1] == '"' &&
	    *unit_skip_blanks(named + n + 2) == '\n' && put_file(in, k);
}

static bool
put_text(struct includes *in, const char *from, const char *clean)
{
	const char	*named;
	bool		 fits = true;

	for (const char *line = clean; *line != '\0' && fits; line = unit_next_line(line)) {
		in->conditions += opens_condition(line);
		in->conditions -= unit_directive(line, "endif") != NULL && in->conditions > 0;
		if ((named = unit_directive(line, "include")) != NULL)
			fits = put_include(in, from, line, named);
		else
			text_raw(&in->text, line, (size_t)(unit_next_line(line) - line));
		fits = fits && in->text.bytes <= UNIT_SOURCE_BYTES;
	}
	return fits;
}

/* ---- what else has a guard's name ---- */

static unsigned
definitions_of(const char *name, const char *clean)
{
	unsigned	n = 0;

	for (const char *line = clean; *line != '\0'; line = unit_next_line(line)) {
		const char	*define = unit_directive(line, "define");
		const char	*undef = unit_directive(line, "undef");

		n += define != NULL && unit_is_word(define, unit_word_bytes(define), name);
		n += undef != NULL && unit_is_word(undef, unit_word_bytes(undef), name);
	}
	return n;
}

static bool
are_guards_fit(const struct includes *in, const struct job *job, const char *clean)
{
	const struct unit_macros	given = { .job = job };

	for (size_t i = 0; i < in->variant->nfiles; i++) {
		const char	*name = in->guard[i].name;

		if (*name != '\0' && (definitions_of(name, clean) != 1 ||
		    unit_macros_has(&given, name, strlen(name))))
			return false;
	}
	return true;
}

static bool
are_only_included(const struct variant *v)
{
	for (size_t i = 0; i < v->nfiles; i++)
		if (v->files[i].compile || strcmp(v->files[i].name, UNIT_SOURCE) == 0)
			return false;
	return v->nfiles <= FILES_MOST;
}

char *
unit_with_files(const struct job *job)
{
	const struct variant	*v = &job->variant;
	struct includes		 in = { .variant = v };
	char			*clean = are_only_included(v) ? unit_clean(v->source) : NULL;
	bool			 fits;

	if (clean == NULL || v->nfiles == 0)
		return clean;
	fits = put_text(&in, "", clean);
	free(clean);
	clean = text_take(&in.text);
	if (clean != NULL && fits && are_guards_fit(&in, job, clean))
		return clean;
	free(clean);
	return NULL;
}
