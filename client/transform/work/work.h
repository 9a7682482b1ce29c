/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_WORK_WORK_H
#define ASSAY_CLIENT_TRANSFORM_WORK_WORK_H

#include "client/transform/model/model.h"
#include "client/transform/script/script.h"
#include "client/transform/source/source.h"
#include "client/transform/tree/names.h"

/*
 * A routine under transformation.  Its regions are runs of statements that are understood and have
 * loops; what is between them stays as it is written.
 */
struct region {
	struct node	*block;		/* of the source, whose kids `first` … are the region */
	size_t		 first, n;
	struct node	*around;	/* the loop around it that is not understood; or NULL */
	struct node	*base;		/* as it was written, constants put in */
	struct node	*root;		/* a block, after the steps so far */
	struct affine	 affine;
	isl_space	*params;	/* owned: work_release */
	struct model	 before;	/* of base */
	bool		 is_modelled;
	bool		 is_printed;	/* anew, in any case */
	bool		 is_changed;	/* by a step */
	bool		 is_reordered;	/* by a step after which aliases matter */
};

struct constant {
	struct symbol	*symbol;	/* an integer argument, or what a pointer points to */
	int64_t		 value;
};

struct edit {
	unsigned	 at;		/* offset in the source */
	const char	*text;		/* is put there */
};

struct work {
	struct arena		*arena;		/* borrowed */
	const struct source	*source;	/* borrowed */
	const struct script	*script;	/* borrowed */
	isl_ctx			*ctx;		/* borrowed */
	struct names		*names;
	struct region		*regions;
	size_t			 nregions;
	struct node		*preparing;	/* the tree that constants go into */
	bool			 assumes;	/* --assume: legality is not proved */
	bool			 is_proved;	/* by an earlier check of the same steps */
	bool			 is_distinct;	/* operands do not overlap, by the spec */
	const char		*assumed;	/* what was not proved; NULL: all is */
	const struct constant	*known;		/* --set NAME=VALUE */
	size_t			 nknown;
	struct constant		*constants;	/* put in by steps */
	size_t			 nconstants;
	const struct symbol	**scratch;	/* by steps: is not read after the nest */
	size_t			 nscratch;
	const struct symbol	**restricted;
	size_t			 nrestricted;
	struct edit		*edits;
	size_t			 nedits;
};

/* A copy of the routine's regions with the constants put in. */
enum status	 work_init(struct work *, struct fault *);
void		 work_release(struct work *);

bool		 work_is_restrict(const struct work *, const struct symbol *);
struct symbol	*work_find_symbol(const struct work *, const char *name);
void		 work_add_symbol(struct arena *, const struct symbol ***list, size_t *n,
		    const struct symbol *);

#endif
