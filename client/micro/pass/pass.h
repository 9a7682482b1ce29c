/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_PASS_PASS_H
#define ASSAY_CLIENT_MICRO_PASS_PASS_H

#include "client/micro/model/micro.h"

/*
 * A pass: one change to a program.  Passes run in the order of their list, each on what the ones
 * before have left; none calls another.
 *
 * How many programs there are is counted from the description, before a program is made.  So a
 * pass that chooses says in advance, of an instruction or a kernel as it is described, among how
 * many: `ways`.  A program's number is the choices of all passes together, and `apply` is told
 * which one of its ways it takes.
 */
enum pass_kind {
	PASS_ONCE,		/* prepare: the description, before anything is counted */
	PASS_REPEAT,		/* run: kernels or instructions, as often as was chosen */
	PASS_KERNEL,		/* chooses for a kernel: kernel_ways, kernel_apply */
	PASS_BEFORE,		/* chooses for an instruction, for all its copies: ways, apply */
	PASS_UNROLL,		/* run: copies, as many as were chosen */
	PASS_AFTER,		/* chooses for each copy of an instruction: ways, apply */
	PASS_PROGRAM		/* run: no choice */
};

struct pass {
	const char	*name, *text;
	enum pass_kind	 kind;
	bool		 is_kernels;	/* PASS_REPEAT: of kernels; else of instructions */

	/* NULL: always.  Asked once for a description: false turns the pass off. */
	bool		 (*gate)(const struct micro *);

	enum status	 (*prepare)(struct micro *, struct fault *);
	uint64_t	 (*kernel_ways)(const struct kernel *);		/* at least 1 */
	void		 (*kernel_apply)(struct program *, struct kernel *, uint64_t way);
	uint64_t	 (*ways)(const struct pattern *);		/* at least 1 */
	void		 (*apply)(struct program *, struct pattern *, uint64_t way);
	/* Of a pass that chooses: after its last choice in a program; may be NULL there. */
	enum status	 (*run)(struct program *, struct fault *);
	/* Instead, of a plugin's pass; false: it refused, in the fault. */
	bool		 (*change)(struct program *, struct fault *);
};

/* The order is that of their names here; each in a file of its own. */
extern const struct pass	 pass_move_semantics, pass_induction_selection,
				 pass_kernel_repetition, pass_random_order,
				 pass_instruction_repetition, pass_immediate_before,
				 pass_swap_before, pass_operation_before, pass_stride, pass_unroll,
				 pass_operation_after, pass_swap_after, pass_immediate_after,
				 pass_move_pieces, pass_register_rotation,
				 pass_induction_insertion, pass_register_allocation, pass_openmp,
				 pass_code_generation;

#endif
