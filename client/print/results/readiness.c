/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "client/print/format.h"
#include "client/print/member.h"
#include "client/print/results/readiness.h"

enum { LINE_BYTES = 1200 };

void
readiness_print(const json_t *readiness)
{
	const json_t	*reason;
	size_t		 i;
	char		 line[LINE_BYTES];

	json_array_foreach(json_object_get(readiness, "reasons"), i, reason) {
		(void)snprintf(line, sizeof line, "%s", member_text(reason, "reason"));
		(void)printf("not ready: %s\n", format_clean(line, false));
	}
}
