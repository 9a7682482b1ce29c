/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/store/drift.h"
#include "daemon/store/store_impl.h"

/*
 * Results by filter and order.
 *
 * A query walks one index from its start to its limit, and takes rows that fit the other filters.
 * The index is one of a filter with few results, counted up to COUNT_MAX.  The walk needs the index
 * alone, and each row is read for itself: nothing large is sorted.
 *
 * Many results of a time are found in the order of cursors by the table spans, which makes a range
 * of cursors of a range of times; few by an index, to be sorted.
 *
 * The fastest of a sweep with a corrected ranking are walked in the table ranks, which has all
 * columns that are filtered by.
 */
enum { COUNT_MAX = 32768, SPAN = 1024 };

/* What a query walks, in the order of preference among equals. */
enum walk {
	WALK_IDS, WALK_CELL, WALK_SWEEP_STATUS, WALK_NAME, WALK_SWEEP, WALK_ROUTINE, WALK_STATUS,
	WALK_TIME, WALK_ALL
};

/* Indexes by name; NULL: none in this order. */
#define AUTO(table)	"INDEXED BY sqlite_autoindex_" table "_1"
static const struct walk_row {
	const char	*by_cursor, *by_value, *by_rank;
	const char	*holds;		/* the filter that the index serves */
} walks[] = {
	[WALK_IDS] = { AUTO("results"), AUTO("results"), AUTO("ranks"),
	    "job_id IN (SELECT value FROM json_each(:ids))" },
	[WALK_CELL] = { NULL, "INDEXED BY results_cell", "INDEXED BY ranks_cell",
	    "sweep_id = :sweep AND spec_id = :spec AND status = :status" },
	[WALK_SWEEP_STATUS] = { "INDEXED BY results_sweep_status",
	    "INDEXED BY results_sweep_status_value", "INDEXED BY ranks_status",
	    "sweep_id = :sweep AND status = :status" },
	[WALK_NAME] = { "INDEXED BY results_name", "INDEXED BY results_name_value",
	    "INDEXED BY ranks_name", "name = :name" },
	[WALK_SWEEP] = { "INDEXED BY results_sweep", "INDEXED BY results_fastest",
	    "INDEXED BY ranks_sweep", "sweep_id = :sweep" },
	[WALK_ROUTINE] = { "INDEXED BY results_routine", "INDEXED BY results_routine_value",
	    "INDEXED BY ranks_routine", "routine = :routine" },
	[WALK_STATUS] = { "INDEXED BY results_status", "INDEXED BY results_status_value", NULL,
	    "status = :status" },
	[WALK_TIME] = { "INDEXED BY results_finished", "INDEXED BY results_time_value",
	    "INDEXED BY ranks_time", "finished >= :since AND finished < :before" },
	[WALK_ALL] = { "NOT INDEXED", "INDEXED BY results_value", NULL, "1" },
};
#undef AUTO

struct query_plan {
	const struct result_filter *f;	/* borrowed */
	char			*ids;	/* owned; "[1,2,3]"; NULL: any */
	/* of cursors, both included: what the times leave, and what pages before have not taken */
	int64_t			 from, to;
	enum walk		 walk;
	char			 sql[1024];
	size_t			 used;
};

static void
put(struct query_plan *p, const char *fmt, ...)
{
	size_t	left = sizeof p->sql - p->used;
	va_list	ap;
	int	n;

	va_start(ap, fmt);
	n = vsnprintf(p->sql + p->used, left, fmt, ap);
	va_end(ap);
	p->used += (size_t)n < left ? (size_t)n : left - 1;
}

/* NULL: out of memory. */
static char *
ids_as_json(const struct result_filter *f)
{
	size_t	 bytes = f->nids * 21 + 3, used = 1;
	char	*text = malloc(bytes);

	if (text == NULL)
		return NULL;
	text[0] = '[';
	for (size_t i = 0; i < f->nids; i++)
		used += (size_t)snprintf(text + used, bytes - used, "%s%" PRId64,
		    i != 0 ? "," : "", f->ids[i]);
	(void)snprintf(text + used, bytes - used, "]");
	return text;
}

