/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_IMPORT_POET_H
#define ASSAY_CLIENT_IMPORT_POET_H

#include "client/import/foreign.h"
#include "client/print/cli.h"

/*
 * Routine specifications of POET's timer generator ("automated timer generation", section 4,
 * Figure 4; the grammar is in assay-import(1)) → a spec.
 *
 *	macros and numbers in sizes	params
 *	Vector, Matrix			operands; flush: cold, without: warm
 *	SVector, SMatrix		the same, in static memory
 *	a routine with a body		check.reference, with the text of include before it
 *	returns(names)			outputs
 *	checkpoint			checkpoint
 */

/* `parameters`: NAME=VALUE, those of the generator, such as NREP=50.  New reference. */
enum status	 poet_import(struct foreign *, const struct cli_list *parameters, json_t **spec,
		    struct fault *);

#endif
