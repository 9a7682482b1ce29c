/* SPDX-License-Identifier: Apache-2.0 */
/* How a child's order came out, in a status and words. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "proto/base/clock.h"
#include "worker/bench/bench_parts.h"
#include "worker/bench/proc/syscall.h"
#include "worker/spawn/cell.h"

void
bench_read_words(char *to, size_t bytes, const char *from, size_t from_bytes, bool lines)
{
	size_t	n = 0;

	while (n + 1 < bytes && n < from_bytes) {
		char	c = ((const volatile char *)from)[n];

		if (c == '\0')
			break;
		to[n++] = (c >= ' ' && c <= '~') || (c == '\n' && lines) ? c : '?';
	}
	to[n] = '\0';
}

enum runner_reply
bench_read_reply(const uint32_t *from)
{
	uint32_t	reply = __atomic_load_n(from, __ATOMIC_RELAXED);

	return reply < RUNNER_NREPLIES ? (enum runner_reply)reply : RUNNER_BAD_ORDER;
}

static enum runner_phase
read_phase(const struct runner_lane *lane)
{
	uint32_t	phase = __atomic_load_n(&lane->phase, __ATOMIC_RELAXED);

	return phase < RUNNER_NPHASES ? (enum runner_phase)phase : RUNNER_IDLE;
}

enum status
bench_say(struct bench_reply *a, enum status st, const char *fmt, const char *with)
{
	a->status = st;
	snprintf(a->words, sizeof a->words, fmt, with, bench_phase_words(a->phase));
	return st;
}

/* Of what died on a lane last. */
static struct overrun
read_overrun(const struct bench *b, const struct runner_lane *lane)
{
	const struct runner_touch	 touch = {
		__atomic_load_n(&lane->touch.at, __ATOMIC_RELAXED),
		__atomic_load_n(&lane->touch.access, __ATOMIC_RELAXED),
	};
	struct runner_bounds		 bounds[RUNNER_BOUNDS];

	memcpy(bounds, b->shm->bounds, sizeof bounds);
	return overrun_find(bounds, RUNNER_BOUNDS, &touch);
}

/* The call's name; what libc does before it starts a thread is told with what permits it. */
static enum status
blame_call(const struct bench *b, struct bench_reply *a, int call)
{
	const bool	 may_be_thread = b->threads <= 1 && call == SYS_rt_sigaction;
	char		 number[16], text[96];

	snprintf(text, sizeof text, "%s%s", syscall_name(call, number, sizeof number),
	    may_be_thread ? " (if it starts threads, the job needs \"threads\")" : "");
	return bench_say(a, ST_FORBIDDEN, "SIGSYS: the jail refuses the system call %s, in %s",
	    text);
}

/* A child that is over: by a signal, or by leaving. */
static enum status
blame_end(const struct bench *b, struct bench_reply *a, const struct runner_lane *lane)
{
	const int	 end = __atomic_load_n(&lane->end, __ATOMIC_RELAXED);
	char		 text[64];
	const char	*name;

	if (!WIFSIGNALED(end)) {
		snprintf(text, sizeof text, "%d", WEXITSTATUS(end));
		return bench_say(a, ST_CRASHED, "exited with code %s before it was done, in %s",
		    text);
	}
	name = sigabbrev_np(WTERMSIG(end));
	snprintf(text, sizeof text, "SIG%s", name != NULL ? name : "?");
	switch (WTERMSIG(end)) {
	case SIGSYS:
		return blame_call(b, a, __atomic_load_n(&lane->refused, __ATOMIC_RELAXED));
	case SIGXCPU:
	case SIGXFSZ:
		return bench_say(a, ST_RUN_LIMIT, "%s: a resource limit was reached, in %s", text);
	case SIGKILL:
		if (cell_oom_kills() != b->oom_kills)
			return bench_say(a, ST_RUN_LIMIT,
			    "%s: the limit on memory was reached, in %s", text);
		return bench_say(a, ST_RUN_LIMIT,
		    "%s: killed by the kernel, probably for lack of memory, in %s", text);
	case SIGSEGV:
		a->overrun = read_overrun(b, lane);
		/* FALLTHROUGH */
	default:
		return bench_say(a, ST_CRASHED, "%s in %s", text);
	}
}

/*
 * The dynamic linker's words for a mapping that was refused: beyond the limit on the address space.
 */