/* The text has only constants; values are bound by name, 0 being the place of an absent one. */
static void
bind_values(sqlite3_stmt *q, const struct query_plan *p)
{
#define AT(name) sqlite3_bind_parameter_index(q, name)
	const struct result_filter	*f = p->f;

	(void)sqlite3_bind_int64(q, AT(":sweep"), f->sweep_id);
	(void)sqlite3_bind_int64(q, AT(":spec"), f->spec_id);
	(void)sqlite3_bind_text(q, AT(":ids"), p->ids, -1, SQLITE_STATIC);
	(void)sqlite3_bind_text(q, AT(":status"),
	    f->status >= 0 ? status_word((enum status)f->status) : NULL, -1, SQLITE_STATIC);
	(void)sqlite3_bind_text(q, AT(":name"), f->name, -1, SQLITE_STATIC);
	(void)sqlite3_bind_text(q, AT(":routine"), f->routine, -1, SQLITE_STATIC);
	(void)sqlite3_bind_double(q, AT(":since"), f->since);
	(void)sqlite3_bind_double(q, AT(":before"), f->before > 0 ? f->before : 1e300);
	(void)sqlite3_bind_int64(q, AT(":submitter"), f->submitter);
	(void)sqlite3_bind_double(q, AT(":value"), f->after_value);
	(void)sqlite3_bind_int64(q, AT(":after"), f->after_cursor);
	(void)sqlite3_bind_int64(q, AT(":from"), p->from);
	(void)sqlite3_bind_int64(q, AT(":to"), p->to);
	(void)sqlite3_bind_int64(q, AT(":limit"), (int64_t)f->limit);
#undef AT
}

static enum status
prepare(struct store *s, const struct query_plan *p, sqlite3_stmt **q, struct fault *why)
{
	if (sqlite3_prepare_v2(s->db, p->sql, -1, q, NULL) != SQLITE_OK)
		return store_fault(s, why, p->sql);
	bind_values(*q, p);
	return ST_OK;
}

/* The statement of the query before, if this one is like it: many clients ask the same again. */
static enum status
prepare_keys(struct store *s, const struct query_plan *p, sqlite3_stmt **q, struct fault *why)
{
	if (s->query == NULL || strcmp(sqlite3_sql(s->query), p->sql) != 0)
		return prepare(s, p, q, why);
	*q = s->query;
	s->query = NULL;
	bind_values(*q, p);
	return ST_OK;
}

/* Bound texts are the caller's. */
static void
put_back_keys(struct store *s, sqlite3_stmt *q)
{
	(void)sqlite3_reset(q);
	(void)sqlite3_clear_bindings(q);
	(void)sqlite3_finalize(s->query);
	s->query = q;
}

/* ---- the range of cursors ---- */

static int64_t
block(struct store *s, enum statement which, double time, int64_t otherwise)
{
	sqlite3_stmt	*q = store_statement(s, which);

	(void)sqlite3_bind_double(q, 1, time);
	return store_first_int(q, otherwise);
}

static void
find_range(struct store *s, struct query_plan *p)
{
	const struct result_filter	*f = p->f;

	p->from = 1;
	p->to = INT64_MAX;
	if (f->since > 0)
		p->from = block(s, Q_SPAN_SINCE, f->since, INT64_MAX / SPAN) * SPAN;
	if (f->before > 0)
		p->to = block(s, Q_SPAN_BEFORE, f->before, -1) * SPAN + SPAN - 1;
	if (f->after_cursor == 0)
		return;
	if (f->order == ORDER_ID && f->after_cursor >= p->from)
		p->from = f->after_cursor + 1;
	if (f->order == ORDER_NEWEST && f->after_cursor <= p->to)
		p->to = f->after_cursor - 1;
}

/* ---- which walk ---- */

static bool
fits(enum walk w, const struct result_filter *f)
{
	switch (w) {
	case WALK_IDS:		return f->nids != 0;
	case WALK_CELL:		return f->spec_id != 0 && f->status >= 0;
	case WALK_SWEEP_STATUS:	return f->sweep_id != 0 && f->status >= 0;
	case WALK_NAME:		return f->name != NULL;
	case WALK_SWEEP:	return f->sweep_id != 0;
	case WALK_ROUTINE:	return f->routine != NULL;
	case WALK_STATUS:	return f->status >= 0;
	case WALK_TIME:		return f->since > 0 || f->before > 0;
	case WALK_ALL:		break;
	}
	return true;
}

static const char *
index_of(enum walk w, const struct result_filter *f)
{
	if (f->order != ORDER_FASTEST)
		return walks[w].by_cursor;
	return f->corrected ? walks[w].by_rank : walks[w].by_value;
}

/* The indexes of ranks have the sweep in front. */
static void
put_walk(struct query_plan *p, enum walk w)
{
	const struct result_filter	*f = p->f;

	put(p, "%s %s WHERE %s%s", f->corrected ? "ranks" : "results", index_of(w, f),
	    f->corrected ? "sweep_id = :sweep AND " : "", walks[w].holds);
}

static bool
can_walk(enum walk w, const struct result_filter *f)
{
	return index_of(w, f) != NULL && fits(w, f);
}

