/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_REPORT_VERDICT_H
#define ASSAY_CLIENT_REPORT_VERDICT_H

#include <stdio.h>

#include "client/print/results/ranking.h"

/*
 * Sentences below a table of sorted rows: which is fastest, by how much, which cannot be told apart
 * from it, and which are left out.  `noise`: relative differences below it mean nothing on this
 * host; NaN: not known.  `columns` as for page_init.
 */
void	 verdict_put(FILE *, size_t columns, const struct ranking *, double noise);

#endif
