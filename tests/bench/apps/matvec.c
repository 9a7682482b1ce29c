/* SPDX-License-Identifier: Apache-2.0 */
/* Power iteration: product, norm, scaling; n is a multiple of four. */
#include <math.h>

#include "app.h"

void	 matvec(int n, const double *a, const double *x, double *y);

enum { N = 1200 };
const int	 app_places = 3, app_steps = 20;

struct place {
	double	*a, *x, *y;
};

void *
app_place(void)
{
	struct place	*p = app_memory(sizeof *p);

	p->a = app_vector((size_t)N * N);
	p->x = app_vector(N);
	p->y = app_vector(N);
	return p;
}

void
app_call(void *place)
{
	struct place	*p = place;

	matvec(N, p->a, p->x, p->y);
}

void
app_between(void *place, int step)
{
	struct place	*p = place;
	double		 norm = 0;

	(void)step;
	for (int i = 0; i < N; i++)
		norm += p->y[i] * p->y[i];
	for (int i = 0; i < N; i++)
		p->x[i] = p->y[i] / sqrt(norm);
}
