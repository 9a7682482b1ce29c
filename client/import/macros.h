/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_IMPORT_MACROS_H
#define ASSAY_CLIENT_IMPORT_MACROS_H

#include "client/import/foreign.h"

/*
 * #define lines of a text, for expressions that use them, such as a size Index3D(nx,ny,i,j,k).  No
 * conditions: the last definition of a name holds.
 */
enum { MACRO_MAX_PARAMETERS = 16, MACROS_MAX = 256, MACRO_MAX_BYTES = 16384 };

struct macro {
	struct span	name, body;
	bool		is_function;
	size_t		nparameters;
	struct span	parameters[MACRO_MAX_PARAMETERS];
};

struct macros {
	struct macro	*list;		/* owned */
	size_t		 n;
};

/* Add those of a part of the text.  Lines that are no definition are passed over. */
enum status	 macros_read(struct macros *, const struct foreign *, struct span, struct fault *);
const struct macro *macros_find(const struct macros *, struct span name);
/*
 * The body with arguments in place of parameters, owned by the caller; NULL: no memory, or more
 * than MACRO_MAX_BYTES.
 */
char		*macro_expand(const struct macro *, const struct span *arguments);
void		 macros_release(struct macros *);

#endif