static bool
is_memory_trouble(const char *words)
{
	return strstr(words, "annot allocate memory") != NULL ||
	    strstr(words, "zero-fill pages") != NULL ||
	    strstr(words, "failed to map segment") != NULL;
}

static enum status
blame_object(struct bench_reply *a, const struct runner_lane *lane)
{
	char		 words[768];
	const char	*own;

	bench_read_words(words, sizeof words, lane->words, sizeof lane->words, false);
	/* its name in the bay means nothing */
	own = strncmp(words, "./v", 3) == 0 ? strstr(words, ": ") : NULL;
	own = own != NULL ? own + 2 : words;
	if (is_memory_trouble(own))
		return bench_say(a, ST_RUN_LIMIT, "the object needs more memory than its limit: %s",
		    own);
	return bench_say(a, ST_LOAD_FAILED, "%s", own);
}

/* Only a process that has changed its runner answers so: all orders are sound, and filters work. */
static enum status
lane_status(struct runner_lane *lane, struct bench_reply *a)
{
	switch (bench_read_reply(&lane->reply)) {
	case RUNNER_OK:
		return a->status = ST_OK;
	case RUNNER_NO_OBJECT:
		return blame_object(a, lane);
	case RUNNER_NO_METRIC:
		bench_read_words(a->words, sizeof a->words, lane->words, sizeof lane->words, false);
		return a->status = ST_LOAD_FAILED;
	case RUNNER_NO_MEMORY:
		return bench_say(a, ST_RUN_LIMIT, "%s",
		    "the routine left no memory to flush the caches with");
	case RUNNER_NO_ROUTINE:
		a->lists_functions = true;
		bench_read_words(a->words, sizeof a->words, lane->words, sizeof lane->words, true);
		return a->status = ST_LOAD_FAILED;
	case RUNNER_NO_FILTER:
		return bench_say(a, ST_FORBIDDEN, "%s",
		    "its process did not take the filter of system calls");
	default:
		return bench_say(a, ST_CRASHED,
		    "its process answered what the runner never does%s, in %s", "");
	}
}

void
bench_read_samples(const struct bench *b, unsigned number, uint32_t n, struct bench_reply *a)
{
	const struct runner_lane	*lane = bench_lane_of(b, number);

	a->samples = n < RUNNER_SAMPLES ? n : RUNNER_SAMPLES;
	memcpy(a->sample, lane->sample, a->samples * sizeof a->sample[0]);
	a->sentinel = lane->sentinel;
	a->sets_seen = lane->sets_seen;
	a->proof = lane->proof;
}

enum status
bench_lane_reply(struct bench *b, unsigned number, uint64_t given_ns, uint64_t deadline_ns,
    uint64_t spin_ns, struct bench_reply *a)
{
	struct runner_lane	*lane = bench_lane_of(b, number);

	return bench_lane_outcome(b, number, bench_wait_for(b, number, &lane->desk,
	    b->lane_order[number], deadline_ns, spin_ns), given_ns, a);
}

enum status
bench_lane_outcome(struct bench *b, unsigned number, enum event event, uint64_t given_ns,
    struct bench_reply *a)
{
	struct runner_lane	*lane = bench_lane_of(b, number);
	char			 text[32];

	a->took_ns = clock_now_ns() - given_ns;
	a->phase = read_phase(lane);
	switch (event) {
	case EV_REPLIED:
		return lane_status(lane, a);
	case EV_ENDED:
		return blame_end(b, a, lane);
	case EV_TIMEOUT:
		snprintf(text, sizeof text, "%.3g s", (double)a->took_ns / 1e9);
		return bench_say(a, ST_RUN_TIMEOUT, "the wall limit was reached after %s in %s",
		    text);
	case EV_STOPPED:
		return bench_say(a, ST_CANCELLED, "%s", "cancelled");
	default:
		return bench_say(a, ST_CRASHED, "%s, in %s",
		    "it brought down the process that runs it");
	}
}

void
bench_reply_begin(struct bench_reply *a)
{
	a->status = ST_INTERNAL;
	a->words[0] = '\0';
	a->phase = RUNNER_IDLE;
	a->overrun.operand = -1;
	a->samples = 0;
	a->sentinel = (struct runner_sentinel){ 0 };
	a->sets_seen = 0;
	a->proof.proofs = 0;
	a->realtime = a->pinned = a->lists_functions = a->is_paired = false;
	a->took_ns = a->code_at = 0;
	a->rest_pace = 0;
}
