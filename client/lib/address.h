/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_LIB_ADDRESS_H
#define ASSAY_CLIENT_LIB_ADDRESS_H

#include "client/lib/assay.h"

enum address_kind {
	ADDRESS_UNIX,		/* path */
	ADDRESS_SSH,		/* host, user, port, path; all but host may be empty */
	ADDRESS_HTTP_UNIX,	/* path */
	ADDRESS_HTTP,		/* url, without slashes at its end */
	ADDRESS_HTTPS,
};

enum { ADDRESS_BYTES = 512, ADDRESS_SOCKET_BYTES = 108 };

struct address {
	enum address_kind	kind;
	char			host[256], user[64], port[8];
	char			path[ADDRESS_BYTES];
	char			url[ADDRESS_BYTES];
};

/* As in assay_open. */
int	 address_parse(struct address *, const char *text, struct assay_error *why);

#endif
