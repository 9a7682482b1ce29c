/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "daemon/dispatch/rests.h"

enum status
rests_add(struct rests *r, const struct rest *one)
{
	if (r->n == r->max) {
		size_t		 max = r->max != 0 ? 2 * r->max : 16;
		struct rest	*more = realloc(r->of, max * sizeof *more);

		if (more == NULL)
			return ST_NOMEM;
		r->of = more;
		r->max = max;
	}
	r->of[r->n++] = *one;
	return ST_OK;
}

bool
rests_next(struct rests *r, int station, double now, struct rest *out)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->of[i].until <= now || r->of[i].station == station) {
			*out = r->of[i];
			r->of[i] = r->of[--r->n];
			return true;
		}
	return false;
}

bool
rests_drop(struct rests *r, int64_t id)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->of[i].id == id) {
			r->of[i] = r->of[--r->n];
			return true;
		}
	return false;
}

void
rests_release(struct rests *r)
{
	free(r->of);
	*r = (struct rests){ .of = NULL };
}
