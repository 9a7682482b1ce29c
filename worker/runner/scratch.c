/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "worker/runner/scratch.h"

/* A routine can make plain files there, and nothing else. */
void
rt_scratch_clear(const char *path)
{
	DIR		*dir = path[0] != '\0' ? opendir(path) : NULL;
	struct dirent	*entry;

	if (dir == NULL)
		return;
	while ((entry = readdir(dir)) != NULL)
		if (entry->d_type == DT_REG)
			(void)unlinkat(dirfd(dir), entry->d_name, 0);
	closedir(dir);
}
