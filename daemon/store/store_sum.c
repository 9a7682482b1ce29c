/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "daemon/store/store_impl.h"
#include "proto/base/fnv.h"

int64_t
store_sum(int64_t row, const char *text)
{
	return (int64_t)(fnv1a(text) + (uint64_t)row * UINT64_C(0x9e3779b97f4a7c15));
}

bool
store_is_whole(sqlite3_stmt *q, int text, int sum, int64_t row)
{
	const char	*s = store_column(q, text);
	json_t		*doc;
	bool		 whole;

	if (sqlite3_column_type(q, sum) != SQLITE_NULL)
		return sqlite3_column_int64(q, sum) == store_sum(row, s);
	doc = json_loads(s, 0, NULL);
	whole = json_is_object(doc);
	json_decref(doc);
	return whole;
}

enum status
store_damaged(const struct store *s, struct fault *why, const char *what, int64_t id)
{
	(void)fault_set(why, ST_IO, "%s: %s %" PRId64 " is damaged", s->path, what, id);
	fault_hint(why, "assay check lists all damage; restore a backup");
	return ST_IO;
}
