/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_SPEC_SPEC_PARTS_H
#define ASSAY_PROTO_SPEC_SPEC_PARTS_H

#include "proto/json/decode.h"
#include "proto/spec/spec.h"

/*
 * The parts of a job's decoder, one file each; private to proto/.  A part fills its struct in place and may leave it
 * half filled when it fails: job_release copes.  `out` is a member_fn's: its type is said on each line.
 */
enum status	 spec_decode(void *spec, const struct node *, struct fault *);
enum status	 spec_decode_variant(void *variant, const struct node *, struct fault *);
enum status	 spec_decode_params(void *spec, const struct node *, struct fault *);
enum status	 spec_decode_operand(struct spec *, size_t place, const struct node *, struct fault *);
enum status	 spec_decode_init(struct spec *, size_t place, const struct node *, struct fault *);	/* or the default */
enum status	 spec_decode_context(void *spec, const struct node *, struct fault *);
enum status	 spec_decode_data_sensitive(void *spec, const struct node *, struct fault *);
enum status	 spec_decode_checkpoint(void *spec, const struct node *, struct fault *);
enum status	 spec_decode_timing(void *spec, const struct node *, struct fault *);
enum status	 spec_decode_layout(void *timing, const struct node *, struct fault *);
enum status	 spec_decode_layouts(void *timing, const struct node *, struct fault *);
enum status	 spec_decode_layout_seed(void *timing, const struct node *, struct fault *);
enum status	 spec_decode_guard(void *timing, const struct node *, struct fault *);
enum status	 spec_decode_counters(void *timing, const struct node *, struct fault *);
enum status	 spec_decode_contest(void *contest, const struct node *, struct fault *);
enum status	 spec_decode_moment(const struct node *, int64_t *seconds, struct fault *);
enum status	 spec_decode_window(const struct node *, int *from, int *to, struct fault *);

/* Members of a job that a sweep or a comparison may have for all of theirs; each is kept by a member_fn. */
#define SPEC_JOB_MEMBERS(keep)								\
	{ "priority", keep, false }, { "not_before", keep, false },			\
	{ "deadline", keep, false }, { "window", keep, false },				\
	{ "timeout_ms", keep, false }, { "threads", keep, false },			\
	{ "retries", keep, false }

/* A macro's value: an integer, a number or a string, as the text after -DNAME=; owned. */
enum status	 spec_decode_define(const struct node *, struct define *, struct fault *);
enum status	 spec_decode_param(const struct node *, struct param *, struct fault *);

/* What only whole parts together can say. */
enum status	 spec_find_guard(struct spec *, const struct node *timing, struct fault *);
enum status	 spec_check_checkpoint(const struct spec *, const struct node *, struct fault *);
enum status	 spec_check_trust(const struct spec *, const struct node *timing, struct fault *);
enum status	 spec_check_timing(const struct spec *, const struct node *, struct fault *);
enum status	 spec_check_layout(const struct timing *, const struct node *timing, struct fault *);
enum status	 spec_check_counters(const struct timing *, const struct node *timing, struct fault *);
enum status	 spec_check_macros(const struct spec *, const struct variant *, const struct node *, struct fault *);

void		 spec_release(struct spec *);
void		 spec_release_variant(struct variant *);
void		 spec_release_param(struct param *);

/* A string or a number. */
enum status	 spec_decode_expr(const struct node *, struct expr **out, struct fault *);

/* Evaluate over the params; the node is where the expression stands. */
enum status	 spec_eval(const struct spec *, const struct node *, const struct expr *, struct value *,
		    struct fault *);

/* Make a value one of this type, or say why it is none. */
enum status	 spec_fit(const struct node *, enum ctype, struct value *, struct fault *);
bool		 spec_whole(const struct value *, int64_t *);	/* false: it has a fraction */
int64_t		 spec_type_max(enum ctype);			/* integers: largest value, at most INT64_MAX */

json_t		*spec_encode(const struct spec *);		/* NULL: out of memory */
json_t		*spec_encode_guard(const struct spec *);
json_t		*spec_encode_counters(const struct timing *);
json_t		*spec_encode_variant(const struct variant *);
json_t		*spec_encode_contest(const struct contest *);

struct contest	 spec_contest_default(void);

#endif
