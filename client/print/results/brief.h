/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_PRINT_RESULTS_BRIEF_H
#define ASSAY_CLIENT_PRINT_RESULTS_BRIEF_H

#include <stdio.h>

#include "client/print/results/row.h"

/*
 * A result as one line: job, name, status and time, with tabs between.  Half of the time's 95 %
 * interval follows it, where it has one: "12.34 ns ± 0.05 ns".
 */
void	 brief_put_row(FILE *, struct row *);	/* the name is made safe for a terminal */

#endif
