/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_MODEL_KERNEL_H
#define ASSAY_CLIENT_MICRO_MODEL_KERNEL_H

#include "client/micro/model/loop.h"
#include "client/micro/model/pattern.h"

/* A variable that moves on with each iteration of its kernel's loop. */
struct induction {
	struct place	 at;
	unsigned	 id;		/* from 1, one in a description; copies keep it */
	struct described reg;
	bool		 has_increment;
	int64_t		 increment;	/* one iteration, before it is unrolled */
	int64_t		 offset;	/* from one copy to the next */
	struct range	 strides;
	int64_t		 stride;	/* chosen */
	bool		 has_link;
	struct described link;		/* of has_link: the counter follows this register */
	unsigned	 linked;	/* its induction's id; 0: there is no link */
	bool		 is_fixed;	/* <not_affected_unroll/> */
	bool		 is_last;
	bool		 is_silent;	/* <no_generate/> */
	const char	*comment;	/* or NULL */
};

enum statement_kind { STATEMENT_PATTERN, STATEMENT_KERNEL, STATEMENT_CODE, STATEMENT_COMMENT };

/* The member that `kind` names is used. */
struct statement {
	enum statement_kind	 kind;
	struct pattern		*pattern;
	struct kernel		*kernel;
	const char		*text;		/* code as it stands, or a comment's words */
	struct place		 at;		/* of code */
	bool			 is_file;	/* code that <file> has named */
};

/* Statements, and what is to happen with them; the description itself is one, too. */
struct kernel {
	struct place		 at;
	const char		*name;		/* or NULL */
	struct statement	*statements;
	size_t			 nstatements;
	struct induction	*inductions;
	size_t			 ninductions;
	struct range		 unrolling, repetition;
	bool			 is_random;	/* each order of its statements */
	uint64_t		 alignment;	/* of its first instruction, bytes; 0: none */
	const char		*label, *test;	/* <branch_information>; both or none */
	struct place		 branch_at;
	struct loop		*loop;		/* <loop_info>; or NULL */

	uint64_t		 unroll;	/* chosen */
	uint64_t		 choice;	/* of its own passes, ahead; see space/space.h */
	struct kernel		**chosen;	/* repetition: what stands in its place */
	size_t			 nchosen;
	unsigned		 clone;		/* from 0, of those with the same label */
};

struct kernel	*kernel_new(struct arena *, struct place);
/* Deep, but for texts and candidates. */
struct kernel	*kernel_clone(struct arena *, const struct kernel *);
void		 kernel_add(struct arena *, struct kernel *, struct statement);
void		 kernel_add_pattern(struct arena *, struct kernel *, struct pattern *);
void		 kernel_add_kernel(struct arena *, struct kernel *, struct kernel *);
void		 kernel_add_comment(struct arena *, struct kernel *, const char *words);
struct induction *kernel_add_induction(struct arena *, struct kernel *, struct place);
struct induction *kernel_induction(const struct kernel *, unsigned id);	/* NULL: not its own */
bool		 kernel_is_loop(const struct kernel *);		/* has a branch */

/* Each pattern or kernel in and below a kernel, first to last; false: one call returned false. */
typedef bool	 pattern_visit_fn(void *arg, struct pattern *);
bool		 kernel_each_pattern(const struct kernel *, pattern_visit_fn *, void *arg);
typedef bool	 kernel_visit_fn(void *arg, struct kernel *);
bool		 kernel_each(struct kernel *, kernel_visit_fn *, void *arg);	/* itself first */
uint64_t	 kernel_size(const struct kernel *);	/* patterns in and below it */

#endif
