/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_DERIVE_POLY_H
#define ASSAY_CLIENT_DERIVE_POLY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Sums of products of names with integer coefficients, as the bounds of indices are: N*lda-lda+M.
 * What does not fit is unknown, and so is all that is made of it.
 */
enum { POLY_TERMS = 16, POLY_PRODUCT_BYTES = 96, POLY_TEXT_BYTES = 1024 };

struct poly_term {
	char		product[POLY_PRODUCT_BYTES];	/* "M*lda", sorted; "": a number */
	long long	factor;				/* never 0 */
};

struct poly {
	bool			is_known;
	size_t			n;
	struct poly_term	terms[POLY_TERMS];
};

struct poly	 poly_unknown(void);
struct poly	 poly_number(long long);
struct poly	 poly_name(const char *);		/* or an expression in parentheses */
struct poly	 poly_sum(struct poly, struct poly, long long factor);	/* a + factor * b */
struct poly	 poly_product(struct poly, struct poly);
/* The larger one, as far as all names are positive; else max(a, b). */
struct poly	 poly_larger(struct poly, struct poly);
bool		 poly_is_number(const struct poly *, long long *out);

/* With `p` in place of the name. */
struct poly	 poly_with(struct poly, const char *name, struct poly p);
/* The terms with this name, or those without. */
struct poly	 poly_part(struct poly, const char *name, bool with);
/* What this power of the name is multiplied with; unknown: the name is inside of parentheses. */
struct poly	 poly_coefficient(struct poly, const char *name, unsigned power);
/* The sum of p / *divisor for all whole values of the name from first to last; powers up to 3. */
struct poly	 poly_sum_over(struct poly, const char *name, struct poly first, struct poly last,
		    long long *divisor);

/* Both divided by small numbers that divide both. */
void		 poly_reduce(struct poly *, long long *divisor);

/* An expression of a spec. */
void		 poly_text(const struct poly *, char text[POLY_TEXT_BYTES]);

#endif
