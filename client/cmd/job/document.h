/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_JOB_DOCUMENT_H
#define ASSAY_CLIENT_CMD_JOB_DOCUMENT_H

#include <jansson.h>

#include "proto/base/fault.h"

/*
 * Files → documents for the daemon, which reads no file that a peer names.  These members name
 * files, relative to the file that they stand in, and are replaced by others:
 *
 *	"source_file": "dot.c"		of a variant, template or reference: by source, and by
 *					language and name if these are missing
 *	"template_file": "dot.c"	of a sweep: by a template with that source_file
 *	"spec_file": "dot.spec.json"	of a job or sweep: by spec
 *	"data_file": "words.txt"	of an operand's init: by data, in base64
 *	"setup_file": "fill.c"		of a spec: by setup
 *	"file": "inc/table.h"		of an entry of a variant's files: by text, or by base64
 */

#define DOCUMENT_FIXED_FORM	"-ffixed-form"	/* flag of a .f file */

/*
 * A JSON object or array; "-" is standard input.  The fault has file, line and column.  New
 * reference.
 */
enum status	 document_load(const char *path, json_t **, struct fault *);

/* A file's bytes, terminated; "-" is standard input.  Owned by the caller.  `bytes` may be NULL. */
enum status	 document_text(const char *path, char **text, size_t *bytes, struct fault *);

/*
 * An entry of a variant's files: { "text": … }, or { "base64": … } of an object and of what is no
 * UTF-8.  `name` is the file's own, for its ending and for faults.  New reference.
 */
enum status	 document_entry(int fd, const char *name, json_t **, struct fault *);

/* Resolve a document of `path`: a job, a sweep, a bare spec, or a list of jobs. */
enum status	 document_resolve(json_t *, const char *path, struct fault *);

/* { language, source, name }, of the file's ending, text and name.  New reference. */
enum status	 document_variant(const char *path, json_t **, struct fault *);

/* Put the file's text into a variant; with language, and with its name, if these are missing. */
enum status	 document_source(json_t *variant, const char *path, bool named, struct fault *);

const char	*document_language(const char *path);	/* "c", "c++", …; NULL: unknown */
bool		 document_is_binary(const char *language);	/* its source is base64 */

#endif
