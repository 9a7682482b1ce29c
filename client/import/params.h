/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_IMPORT_PARAMS_H
#define ASSAY_CLIENT_IMPORT_PARAMS_H

#include "client/import/foreign.h"

/*
 * The params of a spec that is made.  A name that no param may have is changed, with a remark: _N
 * becomes N_.
 */
struct params {
	json_t	*values;		/* owned; { NAME: value } */
	json_t	*names;			/* owned; { name in the text: NAME } */
};

enum status	 params_init(struct params *, struct fault *);
void		 params_release(struct params *);

/* The param's name for a name of the text; NULL: there is none. */
const char	*params_find(const struct params *, struct span name);
/* The first value of a name holds; another one later is a remark. */
enum status	 params_add(struct params *, struct foreign *, struct span name, struct span number,
		    const char **made, struct fault *);

#endif
