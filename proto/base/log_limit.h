/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_BASE_LOG_LIMIT_H
#define ASSAY_PROTO_BASE_LOG_LIMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/log.h"

/*
 * Which lines a log may have: at most LOG_LIMIT_BYTES in any second, whatever goes wrong.  Pure:
 * the caller has the clock.
 *
 * Each place in the code, known by its format's address, has an allowance of its own, and all
 * together have one.  A part of the latter is for errors and warnings alone.  A place that was
 * silent for a while may write a short line beyond both, so a storm hides no other fault.  Lines
 * that are left out are counted, and the last of each place is kept for a line that says so.
 */
enum {
	LOG_LIMIT_BYTES		= 10000,	/* in any second */
	LOG_LIMIT_SITES		= 64,		/* places that are known at a time */
	LOG_LIMIT_SHORT		= 500,		/* bytes of a line beyond the allowances */
	LOG_LIMIT_KEPT		= 200,		/* bytes that are kept of a line left out */
	LOG_LIMIT_SILENT_S	= 10,
};

struct log_bucket {
	double		 bytes, at_s;
};

struct log_site {
	const char	*format;	/* borrowed, static; NULL: free */
	struct log_bucket own;
	double		 seen_s, wrote_s, said_s;	/* said: that lines were left out */
	uint64_t	 left_out;	/* since said_s */
	enum log_level	 level;		/* of the last line left out, */
	char		 last[LOG_LIMIT_KEPT];	/* and its text */
};

struct log_limit {
	struct log_bucket all, spare;
	struct log_site	 sites[LOG_LIMIT_SITES];
	bool		 has_left_out;
};

void		 log_limit_init(struct log_limit *, double now_s);

/* Bytes of this line that may be written; 0: it is left out, and counted. */
size_t		 log_limit_take(struct log_limit *, const char *format, enum log_level,
		    const char *text, size_t bytes, double now_s);

/*
 * A line about lines left out, once they came to an end or after LOG_LIMIT_SILENT_S; to be called
 * until it returns 0.  all: now, before the log ends.
 */
size_t		 log_limit_report(struct log_limit *, char *buf, size_t bytes, double now_s,
		    bool all);

#endif
