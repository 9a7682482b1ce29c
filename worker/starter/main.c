/* SPDX-License-Identifier: Apache-2.0 */
/*
 * assay-starter: starts programs and takes the time of their runs.  It runs inside the timing jail,
 * in the directory of the program, with the shared memory as descriptor 4; README.md has the
 * protocol.
 *
 * Nothing of a program runs in this process, and no program has its memory: so the times are its
 * own readings.  It keeps off the CPUs of the copies, and decides nothing.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/wire/runner_desk.h"
#include "worker/runner/scratch.h"
#include "worker/starter/copy.h"
#include "worker/starter/trace.h"

enum { REST_READINGS = 64 };

static struct program_shm	*shm;
static struct files		 files;
static cpu_set_t		 home;		/* our own CPUs */
static char			*argv[PROGRAM_WORDS_MOST + 1];

/* ---- set-up ---- */

static bool
map_shared(void)
{
	size_t	bytes;

	if ((shm = desk_map(sizeof *shm, &bytes)) == NULL)
		return false;
	return shm->magic == PROGRAM_MAGIC && shm->version == PROGRAM_VERSION &&
	    shm->bytes == bytes && shm->setup.copies >= 1 &&
	    shm->setup.copies <= RUNNER_MOST_COPIES && shm->setup.words < PROGRAM_WORDS_MOST;
}

static void
keep_off(const struct program_setup *s)
{
	cpu_set_t	may;

	(void)sched_getaffinity(0, sizeof home, &home);
	may = home;
	for (size_t cpu = 0; cpu < RUNNER_CPUS && cpu < CPU_SETSIZE; cpu++)
		if (s->cpus[cpu / 64] >> cpu % 64 & 1)
			CPU_CLR(cpu, &may);
	for (uint32_t i = 0; i < s->copies; i++)
		if (s->cpu[i] >= 0)
			CPU_CLR((size_t)s->cpu[i], &may);
	if (CPU_COUNT(&may) > 0)
		home = may;
	(void)sched_setaffinity(0, sizeof home, &home);
}

static void
find_words(const struct program_setup *s)
{
	char	*at = (char *)shm + s->words_at;

	for (uint32_t i = 0; i < s->words; i++) {
		argv[i] = at;
		at += strlen(at) + 1;
	}
}

static uint32_t
pace_at_rest(int cpu)
{
	uint32_t	least = UINT32_MAX, canary, pace;

	if (copy_bind(cpu) != 0)
		return 0;
	for (int i = 0; i < REST_READINGS; i++) {
		copy_look_at_core(&canary, &pace);
		least = pace < least ? pace : least;
	}
	(void)sched_setaffinity(0, sizeof home, &home);
	return least;
}

static enum program_reply
set_up(void)
{
	const char	*failed;

	keep_off(&shm->setup);
	find_words(&shm->setup);
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1);
	(void)prctl(PR_SET_DUMPABLE, 0);
	if ((failed = files_make(&files, shm)) != NULL) {
		(void)snprintf(shm->words, sizeof shm->words, "%s: %s", failed, strerror(errno));
		return PROGRAM_NOT_SET_UP;
	}
	shm->rest_pace = pace_at_rest(shm->setup.cpu[0]);
	return PROGRAM_DONE;
}

/* ---- a run ---- */

/* Until all copies have ended; others are orphans of theirs. */
static void
await(const pid_t *pid)
{
	struct rusage	usage;
	uint64_t	now_ns;
	uint32_t	left = shm->setup.copies;
	pid_t		one;
	int		status;

	while (left > 0 && ((one = wait4(-1, &status, 0, &usage)) > 0 || errno == EINTR)) {
		now_ns = clock_now_ns();
		for (uint32_t i = 0; one > 0 && i < shm->setup.copies; i++)
			if (pid[i] == one) {
				shm->run[i].ended_ns = now_ns;
				shm->run[i].status = status;
				copy_note_use(&shm->run[i], &usage);
				left--;
			}
	}
}

/*
 * What a program has started and left.  The jail has a process namespace where programs may fork,
 * so all there is but us and its init is theirs.
 */
