/* SPDX-License-Identifier: Apache-2.0 */
/* A particle code: push, then the particles' density, then the field of it. */
#include "app.h"

void	 push(int n, int cells, double dt, const double *field, double *x, double *v);

enum { N = 16384, CELLS = 4096 };
const int	 app_places = 4, app_steps = 60;

struct place {
	double	*field, *density, *x, *v;
};

void *
app_place(void)
{
	struct place	*p = app_memory(sizeof *p);

	p->field = app_vector(CELLS);
	p->density = app_vector(CELLS);
	p->x = app_memory(N * sizeof *p->x);
	for (int i = 0; i < N; i++)
		p->x[i] = CELLS * app_random();
	p->v = app_vector(N);
	return p;
}

void
app_call(void *place)
{
	struct place	*p = place;

	push(N, CELLS, 0.01, p->field, p->x, p->v);
}

void
app_between(void *place, int step)
{
	struct place	*p = place;

	(void)step;
	for (int i = 0; i < CELLS; i++)
		p->density[i] = 0;
	for (int i = 0; i < N; i++)
		p->density[(int)p->x[i]] += 1;
	for (int i = 1; i < CELLS; i++)
		p->field[i] = 0.9 * p->field[i] + 0.01 * (p->density[i] - p->density[i - 1]);
}
