/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file from elsewhere could name any file of this machine in an #include, and see its lines in
 * the compiler's messages.  So only plain names in angle brackets pass, and names in quotes of
 * files that the caller has read.  Comments, continued lines and other spellings of # are looked
 * through as a compiler does.
 */
#include <ctype.h>
#include <string.h>

#include "client/transform/source/source.h"

struct scan {
	const char	*at;
	unsigned	 line;
};

/* The next character that counts: continued lines are joined, comments are blanks.  0: the end. */
static char
next(struct scan *s)
{
	while (s->at[0] == '\\' && (s->at[1] == '\n' || (s->at[1] == '\r' && s->at[2] == '\n'))) {
		s->at += s->at[1] == '\n' ? 2 : 3;
		s->line++;
	}
	if (s->at[0] == '/' && s->at[1] == '*') {
		for (s->at += 2; s->at[0] != '\0' && (s->at[0] != '*' || s->at[1] != '/'); s->at++)
			s->line += s->at[0] == '\n';
		if (s->at[0] != '\0')
			s->at += 2;
		return ' ';
	}
	if (s->at[0] == '/' && s->at[1] == '/')
		s->at += strcspn(s->at, "\n");
	if (s->at[0] == '\0')
		return '\0';
	s->line += s->at[0] == '\n';
	return *s->at++;
}

/* A line up to its end, blanks at its beginning left out; false: the text is over. */
static bool
take_line(struct scan *s, char *line, size_t bytes)
{
	size_t	n = 0;
	char	c, quote = '\0';

	if (s->at[0] == '\0')
		return false;
	while ((c = quote != '\0' && s->at[0] != '\\' && s->at[0] != '\0' ? *s->at++ : next(s)) !=
	    '\0' && c != '\n') {
		if (c == quote || quote == '\0')
			quote = c == quote ? '\0' : c == '"' || c == '\'' ? c : '\0';
		if (c == '\\' && quote != '\0' && s->at[0] != '\0' && s->at[0] != '\n')
			s->at++;
		if ((n > 0 || !isspace((unsigned char)c)) && n + 1 < bytes)
			line[n++] = c;
	}
	line[n] = '\0';
	return true;
}

static const char *
skip_blanks(const char *s)
{
	return s + strspn(s, " \t\v\f\r");
}

static bool
is_plain_header(const char *operand)
{
	size_t	n;

	if (operand[0] != '<' || operand[1] == '/' || operand[1] == '.')
		return false;
	n = strspn(operand + 1,
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./");
	return n > 0 && n < 100 && operand[1 + n] == '>' && strstr(operand, "..") == NULL &&
	    strstr(operand, "//") == NULL;
}

struct checking {
	const char			*path;		/* borrowed */
	const struct source_files	*files;		/* borrowed */
};

static bool
has_file(const struct source_files *files, const char *folder, size_t nfolder, const char *name,
    size_t n)
{
	for (size_t i = 0; i < files->n; i++) {
		const char	*of = files->at[i].name;

		if (strlen(of) == nfolder + n && strncmp(of, folder, nfolder) == 0 &&
		    strncmp(of + nfolder, name, n) == 0)
			return true;
	}
	return false;
}

/* "x.h" of a file that is there, beside the one that includes it or beside the source. */
static bool
is_own_file(const struct checking *c, const char *operand)
{
	const char	*folder = "", *slash;
	size_t		 n = operand[0] == '"' ? strcspn(operand + 1, "\"") : 0;

	if (n == 0 || operand[1 + n] != '"')
		return false;
	for (size_t i = 0; i < c->files->n; i++)
		if (c->files->at[i].name == c->path)
			folder = c->path;
	slash = strrchr(folder, '/');
	return has_file(c->files, "", 0, operand + 1, n) || has_file(c->files, folder,
	    slash != NULL ? (size_t)(slash - folder) + 1 : 0, operand + 1, n);
}

static enum status
check_line(const struct checking *c, unsigned line, const char *text, struct fault *why)
{
	static const char *const	words[] = { "include_next", "include", "import", "embed" };
	const char			*s = text;
	struct source			 at = { .path = c->path };

	if (s[0] == '#')
		s++;
	else if (strncmp(s, "%:", 2) == 0 || strncmp(s, "?\?=", 3) == 0)
		s += s[0] == '%' ? 2 : 3;
	else
		return ST_OK;
	s = skip_blanks(s);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t	n = strlen(words[i]);

		if (strncmp(s, words[i], n) != 0 || isalnum((unsigned char)s[n]) || s[n] == '_')
			continue;
		s = skip_blanks(s + n);
		if (i == 1 && (is_plain_header(s) || is_own_file(c, s)))
			return ST_OK;
		(void)source_refuse(&at, (struct place){ line, 1, 0 }, why,
		    "#%s of something other than a header in angle brackets", words[i]);
		fault_hint(why, "files that a source names are not opened: put what the routine "
		    "needs into this file%s", i == 1 && s[0] == '"' ? ", or a file that it "
		    "includes beside it or below a folder given with -I" : "");
		return ST_BAD_SPEC;
	}
	return ST_OK;
}

enum status
source_check_includes(const char *path, const char *text, const struct source_files *files,
    struct fault *why)
{
	const struct checking	c = { path, files };
	struct scan		s = { text, 1 };
	char			line[512];
	unsigned		number = 1;
	enum status		st = ST_OK;

	while (st == ST_OK && take_line(&s, line, sizeof line)) {
		st = check_line(&c, number, line, why);
		number = s.line;
	}
	return st;
}
