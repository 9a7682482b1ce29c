/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_CHECK_ANSWER_H
#define ASSAY_WORKER_CHECK_ANSWER_H

#include "proto/spec/spec.h"
#include "proto/wire/report.h"

/*
 * A variant's outputs against the reference's.  An element is right when |got - want| <= atol +
 * rtol * |want|, when both are NaN, or when both are the same infinity.  Outputs are laid out as
 * proto/wire/runner_shm.h says: the result, then every written operand, each from the next multiple
 * of 64 bytes.
 */
struct answer_number {
	long double	re, im;		/* im: 0 unless complex */
};

struct answer {
	double			 rtol, atol;
	uint64_t		 compared, wrong;
	long double		 max_abs, max_rel;	/* over finite pairs; relative where want is
							 * not 0 */
	bool			 not_finite;	/* got is not finite somewhere where want is */
	const char		*bad_operand;	/* first wrong one: its name, "return"; borrowed
						 * from the spec */
	const char		*bad_member;	/* of a struct; borrowed likewise; NULL: none */
	bool			 bad_is_address;	/* bad_index is where it lies in memory */
	enum ctype		 bad_type;
	uint64_t		 bad_index;
	struct answer_number	 got, want;
};

uint64_t	 answer_output_bytes(const struct spec *);
long double	 answer_result(const struct spec *, const void *outputs);	/* not complex */
void		 answer_outputs(struct answer *, const struct spec *, const void *got,
		    const void *want);
void		 answer_elements(struct answer *, const char *operand, enum ctype, const void *got,
		    const void *want, uint64_t n);

/* A word of memory at this address that differs. */
void		 answer_word(struct answer *, uint64_t at, uint64_t got, uint64_t want);

/* ST_OK, ST_WRONG_ANSWER or ST_NOT_FINITE with the first bad element in the words. */
enum status	 answer_verdict(const struct answer *, struct fault *);

/* The result's `check`; numbers that JSON has not are in `got` and `want`. */
enum { ANSWER_WORDS = 96 };
void		 answer_report(const struct answer *, char got[ANSWER_WORDS],
		    char want[ANSWER_WORDS], struct check_report *);

#endif
