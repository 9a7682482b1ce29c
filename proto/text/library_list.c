/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "proto/text/library_list.h"

#define BLANKS	" ,"

const char *
library_list_next(const char *list, struct listed_library *out)
{
	size_t	name, path;

	if (list == NULL)
		return NULL;
	list += strspn(list, BLANKS);
	name = strcspn(list, "=" BLANKS);
	if (name == 0 || name >= sizeof out->name)
		return NULL;
	(void)snprintf(out->name, sizeof out->name, "%.*s", (int)name, list);
	list += name;
	list += *list == '=';
	path = strcspn(list, BLANKS);
	if (path >= sizeof out->path)
		return NULL;
	(void)snprintf(out->path, sizeof out->path, "%.*s", (int)path, list);
	return list + path;
}

bool
library_list_find(const char *list, const char *name, struct listed_library *out)
{
	while ((list = library_list_next(list, out)) != NULL)
		if (strcmp(out->name, name) == 0)
			return true;
	return false;
}

enum status
library_check_place(const char *path, struct fault *why)
{
	static const char *const	shown[] = { "/usr/", "/lib/", "/lib64/", "/lib32/" };
	enum status			st;

	for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++)
		if (name_starts(path, shown[i]))
			return ST_OK;
	st = fault_set(why, ST_BAD_SPEC, "%s: jails do not show this directory", path);
	fault_hint(why, "install the library below /usr, /usr/local for example");
	return st;
}
