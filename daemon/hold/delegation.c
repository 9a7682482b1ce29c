/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/hold/delegation.h"
#include "daemon/host/cgroup.h"

#define LEAF	"/supervisor"

enum { ROOM_BYTES = 64 };		/* for paths below OURS */

static void
put_path(const struct delegation *d, const char *rest, char path[HOSTFS_PATH_BYTES])
{
	(void)snprintf(path, HOSTFS_PATH_BYTES, "%.448s%s", d->path, rest);
}

static int
put(const struct delegation *d, const char *file, const char *value)
{
	char	path[HOSTFS_PATH_BYTES];

	put_path(d, file, path);
	return hostfs_write(&d->fs, path, value);
}

static int
get(const struct delegation *d, const char *file, char value[HOSTFS_VALUE_BYTES])
{
	char	path[HOSTFS_PATH_BYTES];

	put_path(d, file, path);
	return hostfs_read(&d->fs, path, value, HOSTFS_VALUE_BYTES);
}

static void
put_own_pid(char text[24])
{
	(void)snprintf(text, 24, "%d", (int)getpid());
}

static enum status
refuse(int error, const char *what, struct fault *why)
{
	const enum status	st = error == EACCES || error == EPERM ||
	    error == EROFS ? ST_DENIED : error == EBUSY ? ST_CONFLICT : ST_NOT_FOUND;

	return fault_set(why, st, "%s: %s", what, strerror(error));
}

/* ---- may it be divided? ---- */

/* The line "0::/…" is a process's place in the one hierarchy of cgroup v2. */
static enum status
find_own(struct delegation *d, struct fault *why)
{
	char		 text[HOSTFS_VALUE_BYTES], *line;
	int		 rc = hostfs_read(&d->fs, CGROUP_MOUNT "/cgroup.controllers",
			    text, sizeof text);

	if (rc == 0)
		rc = hostfs_read(&d->fs, "/proc/self/cgroup", text, sizeof text);
	line = rc == 0 && strncmp(text, "0::/", 4) == 0 ? text : strstr(text, "\n0::/");
	if (rc != 0 || line == NULL)
		return fault_set(why, ST_NOT_FOUND, "there is no cgroup v2 on " CGROUP_MOUNT);
	line = strchr(line, '/');
	line[strcspn(line, "\n")] = '\0';
	if (strcmp(line, "/") == 0)
		line[0] = '\0';
	if (strstr(line, "/..") != NULL ||
	    strlen(line) + sizeof CGROUP_MOUNT + ROOM_BYTES > sizeof d->path)
		return fault_set(why, ST_NOT_FOUND, "its cgroup %.200s is not visible", line);
	(void)snprintf(d->path, sizeof d->path, CGROUP_MOUNT "%.400s", line);
	return ST_OK;
}

static enum status
check_alone(const struct delegation *d, struct fault *why)
{
	char	text[HOSTFS_VALUE_BYTES], own[24];
	int	rc = get(d, "/cgroup.procs", text);

	put_own_pid(own);
	if (rc != 0)
		return refuse(rc, d->path, why);
	if (strcmp(text, own) != 0)
		return fault_set(why, ST_CONFLICT, "%s has other processes in it", d->path);
	return ST_OK;
}

static enum status
check_controllers(const struct delegation *d, struct fault *why)
{
	char	text[HOSTFS_VALUE_BYTES];
	int	rc = get(d, "/cgroup.controllers", text);

	if (rc != 0)
		return refuse(rc, d->path, why);
	if (!cgroup_lists(text, "memory") || !cgroup_lists(text, "pids"))
		return fault_set(why, ST_NOT_FOUND,
		    "%s lacks the controllers memory and pids", d->path);
	return ST_OK;
}

/* "…/supervisor" is a leaf that was made for this process. */
static bool
is_in_leaf(const struct delegation *d)
{
	const char	*last = strrchr(d->path, '/');

	return strcmp(last, LEAF) == 0 && strlen(d->path) > sizeof CGROUP_MOUNT LEAF - 1;
}

/* ---- dividing it ---- */

