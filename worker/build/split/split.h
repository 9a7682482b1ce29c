/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_BUILD_SPLIT_SPLIT_H
#define ASSAY_WORKER_BUILD_SPLIT_SPLIT_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/base/fault.h"

/*
 * The object of a unit (unit.h): `routine` in n versions, "f__0", "f__1" and so on, each in a
 * section of its own, as -ffunction-sections makes them.  Its bytes are a compiler's, which
 * submitted code may have misled: nothing is read or written outside of them.
 */
enum { SPLIT_MOST = 16, SPLIT_SUFFIX_BYTES = 8 };

/*
 * ST_BAD_SPEC: the object has more than these functions and their constants; the fault says what.
 */
enum status	 split_check(const void *object, size_t bytes, const char *routine, unsigned n,
		    struct fault *);

/*
 * Make the object that of version k, in place: its symbol is the routine's, and a linker leaves the
 * other versions out, with what only they need.  false: it is no such object.
 */
bool		 split_take(void *object, size_t bytes, const char *routine, unsigned k);

/*
 * Do two shared objects have the same code of the routine?  The fields that a linker fills in are
 * left out, as the unit's object has them for version k.
 */
bool		 split_is_same(const void *unit, size_t unit_bytes, const char *routine,
		    unsigned k, int first_fd, int second_fd);

/*
 * Is version k the same as the routine of a lone object, which no linker has seen?  Compared are
 * the code, its cold parts, and what both refer to: names, and the bytes of constants and tables.
 */
bool		 split_is_same_object(const void *unit, size_t unit_bytes, const char *routine,
		    unsigned k, int lone_fd);

#endif
