/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_DRIVER_DRAFT_H
#define ASSAY_PROTO_DRIVER_DRAFT_H

#include <stdio.h>

#include "proto/spec/spec.h"

/*
 * A driver's text while it is written (driver.h).  Identifiers of ours begin with drv_ or rt_,
 * because a param may be a macro of any other name.  For the same reason the names of the routine
 * and its arguments appear in strings only.
 */
struct draft {
	FILE			*out;		/* owned */
	const struct spec	*spec;		/* borrowed */
	const char		*clock;		/* borrowed: "cycle", "wall" or "cpu" */
	const char		*body;		/* borrowed; what follows the params */
	bool			 no_memory;
};

/* One argument of the routine, in a list of them. */
typedef void	 draft_each_fn(struct draft *, size_t arg);

/* Append to the text. */
void		 draft(struct draft *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void		 draft_expr(struct draft *, const struct expr *);
void		 draft_number(struct draft *, enum ctype, const struct expr *real,
		    const struct expr *imaginary);
void		 draft_element(struct draft *, size_t arg);	/* the type of an operand's */
void		 draft_param_type(struct draft *, size_t arg);
void		 draft_empty_param(struct draft *, size_t arg);	/* type and drv_aN */
void		 draft_list(struct draft *, draft_each_fn *);
/* The product of the dims from `first` on. */
void		 draft_count_from(struct draft *, const struct operand *, size_t first);

/* Facts of the spec. */
size_t		 draft_operand(const struct spec *, size_t arg);	/* its number */
size_t		 draft_operands(const struct spec *);			/* how many */
bool		 draft_turns(const struct spec *);	/* a sign changes with every call */
char		 draft_class(enum ctype);		/* of elements */
const char	*draft_real_name(enum ctype);

/* Parts of the text, by the file that writes them. */
void		 draft_record(struct draft *, const struct record *, size_t operand);

void		 draft_data(struct draft *);
void		 draft_describe(struct draft *);

bool		 draft_has_rows(const struct spec *, size_t arg);
void		 draft_table(struct draft *, size_t arg);
void		 draft_lay(struct draft *);
void		 draft_lay_walk(struct draft *);

void		 draft_empty(struct draft *);
void		 draft_witness(struct draft *);

size_t		 draft_owner(const struct spec *, size_t arg);	/* of the memory it points to */
bool		 draft_has_memory(const struct spec *, size_t arg);
void		 draft_scalar(struct draft *, size_t arg);
void		 draft_call_arg(struct draft *, size_t arg);

const char	*draft_keep(const struct draft *);	/* "drv_result = ", or "" */
void		 draft_call(struct draft *);
void		 draft_repeat(struct draft *);
void		 draft_rotate(struct draft *, const char *name, bool fences);

void		 draft_image(struct draft *);	/* in place of call and repeat */

#endif
