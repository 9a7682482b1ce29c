/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/wire/result.h"

/*
 * decode_result [--lenient]: a result on each line of standard input; for each a line: the result
 * as it is written again, or the fault, an object { "member", "text" }.
 */
static enum status
print_again(const struct result *r, struct fault *why)
{
	char	*text = result_put(r);

	if (text == NULL)
		return fault_set(why, ST_NOMEM, "result");
	puts(text);
	free(text);
	return ST_OK;
}

static enum status
decode(const char *line, enum shape_way way, struct fault *why)
{
	json_error_t	 error;
	json_t		*doc = json_loads(line, JSON_REJECT_DUPLICATES, &error);
	struct result	 r;
	enum status	 st;

	if (doc == NULL)
		return fault_set(why, ST_BAD_SPEC, "not JSON: %s", error.text);
	if ((st = result_get(&r, doc, way, why)) == ST_OK) {
		st = print_again(&r, why);
		result_release(&r);
	}
	json_decref(doc);
	return st;
}

static void
print_fault(const struct fault *why)
{
	json_t	*o = json_pack("{ssss}", "member", why->member, "text", why->text);

	if (o == NULL || json_dumpf(o, stdout, JSON_COMPACT) != 0)
		printf("a fault that is not UTF-8");
	putchar('\n');
	json_decref(o);
}

int
main(int argc, char **argv)
{
	const enum shape_way	 way = argc > 1 && strcmp(argv[1], "--lenient") == 0 ?
				    SHAPE_LENIENT : SHAPE_EXACT;
	struct fault		 why;
	char			*line = NULL;
	size_t			 bytes = 0;

	while (getline(&line, &bytes, stdin) >= 0) {
		why = (struct fault){ .status = ST_OK };
		if (decode(line, way, &why) != ST_OK)
			print_fault(&why);
	}
	free(line);
	return 0;
}
