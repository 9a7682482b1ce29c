/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "daemon/host/watch.h"

void
watch_open(struct watch *w)
{
	w->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
}

void
watch_close(struct watch *w)
{
	if (w->fd >= 0)
		(void)close(w->fd);
	w->fd = -1;
}

/* Adding a file that is there already changes nothing. */
void
watch_add(struct watch *w, const struct hostfs *fs, const char *path)
{
	char	whole[2 * HOSTFS_PATH_BYTES];

	(void)snprintf(whole, sizeof whole, "%s%s", fs->root, path);
	if (w->fd >= 0)
		(void)inotify_add_watch(w->fd, whole, IN_MODIFY);
}

bool
watch_works(const struct watch *w)
{
	return w->fd >= 0;
}

/* The end of a watch, when its file goes, and lost events are events as well. */
bool
watch_saw_write(struct watch *w)
{
	char	events[4096];
	bool	saw = false;

	while (w->fd >= 0 && read(w->fd, events, sizeof events) > 0)
		saw = true;
	return saw;
}
