/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_TEXT_EXPR_PARTS_H
#define ASSAY_PROTO_TEXT_EXPR_PARTS_H

#include "proto/text/expr.h"

/*
 * Private to expr*.c.  An expression is kept in postfix order, so that evaluating it needs a small
 * stack and no recursion however long it is.  Between the two operands of a binary operation stands
 * an OP_BETWEEN: there && and || look at the left operand and may jump over the right one, and
 * there expr_put_c writes the operator.
 */
enum op {
	OP_INT, OP_REAL, OP_NAME, OP_BETWEEN,
	OP_NEGATE, OP_NOT, OP_CEIL, OP_FLOOR, OP_LOG2,
	OP_MIN, OP_MAX, OP_POW,
	OP_MULTIPLY, OP_DIVIDE, OP_MODULO, OP_ADD, OP_SUBTRACT,
	OP_LE, OP_GE, OP_LT, OP_GT, OP_EQ, OP_NE, OP_AND, OP_OR,
	OP_N
};

enum { RELATIONAL = 4, TIGHTEST = 6 };	/* precedences: 1 || · 2 && · 3 == != · 4 < > · 5 + - · 6 *
					 * / % */

struct expr_op {
	const char	*text;		/* in the expression */
	const char	*before;	/* in C: before the first operand */
	int		 precedence;	/* binary operators */
	int		 operands;
};
extern const struct expr_op	expr_ops[OP_N];

struct term {
	enum op		 op;
	unsigned	 first;		/* index of the first term of this one's operands; its own
					 * for a leaf */
	union {
		int64_t		 i;	/* OP_INT */
		double		 r;	/* OP_REAL */
		unsigned	 name;	/* OP_NAME: index into names */
		unsigned	 owner;	/* OP_BETWEEN: index of its operation */
	};
};

struct expr {
	char		*text;		/* owned */
	struct term	*terms;		/* owned */
	size_t		 nterms, terms_room;
	char		**names;	/* owned, distinct */
	size_t		 nnames, names_room;
};

/*
 * A left operand waits at each precedence, and one more before a function's comma, at each level of
 * nesting.
 */
enum { STACK_MAX = (TIGHTEST + 2) * (EXPR_MAX_DEPTH + 1) };

#endif
