/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_TUNE_TUNE_PRINT_H
#define ASSAY_CLIENT_CMD_TUNE_TUNE_PRINT_H

#include "client/tune/finish.h"
#include "client/tune/study.h"

/* What `assay tune` prints on stdout for people. */
void		 tune_print_outcome(const struct finish *, const struct tuner *);
enum status	 tune_print_studies(const struct studied *, size_t n, const uint64_t *stops,
		    size_t nstops, struct fault *);

/* "1.23 us", or over several cells "0.83": a record's value. */
char		*tune_value_words(const struct tuner *, double value, char *buf);

#endif
