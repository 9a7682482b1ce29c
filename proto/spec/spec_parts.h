/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_SPEC_SPEC_PARTS_H
#define ASSAY_PROTO_SPEC_SPEC_PARTS_H

#include "proto/json/shape.h"
#include "proto/spec/spec.h"

/*
 * Private to proto/spec, one file a part.  Each object of a document has a table of its members:
 * their types, bounds, words and defaults (proto/json/shape.h).  schema/job.schema.json and
 * schema/assay-spec.5 say the same, and tests/integration/test_members.py compares the three.  To
 * add a member: a field in spec.h, its row, those two.
 *
 * A table is in the order in which members are read: a row's function may use what stands above it.
 */
extern const struct shape	job_shape, sweep_shape;
extern const struct shape	variants_document_shape, contest_document_shape;
extern const struct shape	job_common_shape;	/* what a sweep may say for all its jobs */
extern const struct shape	variant_shape, contest_shape, race_shape;
extern const struct shape	data_shape, file_shape, type_shape, metric_shape;
extern const struct shape	program_shape;
extern const struct shape	spec_shape, context_shape, timing_shape, operand_shape, init_shape;

#define SPEC_ROW(at, title, ...)	{ .name = title, .offset = at, .kind = __VA_ARGS__ }
#define SPEC_EXPRESSION	.forms = FORM_TEXT | FORM_NUMBER, .least = 1, .most = EXPR_MAX_BYTES
#define SPEC_MOMENT_MAX	((int64_t)253402300799)		/* 9999-12-31T23:59:59Z */
enum { SPEC_MAX_COMMON_KEY = SPEC_MAX_NAME - 7 };	/* each job of a sweep adds "#POINT" */

/* An operand that is being read, and what its members depend on. */
struct place {
	const struct spec		*spec;		/* borrowed */
	const struct proto_param	*param;		/* borrowed; of the prototype */
	size_t				 index;		/* of the argument */
	struct shared			 shared;
	struct operand			 o;
};

/* Of a row with a function of its own to read it: how its value is written; NULL: left out. */
struct spec_writer {
	const char	*name;
	json_t		*(*put)(const void *in);
};

/*
 * What the decoder has made of a document, by its table.  `more` writes rows that are no spec's,
 * and ends with a name NULL.  New reference.
 */
json_t		*spec_encode_object(const struct shape *, const void *in,
		    const struct spec_writer *more);

/* Functions of rows: each reads a part of the struct that is named, and checks it. */
enum status	 spec_get_params(void *spec, const struct node *, struct fault *);
enum status	 spec_get_iterations(void *spec, const struct node *, struct fault *);
enum status	 spec_get_checked_iterations(void *check, const struct node *, struct fault *);
enum status	 spec_check_iterations(struct spec *, const struct node *check, struct fault *);
enum status	 spec_get_context(void *spec, const struct node *, struct fault *);
enum status	 spec_check_image_name(void *spec, const struct node *, struct fault *);
enum status	 spec_find_guard(void *spec, const struct node *timing, struct fault *);
enum status	 spec_get_data(void *spec, const struct node *, struct fault *);
enum status	 spec_get_place_data(void *place, const struct node *, struct fault *);
enum status	 spec_get_align(void *place, const struct node *, struct fault *);
enum status	 spec_get_misalign(void *place, const struct node *, struct fault *);
enum status	 spec_get_offset(void *place, const struct node *, struct fault *);
enum status	 spec_get_init(void *place, const struct node *, struct fault *);
enum status	 spec_get_files(void *variant, const struct node *, struct fault *);
enum status	 spec_get_libraries(void *variant, const struct node *, struct fault *);
enum status	 spec_get_metric(void *metric, const struct node *, struct fault *);
enum status	 spec_get_program(void *spec, const struct node *, struct fault *);
enum status	 spec_get_moment(void *seconds, const struct node *, struct fault *);
enum status	 spec_get_window(const struct node *, int *from, int *to, struct fault *);

