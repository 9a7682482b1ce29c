/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "worker/starter/files.h"
#include "worker/starter/floor.h"

#ifndef MFD_EXEC
#define MFD_EXEC	0x0010u		/* Linux 6.3; without it, hosts may refuse the exec */
#endif
#define UNCHANGING	(F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL)

static int
make_executable(const char *name)
{
	const int	fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_EXEC);

	return fd != -1 || errno != EINVAL ? fd :
	    memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

static int
write_all(int fd, const void *from, uint64_t bytes)
{
	const char	*at = from;

	while (bytes > 0) {
		const ssize_t	n = write(fd, at, bytes);

		if (n <= 0)
			return 0;
		at += n;
		bytes -= (uint64_t)n;
	}
	return 1;
}

static int
copy_all(int to, const char *path)
{
	const int	from = open(path, O_RDONLY | O_CLOEXEC);
	struct stat	sb = { .st_size = 0 };
	int		done = from != -1 && fstat(from, &sb) == 0;

	while (done && sb.st_size > 0) {
		const ssize_t	n = sendfile(to, from, NULL, (size_t)sb.st_size);

		done = n > 0;
		sb.st_size -= n;
	}
	if (from != -1)
		close(from);
	return done;
}

/* Its own file offset: so each copy has a file of its own. */
static int
make_input(const struct program_shm *shm)
{
	const struct program_setup	*s = &shm->setup;
	int				 fd;

	if (s->input_bytes == UINT64_MAX)
		return open("/dev/null", O_RDONLY | O_CLOEXEC);
	if ((fd = memfd_create("stdin", MFD_CLOEXEC | MFD_ALLOW_SEALING)) == -1)
		return -1;
	if (write_all(fd, (const char *)shm + s->input_at, s->input_bytes) &&
	    fcntl(fd, F_ADD_SEALS, UNCHANGING) == 0)
		return fd;
	close(fd);
	return -1;
}

const char *
files_make(struct files *f, const struct program_shm *shm)
{
	if ((f->program = make_executable("program")) == -1 ||
	    !copy_all(f->program, "program") ||
	    fcntl(f->program, F_ADD_SEALS, UNCHANGING) != 0)
		return "program";
	if ((f->floor = make_executable("floor")) == -1 ||
	    !write_all(f->floor, floor_program, floor_bytes) ||
	    fcntl(f->floor, F_ADD_SEALS, UNCHANGING) != 0)
		return "floor";
	for (uint32_t i = 0; i < shm->setup.copies; i++) {
		if ((f->copy[i].in = make_input(shm)) == -1)
			return "stdin";
		if ((f->copy[i].out = memfd_create("stdout", MFD_CLOEXEC)) == -1 ||
		    (f->copy[i].err = memfd_create("stderr", MFD_CLOEXEC)) == -1)
			return "stdout";
	}
	return NULL;
}

static void
empty(int fd)
{
	(void)!ftruncate(fd, 0);
	(void)lseek(fd, 0, SEEK_SET);
}

void
files_rewind(struct files *f, uint32_t copies)
{
	for (uint32_t i = 0; i < copies; i++) {
		(void)lseek(f->copy[i].in, 0, SEEK_SET);
		empty(f->copy[i].out);
		empty(f->copy[i].err);
	}
}

/* From `at` on; how many bytes there were. */
static uint64_t
read_all(int fd, uint64_t at, char *to, uint64_t most)
{
	uint64_t	 done = 0;
	ssize_t		 n;

	while (done < most && (n = pread(fd, to + done, most - done, (off_t)(at + done))) > 0)
		done += (uint64_t)n;
	return done;
}

void
files_hand_out(const struct files *f, struct program_shm *shm, uint32_t copy)
{
	const struct program_setup	*s = &shm->setup;
	struct program_run		*run = &shm->run[copy];
	struct stat			 sb;
	uint64_t			 from = 0;

	run->output_bytes = read_all(f->copy[copy].out, 0,
	    (char *)shm + s->output_at + copy * s->output_step, s->output_bytes);
	if (fstat(f->copy[copy].err, &sb) == 0 && sb.st_size > PROGRAM_LAST_BYTES)
		from = (uint64_t)sb.st_size - PROGRAM_LAST_BYTES;
	run->last_bytes = read_all(f->copy[copy].err, from,
	    (char *)shm + s->last_at + (uint64_t)copy * PROGRAM_LAST_BYTES, PROGRAM_LAST_BYTES);
}