static uint32_t
end_all(void)
{
	uint32_t	killed = 0;
	int		status;

	if (!shm->setup.may_fork)
		return 0;
	(void)kill(-1, SIGKILL);
	while (waitpid(-1, &status, 0) > 0)
		killed += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
	return killed;
}

static void
look_back(void)
{
	for (uint32_t i = 0; i < shm->setup.copies; i++) {
		struct program_run	*run = &shm->run[i];

		if (copy_bind(shm->setup.cpu[i]) == 0)
			copy_look_at_core(&run->canary_after, &run->pace_after);
	}
	(void)sched_setaffinity(0, sizeof home, &home);
}

static enum program_reply
start_all(struct start *s, pid_t *pid)
{
	for (s->copy = 0; s->copy < s->copies; s->copy++) {
		if ((pid[s->copy] = fork()) == 0)
			copy_become(s);
		if (pid[s->copy] < 0) {
			(void)snprintf(shm->words, sizeof shm->words, "%s", strerror(errno));
			__atomic_store_n(&shm->failed, 1, __ATOMIC_RELEASE);
			while (wait(NULL) > 0)
				continue;
			return PROGRAM_NO_FORK;
		}
	}
	return PROGRAM_DONE;
}

/* Of so many copies, with files and records as at first. */
static enum program_reply
begin(int what, uint32_t copies, bool traced, pid_t *pid)
{
	static char	 path[] = "PATH=/usr/local/bin:/usr/bin:/bin", lang[] = "LANG=C";
	static char	 threads[40], tmpdir[RUNNER_DIR_BYTES + 8];
	char		*env[] = { path, lang, threads, tmpdir, NULL };
	struct start	 s = { .shm = shm, .files = &files, .argv = argv, .env = env, .what = what,
			    .copies = copies, .traced = traced };

	(void)snprintf(threads, sizeof threads, "OMP_NUM_THREADS=%u", shm->setup.threads);
	(void)snprintf(tmpdir, sizeof tmpdir, "TMPDIR=%s", shm->setup.scratch[0] != '\0' ?
	    shm->setup.scratch : "/");
	rt_scratch_clear(shm->setup.scratch);
	files_rewind(&files, shm->setup.copies);
	memset(shm->run, 0, sizeof shm->run);
	shm->arrived = shm->failed = 0;
	return start_all(&s, pid);
}

static enum program_reply
run(int what)
{
	pid_t			pid[RUNNER_MOST_COPIES];
	enum program_reply	reply = begin(what, shm->setup.copies, false, pid);

	if (reply != PROGRAM_DONE)
		return reply;
	await(pid);
	look_back();
	shm->left = end_all();
	for (uint32_t i = 0; i < shm->setup.copies; i++)
		files_hand_out(&files, shm, i);
	return PROGRAM_DONE;
}

static enum program_reply
trace(void)
{
	pid_t			pid;
	enum program_reply	reply = begin(files.program, 1, true, &pid);

	if (reply != PROGRAM_DONE)
		return reply;
	shm->refused = trace_refused(pid);
	shm->left = end_all();
	return PROGRAM_DONE;
}

/* ---- orders ---- */

static enum program_reply
obey(void)
{
	switch (shm->command) {
	case PROGRAM_RUN:
		return run(files.program);
	case PROGRAM_FLOOR:
		return run(files.floor);
	case PROGRAM_TRACE:
		return trace();
	default:
		return PROGRAM_BAD_ORDER;
	}
}

static void
serve(uint32_t order)
{
	for (;;) {
		order = desk_next_order(&shm->desk, order);
		if (shm->command == PROGRAM_QUIT)
			return;
		shm->reply = obey();
		desk_reply(&shm->desk, order);
	}
}

int
main(void)
{
	uint32_t	order;

	if (!map_shared()) {
		fprintf(stderr, "assay-starter is started by assay-worker, with shared memory as "
		    "descriptor %d\n", RUNNER_SHM_FD);
		return 64;
	}
	order = desk_order(&shm->desk);		/* the first: the reply to set-up */
	shm->reply = set_up();
	desk_reply(&shm->desk, order);
	if (shm->reply == PROGRAM_DONE)
		serve(order);
	return 0;
}
