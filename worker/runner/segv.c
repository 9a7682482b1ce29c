/* SPDX-License-Identifier: Apache-2.0 */
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "worker/runner/segv.h"

#define X86_WRITES	2	/* of a page fault's error code */

static struct runner_touch	*note;			/* borrowed */

static uint32_t
access_of(const ucontext_t *context)
{
#if defined(__x86_64__)
	return context->uc_mcontext.gregs[REG_ERR] & X86_WRITES ? RUNNER_WRITE : RUNNER_READ;
#else
	(void)context;
	return RUNNER_ACCESS;
#endif
}

/* The handler is off again while it runs: the second SIGSEGV ends the process. */
static void
on_segv(int signo, siginfo_t *info, void *context)
{
	if (info->si_code > 0) {
		__atomic_store_n(&note->access, access_of(context), __ATOMIC_RELAXED);
		__atomic_store_n(&note->at, (uintptr_t)info->si_addr, __ATOMIC_RELAXED);
	}
	syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signo);
}

void
rt_segv_note(struct runner_touch *claim)
{
	struct sigaction	on = { .sa_sigaction = on_segv,
				    .sa_flags = SA_SIGINFO | SA_RESETHAND | SA_NODEFER };

	note = claim;
	*note = (struct runner_touch){ 0, RUNNER_ACCESS };
	sigaction(SIGSEGV, &on, NULL);
}
