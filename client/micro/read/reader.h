/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_READ_READER_H
#define ASSAY_CLIENT_MICRO_READ_READER_H

#include "client/micro/model/micro.h"

/*
 * XML → description.  Nodes are those of the table in nodes.c and no others; attributes, document
 * types and with them entities are refused.  What is read is whole: links lead somewhere, ranges
 * have values, instructions have operations.  Nothing in it is executed.
 */
enum {
	READER_MAX_BYTES = 4 << 20,
	READER_MAX_NODES = 65536,
	READER_MAX_DEPTH = 24,
	READER_MAX_TEXT = 4096		/* of one node */
};

/* The micro's path is in each fault.  Its root and what the description says of it are filled. */
enum status	 reader_parse(struct micro *, const char *text, size_t bytes, struct fault *);
enum status	 reader_load(struct micro *, struct fault *);	/* the file at its path */

#endif
