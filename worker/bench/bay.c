/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
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

#define COPY_BYTES	(1 << 20)

static bool
path_in(const struct bay *bay, const char *name, char *buf, size_t bytes)
{
	return (size_t)snprintf(buf, bytes, "%s/%s", bay->path, name) < bytes;
}

enum status
bay_make(struct bay *bay, const char *scratch_dir, struct fault *why)
{
	if (mkdir(scratch_dir, 0755) != 0 && errno != EEXIST)
		return fault_set(why, ST_INTERNAL, "%s: %s", scratch_dir, strerror(errno));
	if ((size_t)snprintf(bay->path, sizeof bay->path, "%s/bay-XXXXXX",
	    scratch_dir) >= sizeof bay->path) {
		bay->path[0] = '\0';
		return fault_set(why, ST_INTERNAL, "the path of the scratch directory is too long");
	}
	if (mkdtemp(bay->path) == NULL || chmod(bay->path, 0755) != 0) {
		fault_set(why, ST_INTERNAL, "%s: %s", bay->path, strerror(errno));
		bay->path[0] = '\0';
		return ST_INTERNAL;
	}
	return ST_OK;
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
	/* a copy has pages of its own, drawn anew with each process; a large one takes long */
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
	DIR		*dir;
	struct dirent	*entry;

	if (bay->path[0] == '\0')
		return;
	if ((dir = opendir(bay->path)) != NULL) {
		while ((entry = readdir(dir)) != NULL)
			if (entry->d_name[0] != '.')
				bay_take(bay, entry->d_name);
		closedir(dir);
	}
	rmdir(bay->path);
	bay->path[0] = '\0';
}
