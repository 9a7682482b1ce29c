/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_BASE_FAULT_H
#define ASSAY_PROTO_BASE_FAULT_H

#include <stdarg.h>
#include <stdbool.h>

#include "proto/base/status.h"

/*
 * Why a call failed, in words, without allocating.  `member` is the path of the offending input
 * ("spec.args.X.type"), `hint` the remedy ("did you mean \"double\"?").  Each may be empty.
 *
 * Text that is too long is cut, not dropped.  All three are valid UTF-8 without control characters
 * but tab and newline, whichever bytes they quote.
 */
struct fault {
	enum status	 status;
	bool		 of_user;	/* of ST_FULL: a limit of this user alone */
	char		 member[192];
	char		 text[768];
	char		 hint[256];
};

/*
 * Each returns `st`, so that `return fault_set(…)` reads as one step.  `why` may be NULL: the words
 * are not wanted.
 */
enum status	 fault_set(struct fault *why, enum status st, const char *fmt, ...)
		    __attribute__((format(printf, 3, 4)));
enum status	 fault_at(struct fault *why, enum status st, const char *member,
		    const char *fmt, ...)
		    __attribute__((format(printf, 4, 5)));
/* ST_BAD_SPEC, at path:line:column. */
enum status	 fault_in_file(struct fault *why, const char *path, unsigned line,
		    unsigned column, const char *fmt, va_list)
		    __attribute__((format(printf, 5, 0)));
void		 fault_hint(struct fault *why, const char *fmt, ...)
		    __attribute__((format(printf, 2, 3)));

/* The limit that is reached is this user's, and others are not concerned. */
void		 fault_of_user(struct fault *why);

/*
 * Put `prefix` before the member: fault_within(why, "spec") makes "args.X" into "spec.args.X".
 * Returns its status.
 */
enum status	 fault_within(struct fault *why, const char *prefix);

/* Put `instead` where the member is `prefix`, or what it is within; false: it is not. */
bool		 fault_rename(struct fault *why, const char *prefix, const char *instead);

/* "member: text (hint)" into buf, always terminated; returns buf. */
char		*fault_line(const struct fault *, char *buf, unsigned long bytes);

/*
 * The name in `names` (NULL-terminated list) nearest to `word` by edit distance, or NULL if none is
 * near.
 */
const char	*nearest_name(const char *word, const char *const *names);

#endif
