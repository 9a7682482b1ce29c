/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/driver/directory.h"

enum { DIRECTORY_MODE = 0755, FILE_MODE = 0644 };

static enum status
failed(const struct directory *d, const char *name, struct fault *why)
{
	return fault_set(why, ST_IO, "%s%s%s: %s", d->path, name[0] != '\0' ? "/" : "", name,
	    strerror(errno));
}

static enum status
check_empty(const struct directory *d, struct fault *why)
{
	const struct dirent	*e;
	DIR			*dir = opendir(d->path);
	bool			 empty = true;

	if (dir == NULL)
		return failed(d, "", why);
	while ((e = readdir(dir)) != NULL)
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			empty = false;
	(void)closedir(dir);
	if (empty)
		return ST_OK;
	(void)fault_at(why, ST_CONFLICT, "-o", "%s: is not empty", d->path);
	fault_hint(why, "name a new directory, or remove this one");
	return ST_CONFLICT;
}

enum status
directory_open(struct directory *d, const char *path, struct fault *why)
{
	enum status	st;

	*d = (struct directory){ .path = path, .fd = -1 };
	if (mkdir(path, DIRECTORY_MODE) == -1 && errno != EEXIST)
		return failed(d, "", why);
	if ((st = check_empty(d, why)) != ST_OK)
		return st;
	d->fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return d->fd != -1 ? ST_OK : failed(d, "", why);
}

static enum status
make_folders(const struct directory *d, const char *name, struct fault *why)
{
	char	part[PATH_MAX];

	if ((size_t)snprintf(part, sizeof part, "%s", name) >= sizeof part)
		return errno = ENAMETOOLONG, failed(d, name, why);
	for (char *slash = strchr(part, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdirat(d->fd, part, DIRECTORY_MODE) == -1 && errno != EEXIST)
			return failed(d, part, why);
		*slash = '/';
	}
	return ST_OK;
}

enum status
directory_put(const struct directory *d, const char *name, const void *bytes, size_t n,
    struct fault *why)
{
	enum status	 st = make_folders(d, name, why);
	FILE		*f;
	int		 fd;
	bool		 bad;

	if (st != ST_OK)
		return st;
	fd = openat(d->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, FILE_MODE);
	if (fd == -1 || (f = fdopen(fd, "w")) == NULL)
		return failed(d, name, why);
	bad = fwrite(bytes, 1, n, f) != n;
	if (fclose(f) != 0 || bad)
		return failed(d, name, why);
	return ST_OK;
}

void
directory_close(struct directory *d)
{
	if (d->fd != -1)
		(void)close(d->fd);
	d->fd = -1;
}
