/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "worker/bench/filters.h"

enum { OWN = 2 };		/* filters that a child installs */

struct counted {
	int	parent, filters;	/* -1: not reported */
};

static bool
read_status(const char *proc, const char *whose, struct counted *out)
{
	char	 path[4096], *line = NULL;
	size_t	 bytes = 0;
	FILE	*f;

	*out = (struct counted){ -1, -1 };
	(void)snprintf(path, sizeof path, "%s/%s/status", proc, whose);
	if ((f = fopen(path, "re")) == NULL)
		return false;
	while (getline(&line, &bytes, f) > 0)
		if (sscanf(line, "PPid: %d", &out->parent) != 1)
			(void)sscanf(line, "Seccomp_filters: %d", &out->filters);
	free(line);
	(void)fclose(f);
	return out->filters >= 0;
}

static bool
read_of(const char *proc, int pid, struct counted *out)
{
	char	whose[16];

	(void)snprintf(whose, sizeof whose, "%d", pid);
	return read_status(proc, whose, out);
}

bool
filters_are_counted(const char *proc)
{
	struct counted	own;

	return read_status(proc, "self", &own);
}

const char *
filters_fault(const char *proc, pid_t pid)
{
	struct counted	child, template;

	if (!filters_are_counted(proc))
		return NULL;
	if (pid <= 0)
		return "the variant hid its process from the supervisor";
	if (!read_of(proc, (int)pid, &child) || !read_of(proc, child.parent, &template))
		return NULL;
	return child.filters == template.filters + OWN ? NULL :
	    "the variant changed the filter of its system calls";
}
