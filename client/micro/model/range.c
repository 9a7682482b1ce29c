/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "client/micro/model/range.h"

struct range
range_of_one(int64_t value)
{
	return (struct range){ .min = value, .max = value, .progress = 1 };
}

uint64_t
range_count(const struct range *r)
{
	const uint64_t	steps = ((uint64_t)r->max - (uint64_t)r->min) / (uint64_t)r->progress;

	return r->linked != NULL ? 1 : steps == UINT64_MAX ? steps : steps + 1;
}

int64_t
range_value(const struct range *r, uint64_t i)
{
	return (int64_t)((uint64_t)r->min + i * (uint64_t)r->progress);
}

bool
range_is_open(const struct range *r)
{
	return r->is_in_name || range_count(r) > 1;
}
