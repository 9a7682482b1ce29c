/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_REPORT_COMPARED_H
#define ASSAY_CLIENT_REPORT_COMPARED_H

#include <stdio.h>

#include "client/print/results/results.h"

/* A table of comparisons: a line for the first variant, and one for each compared with it. */
enum status	 compared_print(FILE *, const struct results *, size_t columns, struct fault *);

#endif
