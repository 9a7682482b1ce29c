/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORACLE_CLOCK_H
#define ORACLE_CLOCK_H

#include <stdint.h>

/*
 * A clock that counts up; its reading is an integer, and so is every difference until it is turned
 * into ns.
 */
struct clock_source {
	const char	*name;			/* tsc, wall or cpu */
	uint64_t	 (*now)(void);
	double		 ns_per_count;
};

/* 0, or -1: no such clock here. */
int	 clock_choose(struct clock_source *, const char *name);
#endif
