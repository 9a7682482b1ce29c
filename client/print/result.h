/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_PRINT_RESULT_H
#define ASSAY_CLIENT_PRINT_RESULT_H

#include <stdint.h>

#include <jansson.h>

#include "proto/base/status.h"

/*
 * What a line of a table needs of a result object.  Numbers that the result does not have are NaN.  A result from
 * another version of the daemon may lack anything.
 */
struct result {
	int64_t		 job;			/* 0: not said */
	enum status	 status;		/* ST_INTERNAL: a word that we do not know */
	char		*name, *sweep, *word;	/* owned, never NULL; word: the status */
	char		*point;			/* owned; "UNROLL=4" of its meta */
	char		*note;			/* owned; why it is not ok */
	double		 value_ns, min_ns, median_ns, cv, mflops, gbs;
};

bool		 result_read(struct result *, const json_t *);	/* false: out of memory, nothing to release */
void		 result_release(struct result *);

/* Of several lines the one that says most: the first with "error" in it, else the first.  Owned, NULL: no memory. */
char		*result_telling_line(const char *text);

/* Members that may be missing. */
const char	*result_text(const json_t *object, const char *name);		/* "" */
double		 result_number(const json_t *object, const char *name);		/* NaN */

/* An object's CPUs, its `cpu` and its `cpus`: "CPU 1", "CPUs 4-7"; "" where it names none. */
enum { RESULT_CPUS_BYTES = 128 };
char		*result_cpus(const json_t *object, char *buf);

#endif
