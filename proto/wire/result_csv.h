/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_WIRE_RESULT_CSV_H
#define ASSAY_PROTO_WIRE_RESULT_CSV_H

#include "proto/json/text.h"
#include "proto/wire/result.h"

/*
 * Results as CSV after RFC 4180.  Objects and lists in a field are JSON.  What ends a line, and
 * further columns, are the caller's.
 *
 * A text that a spreadsheet would run as a formula (= + - @, a tab or a line's end in front) gets
 * an apostrophe in front.  Numbers stay as they are, negative ones too.
 */
void	 result_csv_heading(struct text *);
void	 result_csv_row(struct text *, const struct result *);
bool	 result_csv_has(const char *heading);	/* one of its columns is called so */

/*
 * Further columns, for rows of cores: each begins with a comma.  NULL: a result without cores,
 * whose columns are empty.
 */
void	 result_csv_core_heading(struct text *);
void	 result_csv_core(struct text *, const struct result_core *);

/* One field each, for further columns; a real that is not finite is empty. */
void	 result_csv_text(struct text *, const char *);
void	 result_csv_real(struct text *, double);

#endif
