/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/store/store_impl.h"
#include "proto/base/fnv.h"

/* Sets last_spec to the row of a spec's text, which all jobs with that text share. */
static enum status
intern_spec(struct store *s, json_t *spec, struct fault *why)
{
	enum status	 st = ST_OK;
	int64_t		 id;
	sqlite3_stmt	*q;
	char		*text;

	if (s->last_spec != NULL && (s->last_spec == spec || json_equal(s->last_spec, spec)))
		return ST_OK;
	if ((text = json_dumps(spec, JSON_COMPACT | JSON_SORT_KEYS)) == NULL)
		return fault_set(why, ST_NOMEM, "spec");
	q = store_statement(s, Q_SPEC_FIND);
	(void)sqlite3_bind_int64(q, 1, (int64_t)fnv1a(text));
	store_bind_text(q, 2, text);
	if ((id = store_first_int(q, 0)) == 0) {
		q = store_statement(s, Q_SPEC_ADD);
		(void)sqlite3_bind_int64(q, 1, (int64_t)fnv1a(text));
		store_bind_text(q, 2, text);
		st = store_run(s, q, why);
		id = sqlite3_last_insert_rowid(s->db);
	}
	if (st != ST_OK) {
		free(text);
		return st;
	}
	json_decref(s->last_spec);
	free(s->last_spec_text);
	s->last_spec = json_incref(spec);
	s->last_spec_text = text;
	s->last_spec_id = id;
	return ST_OK;
}

/* The job without its spec, sorted and compact, for the comparison under a repeated key. */
static char *
rest_of(const json_t *doc)
{
	json_t	*rest = json_copy((json_t *)(uintptr_t)doc);
	char	*text;

	if (rest == NULL)
		return NULL;
	(void)json_object_del(rest, "spec");
	text = json_dumps(rest, JSON_COMPACT | JSON_SORT_KEYS);
	json_decref(rest);
	return text;
}

size_t
store_rest_bytes(const json_t *doc)
{
	size_t		 n = strlen("{}") - strlen(",");	/* behind the last member is none */
	const char	*name;
	json_t		*value;

	json_object_foreach((json_t *)(uintptr_t)doc, name, value)
		if (strcmp(name, "spec") != 0)
			n += strlen("\"\":,") + strlen(name) + json_dumpb(value, NULL, 0,
			    JSON_COMPACT | JSON_ENCODE_ANY);
	return n;
}

/* Compares with a row of id, spec and document. */
static bool
is_same_job(sqlite3_stmt *q, const struct stored_job *j)
{
	return sqlite3_column_int64(q, 1) == j->spec_id && strcmp(store_column(q, 2), j->rest) == 0;
}

static enum status
refuse_key(const struct new_job *j, int64_t id, struct fault *why)
{
	(void)fault_at(why, ST_CONFLICT, "key", "\"%s\" was used for job %" PRId64
	    ", which has another document", j->key, id);
	fault_hint(why, "use a new key for a new job");
	return ST_CONFLICT;
}

/* The job may never be acknowledged: another one cannot be its repeat. */
static enum status
refuse_key_for_now(const struct new_job *j, int64_t sweep_id, struct fault *why)
{
	(void)fault_at(why, ST_CONFLICT, "key", "\"%s\" is the key of a job of sweep %" PRId64
	    ", which is arriving", j->key, sweep_id);
	fault_hint(why, "send it again when that sweep has arrived");
	return ST_CONFLICT;
}

/* Of a row with this key; *is_lost: its sweep was given up, and the row will be removed. */
static enum status
take_row_of_key(sqlite3_stmt *q, const struct new_job *j, struct stored_job *out, bool *is_lost,
    struct fault *why)
{
	const int64_t	sweep_id = sqlite3_column_int64(q, 3);
	const int	arriving = sqlite3_column_int(q, 4);

