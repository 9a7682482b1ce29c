/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_JOB_SOURCE_FILES_H
#define ASSAY_CLIENT_CMD_JOB_SOURCE_FILES_H

#include <jansson.h>

#include "client/print/cli.h"

/*
 * Files beside a variant's source, put into its member `files`.
 */

/* Each of these, under its own name. */
enum status	 source_files_with(json_t *variant, const struct cli_list *paths, struct fault *);

/*
 * What the variant's texts include, and what that includes, as far as it lies below one of the
 * folders.  No name and no link in a text leads out of them.
 */
enum status	 source_files_include(json_t *variant, const struct cli_list *folders,
		    struct fault *);

#endif
