/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/setup/state_lock.h"
#include "proto/base/clock.h"

enum { WAIT_MS = 10000, LOOK_MS = 5 };

/*
 * Bytes of the file: who answers locks the first, who times both, in one step.  So the second one
 * shows at any moment, without a race, whether its holder times.
 */
static struct flock
range(off_t begin, off_t end)
{
	return (struct flock){ .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = begin,
	    .l_len = end - begin };
}

static bool
holder_times(int fd)
{
	struct flock	second = range(1, 2);

	return fcntl(fd, F_OFD_GETLK, &second) != 0 || second.l_type != F_UNLCK;
}

static bool
take(int fd, bool answers_only)
{
	const int64_t	deadline_ms = clock_now_ms() + WAIT_MS;
	struct flock	wanted = range(0, answers_only ? 1 : 2);

	while (fcntl(fd, F_OFD_SETLK, &wanted) != 0) {
		if ((errno != EAGAIN && errno != EACCES && errno != EINTR) || holder_times(fd) ||
		    clock_now_ms() > deadline_ms)
			return false;
		(void)poll(NULL, 0, LOOK_MS);
	}
	return true;
}

static bool
sign(int fd, const char *socket_path)
{
	char	text[PATH_MAX + 1];
	int	n = snprintf(text, sizeof text, "%.*s\n", PATH_MAX - 1, socket_path);

	return ftruncate(fd, 0) == 0 && pwrite(fd, text, (size_t)n, 0) == n;
}

enum status
state_lock(const char *dir, const char *socket_path, bool answers_only, struct fault *why)
{
	char	path[PATH_MAX];
	int	fd;

	(void)snprintf(path, sizeof path, "%.4000s/lock", dir);
	if ((fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600)) < 0)
		return fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
	if (!take(fd, answers_only)) {
		(void)close(fd);
		(void)fault_set(why, ST_CONFLICT, "%s is in use by another assayd", dir);
		fault_hint(why, "use that one, or give --state another directory");
		return ST_CONFLICT;
	}
	if (sign(fd, socket_path))
		return ST_OK;
	(void)fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
	(void)close(fd);
	return ST_IO;
}
