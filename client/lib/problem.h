/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_LIB_PROBLEM_H
#define ASSAY_CLIENT_LIB_PROBLEM_H

#include "client/lib/assay.h"
#include "proto/json/scan.h"

/* Words of struct assay_error.  Each returns -1, so that `return problem(…)` reads as one step. */
int	 problem(struct assay_error *why, const char *word, const char *fmt, ...)
	    __attribute__((format(printf, 3, 4)));
int	 problem_hint(struct assay_error *why, const char *fmt, ...)
	    __attribute__((format(printf, 2, 3)));

/*
 * `data` of a JSON-RPC error, or a problem document (both have word, member, hint): its reason,
 * else this sentence.  Without a word that this version knows it is `otherwise`.
 */
int	 problem_of(struct assay_error *why, const struct span *data, const char *sentence,
	    const char *otherwise);

#endif
