/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_MODEL_RANGE_H
#define ASSAY_CLIENT_MICRO_MODEL_RANGE_H

#include <stdbool.h>
#include <stdint.h>

/* Where a node begins in the description, both from 1. */
struct place {
	unsigned	 line, column;
};

/* The values min, min + progress, … that are not above max. */
struct range {
	struct place	 at;
	bool		 is_given;
	bool		 has_min, has_max;
	int64_t		 min, max, progress;
	const char	*linked;	/* no choice of its own: has that of this name; or NULL */
	bool		 is_in_name;	/* a name has the value, even if it is the only one */
};

/* Of a node that is not there: the one value. */
struct range	 range_of_one(int64_t value);
/* At least 1; UINT64_MAX: that many or more. */
uint64_t	 range_count(const struct range *);
int64_t		 range_value(const struct range *, uint64_t i);
/* Programs differ in it. */
bool		 range_is_open(const struct range *);

#endif
