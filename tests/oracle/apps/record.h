/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORACLE_APPS_RECORD_H
#define ORACLE_APPS_RECORD_H

#include <stddef.h>
#include <stdint.h>

/*
 * How an application times its own routine in place: what each call took goes into a buffer made at
 * the start, by stores that leave the caches alone where there are such, and is written out when
 * the application ends.
 */
struct record {
	uint64_t	*ticks;			/* owned */
	double		*pace;			/* owned; how fast the CPU was just after each call,
						 * as pace.h has it */
	size_t		 room, calls;
};

void		 record_init(struct record *, size_t room);	/* exits when there is no memory */
uint64_t	 record_now(void);
void		 record_put(struct record *, uint64_t ticks);	/* of one call, just after it */
void		 record_print(const char *application, const struct record *);	/* one line of JSON, ns in order of call */
void		 record_release(struct record *);

/* What an application has beside the routine's operands: as many bytes, written and read once. */
void		 record_other_work(size_t bytes);
#endif
