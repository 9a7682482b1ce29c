/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "app.h"

enum { LINE = 64 };

static uint64_t	counter = 1;

void *
app_memory(size_t bytes)
{
	void	*p = aligned_alloc(LINE, (bytes + LINE - 1) / LINE * LINE);

	if (p == NULL) {
		fprintf(stderr, "no memory\n");
		exit(1);
	}
	return p;
}

/* splitmix64 */
static uint64_t
next_bits(void)
{
	uint64_t	z = counter += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

double
app_random(void)
{
	return (double)(next_bits() >> 11) * 0x1p-53;
}

unsigned
app_draw(unsigned n)
{
	return (unsigned)(next_bits() % n);
}

double *
app_vector(size_t n)
{
	double	*v = app_memory(n * sizeof *v);

	for (size_t i = 0; i < n; i++)
		v[i] = 2 * app_random() - 1;
	return v;
}
