/* outcome: ok crashed run_timeout forbidden wrong_answer load_failed */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class: the template.  While the variant is loaded, every desk gets once more the order that it
 * had last.
 */
#include "shm.h"

static void __attribute__((constructor))
early(void)
{
	map_all();
	give_again(1);
}

double f(int n, double *y)
{
	return y[0] = n;
}
