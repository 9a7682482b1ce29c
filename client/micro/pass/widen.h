/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_PASS_WIDEN_H
#define ASSAY_CLIENT_MICRO_PASS_WIDEN_H

#include "client/micro/machine/instruction.h"

/* Bytes between accesses that become wider.  false: they are then too many, or no whole number. */
bool	 widen(struct scale, int64_t *bytes);

#endif
