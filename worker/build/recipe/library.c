/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/spec/spec.h"
#include "proto/text/library_list.h"
#include "worker/build/recipe/library.h"
#include "worker/cache/digest.h"

/* The file that was read last under a name. */
struct seen {
	char		 name[NAME_MAX_BYTES + 1];
	char		 path[PATH_MAX], folder[PATH_MAX];
	struct stat	 file;
	struct hash	 hash;
};

struct libraries {
	const char	*list;		/* borrowed */
	size_t		 n;
	struct seen	 seen[SPEC_MAX_LIBRARIES];	/* the oldest goes */
};

enum status
libraries_new(struct libraries **out, const char *list, struct fault *why)
{
	if ((*out = calloc(1, sizeof **out)) == NULL)
		return fault_set(why, ST_NOMEM, "libraries");
	(*out)->list = list != NULL ? list : "";
	return ST_OK;
}

void
libraries_free(struct libraries *all)
{
	free(all);
}

static bool
is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	    a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static struct seen *
slot_for(struct libraries *all, const char *name)
{
	struct seen	*s;

	for (size_t i = 0; i < all->n; i++)
		if (strcmp(all->seen[i].name, name) == 0)
			return &all->seen[i];
	if (all->n < SPEC_MAX_LIBRARIES) {
		s = &all->seen[all->n++];
	} else {
		memmove(all->seen, all->seen + 1, (all->n - 1) * sizeof all->seen[0]);
		s = &all->seen[all->n - 1];
	}
	memset(s, 0, sizeof *s);
	(void)snprintf(s->name, sizeof s->name, "%s", name);
	return s;
}

static enum status
refuse(const char *name, const char *reason, struct fault *why)
{
	return fault_set(why, ST_BAD_SPEC, "the library \"%s\" cannot be had: %s", name, reason);
}

/* The file as it is now; it is read again if it is another. */
static enum status
look(struct seen *s, const char *path, struct fault *why)
{
	const int	fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat	sb;
	enum status	st = ST_OK;

	if (fd == -1 || fstat(fd, &sb) == -1 || realpath(path, s->path) == NULL)
		st = refuse(s->name, strerror(errno), why);
	else if ((st = library_check_place(s->path, why)) == ST_OK && !is_same_file(&sb, &s->file))
		st = digest_file(fd, &s->hash, why);
	if (fd != -1)
		close(fd);
	memset(&s->file, 0, sizeof s->file);
	if (st != ST_OK)
		return st;
	s->file = sb;
	(void)snprintf(s->folder, sizeof s->folder, "%.*s", (int)(strrchr(s->path, '/') - s->path),
	    s->path);
	return ST_OK;
}

enum status
libraries_find(struct libraries *all, const char *name, struct library *out, struct fault *why)
{
	struct listed_library	 listed;
	struct seen		*s;
	enum status		 st;

	if (!library_list_find(all->list, name, &listed))
		return refuse(name, "it is not on the administrator's list", why);
	s = slot_for(all, name);
	if ((st = look(s, listed.path, why)) != ST_OK)
		return st;
	*out = (struct library){ .path = s->path, .folder = s->folder, .hash = s->hash };
	return ST_OK;
}
