/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "daemon/setup/holder.h"

enum { NAME_BYTES = 32 };

/* 0: unknown. */
static int
pid_of(const struct stat *sb)
{
	char	 line[256], inode[80];
	FILE	*f = fopen("/proc/locks", "re");
	int	 pid, found = 0;

	if (f == NULL)
		return 0;
	(void)snprintf(inode, sizeof inode, " %02x:%02x:%llu ", major(sb->st_dev),
	    minor(sb->st_dev), (unsigned long long)sb->st_ino);
	while (found == 0 && fgets(line, sizeof line, f) != NULL)
		if (strstr(line, inode) != NULL &&
		    sscanf(line, "%*d: FLOCK ADVISORY WRITE %d", &pid) == 1)
			found = pid;
	(void)fclose(f);
	return found;
}

static void
name_of(int pid, char name[NAME_BYTES])
{
	char	 path[64];
	FILE	*f;

	(void)strcpy(name, "?");
	(void)snprintf(path, sizeof path, "/proc/%d/comm", pid);
	if ((f = fopen(path, "re")) == NULL)
		return;
	if (fgets(name, NAME_BYTES, f) != NULL)
		name[strcspn(name, "\n")] = '\0';
	(void)fclose(f);
}

bool
holder_of(int fd, char text[HOLDER_BYTES])
{
	struct stat	sb;
	char		name[NAME_BYTES];
	int		pid;

	text[0] = '\0';
	if (fstat(fd, &sb) != 0 || (pid = pid_of(&sb)) <= 0)
		return false;
	name_of(pid, name);
	(void)snprintf(text, HOLDER_BYTES, "process %d (%s)", pid, name);
	return true;
}
