/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_LAUNCH_KERNELS_H
#define ASSAY_CLIENT_CMD_LAUNCH_KERNELS_H

#include <jansson.h>

#include "client/print/cli.h"

/*
 * The variants of files, { name, language, source }.  Of a directory all files but hidden ones, by
 * their names.  New reference: a list.
 */
enum status	 kernels_read(const struct cli_list *paths, json_t **variants, struct fault *);

#endif
