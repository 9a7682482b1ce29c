/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/usage/cache_size.h"

static void
shut(DIR **d)
{
	if (*d != NULL)
		(void)closedir(*d);
	*d = NULL;
}

static void
end_walk(struct cache_size *c)
{
	shut(&c->top);
	c->bytes = c->so_far;
	c->so_far = 0;
}

/* One file of the folder; at its end the folder is shut. */
static void
take_file(struct cache_size *c)
{
	const struct dirent	*e = readdir(c->folder);
	struct stat		 sb;

	if (e == NULL)
		shut(&c->folder);
	else if (fstatat(dirfd(c->folder), e->d_name, &sb, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISREG(sb.st_mode))
		c->so_far += (int64_t)sb.st_size;
}

static void
take_folder(struct cache_size *c)
{
	const struct dirent	*e = readdir(c->top);
	int			 fd;

	if (e == NULL) {
		end_walk(c);
		return;
	}
	if (e->d_name[0] == '.' || (fd = openat(dirfd(c->top), e->d_name,
	    O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)) < 0)
		return;
	if ((c->folder = fdopendir(fd)) == NULL)
		(void)close(fd);
}

void
cache_size_step(struct cache_size *c, const char *dir)
{
	if (c->top == NULL && (c->top = opendir(dir)) == NULL) {
		end_walk(c);
		return;
	}
	for (int i = 0; i < CACHE_SIZE_STEPS && c->top != NULL; i++) {
		if (c->folder != NULL)
			take_file(c);
		else
			take_folder(c);
	}
}

void
cache_size_release(struct cache_size *c)
{
	shut(&c->folder);
	shut(&c->top);
}