static enum status
move_into_leaf(struct delegation *d, struct fault *why)
{
	char	path[HOSTFS_PATH_BYTES], own[24];
	int	rc;

	put_path(d, LEAF, path);
	put_own_pid(own);
	rc = hostfs_mkdir(&d->fs, path);
	if (rc == 0 || rc == EEXIST)
		rc = put(d, LEAF "/cgroup.procs", own);
	if (rc != 0) {
		(void)hostfs_rmdir(&d->fs, path);
		return refuse(rc, path, why);
	}
	d->moved = true;
	return ST_OK;
}

static enum status
pass_on(const struct delegation *d, struct fault *why)
{
	int	rc = put(d, CGROUP_CONTROL, "+memory");

	if (rc == 0)
		rc = put(d, CGROUP_CONTROL, "+pids");
	return rc == 0 ? ST_OK : refuse(rc, d->path, why);
}

static void
cell_path(const struct delegation *d, unsigned i, char path[HOSTFS_PATH_BYTES])
{
	char	name[24];

	(void)snprintf(name, sizeof name, "/build%u", i);
	put_path(d, name, path);
}

static void
end_cells(const struct delegation *d)
{
	char	path[HOSTFS_PATH_BYTES];

	for (unsigned i = 0; i < DELEGATION_MAX_CELLS; i++) {
		cell_path(d, i, path);
		(void)cgroup_end(&d->fs, path);
	}
}

/* If one process of a build is killed for lack of memory, memory.oom.group ends the rest. */
static enum status
make_cell(struct delegation *d, unsigned i, struct fault *why)
{
	char	path[HOSTFS_PATH_BYTES], file[HOSTFS_PATH_BYTES];
	int	rc;

	cell_path(d, i, path);
	if ((rc = hostfs_mkdir(&d->fs, path)) != 0 && rc != EEXIST)
		return refuse(rc, path, why);
	(void)snprintf(file, sizeof file, "%.480s/memory.oom.group", path);
	(void)hostfs_write(&d->fs, file, "1");
	(void)snprintf(file, sizeof file, "%.480s/cgroup.procs", path);
	if ((rc = hostfs_open(&d->fs, file, O_WRONLY, &d->procs_fd[i])) != 0)
		return refuse(rc, file, why);
	d->ncells = i + 1;
	return ST_OK;
}

static enum status
divide(struct delegation *d, unsigned n, struct fault *why)
{
	const bool	in_leaf = is_in_leaf(d);
	enum status	st;

	if (in_leaf)
		*strrchr(d->path, '/') = '\0';
	if ((st = check_controllers(d, why)) != ST_OK ||
	    (!in_leaf && (st = move_into_leaf(d, why)) != ST_OK) || (st = pass_on(d, why)) != ST_OK)
		return st;
	end_cells(d);
	for (unsigned i = 0; st == ST_OK && i < n && i < DELEGATION_MAX_CELLS; i++)
		st = make_cell(d, i, why);
	return st;
}

/* ---- open and release ---- */

enum status
delegation_open(struct delegation *d, const struct hostfs *fs, unsigned n, struct fault *why)
{
	enum status	st;

	*d = (struct delegation){ .fs = *fs };
	if ((st = find_own(d, why)) == ST_OK && (st = check_alone(d, why)) == ST_OK)
		st = divide(d, n, why);
	if (st != ST_OK)
		delegation_release(d);
	return st;
}

static void
move_back(struct delegation *d)
{
	char	path[HOSTFS_PATH_BYTES], own[24];

	put_own_pid(own);
	(void)put(d, CGROUP_CONTROL, "-memory");
	(void)put(d, CGROUP_CONTROL, "-pids");
	(void)put(d, "/cgroup.procs", own);
	put_path(d, LEAF, path);
	(void)hostfs_rmdir(&d->fs, path);
	d->moved = false;
}

void
delegation_release(struct delegation *d)
{
	for (unsigned i = 0; i < d->ncells; i++)
		(void)close(d->procs_fd[i]);
	if (d->ncells > 0)
		end_cells(d);
	d->ncells = 0;
	if (d->moved)
		move_back(d);
	d->path[0] = '\0';
}

int
delegation_cell(const struct delegation *d, unsigned i)
{
	return i < d->ncells ? d->procs_fd[i] : -1;
}
