/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_SEARCH_INPUTS_H
#define ASSAY_CLIENT_SEARCH_INPUTS_H

#include <jansson.h>
#include <stdbool.h>

#include "proto/base/fault.h"
#include "proto/wire/result.h"

/*
 * The inputs that calls of a fit meet.  A core learns one input by heart, and an application may
 * have another for each call.  So a fit knows times with the inputs as the spec has them, and times
 * with inputs that take turns.
 */
enum inputs { INPUTS_AS_GIVEN, INPUTS_BY_TURNS, INPUTS_N };

/* By a result on inputs as given. */
enum inputs_sign {
	INPUTS_NO_MATTER,
	INPUTS_WERE_LEARNT,	/* one input is faster than those never met */
	INPUTS_TOOK_TURNS	/* because of that */
};

/*
 * Members with which the operands' inputs take turns: { NAME: { data: { rotate } } }, for operands
 * that say nothing of it themselves.  Empty: none has other inputs, or they take turns as it is.
 */
enum status	 inputs_members(const json_t *job, json_t **out, struct fault *);
enum inputs_sign inputs_sign_of(const struct result *);

#endif
