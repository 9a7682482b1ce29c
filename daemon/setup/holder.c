/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "daemon/setup/holder.h"

enum { NAME_BYTES = 32, LOCKS_BYTES = 1 << 20, READINGS = 20 };

/* Into `text`, which is cut off at its end; false: it cannot be read. */
static bool
read_locks(char *text, size_t bytes)
{
	int	fd = open("/proc/locks", O_RDONLY | O_CLOEXEC);
	size_t	used = 0;
	ssize_t	n = 0;

	if (fd < 0)
		return false;
	while (used < bytes - 1 && (n = read(fd, text + used, bytes - 1 - used)) > 0)
		used += (size_t)n;
	(void)close(fd);
	text[used] = '\0';
	return n >= 0;
}

/* 0: not in this reading. */
static int
find_pid(const char *locks, const char *inode)
{
	const char	*line = locks, *end;
	int		 pid;

	for (; (end = strchr(line, '\n')) != NULL; line = end + 1) {
		const char	*at = memmem(line, (size_t)(end - line), inode, strlen(inode));

		if (at != NULL && sscanf(line, "%*d: FLOCK ADVISORY WRITE %d", &pid) == 1)
			return pid;
	}
	return 0;
}

/*
 * 0: unknown.  The kernel gives out the list a page at a time, by position: a lock that goes
 * between two pages hides another one in that reading.
 */
static int
pid_of(const struct stat *sb)
{
	char	inode[80], *locks = malloc(LOCKS_BYTES);
	int	pid = 0;

	(void)snprintf(inode, sizeof inode, " %02x:%02x:%llu ", major(sb->st_dev),
	    minor(sb->st_dev), (unsigned long long)sb->st_ino);
	for (unsigned i = 0; locks != NULL && pid == 0 && i < READINGS; i++)
		if (read_locks(locks, LOCKS_BYTES))
			pid = find_pid(locks, inode);
	free(locks);
	return pid;
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
