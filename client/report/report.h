/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_REPORT_REPORT_H
#define ASSAY_CLIENT_REPORT_REPORT_H

#include <stdio.h>

#include "proto/wire/result.h"

/*
 * One result for a reader new to Assay: the outcome, the times, doubts about them and what to do,
 * the method, and the origin of the code.  Lines are as wide as the terminal, at most 100 columns;
 * 0: it is no terminal.
 */
void	 report_print(FILE *, const struct result *, size_t terminal_columns);

#endif
