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

enum status
undefined_function(struct fault *why, const char *wanted, char *lines)
{
	char	list[512];

	put_list(wanted, lines, list, sizeof list);
	return fault_set(why, ST_LOAD_FAILED, "there is no function \"%s\"; the object has %s",
	    wanted, list);
}
