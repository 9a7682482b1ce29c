/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "proto/base/name.h"
#include "worker/build/recipe/mentions.h"

static bool
has(const struct variant *v, const char *what)
{
	return memmem(v->source, v->source_bytes, what, strlen(what)) != NULL;
}

bool
mentions_macro(const struct variant *v, const char *name)
{
	/* a line may end in the middle of a name, and a trigraph or a digraph stand for # */
	if (v->nfiles > 0 || has(v, "include") || has(v, "##") || has(v, "%:") || has(v, "\\\n") ||
	    has(v, "\?\?") || has(v, "__VA_OPT__"))
		return true;
	for (size_t i = 0; i < v->ndefines; i++)
		if (name_is_in(name, v->defines[i].text, strlen(v->defines[i].text)))
			return true;
	for (size_t i = 0; i < v->nflags; i++)
		if (name_is_in(name, v->flags[i], strlen(v->flags[i])) ||
		    strncmp(v->flags[i], "-D", 2) == 0)
			return true;
	return name_is_in(name, v->source, v->source_bytes);
}
