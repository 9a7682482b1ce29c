/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "proto/base/path.h"
#include "worker/cache/own_dir.h"
#include "worker/cache/scratch.h"

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
	own_dir_clean(parent);
	scratch_empty(s);
	return ST_OK;
}

enum status
scratch_make(struct scratch *s, const char *parent, struct fault *why)
{
	char	memory[64];

	if (own_dir_in_memory(memory, sizeof memory, false) && make_below(s, memory, NULL) == ST_OK)
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
		own_dir_empty(s->path);
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
