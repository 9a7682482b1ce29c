/* The reference of doitgen ("generic code optimization", section 4.1), as f2c made it. */
int doitgen_ref__ (double *a, int *ia1, int *ia2,
int *ia3, double *x, int *ldx, int *np,
int *nq, int *nr, int *ns)

{
/* System generated locals */
int x_dim1, x_offset, i__1, i__2, i__3, i__4;

/* Local variables */
static int p, q, r__, s;
static double t0[31]; /* the paper has 30, one less than its own last size */
static int qr, pqr;
static double sum;
static int sqr;

/* Parameter adjustments */
--a;
x_dim1 = *ldx;
x_offset = 1 + x_dim1;
x -= x_offset;

/* Function Body */
i__1 = *nr;
for (r__ = 1; r__ <= i__1; ++r__) {

i__2 = *nq;
for (q = 1; q <= i__2; ++q) {

qr = (q - 1) * *ia2 + 1 + (r__ - 1) * *ia3;
i__3 = *np;
for (p = 1; p <= i__3; ++p) {
sum = 0.;
sqr = qr;
i__4 = *ns;
for (s = 1; s <= i__4; ++s) {
sum += a[sqr] * x[s + p * x_dim1];
sqr += *ia1;
}
t0[p - 1] = sum;

}

pqr = qr;
i__3 = *np;
for (p = 1; p <= i__3; ++p) {
a[pqr] = t0[p - 1];
pqr += *ia1;
}
}

}
return 0;
} /* doitgen_ref__ */
