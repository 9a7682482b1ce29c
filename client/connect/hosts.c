/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/connect/hosts.h"

bool
hosts_are_several(const struct cli *cli)
{
	return cli->host != NULL && strchr(cli->host, ',') != NULL;
}

static bool
hosts_file(char path[PATH_MAX])
{
	const char	*given = getenv("ASSAY_HOSTS"), *config = getenv("XDG_CONFIG_HOME");
	const char	*home = getenv("HOME");

	if (given != NULL && given[0] != '\0')
		return snprintf(path, PATH_MAX, "%s", given) < PATH_MAX;
	if (config != NULL && config[0] == '/')
		return snprintf(path, PATH_MAX, "%s/assay/hosts", config) < PATH_MAX;
	return home != NULL && snprintf(path, PATH_MAX, "%s/.config/assay/hosts", home) < PATH_MAX;
}

/* A line "name = address # comment" of this name. */
static bool
is_line_of(const char *line, const char *name, char address[PATH_MAX])
{
	const size_t	n = strlen(name);

	line += strspn(line, " \t");
	if (strncmp(line, name, n) != 0)
		return false;
	line += n + strspn(line + n, " \t");
	if (*line++ != '=')
		return false;
	line += strspn(line, " \t");
	(void)snprintf(address, PATH_MAX, "%.*s", (int)strcspn(line, " \t\r\n#"), line);
	return address[0] != '\0';
}

static enum status
look_up(const char *name, char address[PATH_MAX], struct fault *why)
{
	char	 path[PATH_MAX] = "", line[PATH_MAX];
	bool	 is_found = false;
	FILE	*f = hosts_file(path) ? fopen(path, "re") : NULL;

	while (f != NULL && !is_found && fgets(line, sizeof line, f) != NULL)
		is_found = is_line_of(line, name, address);
	if (f != NULL)
		(void)fclose(f);
	if (is_found)
		return ST_OK;
	(void)fault_at(why, ST_NOT_FOUND, "-H", "%s has no host \"%s\"", path, name);
	fault_hint(why, "give ssh://%.60s, https://%.60s:PORT or a socket's path, or add a line: "
	    "%.60s = ssh://HOST", name, name, name);
	return ST_NOT_FOUND;
}

enum status
hosts_address(const char *name, char address[PATH_MAX], struct fault *why)
{
	if (name[0] != '/' && strchr(name, ':') == NULL)
		return look_up(name, address, why);
	(void)snprintf(address, PATH_MAX, "%s", name);
	return ST_OK;
}
