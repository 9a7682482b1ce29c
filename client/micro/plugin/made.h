/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_PLUGIN_MADE_H
#define ASSAY_CLIENT_MICRO_PLUGIN_MADE_H

#include <stdint.h>

#include <jansson.h>

#include "proto/base/fault.h"

/* A program as it leaves the generator. */
struct made {
	uint64_t	 index;
	const char	*name;		/* borrowed */
	const char	*language;	/* borrowed */
	const char	*text;		/* borrowed */
	json_t		*meta;		/* borrowed; NULL: not wanted */
};

/*
 * Where programs go.  `counted` comes before the first one.  What they return other than ST_OK ends
 * the making.
 */
struct listener {
	enum status	 (*counted)(void *arg, uint64_t programs, struct fault *);
	enum status	 (*made)(void *arg, const struct made *, struct fault *);
	void		*arg;		/* borrowed */
};

#endif
