/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the kernel reports about the child on a lane.
 *
 * A child is *sealed* if its filters were as they should be when it was loaded, and let it neither
 * fork nor start a thread.  Then it can change neither the lock that names it, nor its CPUs, nor
 * its filters.  So it is asked for by lock once, its files of /proc stay open, and only others
 * could move it: that is looked at once a millisecond.  Of any other child all is asked anew for
 * each order.
 */
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

#include "proto/base/clock.h"
#include "worker/bench/bench_parts.h"
#include "worker/bench/proc/affinity.h"
#include "worker/bench/proc/halt.h"
#include "worker/bench/proc/schedstat.h"

#define PINNED_NS	1000000u	/* a sealed child's CPUs are looked at so seldom */

/* The signature of the child at a place; false: there is none. */
static bool
read_signature(const struct bench *b, unsigned place, struct flock *lock)
{
	*lock = (struct flock){ .l_type = F_WRLCK, .l_whence = SEEK_SET,
	    .l_start = RUNNER_SIGNS_AT(place), .l_len = 1 };
	return fcntl(b->fd, F_GETLK, lock) == 0 && lock->l_type != F_UNLCK && lock->l_pid > 0;
}

/* Its pid may be another process's once it is over. */
static bool
is_known(const struct bench *b, unsigned lane)
{
	return lane < RUNNER_MOST_LANES && b->child[lane].pid > 0 &&
	    __atomic_load_n(&bench_lane_of(b, lane)->ended, __ATOMIC_ACQUIRE) == 0;
}

pid_t
bench_pid(const struct bench *b, unsigned lane)
{
	struct flock	lock;

	if (is_known(b, lane))
		return b->child[lane].pid;
	return read_signature(b, lane < RUNNER_MOST_LANES ? b->place[lane] : lane, &lock) ?
	    lock.l_pid : 0;
}

pid_t
bench_child_sealed(const struct bench *b, unsigned lane)
{
	return is_known(b, lane) ? b->child[lane].pid : 0;
}

bool
bench_child_signs(const struct bench *b, unsigned place)
{
	struct flock	lock;

	return read_signature(b, place, &lock);
}

/* Before the first call: a variant could have changed its filters while it was loaded. */
static bool
check_filters(struct bench *b, pid_t pid, struct bench_reply *a)
{
	const char	*fault = b->filtered ? filters_fault("/proc", pid, &b->filters) : NULL;

	if (fault != NULL)
		(void)bench_say(a, ST_FORBIDDEN, "%s", fault);
	return fault == NULL;
}

void
bench_child_begin(struct bench *b, unsigned lane, struct bench_reply *a)
{
	struct bench_child	*c = &b->child[lane];
	struct flock		 lock;
	const bool		 signs = read_signature(b, b->place[lane], &lock);
	const pid_t		 pid = signs ? lock.l_pid : 0;

	a->rest_pace = signs && lock.l_len <= UINT32_MAX ? (uint32_t)lock.l_len : 0;
	if (a->status != ST_OK || !check_filters(b, pid, a))
		return;
	if (b->threads > 1 && b->slot->cpu >= 0)
		(void)affinity_first(b->slot, pid);	/* its effect is checked at every order */
	c->may_be_raised = affinity_leaves_us_one(b->slot);
	if (b->filtered && b->filters.are_counted && b->threads <= 1 && !b->may_fork)
		c->pid = pid;
}

void
bench_child_end(struct bench *b, unsigned lane)
{
	struct bench_child	*c = &b->child[lane];

	if (c->stat_fd >= 0)
		close(c->stat_fd);
	if (c->schedstat_fd >= 0)
		close(c->schedstat_fd);
	*c = (struct bench_child){ .stat_fd = -1, .schedstat_fd = -1 };
}

bool
bench_child_is_pinned(struct bench *b, unsigned lane)
{
	struct bench_child	*c = &b->child[lane];
	const uint64_t		 now = clock_now_ns();

	if (is_known(b, lane) && now - c->seen_ns < PINNED_NS)
		return c->pinned;
	c->pinned = affinity_holds(b->slot, b->threads, bench_pid(b, lane));
	c->seen_ns = now;
	return c->pinned;
}

bool
bench_child_halt(struct bench *b, unsigned lane)
{
	struct bench_child	*c = &b->child[lane];
	const pid_t		 pid = bench_pid(b, lane);

	if (!halt_begin(pid))
		return false;
	if (!is_known(b, lane))
		return halt_wait(pid);
	if (c->stat_fd < 0)
		c->stat_fd = halt_open(pid);
	return c->stat_fd >= 0 ? halt_wait_one(c->stat_fd) : halt_wait(pid);
}

uint64_t
bench_delay_ns(struct bench *b, unsigned lane)
{
	struct bench_child	*c = &b->child[lane];
	const pid_t		 pid = bench_pid(b, lane);

	if (pid <= 0)
		return 0;
	if (!is_known(b, lane))
		return schedstat_waited_ns(pid);
	if (c->schedstat_fd < 0)
		c->schedstat_fd = schedstat_open(pid);
	return schedstat_read_ns(c->schedstat_fd);
}
