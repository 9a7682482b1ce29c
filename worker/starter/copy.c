/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "proto/base/clock.h"
#include "worker/runner/sample/canary.h"
#include "worker/starter/confine.h"
#include "worker/starter/copy.h"
#include "worker/starter/trace.h"

#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC	(1u << 2)
#endif
enum { NO_EXEC = 127 };

int
copy_bind(int cpu)
{
	cpu_set_t	only;

	if (cpu < 0)
		return 0;
	CPU_ZERO(&only);
	CPU_SET((size_t)cpu, &only);
	return sched_setaffinity(0, sizeof only, &only);
}

/* The first reading brings its code in. */
void
copy_look_at_core(uint32_t *canary, uint32_t *pace)
{
	(void)rt_canary();
	(void)rt_pace();
	*canary = rt_canary();
	*pace = rt_pace();
}

/* A program with threads has all of the slot, and shares it out by itself. */
static int
bind_to(const struct program_setup *s, uint32_t copy)
{
	cpu_set_t	all;

	if (s->threads <= 1 || s->cpu[copy] < 0)
		return copy_bind(s->cpu[copy]);
	CPU_ZERO(&all);
	for (size_t cpu = 0; cpu < RUNNER_CPUS && cpu < CPU_SETSIZE; cpu++)
		if (s->cpus[cpu / 64] >> cpu % 64 & 1)
			CPU_SET(cpu, &all);
	return sched_setaffinity(0, sizeof all, &all);
}

static uint64_t
ns_of(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_usec * 1000u;
}

/* Binding moves a process, and that is a switch: so what came before the exec does not count. */
void
copy_note_use(struct program_run *run, const struct rusage *usage)
{
	run->cpu_ns = ns_of(&usage->ru_utime) + ns_of(&usage->ru_stime) - run->cpu_ns;
	run->faults = (uint64_t)usage->ru_minflt + (uint64_t)usage->ru_majflt - run->faults;
	run->switches = (uint64_t)usage->ru_nivcsw - run->switches;
	run->max_rss_bytes = (uint64_t)usage->ru_maxrss * 1024;
}

static int
leave_starter(void)
{
	sigset_t	none;

	for (int s = 1; s < NSIG; s++)
		if (s != SIGKILL && s != SIGSTOP)
			(void)signal(s, SIG_DFL);
	sigemptyset(&none);
	(void)setpgid(0, 0);
	if (sigprocmask(SIG_SETMASK, &none, NULL) != 0 ||
	    prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || prctl(PR_SET_DUMPABLE, 0) != 0)
		return -1;
	return 0;
}

static int
take_files(const struct start *s)
{
	const int	from[] = { s->files->copy[s->copy].in, s->files->copy[s->copy].out,
			    s->files->copy[s->copy].err };

	for (int fd = 0; fd < 3; fd++)
		if (dup2(from[fd], fd) == -1)
			return -1;
	if (s->shm->setup.scratch[0] != '\0' && chdir(s->shm->setup.scratch) != 0)
		return -1;
	return (int)syscall(SYS_close_range, 3, ~0u, CLOSE_RANGE_CLOEXEC);
}

static int
limit(int resource, uint64_t most)
{
	const struct rlimit	limit = { most, most };

	return setrlimit(resource, &limit);
}

/* What is printed beyond the limit ends the program by SIGXFSZ. */
static int
limit_all(const struct program_setup *s)
{
	if (limit(RLIMIT_FSIZE, s->output_bytes) != 0 || limit(RLIMIT_CORE, 0) != 0)
		return -1;
	return s->memory_bytes == 0 ? 0 : limit(RLIMIT_AS, s->memory_bytes);
}

_Noreturn static void
fail(const struct start *s, const char *step)
{
	struct program_run	*run = &s->shm->run[s->copy];

	run->error = errno != 0 ? errno : EPERM;
	(void)snprintf(run->step, sizeof run->step, "%s", step);
	__atomic_store_n(&s->shm->failed, 1, __ATOMIC_RELEASE);
	_exit(NO_EXEC);
}

/* All are awake, on CPUs of their own where the slot has some. */
static void
meet(struct program_shm *shm, uint32_t copies)
{
	__atomic_fetch_add(&shm->arrived, 1, __ATOMIC_ACQ_REL);
	while (__atomic_load_n(&shm->arrived, __ATOMIC_ACQUIRE) < copies) {
		if (__atomic_load_n(&shm->failed, __ATOMIC_ACQUIRE) != 0)
			_exit(NO_EXEC);
		if (shm->setup.cpu[0] < 0)
			(void)sched_yield();
	}
}

_Noreturn void
copy_become(const struct start *s)
{
	const struct program_setup	*setup = &s->shm->setup;
	struct program_run		*run = &s->shm->run[s->copy];
	struct rusage			 usage;
	uint64_t			 secret;

	errno = 0;
	if (getrandom(&secret, sizeof secret, 0) != sizeof secret || leave_starter() != 0)
		fail(s, "process");
	if (s->traced && trace_me() != 0)
		fail(s, "trace");
	if (bind_to(setup, s->copy) != 0)
		fail(s, "cpu");
	if (take_files(s) != 0)
		fail(s, "files");
	if (limit_all(setup) != 0)
		fail(s, "limits");
	if (setup->filtered && !confine(setup, secret, s->traced))
		fail(s, "filter");
	copy_look_at_core(&run->canary_before, &run->pace_before);
	if (getrusage(RUSAGE_SELF, &usage) == 0)
		copy_note_use(run, &usage);
	run->ready_ns = clock_now_ns();
	meet(s->shm, s->copies);
	run->began_ns = clock_now_ns();
	(void)syscall(SYS_execveat, s->what, "", s->argv, s->env, AT_EMPTY_PATH, secret);
	fail(s, "exec");
}
