/* SPDX-License-Identifier: Apache-2.0 */
/* The library's kernels, which its own generator wrote: a plan is made in the first call. */
#include <fftw3.h>

void
fft16(double *y, const double *x)
{
	static fftw_plan	 plan;
	fftw_complex		*from = (fftw_complex *)x, *to = (fftw_complex *)y;

	if (plan == NULL)
		plan = fftw_plan_dft_1d(16, from, to, FFTW_FORWARD,
		    FFTW_ESTIMATE | FFTW_UNALIGNED | FFTW_PRESERVE_INPUT);
	fftw_execute_dft(plan, from, to);
}
