/* SPDX-License-Identifier: Apache-2.0 */
/* Heat in a block of N x N x N points, two grids by turns; one face is held at its temperature. */
#include "app.h"

void	 heat3d(int n, double rate, const double *in, double *out);

enum { N = 96 };
const int	 app_places = 3, app_steps = 20;

struct place {
	double	*from, *to;
};

void *
app_place(void)
{
	struct place	*p = app_memory(sizeof *p);

	p->from = app_vector((size_t)N * N * N);
	p->to = app_vector((size_t)N * N * N);
	return p;
}

void
app_call(void *place)
{
	struct place	*p = place;

	heat3d(N, 0.1, p->from, p->to);
}

void
app_between(void *place, int step)
{
	struct place	*p = place;
	double		*spare = p->from;

	for (int i = 0; i < N * N; i++)
		p->to[i] = 1.0 + 0.01 * step;
	p->from = p->to;
	p->to = spare;
}
