/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "proto/base/fnv.h"
#include "proto/text/hidden.h"

enum { WORD_BITS = 48 };

/* By the last part of a path. */
static bool
is_named_so(const char *name)
{
	const char	*dot = strrchr(name, '.');
	const char	*last = dot != NULL ? dot + 1 : name;

	return strcmp(last, "source") == 0 || strcmp(last, "files") == 0;
}

static bool
has_source(const json_t *value)
{
	const char	*name;
	json_t		*each;
	size_t		 i;

	if (json_is_string(value))
		return strpbrk(json_string_value(value), "\r\n") != NULL;
	json_array_foreach(value, i, each)
		if (has_source(each))
			return true;
	json_object_foreach((json_t *)(uintptr_t)value, name, each)
		if (is_named_so(name) || has_source(each))
			return true;
	return false;
}

bool
hidden_is_source(const char *name, const json_t *value)
{
	return is_named_so(name) || has_source(value);
}

json_t *
hidden_word(const json_t *source)
{
	char	*text = json_dumps(source, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY);
	json_t	*word = NULL;

	if (text != NULL)
		word = json_sprintf("#%012llx", (unsigned long long)(fnv1a(text) >>
		    (64 - WORD_BITS)));
	free(text);
	return word;
}

unsigned
hidden_replace(json_t *members)
{
	const char	*name;
	json_t		*value, *word;
	unsigned	 n = 0;

	json_object_foreach(members, name, value) {
		if (!hidden_is_source(name, value))
			continue;
		word = hidden_word(value);
		(void)json_object_set_new(members, name, word != NULL ? word : json_null());
		n++;
	}
	return n;
}
