/* SPDX-License-Identifier: Apache-2.0 */
#include "client/micro/model/loop.h"

const char *
sharing_word(enum sharing s)
{
	static const char *const	words[SHARING_COUNT] = {
		[SHARING_PRIVATE] = "private", [SHARING_SHARED] = "shared",
		[SHARING_FIRST] = "firstprivate", [SHARING_LAST] = "lastprivate",
	};

	return words[s];
}
