/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of ranges: repetition, unrolling, stride; the range of an immediate, of a register. */
#include "client/micro/read/fill.h"

enum { MAX_COPIES = 4096, MAX_STRIDE = 1 << 20 };

static enum status
open_range(struct open *o, struct range *to)
{
	*to = range_of_one(1);
	to->at = o->at;
	o->object = to;
	return ST_OK;
}

enum status
open_repetition(struct reading *r, struct open *o, struct fault *why)
{
	(void)r;
	(void)why;
	return open_range(o, o->parent->node->id == NODE_KERNEL ?
	    &((struct kernel *)o->parent->object)->repetition :
	    &((struct pattern *)o->parent->object)->repetition);
}

enum status
open_unrolling(struct reading *r, struct open *o, struct fault *why)
{
	(void)r;
	(void)why;
	return open_range(o, &((struct kernel *)o->parent->object)->unrolling);
}

enum status
open_stride(struct reading *r, struct open *o, struct fault *why)
{
	(void)r;
	(void)why;
	return open_range(o, &((struct induction *)o->parent->object)->strides);
}

enum status
close_range_of(struct reading *r, const struct open *o, struct range *to, int64_t least,
    int64_t most, struct fault *why)
{
	to->is_given = true;
	if (to->linked != NULL)
		return to->has_min || to->has_max ? refuse(r, o, why,
		    "it is linked to %s, so it has no values of its own", to->linked) : ST_OK;
	if (!to->has_min)
		return miss(r, o, "min", why);
	if (!to->has_max)
		return miss(r, o, "max", why);
	if (to->min > to->max)
		return refuse(r, o, why, "min is %lld, more than max, which is %lld",
		    (long long)to->min, (long long)to->max);
	if (to->min < least || to->max > most)
		return refuse(r, o, why, "values are from %lld to %lld, not %lld to %lld",
		    (long long)least, (long long)most, (long long)to->min, (long long)to->max);
	return ST_OK;
}

enum status
close_bounds(struct reading *r, struct open *o, struct fault *why)
{
	return close_range_of(r, o, o->object, 1,
	    o->node->id == NODE_STRIDE ? MAX_STRIDE : MAX_COPIES, why);
}

/* ---- what stands in them ---- */

/* A register's and a clause's numbers are ranges, too. */
static struct range *
range_around(const struct open *o)
{
	switch (o->parent->node->id) {
	case NODE_IMMEDIATE:
		return &((struct slot *)o->parent->object)->values;
	case NODE_CLAUSE:
		return &((struct clause *)o->parent->object)->numbers;
	case NODE_REPETITION:
	case NODE_UNROLLING:
	case NODE_STRIDE:
		return o->parent->object;
	default:
		return &((struct described *)o->parent->object)->numbers;
	}
}

enum status
set_min(struct reading *r, struct open *o, struct fault *why)
{
	struct range	*to = range_around(o);

	(void)r;
	(void)why;
	to->min = o->number;
	to->has_min = true;
	return ST_OK;
}

enum status
set_max(struct reading *r, struct open *o, struct fault *why)
{
	struct range	*to = range_around(o);

	(void)r;
	(void)why;
	to->max = o->number;
	to->has_max = true;
	return ST_OK;
}

enum status
set_progress(struct reading *r, struct open *o, struct fault *why)
{
	if (o->number < 1)
		return refuse(r, o, why, "%s never reaches max: 1 or more does", o->text);
	range_around(o)->progress = o->number;
	return ST_OK;
}

enum status
set_linked(struct reading *r, struct open *o, struct fault *why)
{
	range_around(o)->linked = o->text;
	return check_word(r, o, "%-.", why);
}

enum status
set_file_naming(struct reading *r, struct open *o, struct fault *why)
{
	(void)r;
	(void)why;
	range_around(o)->is_in_name = true;
	return ST_OK;
}
