/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/upkeep/knee.h"
#include "proto/base/monotone.h"

enum { LOW_WAYS = 4 };

static double
middle(double a, double b, double c)
{
	if ((a <= b) == (b <= c))
		return b;
	return (b <= a) == (a <= c) ? a : c;
}

/*
 * Each point becomes the median of itself and its neighbours, at the ends of the nearest three;
 * then all are made monotone.
 */
static void
fit(double *y, const struct knee_point *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t	m = i == 0 ? 1 : i == n - 1 ? n - 2 : i;

		y[i] = middle(p[m - 1].time_ns, p[m].time_ns, p[m + 1].time_ns);
	}
	y[0] = p[0].time_ns < y[0] ? p[0].time_ns : y[0];
	monotone_fit(y, NULL, n);
}

void
knee_find(struct knee *k, const struct knee_point *p, size_t n)
{
	double	y[KNEE_MAX_POINTS];

	*k = (struct knee){ .kind = KNEE_NONE };
	if (n < KNEE_POINTS)
		return;
	fit(y, p, n);
	k->base_ns = y[0];
	k->plateau_ns = y[n - 1];
	if (k->plateau_ns < (1 + KNEE_RISE) * k->base_ns) {
		k->kind = KNEE_FLAT;
		return;
	}
	while (y[k->at] < (1 - KNEE_SLACK) * k->plateau_ns)
		k->at++;
	k->kind = y[n - KNEE_POINTS] >= (1 - KNEE_RISE) * k->plateau_ns ? KNEE_FOUND : KNEE_RISING;
	if (k->kind == KNEE_RISING)
		k->at = n - 1;
}

double
knee_coldness(const struct knee *k, double time_ns)
{
	if (k->kind == KNEE_NONE || k->kind == KNEE_FLAT)
		return 0;
	return (time_ns - k->base_ns) / (k->plateau_ns - k->base_ns);
}

const char *
knee_name(enum knee_kind kind)
{
	static const char *const	names[KNEE_NKINDS] = { "none", "flat", "rising", "found" };

	return names[kind];
}

/* The i-th of n sizes that are given in shares of a cache; 0: above the most, or there is none. */
static uint64_t
size_of(const uint8_t *shares, size_t n, uint64_t share_bytes, uint64_t most_bytes, size_t i)
{
	if (i >= n || share_bytes * shares[i] > most_bytes)
		return 0;
	return share_bytes * shares[i];
}

uint64_t
knee_size(uint64_t cache_bytes, uint64_t most_bytes, size_t i)
{
	static const uint8_t	eighths[] = { 1, 2, 4, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96,
				    128 };

	return size_of(eighths, sizeof eighths, cache_bytes / 8, most_bytes, i);
}

uint64_t
knee_inner_size(uint64_t cache_bytes, uint64_t next_bytes, size_t i)
{
	static const uint8_t	quarters[] = { 1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64 };

	return size_of(quarters, sizeof quarters, cache_bytes / 4, next_bytes / 2, i);
}

bool
knee_is_settled(const struct knee *k, uint64_t cache_bytes, uint64_t last_bytes)
{
	return k->kind == KNEE_FOUND && last_bytes >= KNEE_CACHES * cache_bytes;
}

uint64_t
knee_least_bytes(uint64_t cache_bytes, int ways)
{
	return ways >= 1 && ways <= LOW_WAYS ? cache_bytes * (uint64_t)ways : 0;
}
