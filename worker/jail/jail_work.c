/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "worker/jail/jail.h"
#include "worker/jail/jail_work.h"

/* a build's temporary files and its object, several times */
#define LIMITS	"size=256m,nr_inodes=8192,mode=755"

enum { FOLDERS_DEEP = 8 };		/* of a variant's files (SPEC_MAX_FILE_DEPTH) */

/* A file and nothing else, which might block or lead elsewhere. */
static int
open_file(int dir, const char *name, struct stat *sb)
{
	int	fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd == -1)
		return -1;
	if (fstat(fd, sb) == 0 && S_ISREG(sb->st_mode))
		return fd;
	close(fd);
	errno = ELOOP;
	return -1;
}

/* Up to `bytes` of them; a process that writes meanwhile gets its own writes. */
static int
copy(int from, int to, off_t bytes)
{
	while (bytes > 0) {
		ssize_t	n = sendfile(to, from, NULL, (size_t)bytes);

		if (n <= 0)
			return (int)n;
		bytes -= n;
	}
	return 0;
}

static int
copy_file(int from_dir, const char *name, int to_dir)
{
	struct stat	sb;
	int		from = open_file(from_dir, name, &sb), to, st;

	if (from == -1)
		return errno == ELOOP ? 0 : -1;
	to = openat(to_dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, sb.st_mode & 0777);
	st = to == -1 ? -1 : copy(from, to, sb.st_size);
	close(from);
	if (to != -1 && close(to) == -1)
		st = -1;
	return st;
}

static int
open_folder(int dir, const char *name)
{
	return openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static int	copy_tree(int from, int to, unsigned depth);

static int
copy_entry(int from, const struct dirent *e, int to, unsigned depth)
{
	if (e->d_type == DT_REG || e->d_type == DT_UNKNOWN)
		return copy_file(from, e->d_name, to);
	if (e->d_type != DT_DIR || depth == 0 || strcmp(e->d_name, ".") == 0 ||
	    strcmp(e->d_name, "..") == 0)
		return 0;
	if (mkdirat(to, e->d_name, 0755) == -1)
		return -1;
	return copy_tree(open_folder(from, e->d_name), open_folder(to, e->d_name), depth - 1);
}

/* Closes both. */
static int
copy_tree(int from, int to, unsigned depth)
{
	DIR		*d = from != -1 ? fdopendir(from) : NULL;
	struct dirent	*e;
	int		 st = d != NULL && to != -1 ? 0 : -1;

	while (st == 0 && (e = readdir(d)) != NULL)
		st = copy_entry(from, e, to, depth);
	if (d != NULL)
		closedir(d);
	else if (from != -1)
		close(from);
	if (to != -1)
		close(to);
	return st;
}

int
jail_work_make(const char *from, const char *to)
{
	if (mkdir(to, 0755) == -1 ||
	    mount("assay-work", to, "tmpfs", MS_NOSUID | MS_NODEV, LIMITS) == -1)
		return -1;
	return copy_tree(open_folder(AT_FDCWD, from), open_folder(AT_FDCWD, to), FOLDERS_DEEP);
}

/* The result of this name, and how much of it is handed out. */
static int
open_result(const char *dir, const char *name, off_t *bytes)
{
	struct stat	sb;
	int		at = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int		from = at == -1 ? -1 : open_file(at, name, &sb);

	if (from != -1)
		*bytes = sb.st_size < JAIL_RESULT_BYTES ? sb.st_size : JAIL_RESULT_BYTES;
	if (at != -1)
		close(at);
	return from;
}

void
jail_work_hand_out(const char *dir, const char *name, int to)
{
	off_t	bytes;
	int	from = open_result(dir, name, &bytes);

	if (from == -1)
		return;
	(void)copy(from, to, bytes);
	close(from);
}

void
jail_work_hand_out_next(const char *dir, const char *name, int to)
{
	off_t		bytes = 0;
	int		from = open_result(dir, name, &bytes);
	const uint64_t	length = (uint64_t)bytes;

	if (write(to, &length, sizeof length) == sizeof length && from != -1)
		(void)copy(from, to, bytes);
	if (from != -1)
		close(from);
}
