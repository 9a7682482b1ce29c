/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/dispatch/domains.h"
#include "proto/base/cpulist.h"

static bool
share(const struct domains_slot *s, unsigned a, unsigned b)
{
	return a != b && cpulist_overlap(s[a].shares, s[b].shares);
}

unsigned
domains_beside(const struct domains_slot *s, unsigned n, unsigned at)
{
	unsigned	beside = 0;

	for (unsigned i = 0; i < n; i++)
		beside += s[i].is_timing && share(s, at, i);
	return beside;
}

static bool
is_beside_cold(const struct domains_slot *s, unsigned n, unsigned at)
{
	for (unsigned i = 0; i < n; i++)
		if (s[i].is_timing && s[i].is_cold && share(s, at, i))
			return true;
	return false;
}

/* Is it held back on another slot by what is timed on this one's caches? */
static bool
waits_nearby(const struct domains_slot *s, unsigned n, unsigned at, const struct domains_job *j)
{
	for (unsigned i = 0; j->is_cold && i < n; i++)
		if (s[i].is_idle && s[i].width >= j->width && share(s, at, i) &&
		    domains_beside(s, n, i) != 0)
			return true;
	return false;
}

enum domains_verdict
domains_judge(const struct domains_slot *s, unsigned n, unsigned at, const struct domains_job *j)
{
	if (s[at].width < j->width)
		return waits_nearby(s, n, at, j) ? DOMAINS_STOP : DOMAINS_SKIP;
	if (j->is_cold ? domains_beside(s, n, at) != 0 : is_beside_cold(s, n, at))
		return DOMAINS_STOP;
	return DOMAINS_TAKE;
}
