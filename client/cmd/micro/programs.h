/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_MICRO_PROGRAMS_H
#define ASSAY_CLIENT_CMD_MICRO_PROGRAMS_H

#include <jansson.h>

#include "client/cmd/launch/launch.h"

/* The programs of a description, as assay-micro makes them. */
struct programs {
	json_t	*list;			/* owned; variants with meta */
	int64_t	 arrays;		/* the most that one takes */
	int64_t	 element_bytes;		/* of the largest number in memory; 0: none is there */
	int64_t	 longest_step;		/* elements of a pass, the most of all; 0: unknown */
	/* of all, where they have it in common; 0: they differ */
	int64_t	 step, counts;
	char	*checked;		/* owned; the iterations of all over N; NULL: none */
};

/* What assay-micro is asked for; its options of `generate`. */
struct generator {
	struct cli_list	 plugins;
	const char	*vector;	/* NULL: the description's */
	int64_t		 plugin_seconds, limit, seed;	/* limit 0: all */
	bool		 by_copies, is_verbose;
};
enum { GENERATOR_OPTIONS = 5 };
/* Into `to`, which has room for GENERATOR_OPTIONS; no end of a table. */
void		 generator_options(struct generator *, struct cli_option *to);

/*
 * `function`: its name in each.  For this host, whose processor must have what they need, unless
 * the daemon is another's.  *code: what assay-micro, which has reported its error, ended with; the
 * list is then to be left alone.
 */
enum status	 programs_make(struct programs *, const struct generator *, const struct cli *,
		    const char *file, const char *function, int *code, struct fault *);
void		 programs_release(struct programs *);

/*
 * What a pass through the loop adds to the value that the program returns, by its source: of one
 * "add $1, %eax" 1.  0: the source has something else for %eax, or nothing.
 */
int64_t		 programs_count_of(const char *source);

/* Arrays and their elements, where the options say nothing of them. */
void		 programs_describe(const struct programs *, struct launch *);

/*
 * What a call must return, where the options say nothing of it, and the programs go the same number
 * of times through their loops.  Those of several unroll factors do not: their rows are compared
 * one by one.  Call: when the sizes are known.
 */
void		 programs_check_result(struct programs *, struct launch *);

#endif
