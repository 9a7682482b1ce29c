/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_UNIT_READ_UNIT_PASTE_H
#define ASSAY_WORKER_BUILD_UNIT_READ_UNIT_PASTE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * '#' in a macro's text, of which `define` is the line from its name on.  Two words may become one,
 * "acc##i", if the first is no argument and the whole can be none of unit_listed.h: then what is
 * read of a source holds for what a compiler makes of it.
 */
bool	 unit_pastes_fit(const char *define);

/* Could a paste in this text, of two words at least, make the name? */
bool	 unit_pastes_make(const char *text, const char *name, size_t bytes);

#endif
