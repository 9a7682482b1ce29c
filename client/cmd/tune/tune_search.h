/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_TUNE_TUNE_SEARCH_H
#define ASSAY_CLIENT_CMD_TUNE_TUNE_SEARCH_H

#include "client/cmd/tune/tune_options.h"
#include "client/connect/session.h"
#include "client/tune/finish.h"

enum { TUNE_PHASES = 2 };

/* One run of `assay tune`: one search, or one in cache and one out of it. */
struct tuning {
	struct cli		*cli;		/* borrowed */
	struct tune_how		 how;
	json_t			*sweep, *tune, *common, *host;	/* owned */
	struct session		 session;
	struct progress		 progress;
	struct tuner		*tuner;		/* borrowed; the one at work */
	struct tune_search {
		struct field	*field;		/* owned */
		struct tuner	 tuner;
		struct finish	 finish;
		json_t		*head;		/* owned */
		struct logbook	 journal;
		FILE		*file;		/* owned */
	}			 search[TUNE_PHASES];
	unsigned		 phases;	/* begun so far */
};

/* A search whose field is set, with its journal and the points that it begins with. */
enum status	 tune_search_open(struct tuning *, struct tune_search *, struct fault *);
enum status	 tune_search_run(struct tuning *, struct tune_search *, struct fault *);
void		 tune_search_close(struct tune_search *);	/* zeroed memory is fine */

/* What is known of the daemon's host, its compilers at the least, into the tuning's `host`. */
enum status	 tune_search_host(struct tuning *, struct fault *);

/* All searches of the run; ST_CANCELLED: Ctrl-C. */
enum status	 tune_phases_run(struct tuning *, struct fault *);

#endif
