/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_JOB_KNOWN_NAMES_H
#define ASSAY_CLIENT_CMD_JOB_KNOWN_NAMES_H

#include <jansson.h>

#include "client/print/cli.h"

/*
 * A misspelt name on the command line would change nothing, and the time would be of something
 * else.  So each name must occur in the job.  Faults have the nearest name as their hint.
 *
 * A binary variant mentions no names.  With one among the variants, every name passes.
 */

/* Of the command line's NAME=VALUE words those whose params the spec's file lacks. */
enum status	 known_names_new(const struct cli_list *words, const json_t *params,
		    struct cli_list *added, struct fault *);

/*
 * `added`: NAME=VALUE words with params that the spec's file lacks; `spec` has them already.  An
 * expression must use the name, or a source: of a variant or of the reference.  A source with a
 * name that differs from a param only by case does not count, since `n` beside a param `N` is a
 * variable.  Nor does one that declares a variable of the name.
 */
enum status	 known_names_params(const struct cli_list *added, const json_t *spec,
		    const json_t *variants, struct fault *);

/*
 * `defines`: NAME or NAME=VALUE.  A variant's source must have the name, or the value of a macro or
 * param.  NDEBUG and names with a leading underscore pass: they are for headers.
 */
enum status	 known_names_defines(const struct cli_list *defines, const json_t *spec,
		    const json_t *variants, struct fault *);

#endif
