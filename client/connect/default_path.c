/* SPDX-License-Identifier: Apache-2.0 */
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/connect/default_path.h"
#include "proto/base/path.h"

#define SYSTEM_SOCKET	"/run/assay/assay.sock"

static bool
runtime_socket(char path[PATH_MAX])
{
	const char	*run = getenv("XDG_RUNTIME_DIR");

	return run != NULL && run[0] == '/' &&
	    snprintf(path, PATH_MAX, "%s/assay/assay.sock", run) < PATH_MAX;
}

bool
default_path_state(char path[PATH_MAX])
{
	const char		*state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	const struct passwd	*user;

	if (state != NULL && state[0] == '/')
		return snprintf(path, PATH_MAX, "%s/assay", state) < PATH_MAX;
	if ((home == NULL || home[0] != '/') && (user = getpwuid(geteuid())) != NULL)
		home = user->pw_dir;
	return home != NULL && home[0] == '/' &&
	    snprintf(path, PATH_MAX, "%s/.local/state/assay", home) < PATH_MAX;
}

static bool
state_socket(char path[PATH_MAX])
{
	if (!default_path_state(path) || strlen(path) + sizeof "/assay.sock" > PATH_MAX)
		return false;
	(void)strcat(path, "/assay.sock");
	return true;
}

void
default_path_socket(char path[PATH_MAX])
{
	const char	*given = getenv("ASSAY_SOCKET");

	if (given != NULL && given[0] != '\0')
		(void)snprintf(path, PATH_MAX, "%s", given);
	else if ((!runtime_socket(path) || access(path, F_OK) != 0) &&
	    (!state_socket(path) || access(path, F_OK) != 0))
		(void)strcpy(path, SYSTEM_SOCKET);
}

bool
default_path_may_be_private(const char *host, const char *socket)
{
	const char	*given = getenv("ASSAY_SOCKET");

	return host == NULL && socket == NULL && (given == NULL || given[0] == '\0');
}

bool
default_path_own_socket(char path[PATH_MAX])
{
	if (runtime_socket(path) || state_socket(path))
		return true;
	path[0] = '\0';
	return false;
}

static bool
on_search_path(const char *name, char path[PATH_MAX])
{
	const char	*dir = getenv("PATH");

	while (dir != NULL && *dir != '\0') {
		int	n = (int)strcspn(dir, ":");

		if (n > 0 && snprintf(path, PATH_MAX, "%.*s/%s", n, dir, name) < PATH_MAX &&
		    access(path, X_OK) == 0)
			return true;
		dir += n + (dir[n] == ':');
	}
	return false;
}

enum status
default_path_program(const char *name, char path[PATH_MAX], struct fault *why)
{
	if (path_program(name, path, PATH_MAX, NULL) == ST_OK || on_search_path(name, path))
		return ST_OK;
	(void)fault_set(why, ST_NOT_FOUND, "%s is neither beside this program nor on $PATH", name);
	fault_hint(why, "it is built and installed together with assay");
	return ST_NOT_FOUND;
}
