/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_MICRO_READ_DIRECTIVES_H
#define ASSAY_CLIENT_MICRO_READ_DIRECTIVES_H

#include "client/micro/model/micro.h"

/*
 * The assembler reads a description's text outside any jail, with the caller's rights.
 * ST_BAD_SPEC: a directive in it opens a file, or could make the name of such a directive.
 * Comments and strings are searched too: what is one to the assembler is not for this to guess.
 */
enum status	 directives_check(const struct micro *, struct place, const char *text,
		    struct fault *);

#endif
