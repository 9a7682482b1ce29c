/* SPDX-License-Identifier: Apache-2.0 */
/* Timings by their identity (daemon/dispatch/once.h). */
#include <math.h>
#include <string.h>

#include "daemon/store/store_impl.h"

char *
store_timed(struct store *s, const char *identity, int64_t *job_id)
{
	sqlite3_stmt	*q = store_statement(s, Q_TIMED);
	char		*text = NULL;

	store_bind_text(q, 1, identity);
	if (sqlite3_step(q) == SQLITE_ROW && store_is_whole(q, 1, 3, sqlite3_column_int64(q, 2))) {
		*job_id = sqlite3_column_int64(q, 0);
		text = strdup(store_column(q, 1));
	}
	(void)sqlite3_reset(q);
	return text;
}

void
store_noise(struct store *s, int64_t sweep_id, struct store_noise *out)
{
	sqlite3_stmt	*q = store_statement(s, Q_NOISE);

	*out = (struct store_noise){ .spread = NAN };
	(void)sqlite3_bind_int64(q, 1, sweep_id);
	if (sqlite3_step(q) == SQLITE_ROW && sqlite3_column_int64(q, 0) > 0) {
		out->identities = sqlite3_column_int64(q, 0);
		out->timings = sqlite3_column_int64(q, 1);
		out->spread = sqrt(fmax(0, sqlite3_column_double(q, 2)) /
		    (double)(out->timings - out->identities));
	}
	(void)sqlite3_reset(q);
}
