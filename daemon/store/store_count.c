/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counters of jobs.  The jobs of a call are counted when its rows are kept, in one write.  With a
 * trigger, SQLite would journal every page that an INSERT changes.
 */
#include "daemon/store/store_impl.h"

static enum status
add(struct store *s, int64_t sweep_id, int64_t jobs, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, Q_JOBS_COUNT);

	(void)sqlite3_bind_int64(q, 1, sweep_id);
	(void)sqlite3_bind_int64(q, 2, jobs);
	return store_run(s, q, why);
}

enum status
store_count_jobs(struct store *s, int64_t sweep_id, int64_t jobs, struct fault *why)
{
	enum status	st = add(s, 0, jobs, why);

	return st != ST_OK || sweep_id == 0 ? st : add(s, sweep_id, jobs, why);
}

enum status
store_count_kept(struct store *s, struct fault *why)
{
	const int64_t	n = s->uncounted;

	s->uncounted = 0;
	return n == 0 ? ST_OK : store_count_jobs(s, s->uncounted_sweep, n, why);
}

enum status
store_count_job(struct store *s, int64_t sweep_id, struct fault *why)
{
	enum status	st = ST_OK;

	if (s->uncounted_sweep != sweep_id)
		st = store_count_kept(s, why);
	s->uncounted_sweep = sweep_id;
	s->uncounted++;
	return st;
}
