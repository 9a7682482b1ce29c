/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clocks that a test sets.  The daemon is linked with --wrap, so that its readings of the clocks
 * come here.  They are the kernel's, moved by the seconds in the file that ASSAY_CLOCKS names.
 * Libraries keep the kernel's clocks.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct moved {
	int64_t	wall_s, monotonic_s;
	int64_t	stands_at;	/* the monotonic clock; 0: it goes */
};

int	__real_clock_gettime(clockid_t, struct timespec *);
int	__wrap_clock_gettime(clockid_t, struct timespec *);
time_t	__wrap_time(time_t *);

/* The file, mapped once; zeros without one. */
static const volatile struct moved *
moved_by(void)
{
	static const struct moved		 nothing;
	static const volatile struct moved	*moved;
	const char				*path = getenv("ASSAY_CLOCKS");
	void					*at;
	int					 fd;

	if (moved != NULL)
		return moved;
	moved = &nothing;
	if (path == NULL || (fd = open(path, O_RDONLY | O_CLOEXEC)) == -1)
		return moved;
	at = mmap(NULL, sizeof *moved, PROT_READ, MAP_SHARED, fd, 0);
	(void)close(fd);
	if (at != MAP_FAILED)
		moved = at;
	return moved;
}

int
__wrap_clock_gettime(clockid_t clock, struct timespec *t)
{
	const int	rc = __real_clock_gettime(clock, t);

	if (clock == CLOCK_REALTIME)
		t->tv_sec += moved_by()->wall_s;
	if (clock == CLOCK_MONOTONIC)
		t->tv_sec += moved_by()->monotonic_s;
	if (clock == CLOCK_MONOTONIC && moved_by()->stands_at != 0)
		*t = (struct timespec){ moved_by()->stands_at, 0 };
	return rc;
}

time_t
__wrap_time(time_t *out)
{
	struct timespec	t;

	(void)__wrap_clock_gettime(CLOCK_REALTIME, &t);
	if (out != NULL)
		*out = t.tv_sec;
	return t.tv_sec;
}