/* A set of walks, a bit each.  A walk by two filters leaves no use for a walk by one of them. */
static unsigned
candidates(const struct result_filter *f)
{
	unsigned	set = 0;

	for (enum walk w = WALK_IDS; w < WALK_ALL; w++)
		set |= can_walk(w, f) ? 1u << w : 0;
	if ((set & 1u << WALK_CELL) != 0)
		set &= ~(1u << WALK_SWEEP_STATUS);
	if ((set & (1u << WALK_CELL | 1u << WALK_SWEEP_STATUS)) != 0)
		set &= ~(1u << WALK_SWEEP | 1u << WALK_STATUS);
	return set;
}

static enum walk
first_of(unsigned set)
{
	return set != 0 ? (enum walk)__builtin_ctz(set) : WALK_ALL;
}

/* Results of a walk, up to `most`. */
static enum status
count(struct store *s, struct query_plan *p, enum walk w, int most, int64_t *n, struct fault *why)
{
	sqlite3_stmt	*q = NULL;
	enum status	 st;

	p->used = 0;
	put(p, "SELECT count(*) FROM (SELECT 1 FROM ");
	put_walk(p, w);
	put(p, "%s LIMIT %d)", p->f->order == ORDER_FASTEST ? " AND value_ns IS NOT NULL" : "",
	    most);
	if ((st = prepare(s, p, &q, why)) == ST_OK)
		*n = store_first_int(q, 0);
	(void)sqlite3_finalize(q);
	return st;
}

/*
 * A walk of the set with few results; looked for with a bound that grows, so that the counting
 * costs no more than the walk.  Times are sorted while they are few.  Many are common: then a walk
 * in the order asked for soon meets enough of them.
 */
static enum status
choose_short(struct store *s, struct query_plan *p, unsigned set, struct fault *why)
{
	static const int	bounds[] = { COUNT_MAX >> 7, COUNT_MAX >> 3, COUNT_MAX };
	enum status		st = ST_OK;
	int64_t			n = 0;

	p->walk = first_of(set & ~(1u << WALK_TIME));
	for (unsigned i = 0; i < sizeof bounds / sizeof bounds[0]; i++)
		for (enum walk w = WALK_IDS; w < WALK_ALL; w++) {
			if ((set & 1u << w) == 0)
				continue;
			if ((st = count(s, p, w, bounds[i], &n, why)) != ST_OK)
				return st;
			if (n < bounds[i]) {
				p->walk = w;
				return ST_OK;
			}
		}
	return ST_OK;
}

static enum status
choose(struct store *s, struct query_plan *p, struct fault *why)
{
	const unsigned	set = candidates(p->f);

	p->walk = p->f->nids != 0 ? WALK_IDS : first_of(set);
	if (p->f->nids != 0 || ((set & (set - 1)) == 0 && p->walk != WALK_TIME))
		return ST_OK;
	return choose_short(s, p, set, why);
}

/* ---- the keys ---- */

static void
put_filter(struct query_plan *p)
{
	const struct result_filter	*f = p->f;

	if (f->sweep_id != 0)
		put(p, " AND sweep_id = :sweep");
	if (f->spec_id != 0)
		put(p, " AND spec_id = :spec");
	if (f->status >= 0)
		put(p, " AND status = :status");
	if (f->name != NULL)
		put(p, " AND name = :name");
	if (f->routine != NULL)
		put(p, " AND routine = :routine");
	if (f->since > 0)
		put(p, " AND finished >= :since");
	if (f->before > 0)
		put(p, " AND finished < :before");
	if (f->submitter >= 0)
		put(p, " AND submitter = :submitter");
}

static void
put_keys(struct query_plan *p)
{
	const struct result_filter	*f = p->f;
	const char			*value = f->corrected ? "ranked_ns" : "value_ns";

	p->used = 0;
	put(p, "SELECT cursor, %s FROM ", f->order == ORDER_FASTEST ? value : "0");
	put_walk(p, p->walk);
	put_filter(p);
	if (f->order == ORDER_FASTEST)
		put(p, " AND %s IS NOT NULL AND (%s, cursor) > (:value, :after)"
		    " ORDER BY %s, cursor", value, value, value);
	else
		put(p, " AND cursor BETWEEN :from AND :to ORDER BY cursor%s",
		    f->order == ORDER_NEWEST ? " DESC" : "");
	put(p, " LIMIT :limit");
}

/* ---- rows ---- */

/* Its job and nothing else: all that can be read of it, if anything can. */
static enum status
give_damaged(struct store *s, struct result_row *row, result_row_fn *fn, void *arg,
    struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, Q_ROW_JOB);

	(void)sqlite3_bind_int64(q, 1, row->cursor);
	if ((row->job_id = store_first_int(q, 0)) == 0)
		return store_damaged(s, why, "result", row->cursor);
	return fn(arg, row);
}

