/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_PRINT_CSV_H
#define ASSAY_CLIENT_PRINT_CSV_H

#include <stdio.h>

#include "proto/wire/result.h"

/*
 * Results as CSV (proto/wire/result_csv.h) in lines that end in LF.  With cores: a line for each
 * core of a result that has several, with columns of its own behind the others.
 */
void	 csv_put_heading(FILE *, bool cores);
void	 csv_put_result(FILE *, const struct result *, bool cores);

#endif
