/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/json/text.h"
#include "worker/build/unit/read/unit_clean.h"
#include "worker/build/unit/read/unit_words.h"

/* ---- before comments and literals are known ---- */

/*
 * gcc and clang join lines at a backslash even if blanks stand between it and the line's end, which
 * the standard does not know; and what follows the source is no part of it.
 */
static bool
has_doubtful_joins(const char *source)
{
	for (const char *at = strchr(source, '\\'); at != NULL; at = strchr(at + 1, '\\')) {
		const char	*end = at + 1 + strspn(at + 1, " \t\v\f\r");

		if (*end == '\0' || (*end == '\n' && (end > at + 1 || end[1] == '\0')))
			return true;
	}
	return false;
}

static bool
is_raw_fit(const char *source)
{
	return strstr(source, "\?\?") == NULL && strchr(source, '\r') == NULL &&
	    !has_doubtful_joins(source);
}

/* Lines that go on as one.  Owned by the caller; NULL: out of memory. */
static char *
join_lines(const char *source)
{
	char	*joined = strdup(source), *to = joined;

	for (const char *at = source; joined != NULL && *at != '\0'; at++) {
		if (at[0] == '\\' && at[1] == '\n')
			at++;
		else
			*to++ = *at;
	}
	if (joined != NULL)
		*to = '\0';
	return joined;
}

/* ---- comments and literals ---- */

/* Behind the comment; NULL: it has no end. */
static const char *
skip_comment(const char *at)
{
	const char	*end;

	if (at[1] == '/')
		return at + strcspn(at, "\n");
	end = strstr(at + 2, "*/");
	return end != NULL ? end + 2 : NULL;
}

/* Behind the literal; NULL: its line ends first. */
static const char *
skip_literal(const char *at)
{
	const char	mark = *at;

	for (at++; *at != mark; at++) {
		at += *at == '\\';
		if (*at == '\n' || *at == '\0')
			return NULL;
	}
	return at + 1;
}

/* Behind a word that is no encoding, a mark of literals begins a raw string or splits a number. */
static bool
is_prefix_fit(const char *word, size_t n)
{
	return n == 0 || unit_is_word(word, n, "L") || unit_is_word(word, n, "u") ||
	    unit_is_word(word, n, "U") || unit_is_word(word, n, "u8");
}

static size_t
before_blanks(const struct text *t, size_t k)
{
	while (k > 0 && (t->at[k - 1] == ' ' || t->at[k - 1] == '\t'))
		k--;
	return k;
}

/* Before `*k` there is this, and blanks behind it: then `*k` is before that. */
static bool
ends_with(const struct text *t, size_t *k, const char *what)
{
	const size_t	n = strlen(what), end = before_blanks(t, *k);

	if (end < n || strncmp(t->at + end - n, what, n) != 0)
		return false;
	*k = end - n;
	return true;
}

static bool
is_at_pragma(const struct text *t)
{
	size_t	k = t->bytes;

	return ends_with(t, &k, "(") && ends_with(t, &k, "_Pragma") &&
	    (k == 0 || unit_word_bytes(t->at + k - 1) == 0);
}

static bool
is_at_include(const struct text *t)
{
	size_t	k = t->bytes;

	if (!ends_with(t, &k, "include") || !ends_with(t, &k, "#"))
		return false;
	k = before_blanks(t, k);
	return k == 0 || t->at[k - 1] == '\n';
}

static void
put_literal(struct text *t, const char *at, const char *end)
{
	const char	marks[] = { *at, *at };

	if (*at == '"' && is_at_pragma(t) && unit_is_balanced(at + 1, (size_t)(end - at) - 2))
		text_raw(t, at + 1, (size_t)(end - at) - 2);
	else if (*at == '"' && is_at_include(t))
		text_raw(t, at, (size_t)(end - at));
	else
		text_raw(t, marks, sizeof marks);
}

/* What stands at `at`, behind a word of n bytes.  NULL: it cannot be read. */
static const char *
take(struct text *t, const char *at, size_t *n)
{
	const size_t	word = unit_word_bytes(at);
	const char	*end;

	if (word > 0) {
		text_raw(t, at, word);
		*n = word;
		return at + word;
	}
	if (at[0] == '/' && (at[1] == '/' || at[1] == '*')) {
		text_char(t, ' ');
		end = skip_comment(at);
	} else if (*at == '"' || *at == '\'') {
		end = is_prefix_fit(at - *n, *n) ? skip_literal(at) : NULL;
		if (end != NULL)
			put_literal(t, at, end);
	} else {
		text_char(t, *at);
		end = at + 1;
	}
	*n = 0;
	return end;
}

/* ---- what is left ---- */

static bool
has_odd_characters(const char *clean)
{
	for (; *clean != '\0'; clean++)
		if (strchr("\n\t", *clean) == NULL && (*clean < ' ' || *clean > '~' ||
		    strchr("\\$@`", *clean) != NULL))
			return true;
	return false;
}

/* The mark twice, with nothing but blanks between. */
static bool
has_twice(const char *clean, char mark)
{
	for (const char *at = strchr(clean, mark); at != NULL; at = strchr(at + 1, mark))
		if (at[1 + strspn(at + 1, " \t\n")] == mark)
			return true;
	return false;
}

static bool
is_clean_fit(const char *clean)
{
	static const char *const	digraphs[] = { "%:", "<:", ":>", "<%", "%>" };

	for (size_t i = 0; i < sizeof digraphs / sizeof digraphs[0]; i++)
		if (strstr(clean, digraphs[i]) != NULL)
			return false;
	return !has_odd_characters(clean) && !has_twice(clean, '[') && !has_twice(clean, ':');
}

char *
unit_clean(const char *source)
{
	struct text	 t = { .at = NULL };
	char		*joined = is_raw_fit(source) ? join_lines(source) : NULL, *clean;
	const char	*at = joined;
	size_t		 n = 0;

	if (joined == NULL)
		return NULL;
	while (at != NULL && *at != '\0')
		at = take(&t, at, &n);
	free(joined);
	text_char(&t, '\n');
	if ((clean = text_take(&t)) != NULL && at != NULL && is_clean_fit(clean))
		return clean;
	free(clean);
	return NULL;
}
