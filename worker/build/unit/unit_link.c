/* SPDX-License-Identifier: Apache-2.0 */
/* A shared object of each version. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include "worker/build/unit/unit_parts.h"
#include "worker/jail/jail.h"

enum {
	LINK_BYTES = 64 << 20,		/* of objects in one jail */
	LINK_PATH_BYTES = 64,
};

/* A version's object in its folder, where the links look for it. */
static enum status
put_version(const struct unit *u, unsigned k, unsigned folder, const char *name)
{
	char		*object = malloc(u->bytes);
	char		 path[LINK_PATH_BYTES], number[JAIL_FOLDER_BYTES];
	enum status	 st = ST_INTERNAL;

	jail_folder(folder, number);
	if (object != NULL &&
	    (size_t)snprintf(path, sizeof path, "%s/%s", number, name) < sizeof path) {
		memcpy(object, u->object, u->bytes);
		st = split_take(object, u->bytes, u->job->spec.routine.name, k) ?
		    scratch_put(u->means->scratch, path, object, u->bytes, NULL) : ST_BAD_SPEC;
	}
	free(object);
	return st;
}

/* The next shared object in `from`, which moves on.  -1: there is none, or not all of it. */
static int
take_result(int from)
{
	const int	to = memfd_create("assay-object", MFD_CLOEXEC);
	uint64_t	bytes = 0;
	bool		whole = to != -1 && read(from, &bytes, sizeof bytes) == sizeof bytes &&
			    bytes > 0 && bytes <= JAIL_RESULT_BYTES;

	for (ssize_t n; whole && bytes > 0; bytes -= (uint64_t)n)
		if ((n = sendfile(to, from, NULL, bytes)) <= 0)
			break;
	if (whole && bytes == 0)
		return to;
	if (to != -1)
		(void)close(to);
	return -1;
}

static enum status
take_results(struct unit *u, unsigned first, unsigned n, int from)
{
	if (lseek(from, 0, SEEK_SET) == -1)
		return ST_INTERNAL;
	for (unsigned k = first; k < first + n; k++)
		if ((u->member[k]->fd = take_result(from)) == -1)
			return ST_INTERNAL;
	return ST_OK;
}

static enum status
run_links(struct unit *u, unsigned first, unsigned n, int fd)
{
	struct compile		 order = *u->where;
	struct compiled		 c;
	struct step_line	 line;
	const char		*name;
	enum status		 st = ST_OK;

	if (!steps_put_links(u->first->steps, &line, &name))
		return ST_INTERNAL;
	order.argv = line.words;
	order.steps = line.counts;
	order.folders = n;
	order.result = RECIPE_OBJECT;
	order.result_fd = fd;
	scratch_empty(u->means->scratch);
	for (unsigned k = 0; k < n && st == ST_OK; k++)
		st = put_version(u, first + k, k, name);
	if (st != ST_OK)
		return st;
	compile_run(&order, &c);
	u->ms += c.ms;
	free(c.words);
	return c.status == ST_OK ? take_results(u, first, n, fd) : c.status;
}

/* So many at once as have room in a jail's memory. */
enum status
unit_link(struct unit *u)
{
	const size_t	room = LINK_BYTES / u->bytes;
	const unsigned	most = room < 1 ? 1 : room < u->n ? (unsigned)room : u->n;
	enum status	st = ST_OK;

	for (unsigned k = 0; k < u->n && st == ST_OK; k += most) {
		const int	fd = memfd_create("assay-objects", MFD_CLOEXEC);

		st = fd == -1 ? ST_INTERNAL :
		    run_links(u, k, u->n - k < most ? u->n - k : most, fd);
		if (fd != -1)
			(void)close(fd);
	}
	return st;
}
