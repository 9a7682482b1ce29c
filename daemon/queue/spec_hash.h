/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_QUEUE_SPEC_HASH_H
#define ASSAY_DAEMON_QUEUE_SPEC_HASH_H

#include <jansson.h>

#include "proto/base/fault.h"

/* A spec without members that say their default.  New reference; NULL: no memory. */
json_t		*spec_normal(const json_t *spec);

/*
 * SHA-256 of the normal spec in one form: compact JSON, members in the order of their names.  Specs
 * that mean the same have one hash however they were written down.  `hex` is "" if there is no
 * memory.
 */
enum { SPEC_HASH_BYTES = 65 };
void		 spec_hash(const json_t *spec, char hex[SPEC_HASH_BYTES]);

#endif
