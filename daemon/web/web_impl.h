/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_WEB_WEB_IMPL_H
#define ASSAY_DAEMON_WEB_WEB_IMPL_H

#include <stdio.h>

#include "daemon/web/web.h"

/* Of this room alone. */

enum { WEB_FILES = 4 };

struct web {
	char		*script;	/* owned; all of the page's own */
	char		*chart;		/* owned; Chart.js, or a comment in its place */
	char		*page;		/* owned */
	char		*policy;	/* owned */
	struct web_file	 file[WEB_FILES];	/* the page first */
};

/* " 'sha256-…'" of a script or a style; nothing if that fails, and then it will not run. */
void	 web_put_hash(FILE *, const char *text);
char	*web_page_text(void);		/* owned; NULL: no memory */
char	*web_page_policy(void);		/* owned; NULL: no memory */

#endif
