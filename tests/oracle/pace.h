/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORACLE_PACE_H
#define ORACLE_PACE_H

/*
 * How fast this CPU is just now: ns of a fixed loop of about 2 µs in registers alone, of six chains
 * that do not wait for each other.  A core shared with somebody takes longer; the least over a
 * whole experiment is what a core to itself takes.
 */
double	 pace_ns(void);
#endif
