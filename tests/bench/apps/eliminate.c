/* SPDX-License-Identifier: Apache-2.0 */
/* Gauss-Jordan elimination: search of a pivot, scaling, update of all columns. */
#include <math.h>

#include "app.h"

void	 eliminate(int n, const double *factor, const double *pivot, double *a);

enum { N = 256 };
const int	 app_places = 4, app_steps = 60;

struct place {
	double	*a, *factor, *pivot;
};

void *
app_place(void)
{
	struct place	*p = app_memory(sizeof *p);

	p->a = app_vector((size_t)N * N);
	p->factor = app_vector(N);
	p->pivot = app_vector(N);
	return p;
}

void
app_call(void *place)
{
	struct place	*p = place;

	eliminate(N, p->factor, p->pivot, p->a);
}

void
app_between(void *place, int step)
{
	struct place	*p = place;
	const double	*column = p->a + (size_t)(step % N) * N;
	double		 largest = 1e-9;

	for (int i = 0; i < N; i++)
		largest = fmax(largest, fabs(column[i]));
	for (int i = 0; i < N; i++) {
		p->pivot[i] = column[i] / largest;
		p->factor[i] = 1e-3 * p->a[(size_t)i * N + step % N] / largest;
	}
}
