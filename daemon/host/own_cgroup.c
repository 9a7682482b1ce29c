/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "daemon/host/cgroup.h"
#include "daemon/host/own_cgroup.h"

struct own_cgroup {
	const char	*controller;	/* of cgroup v1; "": of v2 */
	char		 path[HOSTFS_PATH_BYTES / 2];
};

static bool
is_listed(const char *list, size_t bytes, const char *word)
{
	size_t	n = strlen(word);

	for (const char *at = list; at < list + bytes; at++)
		if ((at == list || at[-1] == ',') && strncmp(at, word, n) == 0 &&
		    (at[n] == ',' || at[n] == ':'))
			return true;
	return false;
}

/* ID:CONTROLLERS:PATH, of v2 0::PATH */
static bool
is_own_cgroup(void *arg, char *line)
{
	struct own_cgroup	*own = arg;
	const char		*list = strchr(line, ':');
	const char		*path = list != NULL ? strchr(list + 1, ':') : NULL;

	if (path == NULL)
		return false;
	list++;
	if (own->controller[0] == '\0' ? path != list :
	    !is_listed(list, (size_t)(path - list), own->controller))
		return false;
	(void)snprintf(own->path, sizeof own->path, "%s", path + 1);
	return true;
}

void
own_cgroup_each(const struct hostfs *fs, const char *controller, own_cgroup_fn *fn, void *arg)
{
	struct own_cgroup	own = { .controller = controller };
	char			directory[HOSTFS_PATH_BYTES];
	size_t			root, n;

	(void)hostfs_find_line(fs, "/proc/self/cgroup", is_own_cgroup, &own);
	root = strlen(CGROUP_MOUNT) + (controller[0] != '\0' ? 1 + strlen(controller) : 0);
	(void)snprintf(directory, sizeof directory, "%s%s%.60s%.255s", CGROUP_MOUNT,
	    controller[0] != '\0' ? "/" : "", controller, own.path);
	n = strlen(directory);
	while (n > root && directory[n - 1] == '/')
		n--;
	for (;;) {
		directory[n] = '\0';
		if (fn(arg, directory) || n <= root)
			return;
		while (n > root && directory[--n] != '/')
			;
	}
}
