/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_QUEUE_SPEC_HASH_H
#define ASSAY_DAEMON_QUEUE_SPEC_HASH_H

#include <jansson.h>

#include "proto/base/fault.h"

/*
 * SHA-256 of a filled-in spec (spec_encode) in one form: compact JSON, members in the order of
 * their names.  Specs that mean the same have one hash however they were written down.  `hex` is ""
 * if there is no memory.
 */
enum { SPEC_HASH_BYTES = 65 };
void		 spec_hash(const json_t *filled, char hex[SPEC_HASH_BYTES]);
void		 spec_hash_text(const char *, char hex[SPEC_HASH_BYTES]);	/* NULL: "" */

#endif
