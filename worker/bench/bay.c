/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "worker/bench/bay.h"
#include "worker/cache/own_dir.h"

#define COPY_BYTES	(1 << 20)

static bool
path_in(const struct bay *bay, const char *name, char *buf, size_t bytes)
{
	return (size_t)snprintf(buf, bytes, "%s/%s", bay->path, name) < bytes;
}

static enum status
make_below(struct bay *bay, const char *parent, struct fault *why)
{
	enum status	st = ST_OK;

	if (mkdir(parent, 0755) != 0 && errno != EEXIST)
		return fault_set(why, ST_INTERNAL, "%s: %s", parent, strerror(errno));
	own_dir_clean(parent);
	if ((size_t)snprintf(bay->path, sizeof bay->path, "%s/bay.%d.XXXXXX", parent,
	    (int)getpid()) >= sizeof bay->path)
		st = fault_set(why, ST_INTERNAL, "the path of the scratch directory is too long");
	else if (mkdtemp(bay->path) == NULL || chmod(bay->path, 0755) != 0)
		st = fault_set(why, ST_INTERNAL, "%s: %s", bay->path, strerror(errno));
	if (st != ST_OK)
		bay->path[0] = '\0';
	return st;
}

enum status
bay_make(struct bay *bay, const char *scratch_dir, bool links, struct fault *why)
{
	char	memory[64];

	if (!links && own_dir_in_memory(memory, sizeof memory, true) &&
	    make_below(bay, memory, NULL) == ST_OK)
		return ST_OK;
	return make_below(bay, scratch_dir, why);
}

bool
bay_links(const char *object_path)
{
	struct stat	st;

	return stat(object_path, &st) == 0 && st.st_size > COPY_BYTES;
}

/* No more than `most` bytes. */
static bool
copy(const char *from, const char *to, off_t most)
{
	int		in = open(from, O_RDONLY | O_CLOEXEC), out = -1;
	struct stat	st;
	bool		ok = false;

	if (in < 0 || fstat(in, &st) != 0 || st.st_size > most ||
	    (out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644)) < 0)
		goto done;
	while (st.st_size > 0) {
		ssize_t	n = sendfile(out, in, NULL, (size_t)st.st_size);

		if (n <= 0)
			goto done;
		st.st_size -= n;
	}
	ok = true;
done:
	if (in >= 0)
		close(in);
	if (out >= 0 && close(out) != 0)
		ok = false;
	return ok;
}

enum status
bay_put(struct bay *bay, const char *object_path, const char *name, struct fault *why)
{
	char	path[4096];

	if (!path_in(bay, name, path, sizeof path))
		return fault_set(why, ST_INTERNAL, "the path of the scratch directory is too long");
	if (copy(object_path, path, COPY_BYTES))
		return ST_OK;
	unlink(path);
	if (link(object_path, path) == 0 || copy(object_path, path, INT64_MAX))
		return ST_OK;
	return fault_set(why, ST_INTERNAL, "%s: %s", path, strerror(errno));
}

void
bay_take(struct bay *bay, const char *name)
{
	char	path[4096];

	if (path_in(bay, name, path, sizeof path))
		unlink(path);
}

void
bay_remove(struct bay *bay)
{
	if (bay->path[0] == '\0')
		return;
	own_dir_empty(bay->path);
	rmdir(bay->path);
	bay->path[0] = '\0';
}
