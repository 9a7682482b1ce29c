/* SPDX-License-Identifier: Apache-2.0 */
/* Interpolation in a long table: each step has new abscissas. */
#include "app.h"

void	 locate(int n, const int *sorted, int m, const int *keys, int *at);

enum { N = 1 << 19, M = 128 };
const int	 app_places = 4, app_steps = 150;

struct place {
	int	*sorted, *keys, *at;
	double	*sum;
};

static void
next_keys(struct place *p)
{
	for (int i = 0; i < M; i++)
		p->keys[i] = (int)app_draw(N);
}

void *
app_place(void)
{
	struct place	*p = app_memory(sizeof *p);

	p->sorted = app_memory(N * sizeof *p->sorted);
	for (int i = 0; i < N; i++)
		p->sorted[i] = i;
	p->keys = app_memory(M * sizeof *p->keys);
	p->at = app_memory(M * sizeof *p->at);
	p->sum = app_vector(M);
	next_keys(p);
	return p;
}

void
app_call(void *place)
{
	struct place	*p = place;

	locate(N, p->sorted, M, p->keys, p->at);
}

void
app_between(void *place, int step)
{
	struct place	*p = place;

	(void)step;
	for (int i = 0; i < M; i++)
		p->sum[i] += p->at[i];
	next_keys(p);
}
