/* SPDX-License-Identifier: Apache-2.0 */
/* Answers beside the reference's. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "worker/runner/alone/check.h"

/* ---- numbers ---- */

#define READ(type)						\
	do {							\
		type	x_;					\
								\
		memcpy(&x_, at, sizeof x_);			\
		return (long double)x_;				\
	} while (0)

static long double
read_integer(int is_signed, uint32_t bytes, const char *at)
{
	switch (bytes + (is_signed ? 0u : 1u) * 16) {
	case 1: READ(int8_t);
	case 2: READ(int16_t);
	case 4: READ(int32_t);
	case 8: READ(int64_t);
	case 17: READ(uint8_t);
	case 18: READ(uint16_t);
	case 20: READ(uint32_t);
	default: READ(uint64_t);
	}
}

static long double
read_real(uint32_t bytes, const char *at)
{
	switch (bytes) {
	case 4: READ(float);
	case 8: READ(double);
	default: READ(long double);
	}
}

/* The real part, and the imaginary one of a complex number. */
static long double
read_number(char class, uint32_t bytes, const char *at, long double *imaginary)
{
	*imaginary = 0;
	if (class == 'c') {
		*imaginary = read_real(bytes / 2, at + bytes / 2);
		return read_real(bytes / 2, at);
	}
	return class == 'f' ? read_real(bytes, at) : read_integer(class == 'i', bytes, at);
}

static int
is_same(long double got, long double want)
{
	return got == want || (isnan(got) && isnan(want));
}

static int
is_right(const struct rt_alone *s, char class, uint32_t bytes, const char *got, const char *want)
{
	long double	gi, wi, g = read_number(class, bytes, got, &gi);
	long double	w = read_number(class, bytes, want, &wi);

	if (is_same(g, w) && is_same(gi, wi))
		return 1;
	if (!isfinite(g) || !isfinite(gi) || !isfinite(w) || !isfinite(wi))
		return 0;
	return hypotl(g - w, gi - wi) <= (long double)s->rt_atol + (long double)s->rt_rtol *
	    hypotl(w, wi);
}

/* ---- answers ---- */

static int
is_written(const struct memory *m, uint32_t k)
{
	return m->operand[k]->rt_access != 'i' && rt_alone_operand[k].rt_checked;
}

int
answer_take(struct answer *a, struct memory *m, rt_code *code)
{
	memset(a, 0, sizeof *a);
	memory_restore(m);
	assay_driver.rt_call(code, m->at);
	for (uint32_t i = 0; i < assay_driver.rt_result_bytes; i++)
		a->result[i] = ((const volatile char *)assay_driver.rt_result)[i];
	for (uint32_t k = 0; k < assay_driver.rt_operands; k++) {
		if (!is_written(m, k))
			continue;
		if ((a->at[k] = malloc(m->bytes[k] + 1)) == NULL)
			return 0;
		memcpy(a->at[k], m->at[k], m->bytes[k]);
	}
	return 1;
}

void
answer_release(struct answer *a)
{
	for (uint32_t k = 0; k < RT_MAX_OPERANDS; k++)
		free(a->at[k]);
}

static void
count(struct verdict *v, const char *where, uint64_t index, int right)
{
	v->compared++;
	if (right || v->wrong++ > 0)
		return;
	v->where = where;
	v->index = index;
}

/* The padding of a struct means nothing. */
static int
is_right_struct(const struct rt_alone *s, const struct rt_operand *o, const char *got,
    const char *want)
{
	for (uint32_t i = 0; i < o->rt_members; i++) {
		const struct rt_member	*r = &o->rt_member[i];

		for (uint64_t k = 0; k < r->rt_count; k++) {
			const uint64_t	at = r->rt_offset + k * r->rt_bytes;

			if (!is_right(s, r->rt_class, r->rt_bytes, got + at, want + at))
				return 0;
		}
	}
	return 1;
}

static void
compare_operand(struct verdict *v, const struct memory *m, const struct rt_operand *o,
    const char *got, const char *want)
{
	for (uint64_t i = 0; i < o->rt_count; i++, got += o->rt_bytes, want += o->rt_bytes)
		count(v, o->rt_name, i, o->rt_class == 's' ?
		    is_right_struct(&m->spec, o, got, want) :
		    is_right(&m->spec, o->rt_class, o->rt_bytes, got, want));
}

struct verdict
answer_compare(const struct memory *m, const struct answer *got, const struct answer *want)
{
	const struct rt_driver	*d = &assay_driver;
	struct verdict		 v = { .where = "" };

	if (d->rt_result_bytes != 0)
		count(&v, "return", 0, is_right(&m->spec, (char)d->rt_result_class,
		    d->rt_result_bytes, got->result, want->result));
	for (uint32_t k = 0; k < d->rt_operands; k++)
		if (got->at[k] != NULL && want->at[k] != NULL)
			compare_operand(&v, m, m->operand[k], got->at[k], want->at[k]);
	return v;
}

int
answer_result(const struct answer *a, double *out)
{
	const char	class = (char)assay_driver.rt_result_class;
	long double	imaginary;

	if (assay_driver.rt_result_bytes == 0 || class == 'c')
		return 0;
	*out = (double)read_number(class, assay_driver.rt_result_bytes, a->result, &imaginary);
	return isfinite(*out);
}
