/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORACLE_ROUTINE_H
#define ORACLE_ROUTINE_H

#include <stddef.h>

/*
 * What the timer is linked with: one of the routine_*.c, which calls the kernel that the test
 * brings as an object.
 */
enum { ROUTINE_OPERANDS = 3 };

struct routine {
	const char	*name;
	size_t		 operands;
	size_t		 (*doubles)(size_t operand, int n);	/* how long an operand is */
	void		 (*call)(int n, double *const *at);
};

extern const struct routine	routine;
#endif
