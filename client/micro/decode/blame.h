/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_DECODE_BLAME_H
#define ASSAY_CLIENT_MICRO_DECODE_BLAME_H

#include "client/micro/decode/batch.h"

/*
 * What was found in a program, as a fault of what the program was made of.  "d.xml:12: Error: no
 * such instruction" gets the member d.xml:12; the line of a text that the user never sees, that
 * of the line mark in front of it.
 */
enum status	 blame(const struct source_text *, struct fault *);

#endif
