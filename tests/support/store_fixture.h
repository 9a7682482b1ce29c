/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_TESTS_STORE_FIXTURE_H
#define ASSAY_TESTS_STORE_FIXTURE_H

/* A store in a directory of its own, and rows in it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/store/store_impl.h"
#include "proto/base/log.h"

struct fixture {
	char		 dir[64], path[128];
	struct store	*store;
};

/* A job and its result. */
struct made {
	int64_t		 sweep;		/* 0: none */
	const char	*name;		/* NULL: "v" */
	enum status	 outcome;
	double		 value;		/* 0: not timed */
	double		 finished;
	int64_t		 job, cursor;	/* out */
};

static inline int
set_up(void **state)
{
	struct fixture	*f = calloc(1, sizeof *f);
	struct fault	 why;

	log_set_level(LOG_LEVEL_ERROR);
	(void)strcpy(f->dir, "/tmp/test_store.XXXXXX");
	if (mkdtemp(f->dir) == NULL)
		return -1;
	(void)snprintf(f->path, sizeof f->path, "%s/assay.db", f->dir);
	*state = f;
	return store_open(&f->store, f->path, &why) == ST_OK ? 0 : -1;
}

static inline int
tear_down(void **state)
{
	static const char *const	tails[] = { "", "-wal", "-shm" };
	struct fixture			*f = *state;
	char				 path[160];

	store_free(f->store);
	for (size_t i = 0; i < 3; i++) {
		(void)snprintf(path, sizeof path, "%s%s", f->path, tails[i]);
		(void)unlink(path);
	}
	(void)rmdir(f->dir);
	free(f);
	return 0;
}

#define T(name)	cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static inline int64_t
store_sql_int(struct store *s, const char *sql)
{
	sqlite3_stmt	*q;
	int64_t		 n;

	assert_int_equal(sqlite3_prepare_v2(s->db, sql, -1, &q, NULL), SQLITE_OK);
	n = store_first_int(q, -1);
	(void)sqlite3_finalize(q);
	return n;
}

static inline int64_t
store_make_sweep(struct fixture *f, const char *name)
{
	json_t		*doc = json_object();
	struct fault	 why;
	bool		 existed;
	int64_t		 id;

	assert_int_equal(store_add_sweep(f->store, name, 1000, 2.0, doc, &id, &existed, &why),
	    ST_OK);
	json_decref(doc);
	return id;
}

static inline void
store_make_job(struct fixture *f, struct made *m)
{
	const char		*name = m->name != NULL ? m->name : "v";
	json_t			*doc = json_pack("{s:{s:s,s:s},s:{s:s}}", "variant", "language",
				    "c", "name", name, "spec", "routine", "void f(void)");
	struct new_job		 j = { .sweep_id = m->sweep, .submitter = 1000, .submitted = 1,
				    .name = name, .routine = "f", .key = "", .doc = doc };
	struct stored_job	 stored;
	struct fault		 why;

	if (store_add_job(f->store, &j, &stored, &why) != ST_OK)
		fail_msg("%s", why.text);
	m->job = stored.id;
	free(stored.rest);
	json_decref(doc);
}

/* A job and this result of it. */
static inline void
store_keep_result(struct fixture *f, struct made *m, struct new_result *r)
{
	struct fault	why;

	store_make_job(f, m);
	r->job_id = m->job;
	r->cursor = m->cursor = store_next_cursor(f->store);
	if (store_add_result(f->store, r, &why) != ST_OK)
		fail_msg("%s", why.text);
}

static inline void
store_make_result(struct fixture *f, struct made *m)
{
	char			json[160];
	struct new_result	r = { .cursor = store_next_cursor(f->store),
				    .outcome = m->outcome, .finished = m->finished,
				    .value_ns = m->value, .json = json,
				    .estimator = m->value > 0 ? "median" : NULL };
	struct fault		why;

	store_make_job(f, m);
	r.job_id = m->job;
	m->cursor = r.cursor;
	(void)snprintf(json, sizeof json, "{\"job\":%lld,\"finished\":%.1f,\"cursor\":%lld,"
	    "\"status\":\"%s\"}", (long long)m->job, m->finished, (long long)r.cursor,
	    status_word(m->outcome));
	if (store_add_result(f->store, &r, &why) != ST_OK)
		fail_msg("%s", why.text);
}

#endif
