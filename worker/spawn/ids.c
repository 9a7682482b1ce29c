/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "worker/spawn/ids.h"

static struct ids
ids_from(unsigned uid, unsigned gid)
{
	struct ids	ids;

	(void)snprintf(ids.uid_map, sizeof ids.uid_map, "%u %u 1", uid, (unsigned)geteuid());
	(void)snprintf(ids.gid_map, sizeof ids.gid_map, "%u %u 1", gid, (unsigned)getegid());
	return ids;
}

struct ids
ids_as_root(void)
{
	return ids_from(0, 0);
}

struct ids
ids_as_ours(void)
{
	return ids_from(geteuid(), getegid());
}

static bool
put_file(const char *path, const char *text)
{
	int	fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t	n;

	if (fd == -1)
		return false;
	n = write(fd, text, strlen(text));
	close(fd);
	return n == (ssize_t)strlen(text);
}

bool
ids_map(const struct ids *ids)
{
	return put_file("/proc/self/setgroups", "deny") &&
	    put_file("/proc/self/uid_map", ids->uid_map) &&
	    put_file("/proc/self/gid_map", ids->gid_map);
}
