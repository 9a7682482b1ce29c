/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/cmd/job/option_value.h"
#include "proto/spec/spec.h"

json_t *
option_value(const char *text)
{
	char		*end;
	long long	 i;
	double		 r;

	errno = 0;
	i = strtoll(text, &end, 10);
	if (end != text && *end == '\0' && errno == 0)
		return json_integer(i);
	r = strtod(text, &end);
	if (end != text && *end == '\0' && isfinite(r))
		return json_real(r);
	return json_string(text);
}

json_t *
option_value_of(const char *text, size_t bytes)
{
	char	*word = strndup(text, bytes);
	json_t	*value = word != NULL ? option_value(word) : NULL;

	free(word);
	return value;
}

int
option_flags(json_t *flags, const char *text)
{
	for (text += strspn(text, " \t"); *text != '\0'; text += strspn(text, " \t")) {
		int	n = (int)strcspn(text, " \t");

		if (json_array_append_new(flags, json_sprintf("%s%.*s",
		    *text == '-' ? "" : "-O", n, text)) != 0)
			return -1;
		text += n;
	}
	return 0;
}

void
option_visibility(json_t *document, const char *readers)
{
	if (readers != NULL && document != NULL)
		(void)json_object_set_new(document, "visibility", spec_read_visibility(readers));
}

void
option_race(json_t *document, double above_ns)
{
	if (above_ns >= 0 && document != NULL)
		(void)json_object_set_new(document, "race", json_pack("{s:f}", "above_ns",
		    above_ns));
}
