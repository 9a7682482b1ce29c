#include "f2c.h"

/*$ATLAS ROUTINE DOITGEN REF */
/*$ATLAS SIZE 1:31:1 */
/*$ATLAS ARG IA1 IN int 1 */
/*$ATLAS ARG IA2 IN int $size */
/*$ATLAS ARG A[IA2][IA2][IA2] INOUT double $rand */
/*$ATLAS ARG X[IA2][IA2] IN double $rand */
/*$ATLAS ARG LDX IN int $size */
/*$ATLAS ARG NP IN int $size */
/*$ATLAS ARG NQ IN int $size */
/*$ATLAS ARG NR IN int $size */
/*$ATLAS ARG NS IN int $size */

extern int doitgen_ref__ (double *a, int *ia1, int *ia2,
int *ia3, double *x, int *ldx, int *np, int *nq,
int *nr, int *ns);

/* Subroutine */ int doitgen_ref(int ia1, int ia2,
double *a, double *x, int ldx, int np, int nq,
int nr, int ns)
{

int ia3=ia2*ia2, mu=1, xvt_dim1=ia2, xvt_dim2=ia2;
double *xvt;
int x_offset = 1 + xvt_dim1 * (1 + xvt_dim2);

x -= x_offset;
xvt=&x[(mu * xvt_dim2 + 1) * xvt_dim1 + 1];
doitgen_ref__ (a, &ia1, &ia2, &ia3, xvt, &ldx, &np, &nq, &nr, &ns);


return 0;
} /* doitgen_ref_wrap */
