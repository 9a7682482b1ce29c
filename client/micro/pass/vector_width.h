/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_PASS_VECTOR_WIDTH_H
#define ASSAY_CLIENT_MICRO_PASS_VECTOR_WIDTH_H

#include "client/micro/model/micro.h"

/*
 * --vector: offsets and increments of what whole vectors move over become as wide as these are on
 * the target.  Registers and operations are changed when they are written.  ST_BAD_SPEC: some of a
 * register's accesses would be wider, and others not.
 */
enum status	 vector_width(struct micro *, struct fault *);

#endif
