/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/print/member.h"
#include "client/print/row.h"

/* One value without quotes: strings as they are, a list of them joined by blanks, anything else as JSON. */
static char *
plain_value(const json_t *value)
{
	const json_t	*item;
	json_t		*joined;
	char		*text;
	size_t		 i;

	if (json_is_string(value))
		return strdup(json_string_value(value));
	if (!json_is_array(value))
		return json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(6));
	joined = json_string("");
	json_array_foreach(value, i, item) {
		char	*each = plain_value(item);
		json_t	*longer;

		longer = json_sprintf("%s%s%s", json_string_value(joined), i > 0 ? " " : "", each != NULL ? each : "");
		free(each);
		json_decref(joined);
		joined = longer;
		if (joined == NULL)
			return NULL;
	}
	text = joined != NULL ? strdup(json_string_value(joined)) : NULL;
	json_decref(joined);
	return text;
}

/*
 * "UNROLL=4 flags=-O3": an object in one line, without what the name says already (a point of a space is named after
 * its values).  Owned, NULL: out of memory.
 */
static char *
pairs_of(const json_t *object, const char *known)
{
	size_t		 used = 0;
	char		*text = strdup("");
	const char	*name;
	json_t		*value;

	json_object_foreach((json_t *)(uintptr_t)object, name, value) {
		char	*plain = plain_value(value), *pair = NULL, *grown = NULL;

		if (plain != NULL && asprintf(&pair, "%s%s=%s", used > 0 ? " " : "", name, plain) >= 0)
			grown = realloc(text, used + strlen(pair) + 1);
		free(plain);
		if (grown == NULL) {
			free(pair);
			free(text);
			return NULL;
		}
		text = grown;
		if (strstr(known, pair + (used > 0)) == NULL)
			used = (size_t)(stpcpy(text + used, pair) - text);
		free(pair);
	}
	return text;
}

char *
row_telling_line(const char *text)
{
	const char	*line, *error = strstr(text, "error");
	size_t		 n;

	for (line = error != NULL ? error : text; line > text && line[-1] != '\n';)
		line--;
	while (*line == '\n' || *line == ' ')
		line++;
	n = strcspn(line, "\n");
	return strndup(line, n);
}

/* Why it is not simply fine: the telling line of the detail, or what the status means. */
static char *
note_of(const json_t *result, enum status st)
{
	const char	*detail = member_text(result, "detail");
	const json_t	*noise = json_object_get(json_object_get(result, "technique"), "within_noise");

	if (st == ST_OK)
		return strdup(json_is_true(noise) ? "within the clock's noise" : "");
	if (detail[0] == '\0')
		detail = member_text(result, "status_text");
	return row_telling_line(detail);
}

bool
row_read(struct row *r, const json_t *result)
{
	const json_t	*time = json_object_get(result, "time"), *rate = json_object_get(result, "rate");

	memset(r, 0, sizeof *r);
	r->job = json_integer_value(json_object_get(result, "job"));
	if (!status_from_word(&r->status, member_text(result, "status")))
		r->status = ST_INTERNAL;
	r->name = strdup(member_text(result, "name"));
	r->sweep = strdup(member_text(json_object_get(result, "sweep"), "name"));
	r->point = pairs_of(json_object_get(result, "meta"), member_text(result, "name"));
	r->word = strdup(member_text(result, "status"));
	r->note = note_of(result, r->status);
	r->value_ns = member_number(time, "value_ns");
	r->min_ns = member_number(time, "min_ns");
	r->median_ns = member_number(time, "median_ns");
	r->cv = member_number(time, "cv");
	r->mflops = member_number(rate, "mflops_max");
	r->gbs = member_number(rate, "gbs_max");
	if (r->name != NULL && r->sweep != NULL && r->point != NULL && r->word != NULL && r->note != NULL)
		return true;
	row_release(r);
	return false;
}

void
row_release(struct row *r)
{
	free(r->name);
	free(r->sweep);
	free(r->point);
	free(r->word);
	free(r->note);
	memset(r, 0, sizeof *r);
}
