/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_IMPORT_FUNCTIONS_H
#define ASSAY_CLIENT_IMPORT_FUNCTIONS_H

#include "client/import/foreign.h"

/* The functions that a text of C defines, by its outline. */
struct function {
	struct span	name;
	struct span	head;		/* up to the closing parenthesis */
};

/* The first one from *at on; false: there is none.  *at moves behind its head. */
bool		 function_next(const struct foreign *, const char **at, struct function *);

#endif
