/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_JOB_HELPER_H
#define ASSAY_CLIENT_CMD_JOB_HELPER_H

#include <jansson.h>

#include "proto/base/fault.h"

/* A program of this installation that prints a JSON document: it has a library that assay lacks. */
enum { HELPER_MAX_WORDS = 1200 };

struct helper {
	char	*words[HELPER_MAX_WORDS + 1];	/* owned; NULL-terminated */
	size_t	 n;
};

/* ST_NOT_FOUND: it is not installed; the hint names what it is built with. */
enum status	 helper_init(struct helper *, const char *program, const char *built_with,
		    struct fault *);
void		 helper_add(struct helper *, const char *fmt, ...)
		    __attribute__((format(printf, 2, 3)));
void		 helper_release(struct helper *);	/* zeroed memory is fine */

/*
 * Its document.  New reference.  If it fails and prints { status, member, text, hint }, these are
 * the fault; otherwise its standard error is passed on, unless `is_silent`.
 */
enum status	 helper_run(const struct helper *, bool is_silent, json_t **, struct fault *);

/*
 * The same of a program that prints a document a line: a list of them.  If it fails, it has said so
 * on standard error; `code` gets its exit code, and is 0 otherwise.  ST_OK: it ran.
 */
enum status	 helper_run_lines(const struct helper *, json_t **list, int *code, struct fault *);

#endif
