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
	const uint64_t	most = PATIENCE_PURSE_NS >> p->doubt;

	fill(p, now_ns);
	return most < p->purse_ns ? most : p->purse_ns;
}

unsigned
patience_doubt(unsigned doubt, bool helped)
{
	return helped ? doubt - (doubt > 0) : doubt + (doubt < PATIENCE_DOUBT);
}

/* A job that spent nothing did not wait in vain. */
void
patience_end(struct patience *p, bool helped, uint64_t spent_ns)
{
	p->purse_ns -= spent_ns < p->purse_ns ? spent_ns : p->purse_ns;
	p->barren = helped ? 0 : p->barren + 1;
	if (helped || spent_ns > 0)
		p->doubt = patience_doubt(p->doubt, helped);
}

void
patience_one_job(struct patience *p, unsigned doubt_before)
{
	if (p->doubt > doubt_before + 1)
		p->doubt = doubt_before + 1;
}
