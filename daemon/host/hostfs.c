/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "daemon/host/hostfs.h"

enum { SETTLE_TRIES = 100, SETTLE_PAUSE_NS = 2000000, LINE_BYTES = 1024 };

struct real_path {
	char	text[2 * HOSTFS_PATH_BYTES];
};

static int
below_root(const struct hostfs *fs, const char *path, struct real_path *real)
{
	size_t	n = (size_t)snprintf(real->text, sizeof real->text, "%s%s", fs->root, path);

	return n < sizeof real->text ? 0 : ENAMETOOLONG;
}

static int
ask_hook(const struct hostfs *fs, enum hostfs_moment when, const char *path, const char *value)
{
	return fs->hook != NULL ? fs->hook(fs->hook_arg, when, path, value) : 0;
}

int
hostfs_init(struct hostfs *fs, const char *root)
{
	size_t	n = strlen(root);

	memset(fs, 0, sizeof *fs);
	while (n > 0 && root[n - 1] == '/')
		n--;
	if (n >= sizeof fs->root)
		return ENAMETOOLONG;
	memcpy(fs->root, root, n);
	return 0;
}

int
hostfs_open(const struct hostfs *fs, const char *path, int flags, int *fd)
{
	struct real_path	real;
	int			rc;

	*fd = -1;
	if ((rc = below_root(fs, path, &real)) != 0)
		return rc;
	return (*fd = open(real.text, flags | O_CLOEXEC)) < 0 ? errno : 0;
}

int
hostfs_read(const struct hostfs *fs, const char *path, char *buf, size_t bytes)
{
	size_t	used = 0;
	ssize_t	n = 0;
	int	fd, rc;

	buf[0] = '\0';
	if ((rc = hostfs_open(fs, path, O_RDONLY, &fd)) != 0)
		return rc;
	while (used < bytes - 1 && (n = read(fd, buf + used, bytes - 1 - used)) > 0)
		used += (size_t)n;
	rc = n < 0 ? errno : 0;
	(void)close(fd);
	buf[used] = '\0';
	if (used > 0 && buf[used - 1] == '\n')
		buf[used - 1] = '\0';
	return rc;
}

/* One write: a kernel file takes or refuses a value as a whole. */
int
hostfs_write(const struct hostfs *fs, const char *path, const char *value)
{
	char	line[HOSTFS_VALUE_BYTES + 1];
	int	n = snprintf(line, sizeof line, "%s\n", value), fd, rc;

	if (n < 0 || (size_t)n >= sizeof line)
		return EMSGSIZE;
	if ((rc = ask_hook(fs, HOSTFS_BEFORE_WRITE, path, value)) != 0 ||
	    (rc = hostfs_open(fs, path, O_WRONLY | O_TRUNC, &fd)) != 0)
		return rc;
	if (write(fd, line, (size_t)n) < 0)
		rc = errno;
	if (close(fd) != 0 && rc == 0)
		rc = errno;
	if (rc == 0)
		(void)ask_hook(fs, HOSTFS_AFTER_WRITE, path, value);
	return rc;
}

int
hostfs_read_back(const struct hostfs *fs, const char *path, const char *before,
    const char *expected, char *buf, size_t bytes)
{
	const struct timespec	pause = { 0, SETTLE_PAUSE_NS };
	int			rc = hostfs_read(fs, path, buf, bytes);

	for (unsigned i = 0; rc == 0 && i < SETTLE_TRIES && strcmp(buf, expected) != 0 &&
	    strcmp(buf, before) == 0; i++) {
		(void)nanosleep(&pause, NULL);
		rc = hostfs_read(fs, path, buf, bytes);
	}
	return rc;
}

int
hostfs_mkdir(const struct hostfs *fs, const char *path)
{
	struct real_path	real;
	int			rc;

	if ((rc = below_root(fs, path, &real)) != 0)
		return rc;
	if (mkdir(real.text, 0755) != 0)
		return errno;
	(void)ask_hook(fs, HOSTFS_AFTER_MKDIR, path, "");
	return 0;
}

int
hostfs_rmdir(const struct hostfs *fs, const char *path)
{
	struct real_path	real;
	int			rc;

	if ((rc = below_root(fs, path, &real)) != 0 ||
	    (rc = ask_hook(fs, HOSTFS_BEFORE_RMDIR, path, "")) != 0)
		return rc;
	return rmdir(real.text) == 0 ? 0 : errno;
}

int
hostfs_chown(const struct hostfs *fs, const char *path, unsigned uid, unsigned gid)
{
	struct real_path	real;
	int			rc;

	if ((rc = below_root(fs, path, &real)) != 0)
		return rc;
	return chown(real.text, uid, gid) == 0 ? 0 : errno;
}

long long
hostfs_number(const struct hostfs *fs, const char *path, long long otherwise)
{
	char		text[64], *end;
	long long	value;

	if (hostfs_read(fs, path, text, sizeof text) != 0)
		return otherwise;
	errno = 0;
	value = strtoll(text, &end, 10);
	return end != text && errno == 0 ? value : otherwise;
}

bool
hostfs_find_line(const struct hostfs *fs, const char *path, hostfs_line_fn *fn, void *arg)
{
	char	 line[LINE_BYTES];
	bool	 found = false;
	FILE	*f;
	int	 fd;

	if (hostfs_open(fs, path, O_RDONLY, &fd) != 0)
		return false;
	if ((f = fdopen(fd, "r")) == NULL) {
		(void)close(fd);
		return false;
	}
	while (!found && fgets(line, sizeof line, f) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		found = fn(arg, line);
	}
	(void)fclose(f);
	return found;
}

/* The root is a name, not a pattern. */
static int
escaped_pattern(const struct hostfs *fs, const char *pattern, struct real_path *out)
{
	size_t	n = 0;

	for (const char *c = fs->root; *c != '\0' && n < HOSTFS_PATH_BYTES; c++) {
		if (strchr("*?[\\", *c) != NULL)
			out->text[n++] = '\\';
		out->text[n++] = *c;
	}
	if (n + strlen(pattern) >= sizeof out->text)
		return ENAMETOOLONG;
	(void)strcpy(out->text + n, pattern);
	return 0;
}

int
hostfs_each(const struct hostfs *fs, const char *pattern, hostfs_path_fn *fn, void *arg)
{
	struct real_path	whole;
	glob_t			g;
	int			rc;

	if ((rc = escaped_pattern(fs, pattern, &whole)) != 0)
		return rc;
	if (glob(whole.text, 0, NULL, &g) == 0) {
		for (size_t i = 0; rc == 0 && i < g.gl_pathc; i++)
			rc = fn(arg, g.gl_pathv[i] + strlen(fs->root));
		globfree(&g);
	}
	return rc;
}
