/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "worker/build/unit/read/unit_attributes.h"
#include "worker/build/unit/read/unit_words.h"

static const char *const	names[] = {
	"aligned", "__aligned__", "vector_size", "__vector_size__", "may_alias", "__may_alias__",
	"unused", "__unused__", "always_inline", "__always_inline__", "noinline", "__noinline__",
	"noclone", "__noclone__", "flatten", "__flatten__", NULL
};

bool
unit_attributes_has(const char *name)
{
	return unit_is_one_of(name, strlen(name), names);
}

bool
unit_attributes_are_no_macros(const struct unit_macros *m)
{
	for (const char *const *name = names; *name != NULL; name++)
		if (unit_macros_has(m, *name, strlen(*name)))
			return false;
	return true;
}

/* ---- attributes ---- */

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

	if (!unit_is_one_of(at, n, names))
		return NULL;
	at = unit_skip_space(at + n);
	if (*at == '(' && (at = skip_brackets(at)) != NULL)
		at = unit_skip_space(at);
	return at;
}

bool
unit_is_attribute(const char *at, size_t n)
{
	return unit_is_one_of(at, n, (const char *const[]){ "__attribute__", "__attribute",
	    "_Alignas", "alignas", NULL });
}

size_t
unit_attributes_bytes(const char *at)
{
	const char	*open = unit_skip_space(at);
	const char	*end = *open == '(' ? skip_brackets(open) : NULL;

	return end != NULL ? (size_t)(end - at) : 0;
}

bool
unit_attributes_fit(const char *at)
{
	at = unit_skip_space(at);
	if (*at != '(' || *(at = unit_skip_space(at + 1)) != '(')
		return false;
	do
		at = skip_one(unit_skip_space(at + 1));
	while (at != NULL && *at == ',');
	return at != NULL && *at == ')' && *unit_skip_space(at + 1) == ')';
}
