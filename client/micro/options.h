/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_OPTIONS_H
#define ASSAY_CLIENT_MICRO_OPTIONS_H

#include "client/micro/generate.h"
#include "client/micro/lists.h"
#include "client/micro/pass/passes.h"

enum { OPTIONS_PLUGINS = 8 };

/* The command line. */
struct options {
	struct micro	 micro;		/* path and the options of programs */
	struct generate	 how;
	const char	*plugins[OPTIONS_PLUGINS];	/* --plugin */
	lists_fn	*lists;		/* to be printed instead; or NULL */
};

enum status	 options_parse(struct options *, int argc, char **argv, struct fault *);

#endif
