/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_IMPORT_FOREIGN_H
#define ASSAY_CLIENT_IMPORT_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "proto/base/fault.h"

/*
 * A text that is imported, and what is said of it.  Each fault and each remark has the place:
 * "gemm.spec:7:12".  Lines and columns count from 1, columns in bytes.  Nothing that a text names
 * is opened or run.
 */
enum { FOREIGN_MAX_BYTES = 1 << 20, FOREIGN_MAX_REMARKS = 200 };

struct foreign {
	const char	*path;		/* borrowed; as it is shown */
	const char	*text;		/* borrowed; terminated */
	size_t		 bytes;
	json_t		*remarks;	/* owned; [{ line, column, text }] as they were found */
};

/* A part of a text, not terminated. */
struct span {
	const char	*at;		/* borrowed */
	size_t		 n;
};

/* ST_BAD_SPEC: it is no text in UTF-8, or too long. */
enum status	 foreign_init(struct foreign *, const char *path, const char *text, size_t bytes,
		    struct fault *);
void		 foreign_release(struct foreign *);

/* `at` is in the text. */
void		 foreign_place(const struct foreign *, const char *at, int *line, int *column);
enum status	 foreign_fault(const struct foreign *, const char *at, struct fault *,
		    const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* Put the place before a fault that another parser has found within `at`. */
enum status	 foreign_blame(const struct foreign *, const char *at, struct fault *);
/* Something is left out, changed or guessed. */
void		 foreign_remark(struct foreign *, const char *at, const char *fmt, ...)
		    __attribute__((format(printf, 3, 4)));

struct span	 span_between(const char *at, const char *end);	/* trimmed */
bool		 span_is(struct span, const char *word);
bool		 span_equals(struct span, struct span);
struct span	 span_trimmed(struct span);		/* no blanks and comments at its ends */
char		*span_copy(struct span);		/* terminated; owned by the caller */
/* A text, owned by the caller: runs of blanks and comments are one space. */
char		*span_on_one_line(struct span);

/* For "%.*s". */
#define SPAN_ARGS(s)	(int)(s).n, (s).at

#endif
