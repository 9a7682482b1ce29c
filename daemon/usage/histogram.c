/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "daemon/usage/histogram.h"

void
histogram_add(struct histogram *h, const struct histogram_bounds *b, double value)
{
	unsigned	i = 0;

	if (!(value > 0))
		value = 0;
	while (i < b->n && value > b->at[i])
		i++;
	h->counts[i]++;
	h->sum += value;
}

void
histogram_put(const struct histogram *h, const struct histogram_bounds *b, const char *name,
    struct evbuffer *out)
{
	uint64_t	below = 0;

	for (unsigned i = 0; i < b->n; i++) {
		below += h->counts[i];
		(void)evbuffer_add_printf(out, "%s_bucket{le=\"%g\"} %" PRIu64 "\n", name,
		    b->at[i], below);
	}
	below += h->counts[b->n];
	(void)evbuffer_add_printf(out, "%s_bucket{le=\"+Inf\"} %" PRIu64 "\n", name, below);
	(void)evbuffer_add_printf(out, "%s_sum %.17g\n%s_count %" PRIu64 "\n", name, h->sum, name,
	    below);
}
