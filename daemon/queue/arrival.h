/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_QUEUE_ARRIVAL_H
#define ASSAY_DAEMON_QUEUE_ARRIVAL_H

#include <sys/queue.h>

#include "daemon/queue/arrivals.h"
#include "daemon/queue/recovery.h"

/* One sweep on its way, for arrivals.c and arrival.c alone. */
enum arrival_phase {
	ARRIVAL_CHECKING, ARRIVAL_STORING,
	ARRIVAL_CLOSING,		/* its last write is on the way to the disk */
	ARRIVAL_READING,		/* into the queue */
	ARRIVAL_FOUND,			/* it was submitted before */
	ARRIVAL_REMOVING,		/* given up, and answered */
	ARRIVAL_OVER,			/* to be freed */
};

struct arrival {
	struct arrivals		*all;		/* borrowed */
	enum arrival_phase	 phase;
	uid_t			 who;
	admitted_fn		*fn;		/* NULL: it was answered */
	void			*arg;
	json_t			*doc;		/* owned reference; NULL after the walk */
	struct sweep		*walk;		/* owned; NULL after it */
	struct decoded		 last;
	char			*name;		/* owned; NULL: given up before a restart */
	int64_t			 sweep_id;
	double			 submitted;
	size_t			 points, checked;
	size_t			 jobs, stored, repeated;
	int64_t			 ids[INTAKE_MAX_JOBS];	/* the first ones */
	struct recovery		 reading;
	size_t			 reserved;	/* places in the queue */
	/* as they will be stored: of its jobs, and of the spec that was counted last */
	uint64_t		 bytes;
	json_t			*counted;	/* owned reference; NULL: none yet */
	int64_t			 counted_spec;	/* its row, while the jobs are stored */
	struct quota_claim	 claim;
	bool			 is_syncing;	/* the store will call back */
	bool			 is_forgotten;	/* its caller is gone */
	bool			 is_gone;	/* all its rows, by the open transaction */
	int64_t			 rests_until_ms;	/* after a refusal by the disk */
	TAILQ_ENTRY(arrival)	 entry;
};
TAILQ_HEAD(arrival_list, arrival);

struct arrivals {
	struct admission	*in;		/* borrowed */
	struct arrival_list	 list;		/* whose turn it is first */
	void			(*on_turn)(void *);	/* NULL: none yet */
	void			(*on_cancelled)(void *, int64_t);
	void			*arg;
};

/* NULL: no memory. */
struct arrival	*arrival_new(struct arrivals *, int64_t sweep_id, enum arrival_phase);
void		 arrival_free(struct arrival *);
void		 arrival_slice(struct arrival *, uint64_t end_ns);
/* false: it waits for the disk. */
bool		 arrival_has_work(const struct arrival *);
void		 arrival_arrive(struct arrival *);	/* answers, when it is on disk */
bool		 arrival_may_give_up(const struct arrival *);
void		 arrival_give_up(struct arrival *, const struct fault *);
void		 arrivals_wake(const struct arrivals *);

#endif
