/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of a child.  A sealed one has no other process, so it is killed from here, and the next
 * one is forked while it ends, at another place.  That it is gone is seen before anything else
 * runs.  What any other child has started the template ends with it; and of large ones there may
 * not be memory for two.
 */
#include <signal.h>

#include "proto/base/clock.h"
#include "proto/wire/runner_desk.h"
#include "worker/bench/bench_parts.h"

void
bench_end(struct bench *b)
{
	if (!b->gone)
		jail_kill(&b->jailed);
	b->gone = true;
}

bool
bench_template_obeys(struct bench *b)
{
	const uint64_t	deadline_ns = clock_now_ns() + BENCH_DROP_NS;
	enum event	event;

	while ((event = bench_wait(b, &b->shm->desk, b->order, NULL, deadline_ns, 0)) == EV_STOPPED)
		desk_sleep(&b->shm->desk, desk_bell(&b->shm->desk), 1000000);
	return event == EV_REPLIED && bench_read_reply(&b->shm->reply) == RUNNER_OK;
}

/* The child is gone, or else the whole jail. */
static bool
is_dropped(struct bench *b, unsigned place)
{
	b->shm->lane = place;
	b->shm->command = RUNNER_DROP;
	desk_give(&b->shm->desk, ++b->order);
	return bench_template_obeys(b) && !bench_child_signs(b, place);	/* its lock is gone with
									 * it */
}

void
bench_see_gone(struct bench *b)
{
	const int	place = b != NULL ? b->leaving : -1;

	if (place < 0)
		return;
	b->leaving = -1;
	if (!b->gone && !is_dropped(b, (unsigned)place))
		bench_end(b);
}

void
bench_drop(struct bench *b, unsigned lane)
{
	pid_t	pid;

	if (b->gone || !b->loaded[lane])
		return;
	bench_see_gone(b);			/* one that left earlier */
	if (b->gone)
		return;
	pid = b->is_small ? bench_child_sealed(b, lane) : 0;
	b->loaded[lane] = b->raised[lane] = b->stopped[lane] = false;
	bench_child_end(b, lane);
	b->leaving = (int)b->place[lane];
	if (pid <= 0 || kill(pid, SIGKILL) != 0)
		bench_see_gone(b);
}
