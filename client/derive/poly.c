/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/derive/poly.h"

enum { MAX_FACTORS = 8 };

struct poly
poly_unknown(void)
{
	return (struct poly){ .is_known = false };
}

struct poly
poly_number(long long n)
{
	struct poly	p = { .is_known = true };

	if (n != 0)
		p.terms[p.n++] = (struct poly_term){ "", n };
	return p;
}

struct poly
poly_name(const char *name)
{
	struct poly	p = { .is_known = strlen(name) < POLY_PRODUCT_BYTES, .n = 1 };

	p.terms[0].factor = 1;
	(void)snprintf(p.terms[0].product, sizeof p.terms[0].product, "%s", name);
	return p.is_known ? p : poly_unknown();
}

static void
add_term(struct poly *p, const char *product, long long factor)
{
	size_t	i = 0;

	while (i < p->n && strcmp(p->terms[i].product, product) != 0)
		i++;
	if (i == POLY_TERMS) {
		p->is_known = false;
		return;
	}
	if (i == p->n) {
		p->terms[p->n].factor = 0;
		(void)snprintf(p->terms[p->n++].product, POLY_PRODUCT_BYTES, "%s", product);
	}
	if (__builtin_add_overflow(p->terms[i].factor, factor, &p->terms[i].factor))
		p->is_known = false;
	if (p->terms[i].factor == 0)
		p->terms[i] = p->terms[--p->n];
}

struct poly
poly_sum(struct poly a, struct poly b, long long factor)
{
	long long	one;

	a.is_known = a.is_known && b.is_known;
	for (size_t i = 0; a.is_known && i < b.n; i++) {
		if (__builtin_mul_overflow(b.terms[i].factor, factor, &one))
			return poly_unknown();
		add_term(&a, b.terms[i].product, one);
	}
	return a.is_known ? a : poly_unknown();
}

/* ---- products ---- */

static int
compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* "N", "M*lda" → "M*N*lda"; false: it does not fit.  Stars in parentheses stay. */
static bool
join(const char *a, const char *b, char out[POLY_PRODUCT_BYTES])
{
	char	 both[2 * POLY_PRODUCT_BYTES], *factors[MAX_FACTORS];
	size_t	 n = 0, length = 0;
	int	 depth = 0;

	(void)snprintf(both, sizeof both, "%s%s%s", a, a[0] != '\0' && b[0] != '\0' ? "*" : "", b);
	for (char *c = both, *start = both; both[0] != '\0'; c++) {
		depth += (*c == '(') - (*c == ')');
		if (*c != '\0' && (*c != '*' || depth > 0))
			continue;
		if (n == MAX_FACTORS)
			return false;
		factors[n++] = start;
		start = c + 1;
		if (*c == '\0')
			break;
		*c = '\0';
	}
	qsort(factors, n, sizeof *factors, compare);
	out[0] = '\0';
	for (size_t i = 0; i < n; i++) {
		if (length + strlen(factors[i]) + 2 > POLY_PRODUCT_BYTES)
			return false;
		length += (size_t)sprintf(out + length, "%s%s", i > 0 ? "*" : "", factors[i]);
	}
	return true;
}

struct poly
poly_product(struct poly a, struct poly b)
{
	struct poly	p = poly_number(0);
	char		product[POLY_PRODUCT_BYTES];
	long long	factor;

	if (!a.is_known || !b.is_known)
		return poly_unknown();
	for (size_t i = 0; i < a.n; i++) {
		for (size_t k = 0; k < b.n; k++) {
			if (!join(a.terms[i].product, b.terms[k].product, product) ||
			    __builtin_mul_overflow(a.terms[i].factor, b.terms[k].factor, &factor))
				return poly_unknown();
			add_term(&p, product, factor);
		}
	}
	return p.is_known ? p : poly_unknown();
}

/* ---- the larger ---- */

/* No term is below 0, as long as every name is at least 1. */
static bool
is_positive(const struct poly *p)
{
	long long	sum = 0;

	for (size_t i = 0; i < p->n; i++) {
		if (p->terms[i].product[0] != '\0' && p->terms[i].factor < 0)
			return false;
		sum += p->terms[i].factor;
	}
	return sum >= 0;
}

struct poly
poly_larger(struct poly a, struct poly b)
{
	struct poly	difference = poly_sum(a, b, -1);
	char		one[POLY_TEXT_BYTES], two[POLY_TEXT_BYTES];
	char		text[2 * POLY_TEXT_BYTES + 16];

	if (!difference.is_known)
		return poly_unknown();
	if (is_positive(&difference))
		return a;
	difference = poly_sum(b, a, -1);
	if (is_positive(&difference))
		return b;
	poly_text(&a, one);
	poly_text(&b, two);
	(void)snprintf(text, sizeof text, "max(%s,%s)", one, two);
	return poly_name(text);
}

bool
poly_is_number(const struct poly *p, long long *out)
{
	if (!p->is_known || p->n > 1 || (p->n == 1 && p->terms[0].product[0] != '\0'))
		return false;
	*out = p->n == 1 ? p->terms[0].factor : 0;
	return true;
}

/* ---- names ---- */

/* How often the name is a factor; *rest gets the product without it. */
static unsigned
take_out(const char *product, const char *name, char rest[POLY_PRODUCT_BYTES])
{
	char		 copy[POLY_PRODUCT_BYTES], *more, *next = copy;
	unsigned	 n = 0;

	rest[0] = '\0';
	(void)snprintf(copy, sizeof copy, "%s", product);
	if (strchr(copy, '(') != NULL) {
		(void)strcpy(rest, product);
		return 0;
	}
	while ((more = strsep(&next, "*")) != NULL) {
		if (strcmp(more, name) == 0) {
			n++;
			continue;
		}
		if (rest[0] != '\0')
			(void)strcat(rest, "*");
		(void)strcat(rest, more);
	}
	return n;
}

