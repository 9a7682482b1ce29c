/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_TUNE_TUNE_DOCUMENT_H
#define ASSAY_CLIENT_CMD_TUNE_TUNE_DOCUMENT_H

#include <jansson.h>

#include "client/print/cli.h"

/* Options of `assay tune` that say what is searched. */
struct tune_choice {
	const char	*spec, *contexts, *compiler;	/* contexts: "cold,warm" */
	const char	*script;			/* of transformations; NULL: none */
	const char	*readers;			/* a visibility; NULL: as in the sweep */
	struct cli_list	 params, space, where, defines, flags;
	bool		 is_quiet;			/* no remarks */
};

/*
 * The sweep to search: of a file with a sweep, or of a source file (tune_source.h).  Its member
 * `tune` becomes *tune, new reference, NULL if there is none.  `host`: of host.get, or NULL.
 */
enum status	 tune_document(const struct tune_choice *, const char *path, const json_t *host,
		    json_t **sweep, json_t **tune, struct fault *);

/* The members of a sweep that all of its jobs have.  New reference. */
json_t		*tune_document_common(const json_t *sweep);

#endif
