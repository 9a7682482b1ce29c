/* SPDX-License-Identifier: Apache-2.0 */
/* A time stepper with six vectors of state: the axpy is one of its sweeps. */
#include "app.h"

void	 axpy(int n, double a, const double *x, double *y);

enum { N = 150000 };
const int	 app_places = 4, app_steps = 40;

struct place {
	double	*x, *y, *k1, *k2, *k3, *k4;
};

void *
app_place(void)
{
	struct place	*p = app_memory(sizeof *p);

	p->x = app_vector(N);
	p->y = app_vector(N);
	p->k1 = app_vector(N);
	p->k2 = app_vector(N);
	p->k3 = app_vector(N);
	p->k4 = app_vector(N);
	return p;
}

void
app_call(void *place)
{
	struct place	*p = place;

	axpy(N, 1e-3, p->x, p->y);
}

void
app_between(void *place, int step)
{
	struct place	*p = place;
	double		 sum = 0;

	for (int i = 0; i < N; i++)
		p->k1[i] = 0.5 * (p->k2[i] + p->k3[i]);
	for (int i = 0; i < N; i++)
		sum += p->k1[i] * p->k4[i];
	p->x[step] += 1e-9 * sum;
}
