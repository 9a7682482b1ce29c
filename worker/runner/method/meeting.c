/* SPDX-License-Identifier: Apache-2.0 */
#include <sched.h>

#include "proto/base/clock.h"
#include "worker/runner/method/meeting.h"

/* Looks before the CPU is offered to others: a copy that shares it may be the one awaited. */
enum { LOOKS = 1 << 14 };

static struct runner_spot *
spot_of(const struct rt_meeting *m, uint32_t copy)
{
	return (struct runner_spot *)((uintptr_t)m->first + (uint64_t)copy * RUNNER_PAGE_BYTES);
}

static inline void
look_away(uint32_t looks)
{
	if (looks % LOOKS == LOOKS - 1)
		(void)sched_yield();
#if defined(__x86_64__)
	__builtin_ia32_pause();
#endif
}

static void
arrive(struct rt_meeting *m)
{
	__atomic_store_n(&spot_of(m, m->own)->arrived, ++m->number, __ATOMIC_RELEASE);
	for (uint32_t i = 0; i < m->copies; i++)
		for (uint32_t n = 0;
		    __atomic_load_n(&spot_of(m, i)->arrived, __ATOMIC_ACQUIRE) < m->number; n++)
			look_away(n);
}

void
rt_meet_order(struct rt_meeting *m, const struct runner_run *run)
{
	m->copies = run->kind == RUNNER_SAMPLE && run->copies > 1 ? run->copies : 0;
	m->number = run->meeting;
}

int
rt_meet(struct rt_meeting *m)
{
	if (m->copies != 0)
		arrive(m);
	return m->copies != 0;
}

void
rt_meet_to_begin(struct rt_meeting *m, struct runner_sample *out)
{
	out->ready_ns = out->began_ns = out->ended_ns = 0;
	if (m->copies == 0)
		return;
	out->ready_ns = clock_now_ns();
	arrive(m);
	out->began_ns = clock_now_ns();
}

void
rt_meet_leave(struct rt_meeting *m, struct runner_sample *out)
{
	if (m->copies == 0)
		return;
	out->ended_ns = clock_now_ns();
	__atomic_store_n(&spot_of(m, m->own)->left, m->number, __ATOMIC_RELEASE);
}

int
rt_meet_is_over(const struct rt_meeting *m)
{
	for (uint32_t i = 0; i < m->copies; i++)
		if (__atomic_load_n(&spot_of(m, i)->left, __ATOMIC_ACQUIRE) < m->number)
			return 0;
	return 1;
}
