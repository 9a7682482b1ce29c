/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "worker/taken/taken.h"

size_t
take_mark(struct take_sample *s, size_t n, uint32_t *own_faults)
{
	size_t	clean = 0;

	*own_faults = UINT32_MAX;
	for (size_t i = 0; i < n; i++)
		if (s[i].raw.faults < *own_faults)
			*own_faults = s[i].raw.faults;
	for (size_t i = 0; i < n; i++) {
		s[i].disturbed = s[i].raw.switches > 0 || s[i].raw.migrations > 0 ||
		    s[i].raw.faults > *own_faults;
		clean += !s[i].disturbed;
	}
	if (n == 0)
		*own_faults = 0;
	return clean;
}

bool
take_is_unquiet(const struct take *k, const struct take_sample *s)
{
	return s->memory_loud || (s->loud && k->canary_off == NULL);
}

bool
take_counts(const struct take *k, const struct take_sample *s)
{
	return !s->disturbed && !take_is_unquiet(k, s);
}

bool
take_is_noisy(const struct take *k)
{
	size_t	disturbed = 0;

	for (size_t i = 0; i < k->samples; i++)
		disturbed += k->sample[i].disturbed;
	return k->gate_failed || 2 * disturbed > k->samples;
}

int
take_by_worth(const void *a, const void *b)
{
	const struct take_sample	*x = a, *y = b;
	uint64_t			 sx = (uint64_t)x->raw.canary_before + x->raw.canary_after;
	uint64_t			 sy = (uint64_t)y->raw.canary_before + y->raw.canary_after;

	if (x->disturbed != y->disturbed)
		return x->disturbed - y->disturbed;
	if (x->loud != y->loud)
		return x->loud - y->loud;
	if (x->loud && sx != sy)
		return sx < sy ? -1 : 1;
	if (x->memory_loud != y->memory_loud)
		return x->memory_loud - y->memory_loud;
	return (x->nth > y->nth) - (x->nth < y->nth);
}

int
take_by_place(const void *a, const void *b)
{
	const struct take_sample	*x = a, *y = b;

	return (x->nth > y->nth) - (x->nth < y->nth);
}

void
take_release(struct take *k)
{
	free(k->sample);
	k->sample = NULL;
	k->samples = 0;
}
