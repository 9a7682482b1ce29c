/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
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

/* ST_OK and the bytes, or what cannot be read. */
static enum status
read_all(const struct micro *m, struct place at, const char *path, const char **text,
    struct fault *why)
{
	const int	 fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	struct stat	 st;
	char		*to;
	ssize_t		 n;

	if (fd < 0 && errno == ELOOP) {
		(void)micro_refuse(m, at, why, "%s is a symbolic link", path);
		fault_hint(why, FOLDER);
		return ST_BAD_SPEC;
	}
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
	struct fault	 bad;
	enum status	 st;

	if (name_check_file(name, MAX_NAME_BYTES, MAX_DEPTH, &bad) != ST_OK) {
		(void)micro_refuse(m, at, why, "\"%.100s\": %s", name, bad.text);
		fault_hint(why, FOLDER);
		return ST_BAD_SPEC;
	}
	if ((st = read_all(m, at, beside(m, name), text, why)) != ST_OK ||
	    (st = directives_check(m, at, *text, &bad)) == ST_OK)
		return st;
	(void)micro_refuse(m, at, why, "%.100s: %s", name, bad.text);
	fault_hint(why, "%s", bad.hint);
	return st;
}
