/* SPDX-License-Identifier: Apache-2.0 */
/*
 * assay-runner: loads driver and variants and takes samples into shared memory.  Runs inside the timing jail, in the
 * directory where the objects are, with the shared memory as descriptor 4; worker/RUNNER.md tells the protocol.
 *
 * This process is the template: it loads the driver, sets the operands up, and forks a child for each variant, which
 * inherits them.  It runs none of the variant's code and keeps off the timing CPU.  It decides nothing: how many calls,
 * how many samples and what they are worth is the supervisor's business.
 */
#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/wire/runner_desk.h"
#include "worker/runner/challenge.h"
#include "worker/runner/lane.h"
#include "worker/runner/sample/image.h"

#define REAP_NAP_US	500u
#define REAP_NAPS	200u		/* what a killed process may take to be gone: 100 ms */

static struct runner_shm	*shm;
static struct rt_sets		 sets;
static struct rt_image		 image;
static pid_t			 child[RUNNER_LANES];	/* 0: none; changed only with SIGCHLD blocked */
static pid_t			 group[RUNNER_LANES];	/* of that child; stays when it is over, until it is dropped */

/* Tell the lane of a child that is over.  Safe in a signal handler. */
static void
post_end(pid_t pid, int status)
{
	for (uint32_t i = 0; i < RUNNER_LANES; i++)
		if (child[i] == pid) {
			struct runner_lane	*lane = &shm->lanes[i];

			child[i] = 0;
			lane->end = status;
			__atomic_store_n(&lane->ended, 1, __ATOMIC_RELEASE);
			desk_ring(&lane->desk);
		}
}

static void
reap(void)
{
	int	status;
	pid_t	pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		post_end(pid, status);
}

static void
on_child(int signo)
{
	int	keep = errno;

	(void)signo;
	reap();
	errno = keep;
}

