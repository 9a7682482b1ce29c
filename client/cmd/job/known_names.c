/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "client/cmd/job/document.h"
#include "client/cmd/job/known_names.h"
#include "proto/base/name.h"

enum { MAX_NAMES = 256, WORD_BYTES = NAME_MAX_BYTES + 1 };

/* A name that differs only by case, else the nearest one; NULL: none is near. */
static const char *
near_name(const char *name, const char *const *names)
{
	for (size_t i = 0; names[i] != NULL; i++)
		if (strcasecmp(name, names[i]) == 0)
			return names[i];
	return nearest_name(name, names);
}

/* ---- words of a text ---- */

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool
has_word(const char *text, const char *name)
{
	const size_t	n = strlen(name);

	for (const char *at = text; n > 0 && (at = strstr(at, name)) != NULL; at++)
		if ((at == text || !is_word(at[-1])) && !is_word(at[n]))
			return true;
	return false;
}

/* #if, #ifdef, #ifndef, #elif: words there are macros. */
static bool
is_condition(const char *line)
{
	line += strspn(line, " \t");
	if (*line++ != '#')
		return false;
	line += strspn(line, " \t");
	return name_starts(line, "if") || name_starts(line, "elif");
}

/* The word among the first `n` bytes of `text` that is nearer than `best`, put there. */
static void
nearest_word(const char *name, const char *text, size_t n, char best[WORD_BYTES])
{
	char			word[WORD_BYTES];
	const char *const	names[] = { best, word, NULL };
	size_t			length;

	for (size_t at = 0; at < n; at += length > 0 ? length : 1) {
		if ((length = name_length(text + at)) == 0 || length >= sizeof word)
			continue;
		(void)snprintf(word, sizeof word, "%.*s", (int)length, text + at);
		if (near_name(name, names) == word)
			(void)strcpy(best, word);
	}
}

static void
nearest_in_lines(const char *name, const char *text, bool conditions, char best[WORD_BYTES])
{
	for (size_t n; *text != '\0'; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		if (!conditions || is_condition(text))
			nearest_word(name, text, n, best);
	}
}

/* ---- the texts of a job ---- */

/* A text value of an object's members has the word. */
static bool
values_have_word(const json_t *object, const char *name)
{
	const char	*key;
	json_t		*value;

	json_object_foreach((json_t *)(uintptr_t)object, key, value)
		if (json_is_string(value) && has_word(json_string_value(value), name))
			return true;
	return false;
}

/* Expressions stand anywhere in a spec, but not in its routine or a source. */
static bool
expressions_have_word(const json_t *value, const char *name)
{
	const char	*key;
	json_t		*member;
	size_t		 i;

	if (json_is_string(value))
		return has_word(json_string_value(value), name);
	json_array_foreach((json_t *)(uintptr_t)value, i, member)
		if (expressions_have_word(member, name))
			return true;
	json_object_foreach((json_t *)(uintptr_t)value, key, member)
		if (strcmp(key, "routine") != 0 && strcmp(key, "source") != 0 &&
		    expressions_have_word(member, name))
			return true;
	return false;
}

static const char *
source_of(const json_t *variant)
{
	const char	*source = json_string_value(json_object_get(variant, "source"));

	return source != NULL ? source : "";
}

typedef bool	 text_fn(const char *text, const char *name);

/* One of the texts beside the source is so. */
static bool
is_any_file(const json_t *variant, text_fn *is_so, const char *name)
{
	const char	*key, *text;
	json_t		*file;

	json_object_foreach(json_object_get(variant, "files"), key, file) {
		text = json_string_value(json_is_object(file) ?
		    json_object_get(file, "text") : file);
		if (text != NULL && is_so(text, name))
			return true;
	}
	return false;
}

static bool
is_any_source(const json_t *variants, text_fn *is_so, const char *name)
{
	json_t	*variant;
	size_t	 i;

	json_array_foreach(variants, i, variant)
		if (is_so(source_of(variant), name) || is_any_file(variant, is_so, name))
			return true;
	return false;
}

static bool
is_any_binary(const json_t *variants)
{
	json_t	*variant;
	size_t	 i;

	json_array_foreach(variants, i, variant) {
		const char	*language =
				    json_string_value(json_object_get(variant, "language"));

		if (language != NULL && document_is_binary(language))
			return true;
	}
	return false;
}

/* "NAME=VALUE" → NAME. */
static void
name_of(const char *word, char name[WORD_BYTES])
{
	(void)snprintf(name, WORD_BYTES, "%.*s", (int)strcspn(word, "="), word);
}

/* ---- params ---- */

static bool
is_added(const struct cli_list *added, const char *name)
{
	char	own[WORD_BYTES];

	for (size_t i = 0; i < added->n; i++) {
		name_of(added->items[i], own);
		if (strcmp(own, name) == 0)
			return true;
	}
	return false;
}

