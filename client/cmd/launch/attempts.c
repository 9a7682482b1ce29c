/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "client/cmd/launch/attempts.h"
#include "client/print/member.h"

/* Of the size, and not of the program or the host. */
static bool
is_of_size(const char *status)
{
	return strcmp(status, status_word(ST_RUN_TIMEOUT)) == 0 ||
	    strcmp(status, status_word(ST_RUN_LIMIT)) == 0 ||
	    strcmp(status, status_word(ST_BAD_SPEC)) == 0;
}

/* Of size i; NULL: there are none. */
static json_t *
ids_of(const json_t *all, const struct launch *l, size_t i)
{
	const size_t	 n = json_array_size(all) / l->nlisted;
	json_t		*ids = n > 0 ? json_array() : NULL;

	for (size_t k = 0; k < n; k++)
		(void)json_array_append(ids, json_array_get(all, l->sizes_last ?
		    k * l->nlisted + i : i * n + k));
	return ids;
}

static bool
take(struct attempts *a, size_t i, const char *status, bool has_time)
{
	if (a->of_size[i].n++ == 0)
		(void)snprintf(a->of_size[i].status, sizeof a->of_size[i].status, "%s", status);
	if (has_time || !is_of_size(status) || strcmp(a->of_size[i].status, status) != 0)
		a->of_size[i].differ = true;
	if (a->of_size[i].differ || a->of_size[i].are_over || a->of_size[i].n < ATTEMPTS_GIVE_UP)
		return false;
	return a->of_size[i].are_over = true;
}

bool
attempts_take(struct attempts *a, const struct launch *l, const struct result *r,
    const json_t *all, json_t **ids)
{
	const double	n = member_number(r->params, "N");

	*ids = NULL;
	for (unsigned i = 0; i < l->nlisted && l->nlisted > 1; i++)
		if (n == (double)l->listed[i] &&
		    take(a, i, r->status != NULL ? r->status : "", r->has_time))
			*ids = ids_of(all, l, i);
	return *ids != NULL;
}
