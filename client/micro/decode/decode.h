/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_DECODE_DECODE_H
#define ASSAY_CLIENT_MICRO_DECODE_DECODE_H

#include <jansson.h>

#include "client/micro/decode/elf.h"
#include "client/micro/decode/isa.h"

/* What of a program's code is one iteration of its loop. */
struct traffic {
	unsigned	instructions;
	unsigned	loads, stores;		/* instructions that read or write memory */
	uint64_t	loaded_bytes, stored_bytes;
};

/*
 * A function, decoded.  `loop` is its innermost loop, the longest one if there are several;
 * without a loop, the whole function.  AArch64 is not decoded: its instructions are counted by
 * their four bytes, and of the other members there are only those of the code.
 */
struct decoded {
	enum machine	 machine;
	bool		 has_loop;
	bool		 is_straight;		/* one loop, and no other branch in it or behind */
	size_t		 code_bytes;
	uint64_t	 code_hash;		/* equal code has an equal hash */
	unsigned	 instructions;		/* of the whole function */
	struct traffic	 loop;
	struct isa	 isa;			/* of the whole function */
};

/* ST_BAD_SPEC: some bytes are no instruction; the text says where. */
enum status	 decoded_of(enum machine, const struct function *, struct decoded *,
		    struct fault *);
/* Function `name` of an object. */
enum status	 decoded_of_object(const unsigned char *, size_t bytes, const char *name,
		    struct decoded *, struct fault *);

/* { "instructions": 7, "loads": … , "isa": ["SSE"] } for `meta`; NULL: out of memory. */
json_t		*decoded_meta(const struct decoded *);
/* ST_BAD_SPEC: this host is another machine or lacks an extension; the text names it. */
enum status	 decoded_check_host(const struct decoded *, const char *program, struct fault *);

#endif
