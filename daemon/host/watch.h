/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOST_WATCH_H
#define ASSAY_DAEMON_HOST_WATCH_H

#include "daemon/host/hostfs.h"

/*
 * Notices that some program has written one of a set of kernel files, without reading them:
 * inotify(7).  It sees neither changes by the kernel itself nor writes through another mount of
 * /proc, and a file of /proc/sys may be forgotten.  So files are read now and then all the same,
 * and added again then.
 */
struct watch {
	int	fd;		/* of inotify; -1: this process may not have one */
};

void	 watch_open(struct watch *);
void	 watch_close(struct watch *);
void	 watch_add(struct watch *, const struct hostfs *, const char *path);
bool	 watch_works(const struct watch *);
/* Since the last call. */
bool	 watch_saw_write(struct watch *);

#endif
