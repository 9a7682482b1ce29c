/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_LIB_ROUTE_H
#define ASSAY_CLIENT_LIB_ROUTE_H

#include "client/lib/assay.h"

/* A method and its parameters as an HTTP request. */
struct route_request {
	const char	*verb;		/* "GET", "POST", "DELETE" */
	char		*url;		/* owned */
	char		*body;		/* owned; JSON; NULL: none */
};

/* "bad_request": the method has no route, or the parameters none for it. */
int	 route_find(struct route_request *, const char *base_url, const char *method,
	    const char *params, struct assay_error *why);
void	 route_release(struct route_request *);

#endif
