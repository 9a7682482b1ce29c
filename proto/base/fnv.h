/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_BASE_FNV_H
#define ASSAY_PROTO_BASE_FNV_H

#include <stdint.h>

/*
 * FNV-1a, 64 bits (Fowler, Noll, Vo): for finding equal texts, where a forged collision gains
 * nothing.
 */
static inline uint64_t
fnv1a(const char *text)
{
	uint64_t	h = UINT64_C(0xcbf29ce484222325);

	for (; *text != '\0'; text++)
		h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return h;
}

#endif
