/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_DERIVE_DERIVED_H
#define ASSAY_CLIENT_DERIVE_DERIVED_H

#include <jansson.h>

#include "client/derive/poly.h"
#include "client/derive/record.h"
#include "client/import/foreign.h"
#include "proto/text/prototype.h"

/*
 * What a source or a binary shows of a routine.  A spec is made of it; whatever the routine does
 * not say is a guess, marked in the document and listed.
 */
enum { DERIVED_MAX_DIMS = 4, DERIVED_MAX_EXTENTS = 6 };

/* Of one dimension: as many elements as the largest of these. */
struct derived_dim {
	size_t		n;
	struct poly	extents[DERIVED_MAX_EXTENTS];
};

struct derived_param {
	char		name[PROTOTYPE_NAME_MAX];
	char		type[PROTOTYPE_NAME_MAX];	/* of a scalar, or what is pointed to */
	struct record_made record;			/* of a struct that is pointed to */
	bool		is_pointer, is_const;
	bool		is_rows;			/* it points to pointers to rows */
	bool		is_read, is_written;		/* elements */
	bool		is_escaping;			/* handed to another function */
	bool		is_index;			/* its elements are indices */
	bool		is_bound;			/* of a loop */
	bool		has_stride;			/* `stride` is set */
	struct poly	stride;				/* what a factor of indices should be */
	size_t		ndims;				/* 0: never indexed */
	struct derived_dim dims[DERIVED_MAX_DIMS];
	size_t		nlengths;			/* of the arrays that it points to */
	struct poly	lengths[DERIVED_MAX_DIMS];	/* outermost first */
	int		line, column;			/* 0: unknown */
};

struct derived {
	const char		*path;			/* borrowed */
	char			 name[PROTOTYPE_NAME_MAX];
	char			 result[PROTOTYPE_NAME_MAX];
	int			 line, column;		/* of its name; 0: unknown */
	size_t			 n;
	struct derived_param	 params[PROTOTYPE_MAX_PARAMS];
	bool			 has_body;		/* the body was looked at */
	struct poly		 flops;			/* of one call; unknown: not derived */
	long long		 flops_divisor;		/* of flops */
	bool			 has_slow_calls;	/* exp, sin: each counts as one */
	const char		*reference;		/* borrowed; its source; NULL: none */
};

void		 derived_release(struct derived *);

/* A file of C, through libclang.  `routine` NULL: the only one that it defines. */
enum status	 derive_source(struct derived *, const char *path, const char *text, size_t bytes,
		    const char *routine, struct fault *);
/* An object or a shared library, through its debugging information. */
enum status	 derive_binary(struct derived *, const char *path, const char *routine,
		    struct fault *);

/* { spec, meta: { guesses: [{ member, value, why, line, column }] } }.  New reference. */
enum status	 derived_document(struct derived *, json_t **, struct fault *);

#endif
