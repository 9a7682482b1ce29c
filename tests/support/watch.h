/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_TESTS_SUPPORT_WATCH_H
#define ASSAY_TESTS_SUPPORT_WATCH_H

/*
 * Which pages of a piece of memory are touched, in which order and on which CPU.  They are closed:
 * the first access to each faults, is noted, and opens the page.  An instruction that flushes a
 * line faults like one that reads it.  One piece at a time; included once, after cmocka.
 */
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

enum { WATCH_PAGE = 4096, WATCH_MOST = 1 << 16 };

static struct {
	char		*first;			/* of the first page; borrowed */
	size_t		 pages;
	unsigned	 touched;		/* pages that were */
	unsigned	 place[WATCH_MOST];	/* among touches, from 1; 0: not touched */
	int		 cpu[WATCH_MOST];	/* on which it was touched first */
	struct sigaction before;
} watch;

static void
watch_see(int number, siginfo_t *info, void *context)
{
	const uintptr_t	at = (uintptr_t)info->si_addr, first = (uintptr_t)watch.first;
	const size_t	page = (at - first) / WATCH_PAGE;

	(void)context;
	if (at < first || page >= watch.pages || watch.place[page] != 0) {
		(void)signal(number, SIG_DFL);
		return;
	}
	watch.place[page] = __atomic_add_fetch(&watch.touched, 1, __ATOMIC_RELAXED);
	watch.cpu[page] = sched_getcpu();
	(void)mprotect(watch.first + page * WATCH_PAGE, WATCH_PAGE, PROT_READ | PROT_WRITE);
}

/* Nothing has been touched from here on. */
static inline void
watch_again(void)
{
	watch.touched = 0;
	memset(watch.place, 0, watch.pages * sizeof watch.place[0]);
	assert_int_equal(mprotect(watch.first, watch.pages * WATCH_PAGE, PROT_NONE), 0);
}

/* Every page that has a byte of them. */
static inline void
watch_begin(void *at, size_t bytes)
{
	const struct sigaction	see = { .sa_sigaction = watch_see, .sa_flags = SA_SIGINFO };
	const size_t		before = (uintptr_t)at % WATCH_PAGE;

	watch.first = (char *)at - before;
	watch.pages = (before + bytes + WATCH_PAGE - 1) / WATCH_PAGE;
	assert_true(watch.pages <= WATCH_MOST);
	assert_int_equal(sigaction(SIGSEGV, &see, &watch.before), 0);
	watch_again();
}

static inline void
watch_end(void)
{
	assert_int_equal(mprotect(watch.first, watch.pages * WATCH_PAGE, PROT_READ | PROT_WRITE),
	    0);
	assert_int_equal(sigaction(SIGSEGV, &watch.before, NULL), 0);
}

#endif
