/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "worker/check/answer.h"

#define OUTPUT_ALIGN	64u
/* elements that are skipped at once when their bytes are the same */
#define BLOCK		512u

static uint64_t
round_up(uint64_t bytes)
{
	return (bytes + OUTPUT_ALIGN - 1) / OUTPUT_ALIGN * OUTPUT_ALIGN;
}

static bool
is_written(const struct arg *a)
{
	return a->is_operand && a->operand.access != ACCESS_IN;
}

uint64_t
answer_output_bytes(const struct spec *s)
{
	uint64_t	bytes = OUTPUT_ALIGN;

	for (size_t i = 0; i < s->routine.nparams; i++)
		if (is_written(&s->args[i]))
			bytes += round_up(s->args[i].operand.elements *
			    spec_element_bytes(&s->args[i].operand));
	return bytes;
}

#define READ(type)	({ type x_; memcpy(&x_, at, sizeof x_); (long double)x_; })

static long double
read_real(enum ctype type, const char *at)
{
	switch (type) {
	case CTYPE_BOOL:
	case CTYPE_UCHAR:	return READ(unsigned char);
	case CTYPE_CHAR:	return READ(char);
	case CTYPE_SCHAR:	return READ(signed char);
	case CTYPE_SHORT:	return READ(short);
	case CTYPE_USHORT:	return READ(unsigned short);
	case CTYPE_INT:		return READ(int);
	case CTYPE_UINT:	return READ(unsigned);
	case CTYPE_LONG:
	case CTYPE_LLONG:	return READ(int64_t);
	case CTYPE_ULONG:
	case CTYPE_ULLONG:	return READ(uint64_t);
	case CTYPE_FLOAT:	return READ(float);
	case CTYPE_LDOUBLE:	return READ(long double);
	default:		return READ(double);
	}
}

long double
answer_result(const struct spec *s, const void *outputs)
{
	return read_real(s->routine.result, outputs);
}

static struct answer_number
read_number(enum ctype type, const char *at)
{
	if (type == CTYPE_CFLOAT)
		return (struct answer_number){ read_real(CTYPE_FLOAT, at),
		    read_real(CTYPE_FLOAT, at + 4) };
	if (type == CTYPE_CDOUBLE)
		return (struct answer_number){ read_real(CTYPE_DOUBLE, at),
		    read_real(CTYPE_DOUBLE, at + 8) };
	return (struct answer_number){ read_real(type, at), 0 };
}

static bool
is_finite(struct answer_number x)
{
	return isfinite(x.re) && isfinite(x.im);
}

static bool
is_same_part(long double got, long double want)
{
	return got == want || (isnan(got) && isnan(want));
}

static bool
is_right(struct answer *c, struct answer_number got, struct answer_number want)
{
	long double	off, size;

	if (is_same_part(got.re, want.re) && is_same_part(got.im, want.im))
		return true;
	if (!is_finite(got) || !is_finite(want)) {
		c->not_finite |= is_finite(want);
		return false;
	}
	off = hypotl(got.re - want.re, got.im - want.im);
	size = hypotl(want.re, want.im);
	if (off > c->max_abs)
		c->max_abs = off;
	if (size > 0 && off / size > c->max_rel)
		c->max_rel = off / size;
	return off <= (long double)c->atol + (long double)c->rtol * size;
}

static void
answer_one(struct answer *c, const char *operand, enum ctype type, const char *got,
    const char *want, uint64_t index)
{
	struct answer_number	g = read_number(type, got), w = read_number(type, want);

	if (is_right(c, g, w) || c->wrong++ > 0)
		return;
	c->bad_operand = operand;
	c->bad_type = type;
	c->bad_index = index;
	c->got = g;
	c->want = w;
}

void
answer_elements(struct answer *c, const char *operand, enum ctype type, const void *got,
    const void *want, uint64_t n)
{
	const char	*g = got, *w = want;
	size_t		 bytes = ctype_bytes(type);

	c->compared += n;
	for (uint64_t from = 0; from < n; from += BLOCK) {
		uint64_t	to = n - from < BLOCK ? n : from + BLOCK;

		if (memcmp(g + from * bytes, w + from * bytes, (to - from) * bytes) == 0)
			continue;
		for (uint64_t i = from; i < to; i++)
			answer_one(c, operand, type, g + i * bytes, w + i * bytes, i);
	}
}

/* The rest of a struct is padding, which means nothing. */
static void
answer_record(struct answer *c, const char *operand, const struct record *r, const char *got,
    const char *want, uint64_t index)
{
	for (size_t m = 0; m < r->nmembers; m++) {
		const struct record_member	*of = &r->member[m];
		const size_t			 bytes = ctype_bytes(of->type);
		const uint64_t			 wrong = c->wrong;

		for (size_t k = 0; k < of->count; k++)
			answer_one(c, operand, of->type, got + of->offset + k * bytes,
			    want + of->offset + k * bytes, index);
		if (wrong == 0 && c->wrong != 0)
			c->bad_member = of->name;
	}
}

