/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_IMPORT_GCO_H
#define ASSAY_CLIENT_IMPORT_GCO_H

#include "client/import/foreign.h"

/*
 * A file of C with directives of GCO ("generic code optimization", section 4.3) in its comments:
 *
 *	ROUTINE name			the function that is timed
 *	SIZE first:last:step		a param SIZE, and a sweep over it
 *	ARG name[dims] IN type value	an argument; IN, OUT or INOUT; value: $size, $rand, a number
 *
 * Names are compared without case.  The file is the variant, and the reference.
 */

/*
 * `sources`: the file with the directives, then others that its functions need; all become one
 * text.  `name`: of the sweep; NULL: the routine's.  A sweep { name, spec, template, space }, or
 * without SIZE a job { spec, variant }.  New reference.
 */
enum status	 gco_import(struct foreign *sources, size_t n, const char *name, json_t **made,
		    struct fault *);

#endif