struct poly
poly_with(struct poly a, const char *name, struct poly p)
{
	struct poly	sum = poly_number(0);
	char		rest[POLY_PRODUCT_BYTES];

	for (size_t i = 0; a.is_known && i < a.n; i++) {
		unsigned	n = take_out(a.terms[i].product, name, rest);
		struct poly	term = { .is_known = true, .n = 1 };

		term.terms[0].factor = a.terms[i].factor;
		(void)strcpy(term.terms[0].product, rest);
		for (unsigned k = 0; k < n; k++)
			term = poly_product(term, p);
		sum = poly_sum(sum, term, 1);
	}
	return a.is_known ? sum : a;
}

struct poly
poly_part(struct poly a, const char *name, bool with)
{
	struct poly	part = poly_number(0);
	char		rest[POLY_PRODUCT_BYTES];

	for (size_t i = 0; i < a.n; i++)
		if ((take_out(a.terms[i].product, name, rest) > 0) == with)
			add_term(&part, a.terms[i].product, a.terms[i].factor);
	part.is_known = a.is_known;
	return part;
}

/* ---- sums over a range ---- */

struct poly
poly_coefficient(struct poly a, const char *name, unsigned power)
{
	struct poly	sum = poly_number(0);
	char		rest[POLY_PRODUCT_BYTES];

	for (size_t i = 0; a.is_known && i < a.n; i++) {
		const char	*product = a.terms[i].product;

		if (strchr(product, '(') != NULL && strstr(product, name) != NULL)
			return poly_unknown();
		if (take_out(product, name, rest) == power)
			add_term(&sum, rest, a.terms[i].factor);
	}
	sum.is_known &= a.is_known;
	return sum;
}

/* 12 * (0 ** power + 1 ** power + ... + m ** power): Faulhaber's formulas. */
static struct poly
power_sum(struct poly m, unsigned power)
{
	static const long long	factors[][5] = {	/* of m ** 0, m ** 1, ... */
		{ 12, 12 }, { 0, 6, 6 }, { 0, 2, 6, 4 }, { 0, 0, 3, 6, 3 },
	};
	struct poly		sum = poly_number(0), term = poly_number(1);

	for (unsigned i = 0; i <= power + 1; i++) {
		sum = poly_sum(sum, term, factors[power][i]);
		term = poly_product(term, m);
	}
	return sum;
}

void
poly_reduce(struct poly *p, long long *divisor)
{
	for (long long by = 12; by > 1; by--) {
		bool	fits = *divisor % by == 0;

		for (size_t i = 0; i < p->n; i++)
			fits &= p->terms[i].factor % by == 0;
		if (!fits)
			continue;
		for (size_t i = 0; i < p->n; i++)
			p->terms[i].factor /= by;
		*divisor /= by;
		by++;
	}
}

static int
by_degree(const void *a, const void *b)
{
	const char	*one = ((const struct poly_term *)a)->product;
	const char	*two = ((const struct poly_term *)b)->product;
	size_t		 n = 0, m = 0;

	for (size_t i = 0; one[i] != '\0'; i++)
		n += one[i] == '*';
	for (size_t i = 0; two[i] != '\0'; i++)
		m += two[i] == '*';
	return n != m ? (n < m) - (n > m) : strcmp(one, two);
}

struct poly
poly_sum_over(struct poly p, const char *name, struct poly first, struct poly last,
    long long *divisor)
{
	struct poly	sum = poly_number(0), before = poly_sum(first, poly_number(1), -1);
	const unsigned	most = 3;

	for (unsigned power = 0; power <= most; power++) {
		struct poly	one = poly_sum(power_sum(last, power), power_sum(before, power),
				    -1);

		sum = poly_sum(sum, poly_product(poly_coefficient(p, name, power), one), 1);
	}
	for (size_t i = 0; i < p.n; i++) {
		char	rest[POLY_PRODUCT_BYTES];

		if (take_out(p.terms[i].product, name, rest) > most)
			return poly_unknown();
	}
	if (!p.is_known || !sum.is_known || __builtin_mul_overflow(*divisor, 12, divisor))
		return poly_unknown();
	poly_reduce(&sum, divisor);
	qsort(sum.terms, sum.n, sizeof *sum.terms, by_degree);
	return sum;
}

void
poly_text(const struct poly *p, char text[POLY_TEXT_BYTES])
{
	size_t	n = 0;

	text[0] = '\0';
	for (int numbers = 0; numbers <= 1; numbers++) {
		for (size_t i = 0; i < p->n && n + 130 < POLY_TEXT_BYTES; i++) {
			const struct poly_term	*t = &p->terms[i];
			const char		*sign = t->factor < 0 ? "-" : n > 0 ? "+" : "";
			unsigned long long	 size = t->factor < 0 ?
						    -(unsigned long long)t->factor :
						    (unsigned long long)t->factor;

			if ((t->product[0] == '\0') != (numbers == 1))
				continue;
			if (t->product[0] == '\0')
				n += (size_t)sprintf(text + n, "%s%llu", sign, size);
			else if (size == 1)
				n += (size_t)sprintf(text + n, "%s%s", sign, t->product);
			else
				n += (size_t)sprintf(text + n, "%s%llu*%s", sign, size, t->product);
		}
	}
	if (n == 0)
		(void)strcpy(text, "0");
}
