/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_SWEEP_POINTS_H
#define ASSAY_PROTO_SWEEP_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "proto/base/fault.h"

/*
 * The points of a template: members `template`, `spec`, `space`, `where` and `meta` of a sweep's
 * document.  A space stands at one point, the first one at the beginning, and makes its job.
 *
 * A dimension changes one thing, by its name:
 *
 *	a member of a variant		that member of the template
 *	"variant", objects as values	all members that the value has, over the template's
 *	a param of the spec		the param
 *	"context"			the spec's context
 *	a name with a dot		the member of the spec at this path: "args.X.offset",
 *					"timing.calls"; "spec." may stand in front
 *	any other name			a macro of the variant
 *
 * Jobs at points that agree in all dimensions of params, context and paths have one spec: they are
 * of one cell.  Variants compete within a cell, never across cells.
 */
struct points;

enum { POINTS_MAX_DIMENSIONS = 64, POINTS_MAX_CONDITIONS = 256 };

/* The document stays borrowed until points_free.  UINT64_MAX points: or more. */
enum status	 points_open(struct points **, const json_t *sweep, struct fault *);
void		 points_free(struct points *);

uint64_t	 points_count(const struct points *);
size_t		 points_dimensions(const struct points *);
const char	*points_name(const struct points *, size_t dimension);
size_t		 points_values(const struct points *, size_t dimension);	/* at least 1 */
const json_t	*points_value(const struct points *, size_t dimension, size_t at);
/* It is part of the spec: points that differ in it are of different cells. */
bool		 points_is_cell(const struct points *, size_t dimension);

/* The next point, the last dimension fastest; after the last point the first one. */
void		 points_next(struct points *);
/* To the values with these numbers, one for each dimension, each less than points_values. */
void		 points_move(struct points *, const size_t *at);

/* Does `where` admit the point?  A condition that cannot be evaluated is a fault. */
enum status	 points_admits(struct points *, bool *, struct fault *);
/* The same as far as the dimensions whose bits are set in `known` decide it. */
enum status	 points_admits_known(struct points *, uint64_t known, bool *, struct fault *);

/* The job of the point: variant, spec and meta; a new reference. */
enum status	 points_job(const struct points *, json_t **job, struct fault *);

/*
 * A fault of the point's job, in the terms of the sweep: "space.U[2]" in place of
 * "variant.defines.U", and the point's values.  Returns `st`.
 */
enum status	 points_blame(const struct points *, enum status st, struct fault *);

#endif
