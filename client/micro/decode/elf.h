/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_DECODE_ELF_H
#define ASSAY_CLIENT_MICRO_DECODE_ELF_H

#include <stddef.h>
#include <stdint.h>

#include "client/micro/machine/target.h"

/*
 * The functions of an object or a shared object: 64 bits, little-endian, of a machine that programs
 * are made for.  Every number of the file is compared with its size before it is followed.
 */
struct elf {
	const unsigned char	*at;		/* borrowed */
	size_t			 bytes;
	enum machine		 machine;
	bool			 is_linked;	/* symbols have addresses, not places in sections */
	uint64_t		 sections;	/* offset of the table, … */
	uint64_t		 nsections;	/* … which is in the file */
	uint64_t		 symbols, nsymbols;
	uint64_t		 names, names_bytes;	/* of symbols; the last byte is 0 */
};

struct function {
	const char		*name;		/* borrowed from the file */
	const unsigned char	*code;		/* borrowed from the file */
	size_t			 bytes;
};

/* Whether to go on. */
typedef bool	 function_fn(void *arg, const struct function *);

enum status	 elf_open(struct elf *, const unsigned char *, size_t bytes, struct fault *);
/*
 * Each global function that has code.  One whose symbol has no size ends with its section.
 */
void		 elf_each_function(const struct elf *, function_fn *, void *arg);
/* ST_NOT_FOUND: there is none of that name; the hint has those that there are. */
enum status	 elf_function(const struct elf *, const char *name, struct function *,
		    struct fault *);

#endif
