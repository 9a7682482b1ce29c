/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_LIB_WEB_REPLY_H
#define ASSAY_CLIENT_LIB_WEB_REPLY_H

#include <stdbool.h>

#include <curl/curl.h>

#include "client/lib/address.h"
#include "client/lib/credentials.h"

/* How a transfer ended. */
struct web_end {
	CURLcode	 code;
	const char	*words;		/* curl's own */
	long		 http;		/* status; 0: none came */
	const char	*body;		/* terminated */
	size_t		 bytes;
};

/* The JSON object of a good reply; NULL: *why. */
const char	*web_reply(const struct address *, const struct credentials_found *,
		    const struct web_end *, struct assay_error *why);

#endif
