/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_WRITE_META_H
#define ASSAY_CLIENT_MICRO_WRITE_META_H

#include <jansson.h>

#include "client/micro/model/micro.h"

/*
 * What a program has chosen and does in one iteration of its loop, for whoever looks at its time:
 * { unroll, sequence, loads, stores, bytes, operations, strides, immediates, arrays, step,
 * returns }.  New reference; NULL: out of memory.
 */
json_t	*meta_json(const struct program *);

#endif
