/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>

#include "client/micro/model/micro.h"

enum status
micro_refuse(const struct micro *m, struct place at, struct fault *why, const char *fmt, ...)
{
	enum status	st;
	va_list		ap;

	va_start(ap, fmt);
	st = fault_in_file(why, m->path, at.line, at.column, fmt, ap);
	va_end(ap);
	return st;
}

enum status
micro_check_size(const struct micro *m, struct place at, uint64_t have, uint64_t more,
    struct fault *why)
{
	enum status	st;

	if (more <= MICRO_MAX_STATEMENTS && have <= MICRO_MAX_STATEMENTS - more)
		return ST_OK;
	st = micro_refuse(m, at, why, "here a program grows beyond %d instructions",
	    MICRO_MAX_STATEMENTS);
	fault_hint(why, "unroll or repeat less");
	return st;
}
