/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TUNE_FRONT_H
#define ASSAY_CLIENT_TUNE_FRONT_H

#include "client/tune/record.h"

/*
 * The Pareto front of value and code bytes: records for which no other one is at least as good in
 * both, and better in one.  The fastest comes first, the smallest last.
 */
enum { FRONT_MAX = 64 };

/* Places in the ledger, at most FRONT_MAX; their number is returned. */
size_t		 front_find(const struct ledger *, const struct field *, size_t *at);

#endif
