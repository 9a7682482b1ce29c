/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_TESTS_QUOTED_H
#define ASSAY_TESTS_QUOTED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

/* JSON with single quotes, which C's strings hold as they are.  New reference. */
static inline json_t *
quoted_json(const char *text)
{
	char		*json = strdup(text);
	json_error_t	 error;
	json_t		*doc;

	assert_non_null(json);
	for (char *s = json; (s = strchr(s, '\'')) != NULL;)
		*s = '"';
	if ((doc = json_loads(json, JSON_REJECT_DUPLICATES, &error)) == NULL)
		fail_msg("%s: %s", json, error.text);
	free(json);
	return doc;
}

#endif
