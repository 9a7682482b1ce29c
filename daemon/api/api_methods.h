/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_API_API_METHODS_H
#define ASSAY_DAEMON_API_API_METHODS_H

#include "daemon/api/api_impl.h"

struct method {
	const char		*name;
	method_fn		*run;
	const struct api_param	*params;	/* NULL: the method checks its own */
	bool			 needs_all;	/* waits until the queue has been read again */
	enum role		 role;		/* the least that may call it */
};

const struct method *method_named(const char *);	/* NULL: there is none */
/* The answer to a call of a method that is not there. */
void		 method_refuse(const char *name, api_reply_fn *, void *arg);
/* ST_DENIED: the caller's role is too small. */
enum status	 method_permits(const struct method *, const struct caller *, struct fault *);
/* Does it bring work, which a daemon that drains refuses? */
bool		 method_brings_work(const struct method *);

#endif
