/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "proto/base/rank.h"
#include "worker/taken/pace.h"
#include "worker/taken/units.h"

static double
worth(const struct take *k, const struct plan *p, const struct gate *g,
    const struct take_sample *one)
{
	double	own = (double)one->raw.ticks - (double)k->subtracted_ticks;
	double	slowness = k->canary_off == NULL && p->normalised ?
	    pace_slowness(g, p, &one->raw) : 0;

	return slowness > 0 ? own / slowness : own;
}

double *
take_units(const struct take *k, const struct plan *p, const struct gate *g, take_unit_fn *is_in,
    size_t *n)
{
	double		*x = calloc(k->samples + 1, sizeof *x);
	uint64_t	*process = calloc(k->samples + 1, sizeof *process);

	*n = 0;
	if (x == NULL || process == NULL) {
		free(process);
		free(x);
		return NULL;
	}
	for (size_t i = 0; i < k->samples; i++)
		if (is_in(k, &k->sample[i])) {
			process[*n] = k->sample[i].process;
			x[(*n)++] = worth(k, p, g, &k->sample[i]);
		}
	if (p->processes > 1 || k->processes > 1)
		*n = rank_medians(x, process, *n, x);
	free(process);
	return x;
}
