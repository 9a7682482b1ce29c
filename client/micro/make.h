/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_MAKE_H
#define ASSAY_CLIENT_MICRO_MAKE_H

#include "client/micro/model/micro.h"
#include "client/micro/plugin/made.h"

/* Which programs are wanted, and what is said of them on the way. */
struct make {
	bool		counts;		/* only their number */
	bool		with_meta;
	bool		is_quiet, is_verbose;
	uint64_t	limit;		/* 0: all, or as many as the description says */
	uint64_t	seed;
};

/*
 * Read a description, count its programs and make those that are wanted, one after another, each
 * gone once the listener has it.  `arg` is a struct make.  In a plugin's process, or in this one.
 */
enum status	 make_programs(void *arg, struct micro *, const struct listener *, struct fault *);

#endif
