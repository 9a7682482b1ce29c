/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_FILL_H
#define ASSAY_WORKER_BUILD_FILL_H

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * The program that fills operands by functions of a spec's setup, and writes their bytes one behind
 * the other (setup.h).  Its main.c includes this text; it is compiled and runs in a build jail.
 */
struct fill {
	void		(*function)(void *elements, size_t count);
	size_t		 count, bytes;
	const char	*name;			/* borrowed; for messages */
};

enum { FILL_ALIGN = 64, FILL_STACK_BYTES = 1 << 16 };

static const char	*fill_now;		/* borrowed */

static inline _Noreturn void
fill_died(int number)
{
	(void)dprintf(STDERR_FILENO, "%s died by signal %d (%s)\n", fill_now, number,
	    sigdescr_np(number));
	_exit(1);
}

/* On a stack of its own, because the routine's may be used up. */
static inline void
fill_catch_signals(void)
{
	static const int	numbers[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS };
	static char		stack[FILL_STACK_BYTES];
	const stack_t		own = { .ss_sp = stack, .ss_size = sizeof stack };
	struct sigaction	action = { .sa_handler = fill_died, .sa_flags = SA_ONSTACK };

	(void)sigaltstack(&own, NULL);
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		(void)sigaction(numbers[i], &action, NULL);
}

/* Zeros.  A page that cannot be touched is less than FILL_ALIGN bytes behind the last. */
static inline void *
fill_memory(size_t bytes)
{
	const size_t	page = (size_t)sysconf(_SC_PAGESIZE);
	const size_t	whole = (bytes + page - 1) / page * page;
	char		*at = mmap(NULL, whole + page, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED || mprotect(at + whole, page, PROT_NONE) != 0)
		return NULL;
	return at + whole - (bytes + FILL_ALIGN - 1) / FILL_ALIGN * FILL_ALIGN;
}

static inline int
fill_one(const struct fill *f, int to)
{
	char	*at = fill_memory(f->bytes);
	ssize_t	 n;

	fill_now = f->name;
	if (at == NULL)
		return dprintf(STDERR_FILENO, "%s: no memory\n", f->name) < 0 ? -1 : 1;
	f->function(at, f->count);
	for (size_t done = 0; done < f->bytes; done += (size_t)n) {
		if ((n = write(to, at + done, f->bytes - done)) > 0)
			continue;
		perror(f->name);
		return 1;
	}
	return 0;
}

static inline int
fill_all(const struct fill *each, size_t n, const char *path)
{
	const int	to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);

	if (to == -1) {
		perror(path);
		return 1;
	}
	fill_catch_signals();
	for (size_t i = 0; i < n; i++)
		if (fill_one(&each[i], to) != 0)
			return 1;
	return 0;
}

#endif
