/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_WRITE_ARGUMENTS_H
#define ASSAY_CLIENT_MICRO_WRITE_ARGUMENTS_H

#include "client/micro/model/micro.h"

/*
 * What a program's registers mean to the function around it: int f(int n, void *a1, …).  r0 holds
 * n, r1 to r8 the arrays; those that the calling convention leaves in memory are loaded first.
 */
enum { ARGUMENTS_MAX_ARRAYS = 8, ARGUMENTS_MAX_ZEROED = 64 };

struct arguments {
	unsigned	narrays;	/* 1 more is n */
	bool		is_saved[16];	/* general registers that the caller wants back */
	struct reg	zeroed[ARGUMENTS_MAX_ZEROED];	/* read before they are written */
	unsigned	nzeroed;
	bool		has_result;	/* %eax is counted up */
};

/* Where argument `index` is in a program; false: there is no such argument. */
bool		 argument_register(const struct target *, unsigned index, struct reg *);
/* It comes on the stack, and so is loaded. */
bool		 argument_is_loaded(const struct target *, unsigned index);
/* Of a program whose registers are allocated. */
void		 arguments_find(const struct program *, struct arguments *);

#endif
