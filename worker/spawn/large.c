/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tmpfs with the option huge=always has pages of 2 MiB whatever the host's setting for shared
 * memory is.  Its maker needs CAP_SYS_ADMIN: root has it, another user in a user namespace of its
 * own.  A child that shares our memory and our descriptors goes there and leaves us the mount.
 */
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "worker/spawn/large.h"
#include "worker/spawn/space.h"

enum { COPIES = 4, HOST_SHARE = 32 };
#define LEAST_BYTES	((off_t)8 << 20)
#define MOST_BYTES	((off_t)128 << 20)

struct copy {
	char		*path;		/* owned */
	struct stat	 of;		/* the file as it was */
	int		 fd;		/* -1: it could not be copied */
};

static struct copy	copies[COPIES];
static size_t		ncopies;

/* ---- the mount ---- */

static int
configured(int fs)
{
	if (fsconfig(fs, FSCONFIG_SET_STRING, "huge", "always", 0) == -1 ||
	    fsconfig(fs, FSCONFIG_SET_STRING, "mode", "755", 0) == -1 ||
	    fsconfig(fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == -1)
		return -1;
	return fsmount(fs, FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
}

static int
make_mount(void)
{
	const int	fs = fsopen("tmpfs", FSOPEN_CLOEXEC);
	const int	mount = fs != -1 ? configured(fs) : -1;

	if (fs != -1)
		(void)close(fs);
	return mount;
}

struct order {
	struct space_ids ids;
	int		 mount;
};

static int
child_main(void *arg)
{
	struct order	*o = arg;

	o->mount = space_map_ids(&o->ids) ? make_mount() : -1;
	_exit(0);
}

static int
make_mount_as_user(void)
{
	struct order	o = { space_ids_of_root(), -1 };
	sigset_t	old;
	pid_t		pid;

	space_hold_signals(&old);
	pid = space_clone(child_main, &o, CLONE_NEWUSER | CLONE_NEWNS | CLONE_FILES, NULL);
	space_let_signals(&old);
	if (pid != -1)
		(void)waitpid(pid, NULL, 0);
	return o.mount;
}

/* The mount; -1: none can be made here, which is asked once. */
static int
the_mount(void)
{
	static bool	tried;
	static int	mount = -1;

	if (!tried)
		mount = geteuid() == 0 ? make_mount() : make_mount_as_user();
	tried = true;
	return mount;
}

/* ---- a copy ---- */

static bool
deserves_one(const struct stat *sb)
{
	const long	pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);

	return S_ISREG(sb->st_mode) && sb->st_size >= LEAST_BYTES && sb->st_size <= MOST_BYTES &&
	    (sb->st_mode & (S_ISUID | S_ISGID)) == 0 &&
	    sb->st_size / page_bytes <= pages / HOST_SHARE;
}

static bool
is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	    a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec &&
	    a->st_ctim.tv_sec == b->st_ctim.tv_sec && a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

/* All of it, and the file is still the one of *of. */
static bool
copy_bytes(int to, int from, const struct stat *of)
{
	struct stat	after;
	off_t		left = of->st_size;
	ssize_t		n = 1;

	while (left > 0 && (n = sendfile(to, from, NULL, (size_t)left)) > 0)
		left -= n;
	return left == 0 && fstat(from, &after) == 0 && is_same(of, &after);
}

/* A file that is open for writing cannot be executed: so it is opened once more. */
static int
copy_program(int mount, const char *path, const struct stat *of)
{
	const char	*name = strrchr(path, '/') + 1;	/* what tools show of a process */
	const int	 from = open(path, O_RDONLY | O_CLOEXEC);
	int		 to, fd = -1;

	to = from != -1 ? openat(mount, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755) : -1;
	if (to != -1 && copy_bytes(to, from, of))
		fd = openat(mount, name, O_RDONLY | O_CLOEXEC);
	if (to != -1) {
		(void)fchmod(to, 0755);
		(void)close(to);
		(void)unlinkat(mount, name, 0);
	}
	if (from != -1)
		(void)close(from);
	return fd;
}

static struct copy *
find(const char *path)
{
	for (size_t i = 0; i < ncopies; i++)
		if (strcmp(copies[i].path, path) == 0)
			return &copies[i];
	return NULL;
}

/* The place of this program's copy, with no copy in it; NULL: no room. */
static struct copy *
place_for(const char *path)
{
	struct copy	*c = find(path);

	if (c == NULL && ncopies < COPIES) {
		c = &copies[ncopies];
		if ((c->path = strdup(path)) == NULL)
			return NULL;
		c->fd = -1;
		ncopies++;
	}
	if (c != NULL && c->fd != -1)
		(void)close(c->fd);
	return c;
}

int
large_copy(const char *path)
{
	struct stat	 sb;
	struct copy	*c = find(path);
	int		 mount;

	if (stat(path, &sb) == -1 || !deserves_one(&sb))
		return -1;
	if (c != NULL && is_same(&c->of, &sb))
		return c->fd;
	if ((mount = the_mount()) == -1 || (c = place_for(path)) == NULL)
		return -1;
	c->of = sb;
	c->fd = copy_program(mount, path, &sb);
	return c->fd;
}
