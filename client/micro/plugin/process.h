/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_PLUGIN_PROCESS_H
#define ASSAY_CLIENT_MICRO_PLUGIN_PROCESS_H

#include "client/micro/model/micro.h"
#include "client/micro/plugin/made.h"

/* Makes all programs of a description. */
typedef enum status maker_fn(void *arg, struct micro *, const struct listener *, struct fault *);

/*
 * Run a maker in a process that has loaded plugins, in their order; this one loads none.  What it
 * makes comes to the listener through a pipe.
 * ST_BAD_SPEC: a plugin crashed, took more than `seconds`, or sent something else; it is named.
 */
struct plugins {
	const char	*const *files;	/* borrowed */
	size_t		 n;
	unsigned	 seconds;	/* of wall time for everything */
};

enum status	 plugins_run(const struct plugins *, struct micro *, maker_fn *, void *arg,
		    const struct listener *, struct fault *);

#endif
