/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_DOORS_SHARE_H
#define ASSAY_DAEMON_DOORS_SHARE_H

#include <stddef.h>

#include <jansson.h>

/*
 * JSON with its repetitions kept once.  Thousands of jobs in one call have the same spec, and as a
 * tree each would cost many times its text.  What comes out is equal to what json_loadb gives, but
 * parts that are spelled the same may be the same object: it must not be changed.
 *
 * This only cuts a text into parts; jansson reads them.  NULL: it is not JSON, or memory ran out;
 * json_loadb can say which.  Members that occur twice are refused.
 */
json_t		*share_parse(const char *text, size_t bytes);

#endif
