/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_SWEEP_CREATE_H
#define ASSAY_CLIENT_CMD_SWEEP_CREATE_H

#include <jansson.h>

#include "client/print/cli.h"

/*
 * Submit a sweep that names no files any more; `follow`: print its results as they come.  Returns
 * the exit code.
 */
int	 sweep_create(struct cli *, const json_t *sweep, bool follow);

#endif
