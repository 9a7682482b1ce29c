/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_UPKEEP_YARDSTICK_H
#define ASSAY_DAEMON_UPKEEP_YARDSTICK_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

/*
 * The kernel of the daemon's own timings: a dot product, as documents of ordinary jobs, so that it
 * goes through the same builders, jails and gates as all variants.  New references; NULL: no
 * memory.
 */
enum yardstick { YARDSTICK_WARM, YARDSTICK_COLD, YARDSTICK_N };

const char	*yardstick_name(enum yardstick);	/* "dot_warm", "dot_cold" */
const char	*yardstick_words(enum yardstick);	/* a description for people */

json_t		*yardstick_job(enum yardstick);
/* The operands of the cold one, flushed by reading flush_bytes.  quiet: that is insisted on. */
json_t		*yardstick_job_flushed(uint64_t flush_bytes, bool quiet);
/*
 * The same for an inner cache: a walk through a part of it, each step of which waits for the last
 * one.
 */
json_t		*yardstick_job_walk(uint64_t cache_bytes, uint64_t flush_bytes, bool quiet);
/* The cold one as memory is, quiet or not. */
json_t		*yardstick_job_memory(void);
/*
 * The warm one as a trial (daemon/dispatch/trial.h): short, tried once.  `number` makes its build a
 * new one.
 */
json_t		*yardstick_job_trial(uint64_t number);

#endif
