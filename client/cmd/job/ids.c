/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "client/cmd/job/ids.h"

json_t *
ids_sweep(const char *word)
{
	struct fault	none;
	int64_t		id;

	if (strspn(word, "0123456789") == strlen(word) &&
	    cli_int(word, 1, INT64_MAX, &id, &none) == ST_OK)
		return json_integer((json_int_t)id);
	return json_string(word);
}

enum status
ids_parse(const struct cli_list *words, json_t **ids, struct fault *why)
{
	*ids = json_array();
	for (size_t i = 0; i < words->n; i++) {
		int64_t		id;
		enum status	st = cli_int(words->items[i], 1, INT64_MAX, &id, why);

		if (st != ST_OK) {
			json_decref(*ids);
			*ids = NULL;
			(void)fault_set(why, st, "\"%s\" is no job id", words->items[i]);
			fault_hint(why, "ids are whole numbers from 1, as assay submit "
			    "prints them");
			return st;
		}
		(void)json_array_append_new(*ids, json_integer((json_int_t)id));
	}
	return ST_OK;
}

json_t *
ids_user(const char *word)
{
	const bool	is_number = word[0] != '\0' && strlen(word) < 11 &&
			    word[strspn(word, "0123456789")] == '\0';

	return is_number ? json_integer(strtoll(word, NULL, 10)) : json_string(word);
}
