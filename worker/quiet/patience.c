/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/quiet/patience.h"

static void
fill(struct patience *p, uint64_t now_ns)
{
	const uint64_t	room = PATIENCE_PURSE_NS - p->purse_ns;
	const uint64_t	more = (now_ns - p->filled_ns) / PATIENCE_SHARE;

	p->purse_ns += p->filled_ns == 0 || more > room ? room : more;
	p->filled_ns = now_ns;
}

uint64_t
patience_now(struct patience *p, uint64_t now_ns)
{
	const uint64_t	most = PATIENCE_PURSE_NS >> p->halvings;

	fill(p, now_ns);
	return most < p->purse_ns ? most : p->purse_ns;
}

unsigned
patience_halve(unsigned halvings, bool helped)
{
	return helped ? halvings - (halvings > 0) :
	    halvings + (halvings < PATIENCE_HALVINGS);
}

/* A job that spent nothing did not wait in vain. */
void
patience_end(struct patience *p, bool helped, uint64_t spent_ns)
{
	p->purse_ns -= spent_ns < p->purse_ns ? spent_ns : p->purse_ns;
	p->barren = helped ? 0 : p->barren + 1;
	if (helped || spent_ns > 0)
		p->halvings = patience_halve(p->halvings, helped);
}

void
patience_one_job(struct patience *p, unsigned halvings_before)
{
	if (p->halvings > halvings_before + 1)
		p->halvings = halvings_before + 1;
}