/* On failure a half-filled spec is left to release. */
enum status	 spec_decode(struct spec *, const struct node *, struct fault *);
enum status	 spec_decode_scalar(struct spec *, size_t index, const struct node *,
		    struct fault *);
enum status	 spec_decode_operand(struct spec *, size_t index, const struct node *,
		    struct fault *);

/* What the routine does with it, by default by its const; that may contradict what is given. */
enum status	 spec_check_access(const struct place *, const struct node *, enum access_kind *,
		    struct fault *);

/*
 * Arguments that share another one's memory.  First what they say, which decides what is done with
 * that memory; when all operands were read, whether they fit it.
 */
bool		 spec_is_shared(const struct node *arg);
enum status	 spec_decode_shared(struct spec *, const struct node *args, size_t index,
		    struct fault *);
enum status	 spec_check_shared(const struct spec *, const struct node *args, struct fault *);
enum access_kind spec_joint_access(const struct spec *, size_t index, enum access_kind own);
enum status	 spec_get_same_as(void *place, const struct node *, struct fault *);
enum status	 spec_get_from(void *place, const struct node *, struct fault *);

/* A macro's value: an integer, a number or a string, as the text after -DNAME=; owned. */
enum status	 spec_decode_define(const struct node *, struct define *, struct fault *);
enum status	 spec_decode_param(const struct node *, struct param *, struct fault *);

/* What cannot be had together, each in a file of rules. */
enum status	 spec_check_job(const struct job *, const struct node *, struct fault *);
enum status	 spec_check_metric(const struct spec *, const struct node *timing, struct fault *);
enum status	 spec_check_program(struct spec *, const struct node *, struct fault *);
enum status	 spec_check_programs(const struct job *, const struct node *, struct fault *);
enum status	 spec_check_race(const struct job *, const struct node *, struct fault *);
enum status	 spec_check_macros(const struct spec *, const struct variant *,
		    const struct node *variant, struct fault *);
enum status	 spec_check_checkpoint(const struct spec *, const struct node *, struct fault *);
/*
 * The member of a timing that makes no sense where a sample is no call of a routine with operands
 * of ours; NULL: there is none.
 */
const char	*spec_asks_for_calls(const struct timing *);
enum status	 spec_check_code(const struct spec *, const struct node *, struct fault *);
enum status	 spec_check_data(const struct spec *, const struct node *, struct fault *);
enum status	 spec_check_setup(const struct spec *, const struct node *, struct fault *);
enum status	 spec_check_trust(const struct spec *, const struct node *timing, struct fault *);
enum status	 spec_check_timing(const struct spec *, const struct node *, struct fault *);

void		 spec_release(struct spec *);
void		 spec_release_variant(struct variant *);
void		 spec_release_metric(struct metric *);
void		 spec_release_program(struct program *);
void		 spec_release_files(struct variant *);
void		 spec_release_record(struct record *);	/* NULL is fine */
void		 spec_release_param(struct param *);

/* The number of such arguments; *first, unless NULL, is the first if there is one. */
typedef bool	 spec_arg_fn(const struct spec *, size_t arg);
size_t		 spec_count_args(const struct spec *, spec_arg_fn *is, size_t *first);

bool		 spec_has_argument(const struct spec *, const char *name);

/* A string or a number. */
enum status	 spec_decode_expr(const struct node *, struct expr **out, struct fault *);

/* Evaluate over the params; the node is where the expression stands. */
enum status	 spec_eval(const struct spec *, const struct node *, const struct expr *,
		    struct value *, struct fault *);

/* Make a value one of this type, or say why it is none. */
enum status	 spec_fit(const struct node *, enum ctype, struct value *, struct fault *);
bool		 spec_whole(const struct value *, int64_t *);	/* false: it has a fraction */
int64_t		 spec_type_max(enum ctype);	/* of integers the largest value, or INT64_MAX */

#endif
