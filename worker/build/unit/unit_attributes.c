/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "worker/build/unit/unit_attributes.h"
#include "worker/build/unit/unit_words.h"

static bool
is_known(const char *at, size_t n)
{
	static const char *const	names[] = {
		"aligned", "__aligned__", "vector_size", "__vector_size__", "may_alias",
		"__may_alias__", "unused", "__unused__", NULL
	};

	return unit_is_one_of(at, n, names);
}

/* ---- macros ---- */

static bool
is_name_known(const char *name)
{
	return is_known(name, strlen(name));
}

bool
unit_attributes_are_no_macros(const struct job *job, const char *clean)
{
	const struct variant	*v = &job->variant;

	for (size_t i = 0; i < v->ndefines; i++)
		if (is_name_known(v->defines[i].name))
			return false;
	for (size_t i = 0; i < job->spec.nparams; i++)
		if (is_name_known(job->spec.params[i].name))
			return false;
	for (const char *line = clean; *line != '\0'; line = unit_next_line(line)) {
		const char	*name = unit_directive(line, "define");

		if (name != NULL && is_known(name, unit_word_bytes(name)))
			return false;
	}
	return true;
}

/* ---- attributes ---- */

static const char *
skip_space(const char *at)
{
	return at + strspn(at, " \t\n");
}

/* Behind the bracket that closes the one at `at`; NULL: none does. */
static const char *
skip_brackets(const char *at)
{
	char	nest[NEST_MOST];
	size_t	depth = 0;

	for (; *at != '\0'; at++) {
		if (!unit_nest(nest, &depth, *at))
			return NULL;
		if (depth == 0)
			return at + 1;
	}
	return NULL;
}

/* Behind one attribute and the blanks that follow it; NULL: of another kind. */
static const char *
skip_one(const char *at)
{
	const size_t	n = unit_word_bytes(at);

	if (!is_known(at, n))
		return NULL;
	at = skip_space(at + n);
	if (*at == '(' && (at = skip_brackets(at)) != NULL)
		at = skip_space(at);
	return at;
}

bool
unit_attributes_fit(const char *at)
{
	at = skip_space(at);
	if (*at != '(' || *(at = skip_space(at + 1)) != '(')
		return false;
	do
		at = skip_one(skip_space(at + 1));
	while (at != NULL && *at == ',');
	return at != NULL && *at == ')' && *skip_space(at + 1) == ')';
}
