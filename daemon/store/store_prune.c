/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "daemon/store/store_impl.h"
#include "daemon/store/store_prune.h"
#include "proto/base/clock.h"

enum { ROWS = 64 };

/* A result as far as pruning sees it. */
struct old {
	double	 finished;
	int64_t	 cursor, job_id, sweep_id, spec_id;
	bool	 wanted;
};

/* The next ones by age; fewer than ROWS: there are no more. */
static size_t
read_old(struct store *s, const struct prune *p, struct old *old)
{
	sqlite3_stmt	*q = store_statement(s, Q_PRUNE_NEXT);
	size_t		 n = 0;

	(void)sqlite3_bind_double(q, 1, p->at_finished);
	(void)sqlite3_bind_int64(q, 2, p->at_cursor);
	(void)sqlite3_bind_double(q, 3, p->before);
	(void)sqlite3_bind_int64(q, 4, p->newest);
	(void)sqlite3_bind_int(q, 5, ROWS);
	while (n < ROWS && sqlite3_step(q) == SQLITE_ROW) {
		const int64_t	submitter = sqlite3_column_int64(q, 5);

		old[n] = (struct old){ sqlite3_column_double(q, 0), sqlite3_column_int64(q, 1),
			sqlite3_column_int64(q, 2), sqlite3_column_int64(q, 3),
			sqlite3_column_int64(q, 4), false };
		old[n].wanted = (p->sweep_id == 0 || p->sweep_id == old[n].sweep_id) &&
		    (p->submitter < 0 || p->submitter == submitter);
		n++;
	}
	(void)sqlite3_reset(q);
	return n;
}

/* Rows with this number; *n, unless NULL, counts them. */
static enum status
take_away(struct store *s, enum statement which, int64_t id, int64_t *n, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, which);
	enum status	 st;

	(void)sqlite3_bind_int64(q, 1, id);
	if ((st = store_run(s, q, why)) == ST_OK && n != NULL)
		*n += sqlite3_changes(s->db);
	return st;
}

/* The numbers of specs are cached: one that may be given again stays (Q_PRUNE_SPEC). */
static enum status
remove_one(struct store *s, struct prune *p, const struct old *o, struct fault *why)
{
	int64_t		specs = 0, sweeps = 0;
	enum status	st;

	if ((st = take_away(s, Q_PRUNE_RESULT, o->cursor, &p->results, why)) != ST_OK ||
	    (st = take_away(s, Q_PRUNE_JOB, o->job_id, NULL, why)) != ST_OK ||
	    (st = take_away(s, Q_PRUNE_SPEC, o->spec_id, &specs, why)) != ST_OK)
		return st;
	if (specs != 0 && o->spec_id == s->last_spec_id)
		store_forget_spec(s);
	if (o->sweep_id != 0 &&
	    (st = take_away(s, Q_PRUNE_SWEEP, o->sweep_id, &sweeps, why)) == ST_OK && sweeps != 0 &&
	    (st = take_away(s, Q_PRUNE_COUNTERS, o->sweep_id, NULL, why)) == ST_OK)
		st = take_away(s, Q_PRUNE_REPEATS, o->sweep_id, NULL, why);
	p->specs += specs;
	p->sweeps += sweeps;
	return st;
}

static enum status
remove_old(struct store *s, struct prune *p, uint64_t end_ns, struct fault *why)
{
	struct old	old[ROWS];
	size_t		n, i;
	enum status	st = ST_OK;

	do {
		n = read_old(s, p, old);
		for (i = 0; i < n && st == ST_OK && clock_now_ns() < end_ns; i++) {
			if (old[i].wanted)
				st = remove_one(s, p, &old[i], why);
			p->at_finished = old[i].finished;
			p->at_cursor = old[i].cursor;
		}
		p->is_over = i == n && n < ROWS;
	} while (st == ST_OK && i == n && !p->is_over);
	return st;
}

enum status
store_prune_slice(struct store *s, struct prune *p, uint64_t slice_ns, struct fault *why)
{
	struct prune	before = *p;
	enum status	st = store_mark(s, why);

	if (st != ST_OK)
		return st;
	if ((st = remove_old(s, p, clock_now_ns() + slice_ns, why)) == ST_OK)
		return store_keep(s, why);
	store_undo(s);
	*p = before;
	return st;
}

enum status
store_prune_count(struct store *s, struct prune *p, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, Q_PRUNE_COUNT);

	(void)sqlite3_bind_double(q, 1, p->before);
	(void)sqlite3_bind_int64(q, 2, p->newest);
	(void)sqlite3_bind_int64(q, 3, p->sweep_id);
	(void)sqlite3_bind_int64(q, 4, p->submitter);
	p->results = store_first_int(q, -1);
	return p->results >= 0 ? ST_OK : store_fault(s, why, "counting what is old");
}
