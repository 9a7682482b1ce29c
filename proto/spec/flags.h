/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_SPEC_FLAGS_H
#define ASSAY_PROTO_SPEC_FLAGS_H

#include "proto/spec/spec.h"

/*
 * The compilers and flags that a variant may name.  A flag passes if it only changes how code is
 * generated or diagnosed.  It may not read or write a file, load a plugin, run a program, or reach
 * the linker or the assembler.
 */
enum status	 flag_check(const char *flag, struct fault *);
enum status	 compiler_check(enum language, const char *name, struct fault *);
const char	*compiler_default(enum language);		/* "gcc", "g++", "gfortran"; "" for
								 * object and shared */
const char *const *compiler_names(void);		/* all on the list, NULL-terminated */

#endif