	out->id = sqlite3_column_int64(q, 0);
	*is_lost = arriving == 2;
	if (*is_lost)
		return ST_OK;
	if (arriving == 1 && sweep_id != j->sweep_id)
		return refuse_key_for_now(j, sweep_id, why);
	return is_same_job(q, out) ? ST_OK : refuse_key(j, out->id, why);
}

static enum status
free_key(struct store *s, struct stored_job *out, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, Q_KEY_FREE);

	(void)sqlite3_bind_int64(q, 1, out->id);
	out->id = 0;
	return store_run(s, q, why);
}

/* out->id 0: this submitter has not used the key. */
static enum status
find_by_key(struct store *s, const struct new_job *j, struct stored_job *out, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, Q_JOB_BY_KEY);
	enum status	 st = ST_OK;
	bool		 is_lost = false;

	if (j->key[0] == '\0')
		return ST_OK;
	(void)sqlite3_bind_int64(q, 1, j->submitter);
	store_bind_text(q, 2, j->key);
	if (sqlite3_step(q) == SQLITE_ROW)
		st = take_row_of_key(q, j, out, &is_lost, why);
	(void)sqlite3_reset(q);
	return is_lost ? free_key(s, out, why) : st;
}

static uint32_t
bytes_of(const struct new_job *j, const struct stored_job *out)
{
	const size_t	n = j->more_bytes + strlen(out->rest) +
			    (out->spec_id != j->counted_spec ? strlen(out->spec) : 0);

	return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

static enum status
insert_job(struct store *s, const struct new_job *j, struct stored_job *out, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, Q_JOB_ADD);
	enum status	 st;

	if (j->sweep_id != 0)
		(void)sqlite3_bind_int64(q, 1, j->sweep_id);
	(void)sqlite3_bind_int64(q, 2, out->spec_id);
	(void)sqlite3_bind_int64(q, 3, j->submitter);
	(void)sqlite3_bind_double(q, 4, j->submitted);
	store_bind_text(q, 5, j->name);
	store_bind_text(q, 6, j->routine);
	if (j->key[0] != '\0')
		store_bind_text(q, 7, j->key);
	store_bind_text(q, 9, out->rest);
	(void)sqlite3_bind_int64(q, 16, store_sum(0, out->rest));
	out->bytes = bytes_of(j, out);
	(void)sqlite3_bind_int64(q, 17, out->bytes);
	if (j->visibility != NULL)
		store_bind_text(q, 18, j->visibility);
	store_bind_terms(q, &j->terms);
	if ((st = store_run(s, q, why)) != ST_OK)
		return st;
	out->id = sqlite3_last_insert_rowid(s->db);
	return j->is_arriving ? ST_OK : store_count_job(s, j->sweep_id, why);
}

/* Both parts of a job as stored. */
static enum status
take_apart(struct store *s, const struct new_job *j, struct stored_job *out, struct fault *why)
{
	json_t		*spec = json_object_get(j->doc, "spec");
	enum status	 st;

	*out = (struct stored_job){ .id = 0 };
	if (spec == NULL)
		return fault_at(why, ST_BAD_SPEC, "spec", "missing");
	if ((st = store_join_group(s, why)) != ST_OK || (st = intern_spec(s, spec, why)) != ST_OK)
		return st;
	out->spec_id = s->last_spec_id;
	out->spec = s->last_spec_text;
	return (out->rest = rest_of(j->doc)) != NULL ? ST_OK : fault_set(why, ST_NOMEM, "job");
}

static enum status
add_job(struct store *s, const struct new_job *j, struct stored_job *out, struct fault *why)
{
	enum status	st = take_apart(s, j, out, why);

	if (st == ST_OK && (st = find_by_key(s, j, out, why)) == ST_OK) {
		out->repeated = out->id != 0;
		if (!out->repeated)
			st = insert_job(s, j, out, why);
	}
	if (st == ST_OK)
		return ST_OK;
	free(out->rest);
	out->rest = NULL;
	return st;
}

