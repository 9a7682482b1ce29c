/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_COMPLETE_VALUES_H
#define ASSAY_CLIENT_CMD_COMPLETE_VALUES_H

#include <stddef.h>

/* The n-th word that an option of this name takes; NULL past the last, and if any text will do. */
const char	*values_of_option(const char *option, size_t n);

/* Of these, the words of a spec. */
const char	*values_of_clocks(size_t n);
const char	*values_of_flushes(size_t n);
const char	*values_of_tiers(size_t n);
const char	*values_of_layouts(size_t n);
const char	*values_of_readers(size_t n);

#endif
