/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "client/import/head.h"

enum status
head_put(const struct foreign *source, struct span head, char *plain, struct prototype *prototype,
    json_t *spec, struct fault *why)
{
	char		*text = span_on_one_line(head), *good = text;
	enum status	 st;

	if (text == NULL || plain == NULL)
		st = fault_set(why, ST_NOMEM, "routine");
	else if ((st = prototype_parse(prototype, text, why)) != ST_OK &&
	    prototype_parse(prototype, good = plain, NULL) != ST_OK)
		st = foreign_blame(source, head.at, why);
	else
		st = ST_OK;
	if (st == ST_OK)
		(void)json_object_set_new(spec, "routine", json_string(good));
	free(text);
	free(plain);
	return st;
}
