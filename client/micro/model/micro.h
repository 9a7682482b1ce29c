/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_MODEL_MICRO_H
#define ASSAY_CLIENT_MICRO_MODEL_MICRO_H

#include "client/micro/machine/target.h"
#include "client/micro/model/kernel.h"
#include "proto/base/fault.h"

/*
 * A description and how programs are made of it.  Everything it has lies in one arena, but for
 * what is made for one program, which has an arena of its own and is gone with it.
 */
struct passes;

struct micro {
	struct arena	*arena;		/* borrowed */
	const char	*path;		/* of the description, for messages */
	struct kernel	*root;		/* the description: its statements are kernels */
	uint64_t	 amount;	/* <benchmark_amount>; 0: all */
	const char	*prologue, *epilogue;	/* text around a program instead of ours; or NULL */
	struct place	 prologue_at, epilogue_at;	/* of their nodes */
	bool		 is_verbose;
	const char	*ignored;	/* a node that is read and not followed; or NULL */
	struct place	 ignored_at;
	struct passes	*passes;	/* borrowed; in their order */
	uint64_t	 count;		/* of all programs, once they are counted */

	/* options */
	struct target	 target;
	const char	*function;	/* name of the routine */
	bool		 as_c;		/* C around the same instructions */
	bool		 by_copies;	/* --microperf: a linked counter counts copies */
	bool		 has_lines;	/* in front of each instruction, its line */
	bool		 has_marks;	/* the same in assembly, only for the assembler's words */
	bool		 is_joined;	/* programs share a file: function and labels differ */
};

/* One program: a copy of the description on its way through the passes. */
struct program {
	const struct micro	*micro;
	struct arena		*arena;		/* borrowed */
	struct kernel		*root;
	uint64_t		 index;		/* among all that the description makes */
	bool			 is_dropped;	/* by a pass: is none of the result */
	const char		*name;		/* by code generation, as what follows */
	const char		*language;	/* "asm", "c" */
	const char		*text;
};

enum { MICRO_MAX_STATEMENTS = 16384 };		/* of a program */

/* A fault at a place of the description. */
enum status	 micro_refuse(const struct micro *, struct place, struct fault *,
		    const char *fmt, ...)
		    __attribute__((format(printf, 4, 5)));
/* There is room for `more` statements beside `have`; else the fault says where it was too many. */
enum status	 micro_check_size(const struct micro *, struct place, uint64_t have, uint64_t more,
		    struct fault *);

#endif
