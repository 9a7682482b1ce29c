/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_WRITE_LINES_H
#define ASSAY_CLIENT_MICRO_WRITE_LINES_H

#include <stdio.h>

#include "client/micro/write/arguments.h"

/* Parts of a program as lines of assembly, which files of assembly and of C share. */

/* A function with its instructions: labels get `behind_label` behind them; "" for none. */
struct lines {
	const struct program	*of;
	FILE			*to;
	const char		*behind_label;
	bool			 is_assembly;	/* a file of it, not an asm statement */
	struct fault		*why;
	enum status		 st;
};

/* For the assembler's words about the lines that follow. */
void		 lines_mark(struct lines *, struct place);
/* Code of the user's, each line with that of its node. */
void		 lines_code(struct lines *, const char *text, struct place);
/* One instruction. */
void		 lines_pattern(struct lines *, const struct pattern *);
void		 lines_instruction(struct lines *, const char *operation, unsigned n,
		    struct reg first, struct reg second);
/* A kernel with those in it: label, statements, jump. */
void		 lines_kernel(struct lines *, const struct kernel *);
/* What is in front of it: registers that are read get 0, the counter is made to fit its test. */
void		 lines_prepare(struct lines *, const struct arguments *);
/* The label behind the last kernel: a loop without an iteration to make goes there. */
void		 lines_end_label(struct lines *);
/* The outermost loop that counts down r0; NULL: there is none. */
const struct kernel	*lines_counted(const struct program *);

/* Text that grows in memory; ends in the program's arena. */
FILE		*lines_open(char **text, size_t *bytes);
const char	*lines_close(struct arena *, FILE *, char **text, size_t *bytes);

#endif
