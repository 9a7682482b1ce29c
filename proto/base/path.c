/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/base/path.h"

enum status
path_program(const char *name, char *buf, size_t bytes, struct fault *why)
{
	static const char *const	places[] = { "", "../", "../libexec/assay/", "../../bin/" };
	char				self[PATH_MAX];
	ssize_t				n = readlink("/proc/self/exe", self, sizeof self - 1);

	if (n <= 0)
		return fault_set(why, ST_INTERNAL, "/proc/self/exe: %s", strerror(errno));
	while (n > 0 && self[n - 1] != '/')
		n--;
	self[n] = '\0';
	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
		size_t	need = (size_t)snprintf(buf, bytes, "%s%s%s", self, places[i], name);

		if (need < bytes && access(buf, X_OK) == 0)
			return ST_OK;
	}
	return fault_set(why, ST_INTERNAL, "%s is not beside %s", name, self);
}

static enum status
make_one(const char *path, unsigned mode, struct fault *why)
{
	return mkdir(path, mode) == 0 || errno == EEXIST ? ST_OK :
	    fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
}

enum status
path_make_above(const char *path, unsigned mode, struct fault *why)
{
	char		part[PATH_MAX];
	enum status	st = ST_OK;

	if (path[0] == '\0' || (size_t)snprintf(part, sizeof part, "%s", path) >= sizeof part)
		return fault_set(why, ST_IO, "%.64s…: %s", path,
		    strerror(path[0] == '\0' ? ENOENT : ENAMETOOLONG));
	for (char *slash = strchr(part + 1, '/'); st == ST_OK && slash != NULL;
	    slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		st = make_one(part, mode, why);
		*slash = '/';
	}
	return st;
}

enum status
path_make(const char *path, unsigned mode, struct fault *why)
{
	enum status	st = path_make_above(path, 0755, why);

	return st == ST_OK ? make_one(path, mode, why) : st;
}
