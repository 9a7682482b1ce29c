/* SPDX-License-Identifier: Apache-2.0 */
#include <pwd.h>
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

enum status
ids_user(const char *word, int64_t *uid, struct fault *why)
{
	const struct passwd	*p;

	if (word[0] != '\0' && word[strspn(word, "0123456789")] == '\0' && strlen(word) < 11) {
		*uid = strtoll(word, NULL, 10);
		return ST_OK;
	}
	if ((p = getpwnam(word)) == NULL)
		return fault_at(why, ST_NOT_FOUND, "user", "there is no user \"%.100s\"", word);
	*uid = (int64_t)p->pw_uid;
	return ST_OK;
}