static void
answer_operand(struct answer *c, const char *name, const struct operand *o, const char *got,
    const char *want)
{
	const size_t	bytes = spec_element_bytes(o);

	if (o->record == NULL) {
		answer_elements(c, name, o->type, got, want, o->elements);
		return;
	}
	for (size_t m = 0; m < o->record->nmembers; m++)
		c->compared += o->elements * o->record->member[m].count;
	for (size_t i = 0; i < o->elements; i++)
		if (memcmp(got + i * bytes, want + i * bytes, bytes) != 0)
			answer_record(c, name, o->record, got + i * bytes, want + i * bytes, i);
}

void
answer_word(struct answer *c, uint64_t at, uint64_t got, uint64_t want)
{
	c->bad_is_address |= c->wrong == 0;
	answer_one(c, "memory", CTYPE_ULONG, (const char *)&got, (const char *)&want, at);
}

void
answer_outputs(struct answer *c, const struct spec *s, const void *got, const void *want)
{
	uint64_t	at = OUTPUT_ALIGN;

	if (s->routine.result != CTYPE_VOID)
		answer_elements(c, "return", s->routine.result, got, want, 1);
	for (size_t i = 0; i < s->routine.nparams; i++) {
		const struct operand	*o = &s->args[i].operand;

		if (!is_written(&s->args[i]))
			continue;
		if (o->checked)
			answer_operand(c, s->routine.params[i].name, o, (const char *)got + at,
			    (const char *)want + at);
		at += round_up(o->elements * spec_element_bytes(o));
	}
}

static const char *
put_number(char buf[ANSWER_WORDS], enum ctype type, struct answer_number x)
{
	if (isnan(x.re) || isnan(x.im))
		(void)snprintf(buf, ANSWER_WORDS, "nan");		/* its sign means nothing */
	else if (ctype_class(type) == 'c')
		(void)snprintf(buf, ANSWER_WORDS, "%.17Lg%+.17Lgi", x.re, x.im);
	else if (ctype_class(type) == 'f')
		(void)snprintf(buf, ANSWER_WORDS, "%.17Lg", x.re);
	else
		(void)snprintf(buf, ANSWER_WORDS, "%.0Lf", x.re);
	return buf;
}

enum status
answer_verdict(const struct answer *c, struct fault *why)
{
	char	got[ANSWER_WORDS], want[ANSWER_WORDS], at[32];

	if (c->wrong == 0)
		return ST_OK;
	(void)snprintf(at, sizeof at, c->bad_is_address ? "%#" PRIx64 : "%" PRIu64, c->bad_index);
	return fault_set(why, c->not_finite ? ST_NOT_FINITE : ST_WRONG_ANSWER,
	    "%s[%s]%s%s is %s, the reference's is %s; "
	    "%" PRIu64 " of %" PRIu64 " are wrong, max abs "
	    "error %.3Lg, " "max rel error %.3Lg (rtol %g, atol %g)", c->bad_operand, at,
	    c->bad_member != NULL ? "." : "", c->bad_member != NULL ? c->bad_member : "",
	    put_number(got, c->bad_type, c->got), put_number(want, c->bad_type, c->want),
	    c->wrong, c->compared, c->max_abs, c->max_rel, c->rtol, c->atol);
}

/* JSON has no NaN and no infinities: those, and what a double cannot hold, are in words. */
static struct number
number_of(enum ctype type, struct answer_number x, char words[ANSWER_WORDS])
{
	const bool	is_complex = ctype_class(type) == 'c';
	struct number	n = { .re = (double)x.re, .im = (double)x.im, .is_complex = is_complex };

	if (!is_finite(x) || (!is_complex && (long double)(double)x.re != x.re))
		n.words = put_number(words, type, x);
	return n;
}

static double
representable(long double x)
{
	return isfinite((double)x) ? (double)x : DBL_MAX;
}

void
answer_report(const struct answer *c, char got[ANSWER_WORDS], char want[ANSWER_WORDS],
    struct check_report *out)
{
	*out = (struct check_report){ .done = true, .passed = c->wrong == 0,
	    .max_abs = representable(c->max_abs), .max_rel = representable(c->max_rel),
	    .rtol = c->rtol, .atol = c->atol, .compared = c->compared, .wrong = c->wrong,
	    .has_first_bad = c->wrong != 0 };
	if (c->wrong != 0)
		out->first_bad = (struct bad_element){ c->bad_operand, c->bad_index,
		    number_of(c->bad_type, c->got, got), number_of(c->bad_type, c->want, want) };
}
