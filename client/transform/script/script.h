/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_SCRIPT_SCRIPT_H
#define ASSAY_CLIENT_TRANSFORM_SCRIPT_SCRIPT_H

#include <stdint.h>

#include "client/arena/arena.h"
#include "proto/text/expr.h"

/*
 * A script of transformations: text, one step a line, `#` before remarks.
 *
 *	script 1			the version, first
 *	param B = 1..31			a dimension of the space: values, ranges, "quoted texts"
 *	where B * 8 <= N		points for which this is 0 are left out
 *	tile r,q B,B			steps, in order
 *	compiler gcc
 *	flags -O3 -march=native
 */
enum {
	SCRIPT_VERSION = 1, SCRIPT_MAX_BYTES = 1 << 16, SCRIPT_MAX_LINE = 4096,
	SCRIPT_MAX_STEPS = 256, SCRIPT_MAX_PARAMS = 16, SCRIPT_MAX_POINTS = 100000,
	SCRIPT_MAX_ITEMS = 8,		/* of a list like r,q */
};

struct script_param {
	const char	 *name;
	const char	**values;
	size_t		  n, at;	/* `at`: of the point we are at */
	unsigned	  line;
};

struct script_step {
	const char	*word;		/* "tile" */
	const char	*text;		/* what stands behind it */
	unsigned	 line, column;	/* of the text */
};

struct script_where {
	struct expr	*expr;		/* owned: script_release */
	unsigned	 line;
};

struct script {
	const char		*path;		/* borrowed */
	struct arena		*arena;		/* borrowed */
	struct script_param	 params[SCRIPT_MAX_PARAMS];
	size_t			 nparams, npoints;
	struct script_where	 wheres[SCRIPT_MAX_STEPS];
	size_t			 nwheres;
	struct script_step	 steps[SCRIPT_MAX_STEPS];
	size_t			 nsteps;
	const char		*compiler, *flags;	/* as written; NULL: not given */
	unsigned		 compiler_line, flags_line;
	const struct script_param *fixed;	/* more names, with one value each */
	size_t			 nfixed;
};

/* `words`: the steps that there are, NULL-terminated.  Faults have "FILE:LINE:COLUMN". */
enum status	 script_parse(struct script *, struct arena *, const char *path,
		    const char *text, size_t bytes, const char *const *words, struct fault *);
void		 script_release(struct script *);

void		 script_first(struct script *);
bool		 script_next(struct script *);		/* false: that was the last */
/* False in `out`: a condition leaves the point out. */
enum status	 script_is_wanted(const struct script *, bool *out, struct fault *);
/* "B=8 U=4"; "": a script without parameters. */
const char	*script_point(const struct script *);
/* Names of parameters in a text become their values. */
const char	*script_fill(const struct script *, const char *text);
/* Up to SCRIPT_MAX_ITEMS integers, expressions between commas. */
enum status	 script_numbers(const struct script *, const struct script_step *, const char *text,
		    int64_t *out, size_t *n, struct fault *);
enum status	 script_refuse(const struct script *, const struct script_step *, struct fault *,
		    const char *fmt, ...) __attribute__((format(printf, 4, 5)));

#endif
