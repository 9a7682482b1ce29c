/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_API_READINESS_H
#define ASSAY_DAEMON_API_READINESS_H

#include <stdbool.h>

#include <jansson.h>

/*
 * Could a job that is submitted now be built, timed and stored?  If not, why: reasons are a word
 * of a fixed set and a sentence (proto/PROTOCOL.md, "Readiness").
 */
struct api;

enum { READINESS_ROOM_BYTES = 1 << 20 };	/* least free bytes of a file system */

/* { ready, reasons: [{ word, reason }] }; new reference, NULL: no memory. */
json_t		*api_readiness(const struct api *);
bool		 api_is_ready(const json_t *readiness);

#endif