enum status
known_names_new(const struct cli_list *words, const json_t *params, struct cli_list *added,
    struct fault *why)
{
	char		name[WORD_BYTES];
	enum status	st = ST_OK;

	for (size_t i = 0; st == ST_OK && i < words->n; i++) {
		name_of(words->items[i], name);
		if (json_object_get(params, name) == NULL)
			st = cli_add(added, words->items[i], why);
	}
	return st;
}

/* The params of the spec's file, NULL behind the last. */
static size_t
list_own_params(const struct cli_list *added, const json_t *spec,
    const char *names[MAX_NAMES + 1])
{
	const char	*name;
	json_t		*value;
	size_t		 n = 0;

	json_object_foreach(json_object_get(spec, "params"), name, value)
		if (n < MAX_NAMES && !is_added(added, name))
			names[n++] = name;
	names[n] = NULL;
	return n;
}

/* A macro in its place would make no sense of the declaration. */
static bool
declares(const char *text, const char *name)
{
	static const char *const	types[] = { "int", "long", "float", "double", "size_t" };
	const size_t			n = strlen(name);

	for (const char *at = text; (at = strstr(at, name)) != NULL; at++) {
		const char	*end = at;

		while (end > text && (end[-1] == ' ' || end[-1] == '\t'))
			end--;
		if (end == at || is_word(at[n]))
			continue;
		for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
			const size_t	bytes = strlen(types[i]);

			if ((size_t)(end - text) >= bytes &&
			    strncmp(end - bytes, types[i], bytes) == 0 &&
			    (end - bytes == text || !is_word(end[-(ptrdiff_t)bytes - 1])))
				return true;
		}
	}
	return false;
}

static bool
param_is_used(const char *name, const char *near, const json_t *spec, const json_t *variants)
{
	const json_t	*reference =
			    json_object_get(json_object_get(spec, "check"), "reference");

	if (expressions_have_word(spec, name))
		return true;
	return (near == NULL || strcasecmp(near, name) != 0) &&
	    !is_any_source(variants, declares, name) &&
	    (is_any_source(variants, has_word, name) || has_word(source_of(reference), name));
}

enum status
known_names_params(const struct cli_list *added, const json_t *spec, const json_t *variants,
    struct fault *why)
{
	const char	*names[MAX_NAMES + 1], *near;
	char		 name[WORD_BYTES];
	size_t		 n = list_own_params(added, spec, names);

	for (size_t i = 0; i < added->n; i++) {
		name_of(added->items[i], name);
		near = near_name(name, names);
		if (param_is_used(name, near, spec, variants) || is_any_binary(variants))
			continue;
		(void)fault_at(why, ST_BAD_REQUEST, "-p", "there is no param \"%s\"", name);
		if (near != NULL)
			fault_hint(why, "did you mean \"%s\"?", near);
		else if (is_any_source(variants, declares, name))
			fault_hint(why, "it is a variable of the source, which a param would "
			    "replace");
		else if (n == 0)
			fault_hint(why, "the spec has no params, and no source mentions it");
		else if (n == 1)
			fault_hint(why, "the spec has only \"%s\", and no source mentions it",
			    names[0]);
		return ST_BAD_REQUEST;
	}
	return ST_OK;
}

/* ---- macros ---- */

static bool
define_is_used(const char *name, const json_t *spec, const json_t *variants)
{
	json_t	*variant;
	size_t	 i;

	if (name[0] == '_' || strcmp(name, "NDEBUG") == 0 ||
	    is_any_source(variants, has_word, name) ||
	    values_have_word(json_object_get(spec, "params"), name))
		return true;
	json_array_foreach(variants, i, variant)
		if (values_have_word(json_object_get(variant, "defines"), name))
			return true;
	return false;
}

/* Macros of conditions are nearer than other words. */
static void
nearest_macro(const char *name, const json_t *variants, char best[WORD_BYTES])
{
	json_t	*variant;
	size_t	 i;

	best[0] = '\0';
	for (int conditions = 1; conditions >= 0 && best[0] == '\0'; conditions--)
		json_array_foreach(variants, i, variant)
			nearest_in_lines(name, source_of(variant), conditions != 0, best);
}

enum status
known_names_defines(const struct cli_list *defines, const json_t *spec, const json_t *variants,
    struct fault *why)
{
	char	name[WORD_BYTES], near[WORD_BYTES];

	if (is_any_binary(variants))
		return ST_OK;
	for (size_t i = 0; i < defines->n; i++) {
		name_of(defines->items[i], name);
		if (define_is_used(name, spec, variants))
			continue;
		(void)fault_at(why, ST_BAD_REQUEST, "-D", "no source mentions \"%s\"", name);
		nearest_macro(name, variants, near);
		if (near[0] != '\0')
			fault_hint(why, "did you mean \"%s\"?", near);
		return ST_BAD_REQUEST;
	}
	return ST_OK;
}
