/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_IMPORT_HEAD_H
#define ASSAY_CLIENT_IMPORT_HEAD_H

#include "client/import/foreign.h"
#include "proto/text/prototype.h"

/*
 * A routine's head → the spec's `routine`: as it is written or, if it cannot be read so, `plain`,
 * in which the file's own names of types are replaced.  `plain` is freed.
 */
enum status	 head_put(const struct foreign *, struct span head, char *plain,
		    struct prototype *, json_t *spec, struct fault *);

#endif
