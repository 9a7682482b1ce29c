/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The assembler, without the compiler's driver: text and object are files in memory, which it
 * opens as descriptors 3 and 4; descriptor 5 has what it says.
 */
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/micro/decode/assemble.h"
#include "client/micro/decode/confine.h"

enum { SOURCE = 3, OBJECT = 4, WORDS = 5, NO_SUCH = 127, ABOVE = 16, WORDS_BYTES = 4096 };

static const char *
assembler_of(enum machine m)
{
	return m == machine_of_host() ? "as" : m == MACHINE_AARCH64 ? "aarch64-linux-gnu-as" :
	    "x86_64-linux-gnu-as";
}

/* ---- in the new process ---- */

static void
run(enum machine m, pid_t parent, const int files[3])
{
	const char	*const argv[] = { assembler_of(m), "-o", "/proc/self/fd/4",
			    "/proc/self/fd/3", NULL };

	for (int i = 0; i < 3; i++)
		if (dup2(files[i], SOURCE + i) < 0)
			_exit(NO_SUCH);
	(void)dup2(WORDS, STDERR_FILENO);
	(void)setenv("LC_ALL", "C", 1);
	(void)unsetenv("SECURE_LOG_FILE");	/* a directive writes there */
	if (confine(parent, argv[0]))
		(void)execvp(argv[0], (char *const *)argv);
	_exit(NO_SUCH);
}

/* ---- here ---- */

/* A file in memory whose descriptor none of the assembler's is; -1: there is none. */
static int
new_file(void)
{
	int	low = memfd_create("assay-micro", MFD_CLOEXEC);
	int	fd = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, ABOVE);

	if (low >= 0)
		(void)close(low);
	return fd;
}

static bool
put(int fd, const char *text, size_t bytes)
{
	ssize_t	n;

	for (; bytes > 0; text += n, bytes -= (size_t)n)
		if ((n = write(fd, text, bytes)) <= 0)
			return false;
	return lseek(fd, 0, SEEK_SET) == 0;
}

static enum status
too_much(struct fault *why, int mib, const char *of)
{
	(void)fault_set(why, ST_BUILD_FAILED, "it needs more than %d MiB %s", mib, of);
	fault_hint(why, "unroll less, or lower the numbers of .rept, .fill and their like");
	return ST_BUILD_FAILED;
}

/* The first line that is an error's, without the name of the file in memory. */
static enum status
refuse(int fd, struct fault *why)
{
	static const char	file[] = "/proc/self/fd/3:";
	char			words[WORDS_BYTES], *line, *rest = words;
	ssize_t			n = pread(fd, words, sizeof words - 1, 0);

	words[n > 0 ? n : 0] = '\0';
	if (strstr(words, "out of memory") != NULL || strstr(words, "memory exhausted") != NULL)
		return too_much(why, CONFINE_MEMORY_MIB, "of memory");
	if (strstr(words, "File too large") != NULL)
		return too_much(why, CONFINE_OBJECT_MIB, "for its object");
	while ((line = strsep(&rest, "\n")) != NULL)
		if (strstr(line, "Error: ") != NULL || strstr(line, "Fatal error: ") != NULL)
			break;
	if (line != NULL && strncmp(line, file, sizeof file - 1) == 0)
		line += sizeof file - 1;
	return fault_set(why, ST_BUILD_FAILED, "%s", line != NULL ? line :
	    "it stopped without a word");
}

static enum status
killed(int number, struct fault *why)
{
	if (number == SIGXFSZ)
		return too_much(why, CONFINE_OBJECT_MIB, "for its object");
	if (number != SIGALRM)
		return fault_set(why, ST_BUILD_FAILED, "it ended with signal %d", number);
	(void)fault_set(why, ST_BUILD_FAILED, "it took more than %d s", CONFINE_SECONDS);
	fault_hint(why, "unroll less, or lower the numbers of .rept, .fill and their like");
	return ST_BUILD_FAILED;
}

static enum status
end_of(enum machine m, pid_t pid, int words, struct fault *why)
{
	int	ended;

	if (waitpid(pid, &ended, 0) != pid)
		return fault_set(why, ST_INTERNAL, "its end is not known");
	if (WIFSIGNALED(ended))
		return killed(WTERMSIG(ended), why);
	if (WEXITSTATUS(ended) == NO_SUCH) {
		(void)fault_set(why, ST_NOT_FOUND, "%s does not start", assembler_of(m));
		fault_hint(why, "install binutils%s", m == machine_of_host() ? "" :
		    m == MACHINE_AARCH64 ? "-aarch64-linux-gnu" : "-x86-64-linux-gnu");
		return ST_NOT_FOUND;
	}
	return WEXITSTATUS(ended) == 0 ? ST_OK : refuse(words, why);
}

static enum status
map(int fd, struct object *to, struct fault *why)
{
	struct stat	s;

	if (fstat(fd, &s) != 0 || s.st_size == 0)
		return fault_set(why, ST_BUILD_FAILED, "it made no object");
	to->bytes = (size_t)s.st_size;
	to->at = mmap(NULL, to->bytes, PROT_READ, MAP_PRIVATE, fd, 0);
	if (to->at != MAP_FAILED)
		return ST_OK;
	*to = (struct object){ NULL, 0 };
	return fault_set(why, ST_NOMEM, "an object of %ld bytes", (long)s.st_size);
}

static enum status
assemble_in(enum machine m, const char *text, size_t bytes, const int files[3],
    struct object *to, struct fault *why)
{
	const pid_t	parent = getpid();
	enum status	st;
	pid_t		pid;

	if (files[0] < 0 || files[1] < 0 || files[2] < 0 || !put(files[0], text, bytes))
		return fault_set(why, ST_IO, "no file in memory for %zu bytes", bytes);
	if ((pid = fork()) < 0)
		return fault_set(why, ST_IO, "the assembler does not start: no process");
	if (pid == 0)
		run(m, parent, files);
	st = end_of(m, pid, files[2], why);
	return st == ST_OK ? map(files[1], to, why) : st;
}

enum status
assemble(enum machine m, const char *text, size_t bytes, struct object *to, struct fault *why)
{
	int		files[3];
	enum status	st;

	*to = (struct object){ NULL, 0 };
	for (int i = 0; i < 3; i++)
		files[i] = new_file();
	st = assemble_in(m, text, bytes, files, to, why);
	for (int i = 0; i < 3; i++)
		if (files[i] >= 0)
			(void)close(files[i]);
	return st;
}

void
object_release(struct object *o)
{
	if (o->at != NULL)
		(void)munmap(o->at, o->bytes);
	*o = (struct object){ NULL, 0 };
}