enum status
store_add_job(struct store *s, const struct new_job *j, struct stored_job *out, struct fault *why)
{
	const bool	is_alone = s->marks == 0 && !j->is_arriving;
	enum status	st;

	out->rest = NULL;
	if (is_alone && (st = store_mark(s, why)) != ST_OK)
		return st;
	st = add_job(s, j, out, why);
	if (is_alone && st == ST_OK)
		st = store_keep(s, why);
	if (is_alone && st != ST_OK)
		store_undo(s);
	return st;
}

/* ---- sweeps ---- */

enum status
store_refuse_name(struct store *s, int64_t sweep_id, struct fault *why)
{
	char		name[256];
	enum status	st = ST_CONFLICT;

	if (store_sweep_name(s, sweep_id, name, sizeof name))
		st = fault_at(why, st, "name",
		    "\"%s\" is already the name of sweep %" PRId64 ", which is another",
		    name, sweep_id);
	fault_hint(why, "choose another name");
	return st;
}

/* Of the same submitter, with the same document? */
static bool
is_same_sweep(sqlite3_stmt *q, uid_t who, const json_t *doc)
{
	json_t	*old = json_loads(store_column(q, 4), 0, NULL);
	bool	 same = sqlite3_column_int64(q, 2) == (int64_t)who && json_equal(old, doc);

	json_decref(old);
	return same;
}

/* *id 0: no sweep has this name. */
static enum status
find_by_name(struct store *s, const char *name, uid_t who, const json_t *doc, int64_t *id,
    struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, Q_SWEEP_BY_NAME);
	bool		 same = false;

	*id = 0;
	store_bind_text(q, 1, name);
	if (sqlite3_step(q) == SQLITE_ROW) {
		*id = sqlite3_column_int64(q, 0);
		same = is_same_sweep(q, who, doc);
	}
	(void)sqlite3_reset(q);
	return *id == 0 || same ? ST_OK : store_refuse_name(s, *id, why);
}

enum status
store_insert_sweep(struct store *s, enum statement how, const char *name, uid_t who,
    double submitted, const json_t *doc, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, how);
	char		*text = json_dumps(doc, JSON_COMPACT);
	enum status	 st;

	if (text == NULL)
		return fault_set(why, ST_NOMEM, "sweep");
	store_bind_text(q, 1, name);
	(void)sqlite3_bind_int64(q, 2, who);
	(void)sqlite3_bind_double(q, 3, submitted);
	store_bind_text(q, 4, text);
	(void)sqlite3_bind_int(q, 5, json_is_true(json_object_get(json_object_get(doc,
	    "yardstick"), "correct")));
	st = store_run(s, q, why);
	free(text);
	return st;
}

enum status
store_add_sweep(struct store *s, const char *name, uid_t who, double submitted,
    const json_t *doc, int64_t *id, bool *existed, struct fault *why)
{
	enum status	st;

	if ((st = store_join_group(s, why)) != ST_OK ||
	    (st = find_by_name(s, name, who, doc, id, why)) != ST_OK)
		return st;
	if ((*existed = *id != 0))
		return ST_OK;
	st = store_insert_sweep(s, Q_SWEEP_ADD, name, who, submitted, doc, why);
	*id = sqlite3_last_insert_rowid(s->db);
	return st;
}

/* out->id 0: the sweep's next job is another, or there is none. */
static void
find_next(struct store *s, int64_t sweep_id, int64_t after, struct stored_job *out)
{
	sqlite3_stmt	*q = store_statement(s, Q_SWEEP_NEXT);

	(void)sqlite3_bind_int64(q, 1, sweep_id);
	(void)sqlite3_bind_int64(q, 2, after);
	if (sqlite3_step(q) == SQLITE_ROW && is_same_job(q, out))
		out->id = sqlite3_column_int64(q, 0);
	(void)sqlite3_reset(q);
}

enum status
store_find_again(struct store *s, const struct new_job *j, int64_t after, int64_t *id,
    struct fault *why)
{
	struct stored_job	found;
	enum status		st = take_apart(s, j, &found, why);

