/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_DRIVER_MANGLE_H
#define ASSAY_PROTO_DRIVER_MANGLE_H

#include "proto/text/prototype.h"

/*
 * Names under which compilers of other languages define a routine.  An object whose types differ
 * has another name, so only a routine with the prototype's types is found.
 */
enum { MANGLE_BYTES = 1024 };

/* Of C++ (Itanium ABI).  "": the types lack a name here, as arrays do. */
void	 mangle_cxx(const struct prototype *, char name[MANGLE_BYTES]);

/* Of Fortran without bind(c).  "": a parameter is passed by value, which Fortran does not. */
void	 mangle_fortran(const struct prototype *, char name[MANGLE_BYTES]);

#endif
