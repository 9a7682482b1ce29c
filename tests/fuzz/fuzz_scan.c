/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The daemon's answers, as libassay reads them.  What jansson takes must be taken, unless it is too
 * deep; what is taken must be made of parts that are taken by themselves and lie inside it; and a
 * string must mean what it means to jansson.
 */
#include <jansson.h>
#include <string.h>

#include "client/lib/problem.h"
#include "proto/json/scan.h"
#include "tests/fuzz/fuzz.h"

static unsigned
depth_of(const json_t *value)
{
	unsigned	 deepest = 0, d;
	const char	*name;
	json_t		*each;
	size_t		 i;

	json_object_foreach((json_t *)(uintptr_t)value, name, each)
		deepest = (d = depth_of(each)) > deepest ? d : deepest;
	json_array_foreach(value, i, each)
		deepest = (d = depth_of(each)) > deepest ? d : deepest;
	return deepest + (json_is_object(value) || json_is_array(value));
}

static void
same_string(const struct span *s, const json_t *value)
{
	const size_t	bytes = json_string_length(value) + 2;
	char		*text = malloc(bytes), few[4];

	must(text != NULL);
	scan_string(s, text, bytes);
	if (memchr(json_string_value(value), '\0', bytes - 2) == NULL)
		must(strcmp(text, json_string_value(value)) == 0);
	scan_string(s, few, sizeof few);
	must(strlen(few) < sizeof few);
	free(text);
}

/* Parts are whole values, in order; a member that is there once is found by its name. */
static void
walk(const struct span *of)
{
	struct span	name, value, again;
	size_t		at = 0, before = 0;
	int64_t		n;

	(void)scan_integer(of, &n);
	while (scan_next(of, &at, &name, &value)) {
		must(at > before && at <= of->bytes && value.bytes > 0);
		must(value.at >= of->at && value.at + value.bytes <= of->at + of->bytes);
		must(scan_text(value.at, value.bytes, &again) && again.bytes == value.bytes);
		must(!scan_is_object(of) || scan_text(name.at, name.bytes, &again));
		before = at;
		walk(&value);
	}
}

static void
error_of(const struct span *data)
{
	struct assay_error	why;

	must(problem_of(&why, data, "", "internal") == -1);
	must(why.word[0] != '\0' && why.text[0] != '\0');
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char		*text = malloc(size + 1);
	json_t		*value;
	struct span	 s;
	bool		 taken;

	if (text == NULL)
		return 0;
	memcpy(text, data, size);
	taken = scan_text(text, size, &s);
	/* to jansson, a zero byte ends the text */
	value = memchr(text, '\0', size) == NULL ?
	    json_loadb(text, size, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL) : NULL;
	must(taken || value == NULL || depth_of(value) > SCAN_MAX_DEPTH);
	if (taken) {
		walk(&s);
		error_of(&s);
		if (json_is_string(value))
			same_string(&s, value);
	}
	json_decref(value);
	free(text);
	return 0;
}
