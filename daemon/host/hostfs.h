/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOST_HOSTFS_H
#define ASSAY_DAEMON_HOST_HOSTFS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The small text files that are the kernel's interface: /proc, /sys, /dev, below a configurable
 * root.  Every path starts with "/" and is looked up below that root.  Values lose their last
 * newline when read and get one when written.  All calls return 0 or an errno.
 */
enum { HOSTFS_PATH_BYTES = 512, HOSTFS_VALUE_BYTES = 4096 };

/*
 * For tests, around a change: refuse it (an errno, for HOSTFS_BEFORE_*), die in the middle, or play
 * the kernel.
 */
enum hostfs_moment { HOSTFS_BEFORE_WRITE, HOSTFS_AFTER_WRITE, HOSTFS_AFTER_MKDIR,
		    HOSTFS_BEFORE_RMDIR };
typedef int	 hostfs_hook(void *arg, enum hostfs_moment, const char *path, const char *value);

struct hostfs {
	char		 root[HOSTFS_PATH_BYTES];	/* "" the real one */
	hostfs_hook	*hook;				/* NULL: none */
	void		*hook_arg;
};

int	 hostfs_init(struct hostfs *, const char *root);	/* ENAMETOOLONG */
int	 hostfs_read(const struct hostfs *, const char *path, char *buf, size_t bytes);
/* Never creates a file. */
int	 hostfs_write(const struct hostfs *, const char *path, const char *value);
/*
 * Read back after a write until the value is `expected`, or at least not `before`.  Some files
 * (cpufreq's limits) take effect shortly after the write returned.  Gives up after a fifth of a
 * second.
 */
int	 hostfs_read_back(const struct hostfs *, const char *path, const char *before,
		    const char *expected, char *buf,
	    size_t bytes);
int	 hostfs_mkdir(const struct hostfs *, const char *path);
int	 hostfs_rmdir(const struct hostfs *, const char *path);
/* The caller closes *fd. */
int	 hostfs_open(const struct hostfs *, const char *path, int flags, int *fd);
int	 hostfs_chown(const struct hostfs *, const char *path, unsigned uid, unsigned gid);

/*
 * Show fn the lines of a file, without their ends, until it returns true.  false: it never did, or
 * there is no such file.  Longer lines than a kilobyte come in parts.
 */
typedef bool	 hostfs_line_fn(void *arg, char *line);
bool		 hostfs_find_line(const struct hostfs *, const char *path, hostfs_line_fn *,
		    void *arg);

/* The whole number in a file, or `otherwise`. */
long long	 hostfs_number(const struct hostfs *, const char *path, long long otherwise);

/*
 * Each existing path that matches (* within one component), in order.  Stops if fn returns
 * non-zero, and returns that.
 */
typedef int	 hostfs_path_fn(void *arg, const char *path);
int		 hostfs_each(const struct hostfs *, const char *pattern,
		    hostfs_path_fn *, void *arg);

#endif
