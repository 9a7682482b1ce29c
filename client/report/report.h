/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_REPORT_REPORT_H
#define ASSAY_CLIENT_REPORT_REPORT_H

#include <stdio.h>

#include <jansson.h>

/* One result as a person wants to read it: outcome, times, how they were taken, what speaks for them. */
void	 report_print(FILE *, const json_t *result);

#endif
