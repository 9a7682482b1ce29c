/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "daemon/setup/user.h"

const char *const	role_words[ROLE_N + 1] = { "read", "submit", "operate", NULL };
