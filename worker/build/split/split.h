/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_SPLIT_SPLIT_H
#define ASSAY_WORKER_BUILD_SPLIT_SPLIT_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/base/fault.h"
#include "worker/build/split/split_mark.h"

/*
 * The object of a unit (unit.h): `routine` in n versions, "f__assay0", "f__assay1" and so on, with
 * what the source defines beside it.  All names that a version defines have its mark, and each
 * thing is in a section of its own, as -ffunction-sections and -fdata-sections make them.  The
 * object's bytes are a compiler's, which submitted code may have misled: nothing is read or written
 * outside of them.
 */
/*
 * ST_BAD_SPEC: the object has more than these versions and their constants, or one of them refers
 * to another; the fault says what.
 */
enum status	 split_check(const void *object, size_t bytes, const char *routine, unsigned n,
		    struct fault *);

/*
 * How many versions have code that refers to more than five constants?  gcc may hold those in
 * other registers than in a lone build: it hoists them in the order of a table of their labels'
 * names, which count on through a unit.
 */
unsigned	 split_many_constants(const void *object, size_t bytes);

/*
 * Make the object that of version k, in place: its global symbols have no mark, and a linker leaves
 * the other versions out, with what only they need.  false: it is no such object.
 */
bool		 split_take(void *object, size_t bytes, const char *routine, unsigned k);

/*
 * Do two shared objects have the same code of the routine?  The fields that a linker fills in are
 * left out, as the unit's object has them for version k.
 */
bool		 split_is_same(const void *unit, size_t unit_bytes, const char *routine,
		    unsigned k, int first_fd, int second_fd);

/*
 * Is version k the same as a lone object, which no linker has seen?  Compared are the code of all
 * functions, its cold parts, and what they refer to: names, and the bytes of constants and tables.
 * If there are several functions, the lone object has each in a section of its own, too.
 */
bool		 split_is_same_object(const void *unit, size_t unit_bytes, unsigned k, int lone_fd);

#endif
