/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_PRINT_CSV_H
#define ASSAY_CLIENT_PRINT_CSV_H

#include <stdio.h>

#include "proto/wire/result.h"

/* Results as CSV (proto/wire/result_csv.h) in lines that end in LF. */
void	 csv_put_heading(FILE *);
void	 csv_put_result(FILE *, const struct result *);

#endif
