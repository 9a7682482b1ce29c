/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_PAGE_SEARCH_PAGE_H
#define ASSAY_CLIENT_PAGE_SEARCH_PAGE_H

#include <jansson.h>

#include "proto/base/fault.h"

/*
 * A page about a search: how the best time fell, where in the space it is, the winner's source, and
 * the command that times it again.  `outcome` is the document of `assay tune --json`; `job` the
 * winner's, NULL: there is none.  Both borrowed.
 */
enum status	 search_page(const char *path, const json_t *outcome, const json_t *job,
		    struct fault *);

#endif
