/* outcome: build_failed build_limit build_timeout */
/* SPDX-License-Identifier: Apache-2.0 */
#define A(x) {{{{{{{{{{ x }}}}}}}}}}
#define B(x) A(A(A(A(A(A(A(A(A(A(x))))))))))
#define C(x) B(B(B(B(B(B(B(B(B(B(x))))))))))
void deep(void)
C(C(;))
double f(int n, double *y)
{
	return y[0] = n;
}
