/* SPDX-License-Identifier: Apache-2.0 */
/* A bank of filters: the bands' spectra in turn, each weighted after its stage of the transform. */
#include <math.h>

#include "app.h"

void	 butterfly(int n, const double *w, double *re, double *im);

enum { N = 1024, BANDS = 8 };
const int	 app_places = 4, app_steps = 200;

struct place {
	double	*w, *window, *re[BANDS], *im[BANDS];
	int	 band;
};

void *
app_place(void)
{
	struct place	*p = app_memory(sizeof *p);

	p->w = app_vector(N);
	for (int i = 0; i < N / 2; i++) {
		p->w[i] = M_SQRT1_2 * cos(2 * M_PI * i / N);
		p->w[i + N / 2] = M_SQRT1_2 * sin(2 * M_PI * i / N);
	}
	p->window = app_vector(N);
	for (int b = 0; b < BANDS; b++) {
		p->re[b] = app_vector(N);
		p->im[b] = app_vector(N);
	}
	p->band = 0;
	return p;
}

void
app_call(void *place)
{
	struct place	*p = place;

	butterfly(N, p->w, p->re[p->band], p->im[p->band]);
}

void
app_between(void *place, int step)
{
	struct place	*p = place;

	(void)step;
	for (int i = 0; i < N; i++)
		p->re[p->band][i] += 1e-3 * p->window[i];
	p->band = (p->band + 1) % BANDS;
}
