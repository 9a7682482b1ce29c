/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_READ_FILL_H
#define ASSAY_CLIENT_MICRO_READ_FILL_H

#include "client/micro/read/nodes.h"

/* What each row of the table does: at its node's beginning (open_), at its end (close_, set_). */
typedef enum status	 fill_fn(struct reading *, struct open *, struct fault *);

/* fill_statement.c */
fill_fn	 open_description, open_kernel, close_kernel, open_instruction, close_instruction,
	 open_move, close_move, open_insert, close_insert, set_kernel_name, set_random,
	 set_alignment, set_operation, set_pattern_name, set_swap, set_choose, set_immediate_when,
	 set_move_bytes, set_move_alignment, set_move_kind, set_code, set_file, set_prologue,
	 set_epilogue, set_label, set_test, close_branch, set_amount, set_verbose, set_ignored;

/* fill_operand.c */
fill_fn	 open_register, close_register, open_memory, close_memory, open_indirect, open_base,
	 open_index, open_immediate, close_immediate, set_logical, set_physical, set_offset,
	 set_multiplier, set_value;

/* fill_range.c */
fill_fn	 open_repetition, open_unrolling, open_stride, close_bounds, set_min, set_max,
	 set_progress, set_linked, set_file_naming;

/* fill_induction.c */
fill_fn	 open_induction, close_induction, open_link, close_link, open_link_register,
	 set_increment, set_induction_offset, set_fixed, set_last, set_silent, set_comment;

/* fill_loop.c */
fill_fn	 open_loop, open_count, close_count, set_variable, set_count_increment, set_count_min,
	 set_count_max, set_min_variable, set_max_variable, set_count_register, set_count_offset,
	 set_schedule, set_chunk, set_parallel, open_clause, close_clause, set_clause_name;

/* Helpers of theirs. */
enum status	 close_range_of(struct reading *, const struct open *, struct range *,
		    int64_t least, int64_t most, struct fault *);
enum status	 refuse(const struct reading *, const struct open *, struct fault *,
		    const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* ST_BAD_SPEC: `name` is missing in the node. */
enum status	 miss(const struct reading *, const struct open *, const char *name,
		    struct fault *);
/* The text is none of the NULL-terminated words: refused with a near one. */
enum status	 one_of(const struct reading *, const struct open *, const char *const *words,
		    size_t *which, struct fault *);
/* Its text may become a part of a program: an identifier, with `extra` characters too. */
enum status	 check_word(const struct reading *, const struct open *, const char *extra,
		    struct fault *);

#endif
