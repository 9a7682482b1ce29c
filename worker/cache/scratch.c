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
#include <sys/types.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "proto/base/path.h"
#include "proto/spec/spec.h"
#include "worker/cache/scratch.h"

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

static void
empty_directory(const char *path)
{
	empty_tree(open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC),
	    SPEC_MAX_FILE_DEPTH);
}

static void
remove_left_overs(const char *parent)
{
	DIR		*d = opendir(parent);
	struct dirent	*e;
	char		 path[4096];
	int		 pid;

	if (d == NULL)
		return;
	while ((e = readdir(d)) != NULL) {
		if (sscanf(e->d_name, "build.%d", &pid) != 1 || kill(pid, 0) == 0 || errno != ESRCH)
			continue;
		(void)snprintf(path, sizeof path, "%s/%s", parent, e->d_name);
		empty_directory(path);
		(void)rmdir(path);
	}
	closedir(d);
}

/*
 * A directory of ours in memory.  Any user may write to /dev/shm, so check that it is ours.  Its
 * name contains the process namespace, because left-overs are recognised by the ids of processes
 * that are gone.
 */
static bool
find_memory(char *path, size_t bytes)
{
	struct statfs	fs;
	struct stat	sb, pids;

	if (statfs("/dev/shm", &fs) == -1 || fs.f_type != TMPFS_MAGIC ||
	    (uint64_t)fs.f_bavail * (uint64_t)fs.f_bsize < MEMORY_FREE_BYTES ||
	    stat("/proc/self/ns/pid", &pids) == -1)
		return false;
	(void)snprintf(path, bytes, "/dev/shm/assay-%u-%lu", (unsigned)geteuid(),
	    (unsigned long)pids.st_ino);
	if (mkdir(path, 0700) == -1 && errno != EEXIST)
		return false;
	return lstat(path, &sb) == 0 && S_ISDIR(sb.st_mode) && sb.st_uid == geteuid() &&
	    (sb.st_mode & 077) == 0;
}

static enum status
make_below(struct scratch *s, const char *parent, struct fault *why)
{
	size_t	n = (size_t)snprintf(s->path, sizeof s->path, "%s/build.%d", parent, (int)getpid());

	if (n >= sizeof s->path) {
		s->path[0] = '\0';
		return fault_set(why, ST_IO, "%.80s…: the path is too long", parent);
	}
	if ((mkdir(parent, 0755) == -1 && errno != EEXIST) ||
	    (mkdir(s->path, 0755) == -1 && errno != EEXIST)) {
		s->path[0] = '\0';
		return fault_set(why, ST_IO, "%s: %s", parent, strerror(errno));
	}
	remove_left_overs(parent);
	scratch_empty(s);
	return ST_OK;
}

enum status
scratch_make(struct scratch *s, const char *parent, struct fault *why)
{
	char	memory[64];

	if (find_memory(memory, sizeof memory) && make_below(s, memory, NULL) == ST_OK)
		return ST_OK;
	return make_below(s, parent, why);
}

/* -1.  A directory that was removed under us is made again. */
static int
create(const struct scratch *s, const char *path)
{
	const int	flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
	const int	fd = open(path, flags, 0644);

	if (fd != -1 || errno != ENOENT || path_make_above(s->path, 0700, NULL) != ST_OK ||
	    path_make_above(path, 0755, NULL) != ST_OK)
		return fd;
	return open(path, flags, 0644);
}

enum status
scratch_put(const struct scratch *s, const char *name, const void *bytes, size_t n,
    struct fault *why)
{
	char	path[4096];
	int	fd;
	ssize_t	written = 0;

	(void)snprintf(path, sizeof path, "%s/%s", s->path, name);
	if ((fd = create(s, path)) == -1)
		return fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
	for (size_t done = 0; done < n; done += (size_t)written)
		if ((written = write(fd, (const char *)bytes + done, n - done)) <= 0)
			break;
	if (written == -1 || (written == 0 && n > 0))
		(void)fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
	close(fd);
	return written == -1 || (written == 0 && n > 0) ? ST_IO : ST_OK;
}

enum status
scratch_let_run(const struct scratch *s, const char *name, struct fault *why)
{
	char	path[4096];

	(void)snprintf(path, sizeof path, "%s/%s", s->path, name);
	return chmod(path, 0755) == 0 ? ST_OK :
	    fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
}

void
scratch_empty(const struct scratch *s)
{
	if (s->path[0] != '\0')
		empty_directory(s->path);
}

void
scratch_remove(struct scratch *s)
{
	if (s->path[0] == '\0')
		return;
	scratch_empty(s);
	(void)rmdir(s->path);
	s->path[0] = '\0';
}
