/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <string.h>

#include "worker/build/unit/read/unit_listed.h"
#include "worker/build/unit/read/unit_macros.h"
#include "worker/build/unit/read/unit_paste.h"
#include "worker/build/unit/read/unit_words.h"

/* Before `at`, blanks aside; not before `start`. */
static const char *
skip_back(const char *start, const char *at)
{
	while (at > start && (at[-1] == ' ' || at[-1] == '\t'))
		at--;
	return at;
}

static const char *
word_before(const char *start, const char *at)
{
	while (at > start && (isalnum((unsigned char)at[-1]) || at[-1] == '_'))
		at--;
	return at;
}

/* The mark at `at`, and the words around it. */
static bool
is_paste_fit(const char *define, const char *at)
{
	const char	*end = skip_back(define, at), *left = word_before(define, end), *right;
	const size_t	 n = (size_t)(end - left);

	if (at[1] != '#' || n == 0 || left == define || isdigit((unsigned char)*left) ||
	    unit_is_argument(define, left, n) || unit_may_begin_listed(left, n) ||
	    skip_back(define, left)[-1] == '#')
		return false;
	right = unit_skip_blanks(at + 2);
	return unit_word_bytes(right) > 0 &&
	    *unit_skip_blanks(right + unit_word_bytes(right)) != '#';
}

bool
unit_pastes_fit(const char *define)
{
	const char	*end = define + strcspn(define, "\n");

	for (const char *at = define; at < end; at++) {
		if (*at != '#')
			continue;
		if (!is_paste_fit(define, at))
			return false;
		at++;
	}
	return true;
}

bool
unit_pastes_make(const char *text, const char *name, size_t bytes)
{
	for (const char *at = strstr(text, "##"); at != NULL; at = strstr(at + 2, "##")) {
		const char	*end = skip_back(text, at), *left = word_before(text, end);
		const size_t	 n = (size_t)(end - left);

		if (n <= bytes && strncmp(left, name, n) == 0)
			return true;
	}
	return false;
}
