/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/types.h>
#include <unistd.h>

#include "proto/spec/spec.h"
#include "worker/cache/own_dir.h"

/* Room in /dev/shm without which builds go to disk: several times the files of one build. */
#define MEMORY_FREE_BYTES	((uint64_t)256 << 20)

/* Of the tree in `fd`, which is closed.  What lies deeper than the files of a variant may stay. */
static void
empty_tree(int fd, unsigned depth)
{
	DIR		*d = fd != -1 ? fdopendir(fd) : NULL;
	struct dirent	*e;

	while (d != NULL && (e = readdir(d)) != NULL) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ||
		    unlinkat(dirfd(d), e->d_name, 0) == 0)
			continue;
		if (depth > 0)
			empty_tree(openat(dirfd(d), e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW |
			    O_CLOEXEC), depth - 1);
		(void)unlinkat(dirfd(d), e->d_name, AT_REMOVEDIR);
	}
	if (d != NULL)
		closedir(d);
	else if (fd != -1)
		close(fd);
}

void
own_dir_empty(const char *path)
{
	empty_tree(open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC),
	    SPEC_MAX_FILE_DEPTH);
}

void
own_dir_clean(const char *parent)
{
	DIR		*d = opendir(parent);
	struct dirent	*e;
	char		 path[4096];
	int		 pid;

	if (d == NULL)
		return;
	while ((e = readdir(d)) != NULL) {
		if (sscanf(e->d_name, "%*[a-z].%d", &pid) != 1 || kill(pid, 0) == 0 ||
		    errno != ESRCH)
			continue;
		(void)snprintf(path, sizeof path, "%s/%s", parent, e->d_name);
		own_dir_empty(path);
		(void)rmdir(path);
	}
	closedir(d);
}

/*
 * Any user may write to /dev/shm, so check that it is ours.  Its name contains the process
 * namespace, because left-overs are recognised by the ids of processes that are gone.
 */
bool
own_dir_in_memory(char *path, size_t bytes, bool runs)
{
	struct statfs	fs;
	struct stat	sb, pids;

	if (statfs("/dev/shm", &fs) == -1 || fs.f_type != TMPFS_MAGIC ||
	    (uint64_t)fs.f_bavail * (uint64_t)fs.f_bsize < MEMORY_FREE_BYTES ||
	    (runs && (fs.f_flags & ST_NOEXEC) != 0) ||
	    stat("/proc/self/ns/pid", &pids) == -1)
		return false;
	(void)snprintf(path, bytes, "/dev/shm/assay-%u-%lu", (unsigned)geteuid(),
	    (unsigned long)pids.st_ino);
	if (mkdir(path, 0700) == -1 && errno != EEXIST)
		return false;
	return lstat(path, &sb) == 0 && S_ISDIR(sb.st_mode) && sb.st_uid == geteuid() &&
	    (sb.st_mode & 077) == 0;
}