	if (st != ST_OK)
		return st;
	if (j->key[0] != '\0')
		st = find_by_key(s, j, &found, NULL);
	else
		find_next(s, j->sweep_id, after, &found);
	free(found.rest);
	*id = found.id;
	return st == ST_OK && *id != 0 ? ST_OK : store_refuse_name(s, j->sweep_id, why);
}

/* ---- results ---- */

static enum status
close_job(struct store *s, int64_t job_id, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, Q_JOB_CLOSE);
	enum status	 st;

	(void)sqlite3_bind_int64(q, 1, job_id);
	if ((st = store_run(s, q, why)) == ST_OK && sqlite3_changes(s->db) != 1)
		st = fault_set(why, ST_CONFLICT, "job %" PRId64 " has a result already", job_id);
	return st;
}

static bool
is_ranked(const struct new_result *r)
{
	return !r->is_yardstick &&
	    (r->value_ns > 0 || (r->value_ns == 0 && r->estimator != NULL));
}

static enum status
insert_result(struct store *s, const struct new_result *r, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, Q_RESULT_ADD);

	(void)sqlite3_bind_int64(q, 1, r->job_id);
	store_bind_text(q, 2, status_word(r->outcome));
	(void)sqlite3_bind_double(q, 3, r->finished);
	if (is_ranked(r))
		(void)sqlite3_bind_double(q, 4, r->value_ns);
	store_bind_text(q, 5, r->json);
	if (r->estimator != NULL)
		store_bind_text(q, 6, r->estimator);
	(void)sqlite3_bind_int64(q, 7, r->cursor);
	if (r->identity != NULL && r->identity[0] != '\0')
		store_bind_text(q, 8, r->identity);
	(void)sqlite3_bind_int64(q, 9, store_sum(r->cursor, r->json));
	return store_run(s, q, why);
}

/* Only of sweeps, and of revisions. */
static enum status
insert_point(struct store *s, const struct new_result *r, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, Q_POINT_ADD);

	(void)sqlite3_bind_int64(q, 1, r->job_id);
	(void)sqlite3_bind_int64(q, 2, r->cursor);
	store_bind_text(q, 3, status_word(r->outcome));
	(void)sqlite3_bind_double(q, 4, r->finished);
	if (is_ranked(r))
		(void)sqlite3_bind_double(q, 5, r->value_ns);
	if (r->interval_ns != NULL) {
		(void)sqlite3_bind_double(q, 6, r->interval_ns[0]);
		(void)sqlite3_bind_double(q, 7, r->interval_ns[1]);
	}
	if (r->bound_ns > 0)
		(void)sqlite3_bind_double(q, 8, r->bound_ns);
	store_bind_text(q, 9, r->host_class);
	store_bind_text(q, 10, r->meta);
	if (r->repeat_of != 0)
		(void)sqlite3_bind_int64(q, 11, r->repeat_of);
	return store_run(s, q, why);
}

int64_t
store_next_cursor(struct store *s)
{
	if (s->next_cursor == 0)
		s->next_cursor = store_first_int(store_statement(s, Q_CURSOR_LAST), 0) + 1;
	return s->next_cursor;
}

void
store_take_cursor(struct store *s, int64_t cursor)
{
	if (s->next_cursor <= cursor)
		s->next_cursor = cursor + 1;
}

enum status
store_add_result(struct store *s, const struct new_result *r, struct fault *why)
{
	enum status	st;

	if ((st = store_mark(s, why)) != ST_OK)
		return st;
	if ((st = close_job(s, r->job_id, why)) == ST_OK)
		st = insert_result(s, r, why);
	if (st == ST_OK && !r->is_yardstick)
		st = insert_point(s, r, why);
	if (st == ST_OK)
		st = store_note_timing(s, r, why);
	if (st == ST_OK && r->timed_s > 0)
		st = store_note_share(s, r, why);
	if (st != ST_OK) {
		store_undo(s);
		return st;
	}
	store_take_cursor(s, r->cursor);
	return store_keep(s, why);
}
