/*
 * Members of an array of structures are arrays of their own.
 * data: double p[300], double out[100]
 * call: move(100, p, out)
 * script:
 *   restrict
 *   fission i
 *   tile i#1 16
 */
struct point {
	double x, y, z;
};

void
move(int n, struct point *p, double *out)
{
	for (int i = 0; i < n; i++) {
		p[i].x += 1.5 * p[i].z;
		out[i] = p[i].y * 2.0;
	}
}
