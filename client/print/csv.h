/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_PRINT_CSV_H
#define ASSAY_CLIENT_PRINT_CSV_H

#include <stdio.h>

#include "proto/wire/result.h"

/* Results as CSV (RFC 4180, but lines end in LF).  Objects and lists in a field are JSON. */
void	 csv_put_heading(FILE *);
void	 csv_put_result(FILE *, const struct result *);

#endif
