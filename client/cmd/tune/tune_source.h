/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_TUNE_TUNE_SOURCE_H
#define ASSAY_CLIENT_CMD_TUNE_TUNE_SOURCE_H

#include "client/cmd/tune/tune_document.h"

/*
 * A search that begins with a source.  Its spec is --spec, else NAME.spec.json beside it, else what
 * assay-spec derives.  Without --script and --space, the variants are those that assay-transform
 * finds for the nest, and compilers and flags of the host are dimensions.
 */
enum status	 tune_source_sweep(const struct tune_choice *, const char *path, json_t **sweep,
		    struct fault *);
/* With the options in the sweep: the variants that are made of the source. */
enum status	 tune_source_variants(const struct tune_choice *, const char *path,
		    const json_t *host, json_t *sweep, struct fault *);
/* Nothing says what to search: the host's compilers will. */
bool		 tune_source_is_automatic(const struct tune_choice *, const char *path);

#endif
