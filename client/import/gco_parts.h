/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_IMPORT_GCO_PARTS_H
#define ASSAY_CLIENT_IMPORT_GCO_PARTS_H

#include <stdint.h>

#include "client/import/gco.h"
#include "proto/text/prototype.h"

/* What the files gco*.c share. */

enum { GCO_MAX_DIMS = 8 };

struct gco_arg {
	struct span	name, direction, type, value;
	struct span	dims[GCO_MAX_DIMS];
	size_t		ndims;		/* 0: a scalar */
	bool		is_used;	/* a parameter of the routine has its name */
	bool		is_resolving;
};

struct gco {
	struct foreign	*source;	/* borrowed; the file with the directives */
	struct span	 routine, size;	/* `at` NULL: there is no such directive */
	int64_t		 first, last, step;
	const char	*size_name;	/* the param's */
	struct gco_arg	 args[PROTOTYPE_MAX_PARAMS];
	size_t		 nargs;
	struct prototype prototype;
};

/* The directives. */
enum status	 gco_read(struct gco *, struct fault *);
/* The member args.  New reference. */
enum status	 gco_args(struct gco *, json_t **, struct fault *);

struct gco_arg	*gco_arg(struct gco *, struct span name);	/* NULL: there is none */
bool		 gco_same_name(struct span, struct span);	/* without case */

#endif
