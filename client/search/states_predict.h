/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_SEARCH_STATES_PREDICT_H
#define ASSAY_CLIENT_SEARCH_STATES_PREDICT_H

#include "client/search/states.h"

/* The point with this operand alone at this level, all others warm; borrowed; NULL: not timed. */
const struct states_point	*states_single(const struct states *, size_t k,
    enum state_level level);

/*
 * The combination that is not timed yet whose foretold time is nearest to the target: each operand
 * adds to the warm time what it adds alone, times a factor that the combinations timed so far show.
 * Among those about as near, the one with fewer different levels comes first.  false: no
 * combination is foretold to be nearer than the nearest that was timed.
 */
bool	 states_predict(const struct states *, struct states_point *);

#endif
