/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_TESTS_FAKE_CELL_H
#define ASSAY_TESTS_FAKE_CELL_H

/*
 * A directory of plain files in place of a cgroup, with the way into it open.  Included once, after
 * cmocka.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
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

/*
 * A file that says one thing to its first reader and another to the second, however much or little
 * time is between them.  Its one writer stays, so that a second reader who comes before the first
 * one's leaving is noticed waits for its own text; it is open for reading, too, so that it never
 * writes to nobody.
 */
struct changing {
	const char	*file, *first, *second;
	char		 path[128];
	pthread_t	 kernel;
};

/* Writes what the next reader gets, and waits until it has been read. */
static inline void
serve(int fd, const char *text)
{
	const struct timespec	pause = { 0, 100000 };
	int			left = 1;

	if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		return;
	while (ioctl(fd, FIONREAD, &left) == 0 && left > 0)
		(void)nanosleep(&pause, NULL);
}

static inline void *
serve_both(void *arg)
{
	const struct changing	*c = arg;
	const int		 fd = open(c->path, O_RDWR | O_CLOEXEC);

	if (fd == -1)
		return NULL;
	serve(fd, c->first);
	serve(fd, c->second);
	(void)close(fd);
	return NULL;
}

static inline void
begin_change(struct changing *c)
{
	(void)snprintf(c->path, sizeof c->path, "%s/%s", dir, c->file);
	(void)unlink(c->path);
	assert_int_equal(mkfifo(c->path, 0600), 0);
	assert_int_equal(pthread_create(&c->kernel, NULL, serve_both, c), 0);
}

/* Both have read it; from here on it is a file with what the second one saw. */
static inline void
end_change(struct changing *c)
{
	assert_int_equal(pthread_join(c->kernel, NULL), 0);
	assert_int_equal(unlink(c->path), 0);
	make(c->file, c->second);
}

#endif
