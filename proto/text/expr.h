/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_TEXT_EXPR_H
#define ASSAY_PROTO_TEXT_EXPR_H

#include <stddef.h>
#include <stdint.h>

#include "proto/base/fault.h"

/*
 * Expressions over a spec's params: + - * / % ( ) unary minus, comparisons < <= > >= == != and &&
 * || ! (for a sweep's `where`; they give 0 or 1), min max pow log2 ceil floor.  Numbers are 64-bit
 * integers until a real takes part, as in C: `/` of two integers truncates, `%` takes integers
 * only; pow and log2 give reals, ceil and floor integers, min and max keep the type.  Overflow,
 * division by zero and a result that is not finite are errors, never values.
 */
struct expr;

enum value_kind { VALUE_INT, VALUE_REAL, VALUE_TEXT };

struct value {
	enum value_kind	 kind;
	int64_t		 i;		/* VALUE_INT */
	double		 r;		/* VALUE_REAL */
	const char	*text;		/* VALUE_TEXT; borrowed from the param */
};

/* Looks a name up; false: there is no such name. */
typedef bool	 expr_lookup_fn(void *arg, const char *name, struct value *out);

enum { EXPR_MAX_BYTES = 4096, EXPR_MAX_DEPTH = 64 };

enum status	 expr_parse(struct expr **, const char *text, struct fault *);
enum status	 expr_eval(const struct expr *, expr_lookup_fn *, void *arg, struct value *out,
		    struct fault *);
const char	*expr_text(const struct expr *);	/* as it was given */
void		 expr_free(struct expr *);

/*
 * The n-th distinct name used, NULL past the last: lets a caller say which name is unknown before
 * evaluating.
 */
const char	*expr_name(const struct expr *, size_t n);

/*
 * The expression as C, fully parenthesised, names as they stand, functions as rt_min, rt_max,
 * rt_pow, rt_log2, rt_ceil, rt_floor (worker/runner/sample/rt.h); integer literals as long long.
 * At most `bytes`, terminated; returns the length it needs as snprintf does.
 */
size_t		 expr_put_c(const struct expr *, char *buf, size_t bytes);

double		 value_real(const struct value *);	/* VALUE_TEXT: NaN */
#endif
