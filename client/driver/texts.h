/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_DRIVER_TEXTS_H
#define ASSAY_CLIENT_DRIVER_TEXTS_H

#include <stddef.h>

/*
 * The stand-alone timer's own sources, embedded in the program: worker/runner/alone/, and what of
 * the runner it shares.  So operands have the same contents as in Assay.
 */
struct text {
	const char	*name;		/* in one folder; NULL: the last */
	const char	*text, *end;
};

extern const struct text	texts[];
#endif
