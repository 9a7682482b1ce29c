/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_LOT_H
#define ASSAY_CLIENT_MICRO_LOT_H

#include "client/micro/model/micro.h"
#include "client/micro/plugin/made.h"

/*
 * Programs on their way to standard output, a JSON object each, in lots: the assembler reads a lot
 * at once, and what is decoded goes into each program's meta.
 */
struct lot;

struct lot_options {
	const struct micro *micro;	/* borrowed */
	const char	*function;	/* borrowed; NULL: of each program's own name */
	bool		 decodes;	/* what the code does goes into meta */
	bool		 for_host;	/* what this host cannot run is refused */
};

enum status	 lot_open(struct lot **, const struct lot_options *, struct fault *);
enum status	 lot_add(struct lot *, const struct made *, struct fault *);
enum status	 lot_flush(struct lot *, struct fault *);	/* all that are still held */
void		 lot_free(struct lot *);			/* NULL is fine */

#endif
