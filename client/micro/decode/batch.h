/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_DECODE_BATCH_H
#define ASSAY_CLIENT_MICRO_DECODE_BATCH_H

#include "client/micro/decode/decode.h"

/* A program of assembly. */
struct source_text {
	const char	*name;		/* borrowed: for messages */
	const char	*text;		/* borrowed */
	const char	*function;	/* borrowed: what to decode */
	const char	*file;		/* borrowed: what it was made of; or NULL */
};

/*
 * Assemble and decode programs: many in one run of the assembler, most of whose time is its start.
 * Their code is what it is alone.  Where they cannot be assembled together, each is assembled
 * alone, so that an error is a program's own: its member is the program's name.  If the program has
 * a file, the member is the place in it: texts have lines such as # 12 "FILE.xml" for that.
 */
enum status	 batch_decode(enum machine, const struct source_text *, size_t n,
		    struct decoded *to, struct fault *);
/* One of them alone. */
enum status	 batch_decode_one(enum machine, const struct source_text *, struct decoded *,
		    struct fault *);
/* Only assemble them. */
enum status	 batch_check(enum machine, const struct source_text *, size_t n, struct fault *);

#endif
