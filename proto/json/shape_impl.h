/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_JSON_SHAPE_IMPL_H
#define ASSAY_PROTO_JSON_SHAPE_IMPL_H

#include "proto/json/shape.h"

/* What shape.c, shape_get.c, shape_written.c and shape_put.c share. */
static inline void *
shape_field(void *in, const struct shape_row *r)
{
	return (char *)in + r->offset;
}

static inline const void *
shape_value(const void *in, const struct shape_row *r)
{
	return (const char *)in + r->offset;
}

/* Some types have no value to spare for none: a bool beside says whether it is there. */
static inline bool
shape_has_bool(const struct shape_row *r)
{
	return r->none != SHAPE_NEVER && (r->kind == SHAPE_OBJECT || r->kind == SHAPE_FLAG ||
	    r->kind == SHAPE_WORD || r->kind == SHAPE_PAIR || r->kind == SHAPE_INLINE);
}

void		 shape_set_none(const struct shape_row *, void *out);
enum status	 shape_get_value(const struct shape_row *, void *out, const struct node *,
		    enum shape_way, struct fault *);
enum status	 shape_refuse_unknown(const struct shape *, const struct node *, const char *name,
		    struct fault *);

/*
 * The row of this name, or the inlined shape that has it; s->rows: there is none.  Members mostly
 * come in the order of the rows: it is looked for from the last place on.
 */
size_t		 shape_row_of(const struct shape *, const char *name, size_t last);

/* SHAPE_WRITTEN, into a struct that has its defaults. */
void		 shape_set_defaults(const struct shape *, void *out);
enum status	 shape_get_written(const struct shape *, void *out, const struct node *,
		    struct fault *);

void		 shape_release_row(const struct shape_row *, void *in);

#endif
