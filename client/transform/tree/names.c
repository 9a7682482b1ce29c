/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "client/transform/tree/names.h"
#include "proto/base/name.h"

struct names {
	struct arena	 *arena;
	const char	**taken;
	size_t		  n;
};

static bool
is_taken(const struct names *s, const char *name)
{
	for (size_t i = 0; i < s->n; i++)
		if (strcmp(s->taken[i], name) == 0)
			return true;
	return false;
}

static void
take_name(struct names *s, const char *name)
{
	if (is_taken(s, name))
		return;
	s->taken = arena_grow(s->arena, s->taken, s->n, sizeof *s->taken);
	s->taken[s->n++] = name;
}

struct names *
names_new(struct arena *a, const char *source)
{
	struct names	*s = arena_take(a, sizeof *s);
	size_t		 bytes;

	s->arena = a;
	for (const char *at = source; *at != '\0'; at += bytes > 0 ? bytes : 1)
		if ((bytes = name_length(at)) > 0)
			take_name(s, arena_text(a, at, bytes));
	return s;
}

const char *
names_fresh(struct names *s, const char *wanted)
{
	const char	*name = wanted;

	for (unsigned i = 2; is_taken(s, name); i++)
		name = arena_format(s->arena, "%s%u", wanted, i);
	take_name(s, name);
	return name;
}
