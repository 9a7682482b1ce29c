/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_PRINT_OUTPUT_H
#define ASSAY_CLIENT_PRINT_OUTPUT_H

#include <jansson.h>

#include "client/print/cli.h"

/* Documents on stdout, where output_finish reports failed writes once. */
enum status	 output_document(const json_t *, struct fault *);	/* indented */
enum status	 output_line(const json_t *, struct fault *);		/* one line, at once */
enum status	 output_json(const struct cli *, const json_t *, struct fault *); /* as asked for */
/* Indented, into a file. */
enum status	 output_save(const json_t *, const char *path, struct fault *);
size_t		 output_columns(void);		/* of the terminal that stdout is; 0: it is none */
bool		 output_finish(void);		/* false: a write failed */

#endif
