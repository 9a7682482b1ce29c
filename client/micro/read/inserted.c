/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/micro/read/directives.h"
#include "client/micro/read/inserted.h"
#include "proto/base/name.h"

enum { MAX_NAME_BYTES = 200, MAX_DEPTH = 8 };

#define FOLDER	"files stand at or below the description's folder"

/* The description's folder, with its slash, and the name behind it. */
static const char *
beside(const struct micro *m, const char *name)
{
	const char	*slash = strrchr(m->path, '/');
	const int	 n = slash == NULL ? 0 : (int)(slash - m->path) + 1;

	return arena_format(m->arena, "%.*s%s", n, m->path, name);
}

/* A folder on the way, or the file: `n` bytes of the path. */
static bool
is_link(const char *path, size_t n)
{
	char		part[4096];
	struct stat	st;

	return (size_t)snprintf(part, sizeof part, "%.*s", (int)n, path) < sizeof part &&
	    lstat(part, &st) == 0 && S_ISLNK(st.st_mode);
}

/* Of what follows the description's folder, which may be reached through links. */
static enum status
check_links(const struct micro *m, struct place at, const char *path, const char *name,
    struct fault *why)
{
	size_t	n = strlen(path) - strlen(name);

	do {
		n += strcspn(path + n, "/");
		if (is_link(path, n)) {
			(void)micro_refuse(m, at, why, "%.*s is a symbolic link", (int)n, path);
			fault_hint(why, FOLDER);
			return ST_BAD_SPEC;
		}
	} while (path[n++] == '/');
	return ST_OK;
}

/* ST_OK and the bytes, or what cannot be read. */
static enum status
read_all(const struct micro *m, struct place at, const char *path, const char **text,
    struct fault *why)
{
	const int	 fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	struct stat	 st;
	char		*to;
	ssize_t		 n;

	if (fd < 0)
		return micro_refuse(m, at, why, "%s: %s", path, strerror(errno));
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size > INSERTED_MAX_BYTES) {
		(void)close(fd);
		return micro_refuse(m, at, why, "%s is no file of at most %d bytes", path,
		    INSERTED_MAX_BYTES);
	}
	to = arena_take(m->arena, INSERTED_MAX_BYTES + 1);
	n = read(fd, to, INSERTED_MAX_BYTES);
	(void)close(fd);
	if (n < 0 || memchr(to, '\0', (size_t)n) != NULL)
		return micro_refuse(m, at, why, "%s is no text", path);
	*text = to;
	return ST_OK;
}

enum status
inserted_read(const struct micro *m, struct place at, const char *name, const char **text,
    struct fault *why)
{
	const char	*path = beside(m, name);
	struct fault	 bad;
	enum status	 st;

	if (name_check_file(name, MAX_NAME_BYTES, MAX_DEPTH, &bad) != ST_OK) {
		(void)micro_refuse(m, at, why, "\"%.100s\": %s", name, bad.text);
		fault_hint(why, FOLDER);
		return ST_BAD_SPEC;
	}
	if ((st = check_links(m, at, path, name, why)) != ST_OK ||
	    (st = read_all(m, at, path, text, why)) != ST_OK ||
	    (st = directives_check(m, at, *text, &bad)) == ST_OK)
		return st;
	(void)micro_refuse(m, at, why, "%.100s: %s", name, bad.text);
	fault_hint(why, "%s", bad.hint);
	return st;
}
