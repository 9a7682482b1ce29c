/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_SWEEP_POINTS_PARTS_H
#define ASSAY_PROTO_SWEEP_POINTS_PARTS_H

#include "proto/sweep/points.h"
#include "proto/spec/spec_parts.h"

/* Private to points*.c: points.c reads a space and walks it, points_job.c makes a point's job. */

/* What a value of a dimension becomes. */
enum target { TARGET_MEMBER, TARGET_VARIANT, TARGET_PARAM, TARGET_SPEC, TARGET_DEFINE, TARGET_N };

struct dimension {
	const char	*name;		/* borrowed from the document, as all JSON here */
	const json_t	*values;
	size_t		 n, at;		/* values; the one of the point we are at */
	enum target	 target;
	const char	*path;		/* borrowed; TARGET_SPEC: of the member in the spec */
};

struct condition {
	struct expr	*expr;		/* owned */
	size_t		 index;		/* in `where` */
	uint64_t	 needs;		/* bits of the dimensions that it names */
};

struct points {
	const json_t		*spec, *params, *template, *meta;	/* borrowed; NULL: none */
	struct dimension	 dims[POINTS_MAX_DIMENSIONS];
	size_t			 ndims;
	uint64_t		 npoints;
	struct condition	 conditions[POINTS_MAX_CONDITIONS];
	size_t			 nconditions;
};

/* The value at the point. */
static inline const json_t *
dimension_value(const struct dimension *d)
{
	return json_array_get(d->values, d->at);
}

#endif
