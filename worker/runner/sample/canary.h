/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_SAMPLE_CANARY_H
#define ASSAY_WORKER_RUNNER_SAMPLE_CANARY_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

/*
 * The throughput canary: six independent chains of additions, 37 000 in all, in registers alone.
 * Its time rises when a neighbour on the core's other hardware thread uses its issue slots; nothing
 * else shows that.  It also rises when the clock slows down.  Returns ticks of the cycle-accurate
 * clock, or of the wall clock where there is none: 2 to 4 µs on a core of 3 to 5 GHz.
 */
uint32_t	 rt_canary(void);

/*
 * The core's clock: one chain of additions, each of which waits for the last, so a neighbour hardly
 * slows it.  Ticks of the same clock, 0.7 µs on a core of 3 GHz, or four times as long where that
 * clock is a slow one.  The canary's ticks divided by these do not depend on the clock.
 */
uint32_t	 rt_pace(void);

/* Additions of that chain.  Each takes one cycle: they are of registers, and nothing skips them. */
#if defined(__x86_64__)
enum { RT_PACE_CYCLES = 2048 };
#else
enum { RT_PACE_CYCLES = 8192 };
#endif

/*
 * The memory canary: 64 KiB of its own, flushed by instruction and then read, one load a line.  Its
 * time rises when others use the last cache or the memory.  Ticks of the same clock, some 5 µs,
 * and 8 µs in all; 0: there is no such instruction.  It leaves as much other data in the caches,
 * so it comes before anything is flushed or placed.
 */
uint32_t	 rt_memory_canary(uint32_t line_bytes);

#pragma GCC visibility pop
#endif
