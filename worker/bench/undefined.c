/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "proto/base/fault.h"
#include "worker/bench/undefined.h"

enum { LISTED = 8, READ_AT_MOST = 64 };

/* "one, two"; "none". */
static void
put_list(const char *wanted, char *lines, char *list, size_t bytes)
{
	const char	*names[READ_AT_MOST + 1], *nearest;
	char		*save = NULL;
	size_t		 n = 0, used = 0;

	for (char *w = strtok_r(lines, "\n", &save); w != NULL && n < READ_AT_MOST;
	    w = strtok_r(NULL, "\n", &save))
		names[n++] = w;
	names[n] = NULL;
	(void)snprintf(list, bytes, "none");
	for (size_t listed = 0; n > 0 && listed < LISTED && used < bytes; listed++) {
		size_t	at = 0;

		if ((nearest = nearest_name(wanted, names)) != NULL)
			while (names[at] != nearest)
				at++;
		used += (size_t)snprintf(list + used, bytes - used, "%s%s",
		    listed > 0 ? ", " : "", names[at]);
		memmove(&names[at], &names[at + 1], (n - at) * sizeof names[0]);
		n--;
	}
}

/* Has one of the lines the name between these two? */
static bool
has_name(const char *lines, const char *before, const char *wanted, const char *after)
{
	char	name[256];
	int	n = snprintf(name, sizeof name, "%s%s%s", before, wanted, after);

	return n > 0 && (size_t)n < sizeof name && strstr(lines, name) != NULL;
}

/* The routine may be there, under the name that another language gives it. */
static const char *
advice(const char *wanted, const char *lines)
{
	char	length[24];

	(void)snprintf(length, sizeof length, "_Z%zu", strlen(wanted));
	if (has_name(lines, length, wanted, ""))
		return "; in C++ declare it extern \"C\", or with the prototype's types";
	if (has_name(lines, "_MOD_", wanted, "\n"))
		return "; in a module of Fortran declare it with bind(c)";
	if (has_name(lines, "", wanted, "_\n"))
		return "; in Fortran declare it with bind(c) and its scalars with value, or let "
		    "the prototype have pointers alone";
	return "";
}

enum status
undefined_function(struct fault *why, const char *wanted, char *lines)
{
	const char	*words = advice(wanted, lines);
	char		 list[512];

	put_list(wanted, lines, list, sizeof list);
	return fault_set(why, ST_LOAD_FAILED, "there is no function \"%s\"; the object has %s%s",
	    wanted, list, words);
}
