/*
 * doitgen as f2c has left it ("generic code optimization", section 4.1), in the shape of section
 * 4.2: blocks of r, the sum and the copy unrolled.
 * data: double a[1728], double x[144], int ia1[1], int ia2[1], int ia3[1], int n[1]
 * values: ia1=1 ia2=12 ia3=144 n=12
 * call: doitgen_ref(a, ia1, ia2, ia3, x, n, n, n, n, n)
 * script:
 *   constant ia1=1 ia2=12 ia3=144 np=12 nq=12 nr=12 ns=12 ldx=12
 *   restrict
 *   tile r 8
 *   unroll s 5
 *   unroll p#2 6
 */
int doitgen_ref (double *a, int *ia1, int *ia2,
    int *ia3, double *x, int *ldx, int *np,
    int *nq, int *nr, int *ns)
{
    /* System generated locals */
    int x_dim1, x_offset, i_1, i_2, i_3, i_4;

    /* Local variables */
    static int p, q, r, s;
    static double t0[30];
    static int qr, pqr;
    static double sum;
    static int sqr;

    /* This is the original version ... a new port */
    /* to another processor could start from this. */

    /* Parameter adjustments */
    --a;
    x_dim1 = *ldx;
    x_offset = 1 + x_dim1;
    x -= x_offset;

    /* Function Body */
    i_1 = *nr;
    for (r = 1; r <= i_1; ++r) {
        i_2 = *nq;
        for (q = 1; q <= i_2; ++q) {
            qr = (q - 1) * *ia2 + 1 + (r - 1) * *ia3;
            i_3 = *np;
            for (p = 1; p <= i_3; ++p) {
                sum = 0.;
                sqr = qr;
                i_4 = *ns;
                for (s = 1; s <= i_4; ++s) {
                    sum += a[sqr] * x[s + p * x_dim1];
                    sqr += *ia1;
                }
                t0[p - 1] = sum;
            }
            pqr = qr;
            i_3 = *np;
            for (p = 1; p <= i_3; ++p) {
                a[pqr] = t0[p - 1];
                pqr += *ia1;
            }
        }
    }
    return 0;
} /* doitgen_ref */
