/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_READ_NODES_H
#define ASSAY_CLIENT_MICRO_READ_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/micro/model/micro.h"

/*
 * The nodes of a description, in one table: name, where it may stand, what it fills.  A name that
 * means two things in two places is two rows.
 */
enum node_id {
	NODE_DESCRIPTION, NODE_KERNEL, NODE_INSTRUCTION, NODE_MOVE, NODE_REGISTER, NODE_MEMORY,
	NODE_INDIRECT, NODE_BASE, NODE_INDEX, NODE_IMMEDIATE, NODE_REPETITION, NODE_UNROLLING,
	NODE_STRIDE, NODE_INDUCTION, NODE_LINK, NODE_LINK_REGISTER, NODE_BRANCH, NODE_INSERT,
	NODE_DETECTOR, NODE_LOOP, NODE_COUNT_ITERATION, NODE_COUNT_REGISTER, NODE_SCHEDULE,
	NODE_OMP, NODE_CLAUSE,
	NODE_LEAF		/* has a text or nothing, and no node in it */
};

enum { NODES_MAX = 128 };	/* rows */

struct open;
struct reading;

/* What a node without text in it holds. */
enum node_text { TEXT_NONE, TEXT_WORD, TEXT_NUMBER, TEXT_LINE };

struct node {
	const char	*name;
	enum node_id	 id;
	uint32_t	 parents;	/* a bit for each node_id around it; 0: the document */
	enum node_text	 text;
	bool		 is_many;	/* may stand more than once in its parent */
	/* At its beginning, to make what it fills; NULL: its parent's object is its own. */
	enum status	 (*open)(struct reading *, struct open *, struct fault *);
	/* At its end, with its text. */
	enum status	 (*close)(struct reading *, struct open *, struct fault *);
	const char	*summary;
};

/* A node that has begun and not ended. */
struct open {
	const struct node	*node;
	struct open		*parent;	/* borrowed; NULL: the document */
	struct place		 at;
	void			*object;	/* kernel, pattern, slot … */
	bool			 seen[NODES_MAX];	/* rows that stand in it */
	char			*text;		/* at its end */
	int64_t			 number;	/* TEXT_NUMBER */
};

struct reading {
	struct micro	*micro;
	unsigned	 ninductions;		/* ids that are given */
	unsigned	 nnodes;
	struct place	 first_file;
};

size_t			 nodes_count(void);
const struct node	*nodes_at(size_t);
/* The one of that name in `parent`; NULL: there is none. */
const struct node	*nodes_find(const char *name, const struct node *parent);
/* The names that may stand in `parent`, NULL-terminated, at most `n` - 1. */
void			 nodes_names(const struct node *parent, const char **to, size_t n);

#endif
