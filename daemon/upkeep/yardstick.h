/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_UPKEEP_YARDSTICK_H
#define ASSAY_DAEMON_UPKEEP_YARDSTICK_H

#include <stdint.h>

#include <jansson.h>

/*
 * The kernel that the daemon times for its own knowledge: a dot product, as documents of ordinary
 * jobs, so that it goes through the builders, jails and gates that everybody's variants go through.
 * New references; NULL: no memory.
 */
enum yardstick { YARDSTICK_WARM, YARDSTICK_COLD, YARDSTICK_N };

const char	*yardstick_name(enum yardstick);	/* "dot_warm", "dot_cold" */
const char	*yardstick_words(enum yardstick);	/* what is timed, for a person */

json_t		*yardstick_job(enum yardstick);
json_t		*yardstick_job_flushed(uint64_t flush_bytes);	/* the cold one's operands, after
								 * reading so much */

#endif
