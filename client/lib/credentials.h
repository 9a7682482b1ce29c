/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_LIB_CREDENTIALS_H
#define ASSAY_CLIENT_LIB_CREDENTIALS_H

#include <limits.h>

#include "client/lib/assay.h"

enum { CREDENTIALS_TOKEN_BYTES = 512 };

/* Who calls over TLS, and who may answer.  All owned; NULL: as by default. */
struct credentials {
	char	*token, *token_file, *ca, *cert, *key;
};

/* A setting of assay_set: 1; 0: it is none of these; -1: *why. */
int	 credentials_set(struct credentials *, const char *name, const char *value,
	    struct assay_error *why);
void	 credentials_release(struct credentials *);

/* Settings, the environment and files together: what counts.  "": none. */
struct credentials_found {
	char	token[CREDENTIALS_TOKEN_BYTES];
	char	token_from[PATH_MAX];		/* "$ASSAY_TOKEN", or a file's path */
	char	ca[PATH_MAX], cert[PATH_MAX], key[PATH_MAX];
};

/* "denied": others may read the token's file; "not_found": a file that is named is not there. */
int	 credentials_find(const struct credentials *, struct credentials_found *,
	    struct assay_error *why);

#endif
