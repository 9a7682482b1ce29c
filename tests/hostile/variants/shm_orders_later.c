/* outcome: ok crashed run_timeout forbidden wrong_answer load_failed */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class: the template.  When called, every desk at rest gets once more the order that it had last.
 */
#include "shm.h"

static void __attribute__((constructor))
early(void)
{
	map_all();
}

double f(int n, double *y)
{
	give_again(0);
	return y[0] = n;
}
