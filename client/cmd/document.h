/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_DOCUMENT_H
#define ASSAY_CLIENT_CMD_DOCUMENT_H

#include <jansson.h>

#include "proto/base/fault.h"

/*
 * Files → documents for the daemon, which reads no file that a peer names.  What people may write
 * instead of a text is resolved here, relative to the file that says it:
 *
 *	"source_file": "dot.c"		in a variant, template or reference: source, and language and name if absent
 *	"template_file": "dot.c"	in a sweep: template with that source_file
 *	"spec_file": "dot.spec.json"	in a job or sweep: spec
 */

#define DOCUMENT_FIXED_FORM	"-ffixed-form"	/* flag that a .f file gets */

/*
 * A JSON object or array; "-" is standard input.  The fault has file, line and column.  New
 * reference.
 */
enum status	 document_load(const char *path, json_t **, struct fault *);

/* A file as it is, terminated; "-" is standard input.  Owned by the caller. */
enum status	 document_text(const char *path, char **text, struct fault *);

/* Resolve what was loaded from `path`: a job, a sweep, a bare spec, or a list of jobs. */
enum status	 document_resolve(json_t *, const char *path, struct fault *);

/*
 * { language, source, name }: the language from the file's extension, the name from its own.  New
 * reference.
 */
enum status	 document_variant(const char *path, json_t **, struct fault *);

const char	*document_language(const char *path);	/* "c", "c++", …; NULL: the extension says
							 * nothing */

#endif
