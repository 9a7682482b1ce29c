/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_MODEL_MODEL_H
#define ASSAY_CLIENT_TRANSFORM_MODEL_MODEL_H

#include <isl/union_map.h>
#include <isl/union_set.h>

#include "client/transform/model/affine.h"
#include "client/transform/source/source.h"
#include "proto/base/fault.h"

/*
 * What a nest reads and writes, and in which order: access relations and a schedule (isl).
 *
 * Each read and each write of a statement has a set of its own, R<node>_<n> or W<node>_<n>, with
 * the loops around it as dimensions.  `origin` maps these to the iterations of the nest as it was
 * written, R<id>_<n> and W<id>_<n>.  A conditional write is a write that reads first.
 */
struct use {
	struct place	 at;
	struct symbol	*symbol;
	unsigned	 id, n;
	bool		 is_write;
	const char	*loops;		/* "r, q, p": its iteration */
};

/* An array or scalar; a variable of a body by its declaration's number. */
struct memory {
	struct symbol	*symbol;
	const char	*field;
	unsigned	 number;	/* 0: is declared outside the nest */
};

struct model {
	struct arena		*arena;		/* borrowed */
	const struct source	*source;	/* borrowed */
	struct affine		 affine;
	isl_union_map		*reads, *writes, *schedule, *origin;	/* owned */
	isl_union_map		*instances;	/* owned: of each statement → its original
						 * iteration */
	isl_union_map		*copies;	/* owned: what a copying statement reads → writes */
	struct memory		*memory;	/* M<i> */
	size_t			 nmemory;
	struct use		*uses;		/* by id and n */
	size_t			 nuses;
	unsigned		 time_dims;	/* of the schedule: before, in or after the nest;
						 * place and loop by turns; read or write */
	isl_union_map		*flow;		/* owned: of all memory; NULL: not found yet */
	bool			 has_problem;	/* the first one is in `problem` */
	struct fault		 problem;
};

/* With a problem the relations are incomplete; ST_BAD_SPEC: what no --assume can mend. */
enum status	 model_init(struct model *, struct arena *, const struct source *,
		    const struct affine *, struct node *root, struct fault *);
void		 model_release(struct model *);

#endif
