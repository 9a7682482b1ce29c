/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An application that spends its time in a loop nest, on fields of its own.  usage: smooth_app IMAGE.
 * It enters a checkpoint before one of its last steps; what comes after the region aborts where the
 * image is restarted.
 */
#include <stdio.h>
#include <stdlib.h>

#include "checkpoint.h"

void	smooth(const double *, double *);
#include "smooth.c"

enum { SIDE = 200, STEPS = 20, STEPS_BEHIND = 4 };

static double	field[2][SIDE * SIDE];

int
main(int argc, char **argv)
{
	int	restarted = 0;

	if (argc != 2)
		return 64;
	for (int i = 0; i < SIDE * SIDE; i++)
		field[0][i] = field[1][i] = (i * 2654435761u) % 1000;
	assay_checkpoint_routine("smooth", (assay_routine *)smooth);
	for (int step = 0; step < STEPS; step++) {
		if (step == STEPS - STEPS_BEHIND &&
		    (restarted = assay_enter_checkpoint(argv[1])) < 0) {
			perror(argv[1]);
			return 1;
		}
		ASSAY_CHECKPOINT_CALL(smooth)(field[step % 2], field[1 - step % 2]);
	}
	assay_stop_checkpoint();
	if (restarted)
		abort();
	printf("%g\n", field[STEPS % 2][SIDE * SIDE / 2]);
	return 0;
}
