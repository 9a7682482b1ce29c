/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_TESTS_FAKE_CELL_H
#define ASSAY_TESTS_FAKE_CELL_H

/* A directory of plain files in place of a cgroup, with the way into it open. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char	dir[64];
static int	procs_fd;

static inline const char *
path_of(const char *file)
{
	static char	path[128];

	(void)snprintf(path, sizeof path, "%s/%s", dir, file);
	return path;
}

static inline void
make(const char *file, const char *text)
{
	FILE	*f = fopen(path_of(file), "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static inline int
make_cell(void)
{
	strcpy(dir, "/tmp/assay-cell-XXXXXX");
	assert_non_null(mkdtemp(dir));
	make("cgroup.procs", "");
	procs_fd = open(path_of("cgroup.procs"), O_WRONLY | O_CLOEXEC);
	return procs_fd == -1;
}

static inline int
remove_cell(void)
{
	char	command[128];

	(void)close(procs_fd);
	(void)snprintf(command, sizeof command, "rm -rf '%s'", dir);
	return system(command);
}

#endif
