/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_WIRE_RUNNER_DESK_H
#define ASSAY_PROTO_WIRE_RUNNER_DESK_H

#include <limits.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "proto/base/clock.h"
#include "proto/wire/runner_shm.h"

/*
 * Both sides of a struct runner_desk.  A waiter reads the bell, looks whether what it waits for has
 * happened, and only then sleeps on the value it read: a ring in between is never lost.
 */
static inline uint32_t
desk_bell(const struct runner_desk *d)
{
	return __atomic_load_n(&d->bell, __ATOMIC_ACQUIRE);
}

static inline void
desk_ring(struct runner_desk *d)
{
	__atomic_fetch_add(&d->bell, 1, __ATOMIC_ACQ_REL);
	syscall(SYS_futex, &d->bell, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* Until the bell differs from `heard`, a signal comes or timeout_ns have passed (0: for ever). */
static inline void
desk_sleep(const struct runner_desk *d, uint32_t heard, uint64_t timeout_ns)
{
	struct timespec	t = { (time_t)(timeout_ns / 1000000000u),
			    (long)(timeout_ns % 1000000000u) };

	syscall(SYS_futex, &d->bell, FUTEX_WAIT, heard, timeout_ns == 0 ? NULL : &t, NULL, 0);
}

/* The same without giving the CPU away; most rings come sooner than a wake-up would. */
static inline void
desk_spin(const struct runner_desk *d, uint32_t heard, uint64_t for_ns)
{
	uint64_t	until_ns = clock_now_ns() + for_ns;

	while (desk_bell(d) == heard && clock_now_ns() < until_ns)
#if defined(__x86_64__)
		__builtin_ia32_pause();
#else
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
#endif
}

static inline uint32_t
desk_order(const struct runner_desk *d)
{
	return __atomic_load_n(&d->order, __ATOMIC_ACQUIRE);
}

/* Sleep until there is an order other than `last`. */
static inline uint32_t
desk_next_order(const struct runner_desk *d, uint32_t last)
{
	for (;;) {
		const uint32_t	heard = desk_bell(d), order = desk_order(d);

		if (order != last)
			return order;
		desk_sleep(d, heard, 0);
	}
}

static inline bool
desk_has_reply(const struct runner_desk *d, uint32_t order)
{
	return __atomic_load_n(&d->replied, __ATOMIC_ACQUIRE) == order;
}

static inline void
desk_give(struct runner_desk *d, uint32_t order)
{
	__atomic_store_n(&d->order, order, __ATOMIC_RELEASE);
	desk_ring(d);
}

static inline void
desk_reply(struct runner_desk *d, uint32_t order)
{
	__atomic_store_n(&d->replied, order, __ATOMIC_RELEASE);
	desk_ring(d);
}

/* All of the memory that the supervisor has left us; NULL: there is none, or less than `least`. */
static inline void *
desk_map(size_t least, size_t *bytes)
{
	struct stat	st;
	void		*at;

	if (fstat(RUNNER_SHM_FD, &st) != 0 || (size_t)st.st_size < least)
		return NULL;
	*bytes = (size_t)st.st_size;
	at = mmap(NULL, *bytes, PROT_READ | PROT_WRITE, MAP_SHARED, RUNNER_SHM_FD, 0);
	return at != MAP_FAILED ? at : NULL;
}

#endif
