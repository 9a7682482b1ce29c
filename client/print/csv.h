/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_PRINT_CSV_H
#define ASSAY_CLIENT_PRINT_CSV_H

#include <stdio.h>

#include <jansson.h>

/* Results as CSV (RFC 4180, lines end in LF).  Objects in a field are JSON. */
void	 csv_put_heading(FILE *);
void	 csv_put_result(FILE *, const json_t *result);

#endif
