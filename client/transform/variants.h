/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TRANSFORM_VARIANTS_H
#define ASSAY_CLIENT_TRANSFORM_VARIANTS_H

#include <jansson.h>

#include "client/transform/work/work.h"

/* A source and a script → the variants of all points, and the points that were refused. */
struct variants_request {
	struct source_request	 source;
	const char		*script;	/* path; NULL: steps are found */
	const char *const	*values;	/* "NAME=VALUE": of arguments; NULL-terminated */
	const char *const	*params;	/* "NAME=VALUE": known to `where` */
	bool			 assumes, is_distinct;
};

/*
 * { routine, variants: [{ name, source, compiler, flags, point, assumed }], refused: [{ name,
 * point, member, text, hint }] }.  New reference.
 */
enum status	 variants_make(const struct variants_request *, json_t **, struct fault *);

#endif
