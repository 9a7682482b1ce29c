/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_MACHINE_REGISTERS_H
#define ASSAY_CLIENT_MICRO_MACHINE_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>

#include "client/micro/machine/target.h"

/*
 * Registers are named as x86-64 names them, whatever the target.  The tables say what that is on
 * the target, and which of a function's arguments the logical registers r0, r1, … hold.
 */
enum register_class {
	REG_GENERAL, REG_XMM, REG_YMM, REG_ZMM, REG_MASK, REG_MMX, REG_NCLASSES
};

struct reg {
	enum register_class	class;
	unsigned		number;	/* as the processor counts them: %rax is 0, %rcx 1 */
	unsigned		bits;	/* 8, 16, 32, 64: how much of a general register */
};

enum { REGISTER_NAME_BYTES = 16 };

/* Logical register `index`: that argument of a function.  false: the target passes no more so. */
bool		 register_logical(const struct target *, unsigned index, struct reg *);
unsigned	 register_arguments(const struct target *);	/* logical registers there are */

/* "%xmm3", "%eax": false: there is none of that name. */
bool		 register_parse(const char *name, struct reg *);
/* "%xmm", "%k": a name that lacks its number.  "%r": general registers of 64 bits. */
bool		 register_class_parse(const char *name, enum register_class *);

/* How many of a class a program may use on the target; 0: it has no such registers. */
unsigned	 register_count(const struct target *, enum register_class);

/* The name on x86-64, always terminated. */
void		 register_name(struct reg, char to[REGISTER_NAME_BYTES]);
/* The number that AArch64 has for a general register: 31 is its stack pointer. */
unsigned	 register_aarch64(struct reg);
unsigned	 register_bytes(struct reg);

#endif
