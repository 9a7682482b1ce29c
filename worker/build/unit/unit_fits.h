/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_UNIT_UNIT_FITS_H
#define ASSAY_WORKER_BUILD_UNIT_UNIT_FITS_H

#include <stdbool.h>

#include "proto/spec/spec.h"

/* Can this variant be in a unit (unit.h)?  False, too: out of memory. */
bool	 unit_fits(const struct job *);

/* Can this program of plain assembly? */
bool	 unit_asm_fits(const char *source);

/* "-DNAME=text": can it be a line of a file? */
bool	 unit_macro_fits(const char *word, const char *routine);

#endif
