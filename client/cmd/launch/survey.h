/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_LAUNCH_SURVEY_H
#define ASSAY_CLIENT_CMD_LAUNCH_SURVEY_H

#include <stdint.h>

#include "proto/base/fault.h"

/*
 * Values of MicroLauncher's options that have a value for each array (MicroTools, sections 4.2 and
 * 5.2.2): "{(0,256,16);(0,64,8)}" and "{100,2000,500}".
 */
enum { SURVEY_MAX_ARRAYS = 8, SURVEY_MAX_VALUES = 100000 };

/* from, from + step, … below `to`; only `from`, if `to` is no greater. */
struct survey_range {
	int64_t	 from, to, step;
};

struct survey {
	struct survey_range	 of[SURVEY_MAX_ARRAYS];
	unsigned		 n;
};

struct survey_sizes {
	int64_t		 of[SURVEY_MAX_ARRAYS];
	unsigned	 n;
};

/* ST_BAD_REQUEST, with the column of the text at which it cannot be read. */
enum status	 survey_parse(struct survey *, const char *text, struct fault *);
enum status	 survey_sizes_parse(struct survey_sizes *, const char *text, struct fault *);

uint64_t	 survey_values(const struct survey_range *);	/* how many */
/* The number of combinations; 0: more than 2^63 */
uint64_t	 survey_combinations(const struct survey *);

#endif
