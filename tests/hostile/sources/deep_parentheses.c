/* outcome: build_limit build_failed build_timeout ok */
/* SPDX-License-Identifier: Apache-2.0 */
#define A(x) ((((((((((x))))))))))
#define B(x) A(A(A(A(A(A(A(A(A(A(x))))))))))
#define C(x) B(B(B(B(B(B(B(B(B(B(x))))))))))
#define D(x) C(C(C(C(C(C(C(C(C(C(x))))))))))
#define E(x) D(D(D(D(D(D(D(D(D(D(x))))))))))
int z = E(1);

double f(int n, double *y)
{
	return y[0] = n;
}
