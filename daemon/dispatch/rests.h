/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DISPATCH_RESTS_H
#define ASSAY_DAEMON_DISPATCH_RESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/status.h"

/*
 * Jobs that met a fault of Assay's own and are tried again later, so that other jobs show whether
 * the fault is theirs or the host's.  Meanwhile they keep their state.  `now` is clock_now_s.
 */
struct rest {
	int64_t	 id;
	int	 station;	/* its number, where the fault was */
	bool	 is_charged;	/* the faults count if the station's next job ends well */
	double	 until;
};

struct rests {
	struct rest	*of;	/* owned */
	size_t		 n, max;
};

enum status	 rests_add(struct rests *, const struct rest *);	/* ST_NOMEM */
/*
 * Takes out one that is due, or of this station whatever its time (-1: none).  false: there is
 * none.
 */
bool		 rests_next(struct rests *, int station, double now, struct rest *out);
bool		 rests_drop(struct rests *, int64_t id);	/* false: it does not rest */
void		 rests_release(struct rests *);

#endif
