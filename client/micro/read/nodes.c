/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "client/micro/read/fill.h"
#include "client/micro/read/nodes.h"

#define IN(id) (UINT32_C(1) << NODE_##id)
#define RANGES (IN(REPETITION) | IN(UNROLLING) | IN(STRIDE) | IN(IMMEDIATE))
#define REGISTERS (IN(REGISTER) | IN(BASE) | IN(INDEX) | IN(LINK_REGISTER))

static const struct node	nodes[] = {
	{ "description", NODE_DESCRIPTION, 0, TEXT_NONE, false, open_description, NULL,
	  "the document" },
	{ "kernel", NODE_KERNEL, IN(DESCRIPTION) | IN(KERNEL), TEXT_NONE, true, open_kernel,
	  close_kernel, "statements in their order, and what to make of them" },
	{ "benchmark_amount", NODE_LEAF, IN(DESCRIPTION), TEXT_NUMBER, false, NULL, set_amount,
	  "programs that are kept, as --limit does" },
	{ "verbose", NODE_LEAF, IN(DESCRIPTION), TEXT_NONE, false, NULL, set_verbose,
	  "print what each pass chooses among, as --verbose does" },
	{ "hardware_detector", NODE_DETECTOR, IN(DESCRIPTION), TEXT_NONE, false, NULL, NULL,
	  "ignored: logical registers come from a table" },
	{ "execute", NODE_LEAF, IN(DETECTOR), TEXT_LINE, false, NULL, set_ignored,
	  "ignored: nothing of a description is executed" },
	{ "information_file", NODE_LEAF, IN(DETECTOR), TEXT_LINE, false, NULL, NULL,
	  "ignored" },

	/* of a kernel */
	{ "name", NODE_LEAF, IN(KERNEL), TEXT_WORD, false, NULL, set_kernel_name,
	  "first part of programs' names; what linked unrolling refers to" },
	{ "instruction", NODE_INSTRUCTION, IN(KERNEL), TEXT_NONE, true, open_instruction,
	  close_instruction, "operations and operands, in the order of AT&T's syntax" },
	{ "move", NODE_MOVE, IN(KERNEL), TEXT_NONE, true, open_move, close_move,
	  "bytes to move; each instruction that can is one choice" },
	{ "insert_code", NODE_INSERT, IN(KERNEL), TEXT_NONE, true, open_insert, close_insert,
	  "text that stays as it is" },
	{ "randomize", NODE_LEAF, IN(KERNEL), TEXT_NONE, false, NULL, set_random,
	  "each order of the kernel's statements" },
	{ "unrolling", NODE_UNROLLING, IN(KERNEL), TEXT_NONE, false, open_unrolling, close_bounds,
	  "how many copies of the statements" },
	{ "repetition", NODE_REPETITION, IN(KERNEL) | IN(INSTRUCTION) | IN(MOVE), TEXT_NONE, false,
	  open_repetition, close_bounds, "how often it is there, in a row" },
	{ "alignment", NODE_LEAF, IN(KERNEL), TEXT_NUMBER, false, NULL, set_alignment,
	  "of the kernel's first instruction: a power of two" },
	{ "branch_information", NODE_BRANCH, IN(KERNEL), TEXT_NONE, false, NULL, close_branch,
	  "the kernel is a loop" },
	{ "label", NODE_LEAF, IN(BRANCH), TEXT_WORD, false, NULL, set_label,
	  "where the loop begins" },
	{ "test", NODE_LEAF, IN(BRANCH), TEXT_WORD, false, NULL, set_test,
	  "the jump back to it" },

	/* of an instruction */
	{ "name", NODE_LEAF, IN(INSTRUCTION) | IN(MOVE), TEXT_WORD, false, NULL, set_pattern_name,
	  "what a linked immediate refers to" },
	{ "operation", NODE_LEAF, IN(INSTRUCTION), TEXT_WORD, true, NULL, set_operation,
	  "mnemonic; of several, each is a choice" },
	{ "register", NODE_REGISTER, IN(INSTRUCTION) | IN(MOVE) | IN(MEMORY) | IN(INDUCTION),
	  TEXT_NONE, true, open_register, close_register, "an operand, or where an address is" },
	{ "memory", NODE_MEMORY, IN(INSTRUCTION) | IN(MOVE), TEXT_NONE, true, open_memory,
	  close_memory, "offset(register)" },
	{ "indirect_memory", NODE_INDIRECT, IN(INSTRUCTION) | IN(MOVE), TEXT_NONE, true,
	  open_indirect, close_memory, "offset(base, index, multiplier)" },
	{ "immediate", NODE_IMMEDIATE, IN(INSTRUCTION), TEXT_NONE, true, open_immediate,
	  close_immediate, "a number, or a range of which each value is a choice" },
	{ "swap_before_unroll", NODE_LEAF, IN(INSTRUCTION) | IN(MOVE), TEXT_NONE, false, NULL,
	  set_swap, "first and last operand also swapped; all copies the same" },
	{ "swap_after_unroll", NODE_LEAF, IN(INSTRUCTION) | IN(MOVE), TEXT_NONE, false, NULL,
	  set_swap, "first and last operand also swapped; each copy for itself" },
	{ "choose_operation_before_unroll", NODE_LEAF, IN(INSTRUCTION) | IN(MOVE), TEXT_NONE,
	  false, NULL, set_choose, "all copies have the same operation; so it is without a node" },
	{ "choose_operation_after_unroll", NODE_LEAF, IN(INSTRUCTION) | IN(MOVE), TEXT_NONE,
	  false, NULL, set_choose, "each copy has an operation of its own" },
	{ "immediate_before_unroll", NODE_LEAF, IN(INSTRUCTION), TEXT_NONE, false, NULL,
	  set_immediate_when, "all copies have the same value; so it is without a node" },
	{ "immediate_after_unroll", NODE_LEAF, IN(INSTRUCTION), TEXT_NONE, false, NULL,
	  set_immediate_when, "each copy has a value of its own" },
	{ "bytes", NODE_LEAF, IN(MOVE), TEXT_NUMBER, false, NULL, set_move_bytes,
	  "1, 2, 4, 8, 16, 32 or 64" },
	{ "alignment", NODE_LEAF, IN(MOVE), TEXT_WORD, false, NULL, set_move_alignment,
	  "aligned or unaligned instructions alone" },
	{ "kind", NODE_LEAF, IN(MOVE), TEXT_WORD, false, NULL, set_move_kind,
	  "vector or scalar instructions alone" },

	/* of an operand */
	{ "name", NODE_LEAF, REGISTERS, TEXT_WORD, false, NULL, set_logical,
	  "logical: r0 is the count, r1 to r8 are arrays, others are free ones" },
	{ "phyName", NODE_LEAF, REGISTERS, TEXT_WORD, false, NULL, set_physical,
	  "%eax; or %xmm, with min and max behind it" },
	{ "min", NODE_LEAF, REGISTERS | RANGES | IN(CLAUSE), TEXT_NUMBER, false, NULL, set_min,
	  "first value; of registers, first number" },
	{ "max", NODE_LEAF, REGISTERS | RANGES | IN(CLAUSE), TEXT_NUMBER, false, NULL, set_max,
	  "last value; of registers, last number before it begins again" },
	{ "progress", NODE_LEAF, RANGES, TEXT_NUMBER, false, NULL, set_progress,
	  "from one value to the next; 1 without it" },
	{ "linked", NODE_LEAF, IN(UNROLLING) | IN(STRIDE) | IN(IMMEDIATE), TEXT_WORD, false, NULL,
	  set_linked, "no choice: as the kernel, induction or instruction of that name" },
	{ "file_naming", NODE_LEAF, RANGES, TEXT_NONE, false, NULL, set_file_naming,
	  "names have the value even if it is the only one" },
	{ "value", NODE_LEAF, IN(IMMEDIATE), TEXT_NUMBER, false, NULL, set_value, "the number" },
	{ "offset", NODE_LEAF, IN(MEMORY) | IN(INDIRECT), TEXT_NUMBER, false, NULL, set_offset,
	  "bytes" },
	{ "base", NODE_BASE, IN(INDIRECT), TEXT_NONE, false, open_base, close_register,
	  "a register" },
	{ "index", NODE_INDEX, IN(INDIRECT), TEXT_NONE, false, open_index, close_register,
	  "a register" },
	{ "multiplier", NODE_LEAF, IN(INDIRECT), TEXT_NUMBER, false, NULL, set_multiplier,
	  "of the index: 1, 2, 4 or 8" },

	/* of an induction */
	{ "induction", NODE_INDUCTION, IN(KERNEL) | IN(LOOP), TEXT_NONE, true, open_induction,
	  close_induction, "a register that moves on with each iteration" },
	{ "increment", NODE_LEAF, IN(INDUCTION), TEXT_NUMBER, false, NULL, set_increment,
	  "by how much, times the copies; without it, the offset" },
	{ "offset", NODE_LEAF, IN(INDUCTION), TEXT_NUMBER, false, NULL, set_induction_offset,
	  "how far memory is from one copy to the next" },
	{ "stride", NODE_STRIDE, IN(INDUCTION), TEXT_NONE, false, open_stride, close_bounds,
	  "factor of increment and offset" },
	{ "linked", NODE_LINK, IN(INDUCTION), TEXT_NONE, false, open_link, close_link,
	  "counts the elements that this register's induction passes" },
	{ "register", NODE_LINK_REGISTER, IN(LINK), TEXT_NONE, false, open_link_register,
	  close_register, "that register" },
	{ "not_affected_unroll", NODE_LEAF, IN(INDUCTION), TEXT_NONE, false, NULL, set_fixed,
	  "the increment is the same, however many copies there are" },
	{ "last_induction", NODE_LEAF, IN(INDUCTION), TEXT_NONE, false, NULL, set_last,
	  "just before the jump, which tests it" },
	{ "no_generate", NODE_LEAF, IN(INDUCTION), TEXT_NONE, false, NULL, set_silent,
	  "moves offsets, and has no instruction" },
	{ "comment", NODE_LEAF, IN(INDUCTION), TEXT_LINE, false, NULL, set_comment,
	  "behind its instruction" },

	/* of inserted code */
	{ "instruction", NODE_LEAF, IN(INSERT), TEXT_LINE, true, NULL, set_code, "one line" },
	{ "file", NODE_LEAF, IN(INSERT), TEXT_LINE, true, NULL, set_file,
	  "a file below the description's folder" },
	{ "prologue", NODE_LEAF, IN(INSERT), TEXT_LINE, false, NULL, set_prologue,
	  "such a file, in front of the program instead of Assay's lines" },
	{ "epilogue", NODE_LEAF, IN(INSERT), TEXT_LINE, false, NULL, set_epilogue,
	  "such a file, behind it" },

	/* OpenMP */
	{ "loop_info", NODE_LOOP, IN(KERNEL), TEXT_NONE, false, open_loop, NULL,
	  "the kernel is the body of a loop in C, with OpenMP" },
	{ "count_iteration", NODE_COUNT_ITERATION, IN(LOOP), TEXT_NONE, true, open_count,
	  close_count, "one loop; more are around the ones behind" },
	{ "induction", NODE_LEAF, IN(COUNT_ITERATION), TEXT_WORD, false, NULL, set_variable,
	  "its variable" },
	{ "increment", NODE_LEAF, IN(COUNT_ITERATION), TEXT_NUMBER, false, NULL,
	  set_count_increment, "times the copies; 1 without it" },
	{ "min", NODE_LEAF, IN(COUNT_ITERATION), TEXT_NUMBER, false, NULL, set_count_min,
	  "first value; 0 without it" },
	{ "max", NODE_LEAF, IN(COUNT_ITERATION), TEXT_NUMBER, false, NULL, set_count_max,
	  "the loop ends before it; without it, at n" },
	{ "minVariable", NODE_LEAF, IN(COUNT_ITERATION), TEXT_WORD, false, NULL, set_min_variable,
	  "instead of min" },
	{ "maxVariable", NODE_LEAF, IN(COUNT_ITERATION), TEXT_WORD, false, NULL, set_max_variable,
	  "instead of max" },
	{ "register", NODE_COUNT_REGISTER, IN(COUNT_ITERATION), TEXT_NONE, false, NULL, NULL,
	  "points to the data of an iteration" },
	{ "name", NODE_LEAF, IN(COUNT_REGISTER), TEXT_WORD, false, NULL, set_count_register,
	  "a logical register" },
	{ "offset", NODE_LEAF, IN(COUNT_REGISTER), TEXT_NUMBER, false, NULL, set_count_offset,
	  "bytes for 1 of the variable" },
	{ "schedule", NODE_SCHEDULE, IN(LOOP), TEXT_NONE, false, NULL, NULL, "OpenMP's clause" },
	{ "type", NODE_LEAF, IN(SCHEDULE), TEXT_WORD, false, NULL, set_schedule,
	  "static, dynamic, guided, auto or runtime" },
	{ "size", NODE_LEAF, IN(SCHEDULE), TEXT_NUMBER, false, NULL, set_chunk, "of its chunks" },
	{ "pragma_omp_parallel", NODE_LEAF, IN(LOOP), TEXT_NONE, false, NULL, set_parallel,
	  "parallel around all loops, for at the first one" },
	{ "omp_option", NODE_OMP, IN(LOOP), TEXT_NONE, false, NULL, NULL, "OpenMP's clauses" },
	{ "private", NODE_CLAUSE, IN(OMP), TEXT_NONE, true, open_clause, close_clause,
	  "each thread has its own" },
	{ "shared", NODE_CLAUSE, IN(OMP), TEXT_NONE, true, open_clause, close_clause,
	  "all threads have the same" },
	{ "firstprivate", NODE_CLAUSE, IN(OMP), TEXT_NONE, true, open_clause, close_clause,
	  "each thread begins with the value from before" },
	{ "lastprivate", NODE_CLAUSE, IN(OMP), TEXT_NONE, true, open_clause, close_clause,
	  "the last iteration's value is that afterwards" },
	{ "name", NODE_LEAF, IN(CLAUSE), TEXT_WORD, false, NULL, set_clause_name,
	  "the variable, with min and max behind it" },
};

enum { NNODES = sizeof nodes / sizeof nodes[0] };
_Static_assert((int)NNODES <= (int)NODES_MAX, "open nodes have room for each row");

size_t
nodes_count(void)
{
	return NNODES;
}

const struct node *
nodes_at(size_t i)
{
	return &nodes[i];
}

static bool
may_stand_in(const struct node *n, const struct node *parent)
{
	return parent == NULL ? n->parents == 0 : parent->id != NODE_LEAF &&
	    (n->parents >> parent->id & 1) != 0;
}

const struct node *
nodes_find(const char *name, const struct node *parent)
{
	for (size_t i = 0; i < NNODES; i++)
		if (may_stand_in(&nodes[i], parent) && strcmp(nodes[i].name, name) == 0)
			return &nodes[i];
	return NULL;
}

void
nodes_names(const struct node *parent, const char **to, size_t n)
{
	size_t	used = 0;

	for (size_t i = 0; i < NNODES && used + 1 < n; i++)
		if (may_stand_in(&nodes[i], parent))
			to[used++] = nodes[i].name;
	to[used] = NULL;
}
