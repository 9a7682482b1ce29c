/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "daemon/host/cgroup.h"

enum { RMDIR_TRIES = 200, RMDIR_PAUSE_NS = 10000000 };

bool
cgroup_lists(const char *list, const char *word)
{
	size_t	n = strlen(word);

	for (const char *at = list; (at = strstr(at, word)) != NULL; at += n)
		if ((at == list || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0'))
			return true;
	return false;
}

int
cgroup_end(const struct hostfs *fs, const char *path)
{
	const struct timespec	pause = { 0, RMDIR_PAUSE_NS };
	char			file[HOSTFS_PATH_BYTES];
	int			rc;

	(void)snprintf(file, sizeof file, "%.480s/cgroup.kill", path);
	(void)hostfs_write(fs, file, "1");
	rc = hostfs_rmdir(fs, path);
	for (unsigned i = 0; rc == EBUSY && i < RMDIR_TRIES; i++) {
		(void)nanosleep(&pause, NULL);
		rc = hostfs_rmdir(fs, path);
	}
	return rc;
}
