/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Routines of some 20 ns on a core of 3 GHz, each limited by something else; KIND says which.  The empty asm hides a
 * value from the compiler, so that what is written is done.
 */
#define HIDDEN(x)	__asm__ volatile("" : "+r"(x))
#define TWICE(...)	__VA_ARGS__ __VA_ARGS__
#define TIMES8(...)	TWICE(TWICE(TWICE(__VA_ARGS__)))
#define TIMES32(...)	TWICE(TWICE(TIMES8(__VA_ARGS__)))

double
short_work(const int N, const double *X, const double *Y)
{
#if KIND == 0		/* as many instructions as the core can start */
	long	a = N, b = N, c = N, d = N;

	TIMES32(a += N; HIDDEN(a); b += N; HIDDEN(b); c += N; HIDDEN(c); d += N; HIDDEN(d);)
	TIMES32(a += N; HIDDEN(a); b += N; HIDDEN(b); c += N; HIDDEN(c); d += N; HIDDEN(d);)
	return (double)(a + b + c + d);
#elif KIND == 1		/* each instruction waits for the one before; the next call need not */
	long	a = N;

	TIMES32(a += N; HIDDEN(a);)
	TIMES32(a += N; HIDDEN(a);)
	TIMES32(a += N; HIDDEN(a);)
	return (double)a;
#elif KIND == 2		/* each call waits for the one before, through memory */
	static long	carried;
	long		a = carried;

	TIMES32(a += N; HIDDEN(a);)
	TIMES8(a += N; HIDDEN(a);)
	TIMES8(a += N; HIDDEN(a);)
	carried = a;
	return (double)a;
#elif KIND == 3		/* one unit, busy for long */
	double	s = X[0];

	for (int i = 0; i < N / 2; i++)
		s += X[i] / Y[i];
	return s;
#else			/* loads, multiplications, a chain of additions */
	double	s = 0;

	for (int i = 0; i < N; i++)
		s += X[i] * Y[i];
	return s;
#endif
}
