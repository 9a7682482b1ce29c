/* SPDX-License-Identifier: Apache-2.0 */
/* Places are between 0 and cells; field has a number for each cell. */
void
push(int n, int cells, double dt, const double *field, double *x, double *v)
{
	for (int i = 0; i < n; i++) {
		double	place = x[i];

		v[i] += dt * field[(int)place];
		place += dt * v[i];
		if (place < 0)
			place += cells;
		if (place >= cells)
			place -= cells;
		x[i] = place;
	}
}
