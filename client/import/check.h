/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_IMPORT_CHECK_H
#define ASSAY_CLIENT_IMPORT_CHECK_H

#include "client/import/foreign.h"

/*
 * A spec that is made is read as the daemon will read it.  A fault has the place that `place` gives
 * for the argument that it is about; name "": about none.
 */
typedef const char	*check_place_fn(void *arg, struct span argument);

enum status	 check_spec(const struct foreign *, json_t *spec, check_place_fn *, void *arg,
		    struct fault *);

#endif