/* A sweep may have been shared since the row was kept. */
static void
put_readers(struct store *s, struct result_row *row)
{
	row->owner.visibility = store_seen_by(s, row->sweep_id, row->owner.visibility);
}

static enum status
read_row(struct store *s, struct result_row row, result_row_fn *fn, void *arg, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, Q_ROW);
	enum status	 st = ST_OK;
	int		 rc;

	(void)sqlite3_bind_int64(q, 1, row.cursor);
	if ((rc = sqlite3_step(q)) == SQLITE_ROW) {
		row.job_id = sqlite3_column_int64(q, 0);
		if (store_is_whole(q, 1, 2, row.cursor)) {
			row.json = store_column(q, 1);
			row.json_bytes = (size_t)sqlite3_column_bytes(q, 1);
			row.owner = (struct row_owner){ (uid_t)sqlite3_column_int64(q, 3),
			    (const char *)sqlite3_column_text(q, 4) };
			row.sweep_id = sqlite3_column_int64(q, 5);
			keep_row(s->rows, &row);
			put_readers(s, &row);
		}
		st = fn(arg, &row);
	} else if (rc == SQLITE_CORRUPT) {
		st = give_damaged(s, &row, fn, arg, why);
	} else if (rc != SQLITE_DONE) {
		st = store_fault(s, why, "reading a result");
	}
	(void)sqlite3_reset(q);
	return st;
}

/* Of a result the rank alone changes after it was stored: it is not kept. */
static struct row_rank
find_rank(struct store *s, int64_t cursor)
{
	sqlite3_stmt	*q = store_statement(s, Q_RANK);
	struct row_rank	 rank = { .how = NULL };

	(void)sqlite3_bind_int64(q, 1, cursor);
	if (sqlite3_step(q) == SQLITE_ROW)
		rank = (struct row_rank){ correction_word(correction_of(store_column(q, 0))),
		    sqlite3_column_double(q, 1) };
	(void)sqlite3_reset(q);
	return rank;
}

static enum status
give_row(struct store *s, int64_t cursor, double value, result_row_fn *fn, void *arg,
    struct fault *why)
{
	const struct result_row	*kept = kept_row(s->rows, cursor);
	struct result_row	 row = { .cursor = cursor };

	if (kept != NULL)
		row = *kept;
	row.value_ns = value;
	row.rank = find_rank(s, cursor);
	if (kept == NULL)
		return read_row(s, row, fn, arg, why);
	put_readers(s, &row);
	return fn(arg, &row);
}

struct last_key {
	double		 value_ns;
	int64_t		 cursor;	/* 0: there is none yet */
};

/* In a damaged tree keys go back, and a client would read the same pages for ever. */
static enum status
go_on(struct store *s, enum result_order order, struct last_key *last, const struct last_key *key,
    struct fault *why)
{
	const bool	greater = key->cursor > last->cursor;
	bool		after = last->cursor == 0 || greater == (order == ORDER_ID);

	if (order == ORDER_FASTEST)
		after = key->value_ns > last->value_ns ||
		    (key->value_ns == last->value_ns && greater);
	if (!after || key->cursor == last->cursor)
		return store_damaged(s, why, "the order of results at", key->cursor);
	*last = *key;
	return ST_OK;
}

static enum status
give_rows(struct store *s, const struct query_plan *p, result_row_fn *fn, void *arg,
    struct fault *why)
{
	struct last_key	 last = { p->f->after_value, p->f->after_cursor }, key;
	sqlite3_stmt	*keys = NULL;
	enum status	 st = prepare_keys(s, p, &keys, why);
	int		 rc = SQLITE_DONE;

	while (st == ST_OK && (rc = sqlite3_step(keys)) == SQLITE_ROW) {
		key.cursor = sqlite3_column_int64(keys, 0);
		key.value_ns = sqlite3_column_double(keys, 1);
		if (store_is_over(s))
			st = ST_CANCELLED;
		else if ((st = go_on(s, p->f->order, &last, &key, why)) == ST_OK)
			st = give_row(s, key.cursor, key.value_ns, fn, arg, why);
	}
	if (st == ST_OK && rc != SQLITE_DONE)
		st = store_fault(s, why, "reading results");
	if (keys != NULL)
		put_back_keys(s, keys);
	return st;
}

enum status
store_results(struct store *s, const struct result_filter *f, result_row_fn *fn, void *arg,
    struct fault *why)
{
	struct query_plan	p = { .f = f };
	enum status		st;

	if (f->nids != 0 && (p.ids = ids_as_json(f)) == NULL)
		return fault_set(why, ST_NOMEM, "ids");
	find_range(s, &p);
	if ((st = choose(s, &p, why)) == ST_OK) {
		put_keys(&p);
		st = give_rows(s, &p, fn, arg, why);
	}
	free(p.ids);
	return st;
}
