/* SPDX-License-Identifier: Apache-2.0 */
/* Conjugate gradients on a sparse matrix in rows: the product is one of six sweeps of a step. */
#include "app.h"

void	 spmv(int n, const int *start, const int *column, const double *value, const double *x,
	    double *y);

enum { SIDE = 160, N = SIDE * SIDE, PER_ROW = 5 };
const int	 app_places = 4, app_steps = 40;

struct place {
	int	*start, *column;
	double	*value, *x, *r, *p, *q;
	double	 rr;
};

/* A point and its four neighbours, on a torus. */
static void
fill_row(struct place *a, int i)
{
	const int	at[PER_ROW] = { i, (i + 1) % N, (i + N - 1) % N, (i + SIDE) % N,
			    (i + N - SIDE) % N };

	for (int k = 0; k < PER_ROW; k++) {
		a->column[i * PER_ROW + k] = at[k];
		a->value[i * PER_ROW + k] = k == 0 ? 4.5 : -1;
	}
	a->start[i + 1] = (i + 1) * PER_ROW;
}

static double
dot(const double *x, const double *y)
{
	double	sum = 0;

	for (int i = 0; i < N; i++)
		sum += x[i] * y[i];
	return sum;
}

void *
app_place(void)
{
	struct place	*a = app_memory(sizeof *a);

	a->start = app_memory((N + 1) * sizeof *a->start);
	a->column = app_memory(N * PER_ROW * sizeof *a->column);
	a->value = app_memory(N * PER_ROW * sizeof *a->value);
	a->start[0] = 0;
	for (int i = 0; i < N; i++)
		fill_row(a, i);
	a->x = app_vector(N);
	a->r = app_vector(N);
	a->p = app_vector(N);
	a->q = app_vector(N);
	a->rr = dot(a->r, a->r);
	return a;
}

void
app_call(void *place)
{
	struct place	*a = place;

	spmv(N, a->start, a->column, a->value, a->p, a->q);
}

void
app_between(void *place, int step)
{
	struct place	*a = place;
	const double	 alpha = a->rr / (dot(a->p, a->q) + 1e-30);
	double		 rr;

	(void)step;
	for (int i = 0; i < N; i++)
		a->x[i] += alpha * a->p[i];
	for (int i = 0; i < N; i++)
		a->r[i] -= alpha * a->q[i];
	rr = dot(a->r, a->r) + 1e-3;
	for (int i = 0; i < N; i++)
		a->p[i] = a->r[i] + rr / a->rr * a->p[i];
	a->rr = rr;
}
