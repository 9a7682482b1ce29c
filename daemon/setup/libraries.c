/* SPDX-License-Identifier: Apache-2.0 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/setup/libraries.h"
#include "proto/text/library_list.h"

#if defined(__x86_64__)
#define MULTIARCH	"/usr/lib/x86_64-linux-gnu"
#elif defined(__aarch64__)
#define MULTIARCH	"/usr/lib/aarch64-linux-gnu"
#else
#define MULTIARCH	"/usr/lib"
#endif

/* The first file that fits; of several versions the last by name. */
static bool
find_pattern(const char *folder, const char *name, const char *ending, struct listed_library *l)
{
	char	pattern[LIBRARY_PATH_BYTES];
	glob_t	found;
	bool	is_found;

	(void)snprintf(pattern, sizeof pattern, "%s/lib%s%s", folder, name, ending);
	is_found = glob(pattern, 0, NULL, &found) == 0 && found.gl_pathc > 0 &&
	    strlen(found.gl_pathv[found.gl_pathc - 1]) < sizeof l->path;
	if (is_found)
		(void)snprintf(l->path, sizeof l->path, "%s", found.gl_pathv[found.gl_pathc - 1]);
	globfree(&found);
	return is_found;
}

static bool
find_file(struct listed_library *l)
{
	static const char *const	folders[] = { "/usr/local/lib", MULTIARCH, "/usr/lib64",
					    "/usr/lib" };
	static const char *const	endings[] = { ".so", ".so.*", ".a" };

	for (size_t e = 0; e < sizeof endings / sizeof endings[0]; e++)
		for (size_t f = 0; f < sizeof folders / sizeof folders[0]; f++)
			if (find_pattern(folders[f], l->name, endings[e], l))
				return true;
	return false;
}

static enum status
refuse(const struct listed_library *l, const char *reason, struct fault *why)
{
	enum status	st;

	st = fault_set(why, ST_BAD_REQUEST, "\"%s\": %s", l->name, reason);
	fault_hint(why, "install its development package, or give its file: %s=/usr/lib/...",
	    l->name);
	return st;
}

static enum status
resolve(struct listed_library *l, struct fault *why)
{
	char		*real;
	enum status	 st = name_check_library(l->name, why);

	if (st != ST_OK)
		return ST_BAD_REQUEST;
	if (l->path[0] == '\0' && !find_file(l))
		return refuse(l, "there is no such library", why);
	if (l->path[0] != '/')
		return refuse(l, "its file must be a whole path", why);
	if (access(l->path, R_OK) == -1 || (real = realpath(l->path, NULL)) == NULL)
		return refuse(l, "its file cannot be read", why);
	st = library_check_place(real, why);
	free(real);
	return st == ST_OK ? ST_OK : ST_BAD_REQUEST;
}

static enum status
add(FILE *to, const struct listed_library *l, const char *before, struct fault *why)
{
	struct listed_library	same;

	if (library_list_find(before, l->name, &same))
		return fault_set(why, ST_BAD_REQUEST, "\"%s\" is there twice", l->name);
	(void)fprintf(to, "%s%s=%s", before[0] != '\0' ? " " : "", l->name, l->path);
	return fflush(to) == 0 ? ST_OK : fault_set(why, ST_NOMEM, "libraries");
}

/* ---- what variants name ---- */

static enum status
refuse_name(const char *list, const char *name, const char *member, struct fault *why)
{
	struct listed_library	l;
	char			names[160] = "";
	size_t			used = 0;
	enum status		st;

	for (; (list = library_list_next(list, &l)) != NULL && used < sizeof names;)
		used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
		    used > 0 ? ", " : "", l.name);
	st = fault_at(why, ST_BAD_SPEC, "libraries",
	    "this server lets no variant be linked with \"%s\"", name);
	if (names[0] != '\0')
		fault_hint(why, "it lists %s", names);
	else
		fault_hint(why, "its operator can: libraries = %s in assayd.conf", name);
	return fault_within(why, member) == ST_OK ? ST_OK : st;
}

enum status
libraries_check(const char *list, const struct variant *v, const char *member, struct fault *why)
{
	struct listed_library	l;

	for (size_t i = 0; i < v->nlibraries; i++)
		if (!library_list_find(list, v->libraries[i], &l))
			return refuse_name(list, v->libraries[i], member, why);
	return ST_OK;
}

/* ---- the list ---- */

enum status
libraries_resolve(const char *list, char **out, struct fault *why)
{
	struct listed_library	 l;
	char			*text = NULL;
	size_t			 bytes;
	FILE			*to = open_memstream(&text, &bytes);
	const char		*next;
	enum status		 st = to != NULL && fflush(to) == 0 ? ST_OK :
				    fault_set(why, ST_NOMEM, "libraries");

	for (; st == ST_OK && (next = library_list_next(list, &l)) != NULL; list = next)
		if ((st = resolve(&l, why)) == ST_OK)
			st = add(to, &l, text, why);
	if (st == ST_OK && list[strspn(list, " ,")] != '\0')
		st = fault_set(why, ST_BAD_REQUEST, "\"%.40s\" is neither a name nor NAME=FILE",
		    list);
	if (to != NULL && fclose(to) != 0 && st == ST_OK)
		st = fault_set(why, ST_NOMEM, "libraries");
	if (st != ST_OK) {
		free(text);
		return st;
	}
	free(*out);
	*out = text;
	return ST_OK;
}