static void
block_children(bool block)
{
	sigset_t	set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(block ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

static void
say(const char *words)
{
	snprintf(shm->words, sizeof shm->words, "%s", words != NULL ? words : "");
}

/* In the child: nothing of the template's handling of signals is left, and it dies with the template. */
static _Noreturn void
become_child(uint32_t lane, const char *name)
{
	for (int s = 1; s < NSIG; s++)
		if (s != SIGKILL && s != SIGSTOP)
			signal(s, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	setpgid(0, 0);
	memset(child, 0, sizeof child);
	block_children(false);
	rt_lane_serve(shm, lane, &sets, name);
}

static enum runner_reply
load(uint32_t lane, const char *name, const uint32_t *shift)
{
	const char	*why;
	pid_t		 pid;

	if (lane >= RUNNER_LANES || child[lane] != 0)
		return RUNNER_BAD_ORDER;
	if ((why = rt_sets_shift(&sets, shift)) != NULL) {
		say(why);
		return RUNNER_NO_MEMORY;
	}
	for (uint32_t k = 0; k < sets.driver->rt_operands; k++)
		shm->at[k] = (uintptr_t)(sets.live[k].far != NULL ? sets.live[k].far : sets.live[k].home);
	block_children(true);
	__atomic_store_n(&shm->lanes[lane].ended, 0, __ATOMIC_RELEASE);
	if ((pid = fork()) == 0)
		become_child(lane, name);
	if (pid > 0) {
		setpgid(pid, pid);
		child[lane] = group[lane] = pid;
	} else
		say(strerror(errno));
	block_children(false);
	return pid > 0 ? RUNNER_OK : RUNNER_NO_FORK;
}

static bool
no_lane_is_alive(void)
{
	for (uint32_t i = 0; i < RUNNER_LANES; i++)
		if (child[i] != 0)
			return false;
	return true;
}

/*
 * Orphans of a child become ours (PR_SET_CHILD_SUBREAPER), so with no lane alive we have no children at all unless
 * something escaped from its process group.  Its pid is unknown: the supervisor must take the whole jail down.
 */
static bool
something_survives(void)
{
	for (unsigned i = 0; i < REAP_NAPS; i++) {
		int	status;
		pid_t	pid = waitpid(-1, &status, WNOHANG);

		if (pid < 0)
			return false;
		if (pid > 0)
			post_end(pid, status);
		else
			usleep(REAP_NAP_US);
	}
	return true;
}

static enum runner_reply
drop(uint32_t lane)
{
	int	status;
	pid_t	pid;

	if (lane >= RUNNER_LANES)
		return RUNNER_BAD_ORDER;
	block_children(true);
	pid = child[lane];
	if (group[lane] > 0)
		kill(-group[lane], SIGKILL);
	group[lane] = 0;
	if (pid != 0) {
		kill(pid, SIGKILL);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		post_end(pid, status);
	}
	reap();
	bool	left = no_lane_is_alive() && something_survives();
	block_children(false);
	return left ? RUNNER_SURVIVORS : RUNNER_OK;
}

static enum runner_reply
make_area(uint64_t flush_bytes, uint64_t nsets, uint64_t moving)
{
	const char	*why = rt_sets_make_flush(&sets, flush_bytes);

	if (why == NULL)
		why = rt_sets_make_far(&sets, nsets, moving);
	say(why);
	return why == NULL ? RUNNER_OK : RUNNER_NO_MEMORY;
}

static enum runner_reply
obey(void)
{
	char		name[RUNNER_NAME_BYTES];
	uint32_t	shift[RUNNER_OPERANDS];

	switch (shm->command) {
	case RUNNER_LOAD:
		memcpy(shift, shm->shift, sizeof shift);
		snprintf(name, sizeof name, "%.*s", (int)sizeof shm->name - 1, shm->name);
		return load(shm->lane, name, shift);
	case RUNNER_DROP:
		return drop(shm->lane);
	case RUNNER_PRIME:
		return rt_challenge_prime(&sets, shm) ? RUNNER_OK : RUNNER_BAD_ORDER;
	case RUNNER_AREA:
		return make_area(shm->flush_bytes, shm->sets, shm->moving);
	default:
		return RUNNER_BAD_ORDER;
	}
}

static bool
map_shared(void)
{
	struct stat	 st;

	if (fstat(RUNNER_SHM_FD, &st) != 0 || (size_t)st.st_size < sizeof *shm)
		return false;
	shm = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, RUNNER_SHM_FD, 0);
	if (shm == MAP_FAILED)
		return false;
	return shm->magic == RUNNER_MAGIC && shm->version == RUNNER_VERSION && shm->bytes == (uint64_t)st.st_size;
}

static void
keep_off(const struct runner_setup *setup)
{
	cpu_set_t	may;

	if (setup->cpu < 0 || sched_getaffinity(0, sizeof may, &may) != 0)
		return;
	CPU_CLR((size_t)setup->cpu, &may);
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (setup->cpus[cpu / 64] >> cpu % 64 & 1)
			CPU_CLR(cpu, &may);
	if (CPU_COUNT(&may) > 0)
		sched_setaffinity(0, sizeof may, &may);
}

static bool
is_sound(const struct rt_driver *d)
{
	return d->rt_abi == RT_ABI && d->rt_operands <= RT_MAX_OPERANDS && d->rt_result_bytes <= RT_MAX_RESULT;
}

static const struct rt_driver *
load_driver(void)
{
	const struct rt_driver	*d;
	void			*handle = dlopen("./driver.so", RTLD_NOW | RTLD_LOCAL);

	if (handle == NULL || (d = dlsym(handle, "assay_driver")) == NULL) {
		say(dlerror());
		return NULL;
	}
	if (!is_sound(d)) {
		say("the driver was made for another runner");
		return NULL;
	}
	d->rt_describe();
	return d;
}

static enum runner_reply
open_image(void)
{
	const char		*why;
	enum rt_image_state	 st = rt_image_open(&image, "./image", &why);

	say(why);
	sets.image = &image;
	return st == RT_IMAGE_OK ? RUNNER_OK : st == RT_IMAGE_CLASH ? RUNNER_CLASH : RUNNER_NO_IMAGE;
}

static enum runner_reply
set_up(void)
{
	const struct rt_driver	*d;
	const char		*why;

	keep_off(&shm->setup);
	if ((d = load_driver()) == NULL)
		return RUNNER_NO_DRIVER;
	if ((why = rt_sets_make(&sets, d, &shm->setup)) != NULL) {
		say(why);
		return RUNNER_NO_MEMORY;
	}
	shm->driver.operands = d->rt_operands;
	shm->driver.result_bytes = d->rt_result_bytes;
	for (uint32_t k = 0; k < d->rt_operands; k++)
		shm->driver.count[k] = d->rt_operand[k].rt_count;
	snprintf(shm->driver.routine, sizeof shm->driver.routine, "%s", d->rt_routine);
	snprintf(shm->driver.clock, sizeof shm->driver.clock, "%s", d->rt_clock);
	return d->rt_checkpoint ? open_image() : RUNNER_OK;
}

/* Orders after `order`, until told to quit. */
static void
serve(uint32_t order)
{
	for (;;) {
		uint32_t	heard = desk_bell(&shm->desk);

		if (desk_order(&shm->desk) == order) {
			desk_sleep(&shm->desk, heard, 0);
			continue;
		}
		order = desk_order(&shm->desk);
		if (shm->command == RUNNER_QUIT)
			return;
		shm->reply = obey();
		desk_answer(&shm->desk, order);
	}
}

int
main(void)
{
	struct sigaction	on = { .sa_handler = on_child, .sa_flags = SA_NOCLDSTOP };
	uint32_t		order;

	if (!map_shared()) {
		fprintf(stderr, "assay-runner is started by assay-worker, with shared memory as descriptor %d\n",
		    RUNNER_SHM_FD);
		return 64;
	}
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	sigaction(SIGCHLD, &on, NULL);
	order = desk_order(&shm->desk);		/* the first: how did setting up go? */
	shm->reply = set_up();
	desk_answer(&shm->desk, order);
	if (shm->reply == RUNNER_OK)
		serve(order);
	return 0;
}
