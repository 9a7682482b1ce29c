/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results that a reader has read and found whole: clients ask for the newest ones again and again.
 * A result never changes and its cursor is never given again, so a kept one is right for as long as
 * its cursor is found.
 */
#include <stdlib.h>
#include <string.h>

#include "daemon/store/store_impl.h"

enum { ROWS_KEPT = 32, ROW_MAX_BYTES = 16 << 10 };

struct kept_rows {
	struct result_row	row[ROWS_KEPT];	/* at cursor % ROWS_KEPT; json is owned, and has
						 * the other texts behind it */
};

struct kept_rows *
kept_rows_new(void)
{
	return calloc(1, sizeof(struct kept_rows));
}

void
kept_rows_free(struct kept_rows *k)
{
	for (size_t i = 0; k != NULL && i < ROWS_KEPT; i++)
		free((char *)(uintptr_t)k->row[i].json);
	free(k);
}

static struct result_row *
place_of(struct kept_rows *k, int64_t cursor)
{
	return &k->row[(uint64_t)cursor % ROWS_KEPT];
}

const struct result_row *
kept_row(struct kept_rows *k, int64_t cursor)
{
	const struct result_row	*r = k != NULL ? place_of(k, cursor) : NULL;

	return r != NULL && r->json != NULL && r->cursor == cursor ? r : NULL;
}

void
keep_row(struct kept_rows *k, const struct result_row *r)
{
	const char		*seen_by = r->owner.visibility != NULL ? r->owner.visibility : "";
	const size_t		 bytes = r->json_bytes + 1, more = strlen(seen_by) + 1;
	struct result_row	*place;
	char			*json;

	if (k == NULL || r->json == NULL || r->json_bytes >= ROW_MAX_BYTES ||
	    (json = malloc(bytes + more)) == NULL)
		return;
	memcpy(json, r->json, bytes);
	memcpy(json + bytes, seen_by, more);
	place = place_of(k, r->cursor);
	free((char *)(uintptr_t)place->json);
	*place = *r;
	place->json = json;
	place->owner.visibility = r->owner.visibility != NULL ? json + bytes : NULL;
}
