/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "client/cmd/complete/values.h"
#include "proto/spec/spec.h"
#include "proto/spec/words.h"

/* The names of enumerators; past the last they are "?". */
static const char *
unless_unknown(const char *name)
{
	return strcmp(name, "?") == 0 ? NULL : name;
}

const char *
values_of_clocks(size_t n)
{
	return unless_unknown(clock_name((enum clock_kind)n));
}

const char *
values_of_flushes(size_t n)
{
	return unless_unknown(flush_method_name((enum flush_method)n));
}

const char *
values_of_tiers(size_t n)
{
	return unless_unknown(trust_asked_name((enum trust_asked)n));
}

const char *
values_of_layouts(size_t n)
{
	return unless_unknown(layout_kind_name((enum layout_kind)n));
}

const char *
values_of_readers(size_t n)
{
	return words_visibility[n];
}
