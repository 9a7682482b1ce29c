/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A third layer, below namespaces and filters, for the day that one of them has a hole.  Kernels
 * differ in what they can restrict, and Debian 12's headers know less than its newer kernels: so
 * the constants are our own.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "worker/jail/jail_layers.h"

#define FS_EXECUTE	(1ull << 0)
#define FS_WRITE_FILE	(1ull << 1)
#define FS_READ_FILE	(1ull << 2)
#define FS_READ_DIR	(1ull << 3)
#define FS_REMOVE_FILE	(1ull << 5)
#define FS_MAKE_REG	(1ull << 8)
#define FS_ABI1		((1ull << 13) - 1)	/* …, removing and making of files of each kind */
#define FS_REFER	(1ull << 13)		/* ABI 2 */
#define FS_TRUNCATE	(1ull << 14)		/* ABI 3 */
#define FS_IOCTL_DEV	(1ull << 15)		/* ABI 5 */
#define NET_ALL		3ull			/* ABI 4: TCP bind, connect */
#define SCOPE_ALL	3ull			/* ABI 6: abstract sockets, signals */
#define READ		(FS_EXECUTE | FS_READ_FILE | FS_READ_DIR)
/* Plain files are made and removed there, nothing else. */
#define SCRATCH	(FS_WRITE_FILE | FS_READ_FILE | FS_READ_DIR | FS_REMOVE_FILE | FS_MAKE_REG | \
		    FS_TRUNCATE)
#define FILE_RIGHTS	(FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV)

enum { GET_VERSION = 1, PATH_BENEATH = 1 };

struct ruleset {
	uint64_t	fs, net, scoped;
};

struct beneath {
	uint64_t	allowed;
	int32_t		fd;
} __attribute__((packed));

/* The rights that this kernel can restrict, and the size of the struct it knows. */
static size_t
ruleset_of(long abi, struct ruleset *r)
{
	*r = (struct ruleset){ .fs = FS_ABI1 | (abi >= 2 ? FS_REFER : 0) | (abi >= 3 ?
	    FS_TRUNCATE : 0) | (abi >= 5 ? FS_IOCTL_DEV : 0), .net = abi >= 4 ? NET_ALL : 0,
	    .scoped = abi >= 6 ? SCOPE_ALL : 0 };
	return abi >= 6 ? sizeof *r : abi >= 4 ? 2 * sizeof r->fs : sizeof r->fs;
}

static int
allow_open(int ruleset, int fd, uint64_t rights)
{
	struct beneath	rule = { .allowed = rights, .fd = fd };
	struct stat	sb;

	if (fstat(fd, &sb) == 0 && !S_ISDIR(sb.st_mode))
		rule.allowed &= FILE_RIGHTS;
	return (int)syscall(SYS_landlock_add_rule, ruleset, PATH_BENEATH, &rule, 0);
}

/* A missing path needs no rule. */
static int
allow(int ruleset, const char *path, uint64_t rights)
{
	const int	fd = open(path, O_PATH | O_CLOEXEC);
	int		st;

	if (fd == -1)
		return errno == ENOENT || errno == EACCES ? 0 : -1;
	st = allow_open(ruleset, fd, rights);
	close(fd);
	return st;
}

int
jail_landlock(const char *system, const char *dir, const char *scratch, int program_fd,
    bool builds, bool zero)
{
	static const char *const	shown[] = { "/usr", "/bin", "/lib", "/lib32",
					    "/lib64", "/libx32", "/etc/alternatives",
					    "/etc/ld.so.cache", "/dev/urandom", "/proc/cpuinfo" };
	const long			abi = syscall(SYS_landlock_create_ruleset, NULL,
					    0, GET_VERSION);
	struct ruleset			r;
	const size_t			bytes = ruleset_of(abi, &r);
	const int			set = abi < 1 ? -1 :
	    (int)syscall(SYS_landlock_create_ruleset, &r, bytes, 0);
	int				st = set == -1 ? -1 : 0;

	if (st == 0 && system != NULL)
		st = allow(set, system, READ);
	for (size_t i = 0; st == 0 && system == NULL && i < sizeof shown / sizeof shown[0]; i++)
		st = allow(set, shown[i], READ);
	if (st == 0)
		st = allow(set, "/dev/null", READ | FS_WRITE_FILE);
	if (st == 0 && zero)
		st = allow(set, "/dev/zero", READ | FS_WRITE_FILE);
	if (st == 0 && program_fd != -1)
		st = allow_open(set, program_fd, READ);
	if (st == 0)
		st = allow(set, dir, builds ? r.fs & ~FS_IOCTL_DEV : READ);
	if (st == 0 && scratch != NULL)
		st = allow(set, scratch, SCRATCH & r.fs);
	if (st == 0)
		st = (int)syscall(SYS_landlock_restrict_self, set, 0);
	if (set != -1)
		close(set);
	return st;
}
