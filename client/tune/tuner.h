/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TUNE_TUNER_H
#define ASSAY_CLIENT_TUNE_TUNER_H

#include <stdio.h>

#include "client/search/strategy/strategy.h"
#include "client/tune/budget.h"
#include "client/tune/flight.h"
#include "client/tune/logbook.h"
#include "client/tune/objective.h"

/*
 * One search: a strategy proposes, the daemon times, and what was found is written down.  `window`
 * points are on their way at any time, so that builders have work while one is timed.  What comes
 * next depends on the seed, the window and the times alone.
 */
struct tuner;
typedef void	 tuner_record_fn(void *arg, const struct tuner *, const struct record *);

struct tuner {
	struct field		*field;		/* borrowed */
	struct objective	 objective;
	struct budget		 budget;
	unsigned		 window, phase;
	bool			 races;
	bool			 daemon_races;	/* it gives points up: no first looks */
	FILE			*log;		/* borrowed; NULL: none */
	tuner_record_fn		*on_record;	/* NULL: not wanted */
	void			*arg;

	struct strategy		*strategy;	/* owned */
	struct flight		 flight;
	struct ledger		 ledger;
	struct point		*first;		/* owned; points to begin with; nfirst */
	size_t			 nfirst, used_first;
	struct ledger		 known;		/* of a journal; in its order */
	size_t			 used_known;
	uint64_t		 proposed, since_best;
	double			 began_s, took_s;	/* took_s: once it is over */
	enum budget_end		 end;
};

/* Of a tuner whose first part is set.  The connection is borrowed. */
enum status	 tuner_open(struct tuner *, const char *strategy, uint64_t seed,
		    struct connection *, const json_t *common, struct fault *);
void		 tuner_close(struct tuner *);			/* zeroed memory is fine */

/* Points to begin with, before the strategy's: copied. */
enum status	 tuner_begin_with(struct tuner *, const struct point *, struct fault *);
/* A search to go on with; ST_BAD_SPEC: a line is none of this space. */
enum status	 tuner_resume(struct tuner *, const struct logbook *, const char *path,
		    struct fault *);

/* ST_CANCELLED: Ctrl-C; what was found until then is there. */
enum status	 tuner_run(struct tuner *, struct fault *);

#endif
