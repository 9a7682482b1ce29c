/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "worker/bench/proc/filters.h"

enum { OWN = 2, STATUS_BYTES = 8192 };		/* OWN: filters that a child installs */

struct counted {
	int	parent, filters;	/* -1: not reported */
};

/* The number on a line of /proc/PID/status; the name on its first line is the process's own. */
static int
number_at(const char *text, const char *label)
{
	const char	*line = strstr(text, label);

	return line != NULL ? atoi(line + strlen(label)) : -1;
}

static bool
read_status(const char *proc, const char *whose, struct counted *out)
{
	char	path[4096], text[STATUS_BYTES];
	size_t	used = 0;
	ssize_t	n;
	int	fd;

	*out = (struct counted){ -1, -1 };
	(void)snprintf(path, sizeof path, "%s/%s/status", proc, whose);
	if ((fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
		return false;
	while (used < sizeof text - 1 && (n = read(fd, text + used, sizeof text - 1 - used)) > 0)
		used += (size_t)n;
	(void)close(fd);
	text[used] = '\0';
	out->parent = number_at(text, "\nPPid:\t");
	out->filters = number_at(text, "\nSeccomp_filters:\t");
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

/* false: it has ended. */
static bool
know_template(const char *proc, int parent, struct filters_known *t)
{
	struct counted	its;

	if (t->is_known && t->parent == parent)
		return true;
	if (!read_of(proc, parent, &its))
		return false;
	t->is_known = true;
	t->parent = parent;
	t->filters = its.filters;
	return true;
}

const char *
filters_fault(const char *proc, pid_t pid, struct filters_known *t)
{
	struct counted	child;

	if (!t->are_counted && !(t->are_counted = filters_are_counted(proc)))
		return NULL;
	if (pid <= 0)
		return "the variant hid its process from the supervisor";
	if (!read_of(proc, (int)pid, &child) || !know_template(proc, child.parent, t))
		return NULL;
	return child.filters == t->filters + OWN ? NULL :
	    "the variant changed the filter of its system calls";
}
