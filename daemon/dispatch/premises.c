/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/dispatch/premises.h"
#include "proto/base/log.h"

enum { PATH_BYTES = 4200, ROOM_BYTES = 256 << 10 };	/* room: as much as one job's objects */

static enum status
fault_of(const char *path, struct fault *why)
{
	return fault_set(why, ST_IO, "%.200s: %s", path, strerror(errno));
}

static enum status
write_room(int fd)
{
	static const char	zeros[4096];

	for (size_t done = 0; done < ROOM_BYTES; done += sizeof zeros)
		if (write(fd, zeros, sizeof zeros) != (ssize_t)sizeof zeros)
			return ST_IO;
	return ST_OK;
}

/* The cache looks for left-overs of this form when a builder starts. */
static enum status
try_room(const char *dir, struct fault *why)
{
	char		path[PATH_BYTES + 40];
	enum status	st;
	int		fd;

	(void)snprintf(path, sizeof path, "%s/new.%d.room", dir, (int)getpid());
	if ((fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600)) == -1)
		return fault_of(dir, why);
	if ((st = write_room(fd)) != ST_OK)
		st = fault_of(dir, why);
	(void)close(fd);
	(void)unlink(path);
	return st;
}

static enum status
check_directory(const char *state_dir, const char *name, struct fault *why)
{
	char	path[PATH_BYTES];

	(void)snprintf(path, sizeof path, "%.4000s/%s", state_dir, name);
	if (mkdir(path, 0755) == 0)
		log_warn("%s was not there: it is made", path);
	else if (errno != EEXIST)
		return fault_of(path, why);
	return try_room(path, why);
}

enum status
premises_check(const char *state_dir, struct fault *why)
{
	enum status	st = check_directory(state_dir, "cache", why);

	return st == ST_OK ? check_directory(state_dir, "scratch", why) : st;
}
