/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_DERIVE_INCLUDES_H
#define ASSAY_CLIENT_DERIVE_INCLUDES_H

#include "proto/base/fault.h"

/* The text includes headers by plain names in angle brackets only: no other file is opened. */
enum status	 includes_check(const char *path, const char *text, struct fault *);

#endif
