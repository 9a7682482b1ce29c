/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "client/cmd/launch/attempts.h"
#include "client/cmd/launch/core_sweep.h"
#include "client/cmd/launch/launch_run.h"
#include "client/cmd/launch/size_sweep.h"
#include "client/connect/interrupt.h"
#include "client/connect/receive.h"
#include "client/connect/session.h"
#include "client/print/member.h"
#include "client/print/output.h"

struct collection {
	struct cli		*cli;
	struct launch_rows	*rows;
	struct session		*session;
	json_t			*reply;		/* owned */
	struct attempts		 attempts;
};

/* A size that its first programs fail for is left: each of the others may take minutes. */
static void
judge_size(struct collection *c, const struct result *r)
{
	json_t		*ids, *reply = NULL;
	struct fault	 not;

	if (!attempts_take(&c->attempts, c->rows->launch, r, json_object_get(c->reply, "ids"),
	    &ids))
		return;
	(void)connection_call(c->session->connection, "job.cancel", json_pack("{s:o}", "ids", ids),
	    &reply, &not);
	json_decref(reply);
}

static enum status
on_result(void *arg, const json_t *document, const struct result *r, struct fault *why)
{
	struct collection	*c = arg;

	judge_size(c, r);
	if (c->cli->ndjson)
		return output_line(document, why);
	return launch_rows_add(c->rows, r, why);
}

static enum status
create(struct collection *c, const json_t *sweep, struct fault *why)
{
	return connection_call(c->session->connection, "sweep.create", json_pack("{s:O, s:b}",
	    "sweep", sweep, "follow", true), &c->reply, why);
}

static enum status
follow(struct collection *c, struct fault *why)
{
	struct progress	p;
	enum status	st;

	progress_init(&p, c->cli->quiet || (c->cli->ndjson && isatty(STDOUT_FILENO)));
	st = receive_sweep(c->session->connection, c->reply, &p, on_result, c, why);
	if (st == ST_UNAVAILABLE)
		session_explain(c->session, why);
	return st;
}

/* A private daemon ends with its jobs; in another one the sweep goes on. */
static int
interrupted(const struct collection *c)
{
	const char	*name = member_text(c->reply, "name");

	if (!c->session->is_private)
		(void)fprintf(stderr, "assay: the sweep goes on; see: assay sweep show '%s'; "
		    "end it: assay sweep cancel '%s'\n", name, name);
	return 128 + interrupt_came();
}

static int
collect_one(struct cli *cli, struct session *session, const json_t *sweep,
    struct launch_rows *rows)
{
	struct collection	c = { .cli = cli, .rows = rows, .session = session };
	struct fault		why;
	enum status		st;
	int			code;

	if ((st = create(&c, sweep, &why)) == ST_OK)
		st = follow(&c, &why);
	code = st == ST_OK ? 0 : st == ST_CANCELLED && c.reply != NULL ? interrupted(&c) :
	    cli_fail(&why);
	if (st == ST_OK)
		(void)snprintf(rows->sweep, sizeof rows->sweep, "%s",
		    member_text(c.reply, "name"));
	json_decref(c.reply);
	return code;
}

/* The sweep with another number of copies, and a name that has it; new reference. */
static json_t *
with_copies(const json_t *sweep, int64_t copies)
{
	json_t	*one = json_copy((json_t *)(uintptr_t)sweep);

	(void)json_object_set_new(one, "copies", json_integer(copies));
	(void)json_object_set_new(one, "name", json_sprintf("%s, %d copies",
	    member_text(sweep, "name"), (int)copies));
	return one;
}

int
launch_collect(struct cli *cli, struct session *session, const json_t *sweep,
    struct launch_rows *rows)
{
	const struct launch	*l = rows->launch;
	int			 code = 0;
	json_t			*one;

	if (l->most_copies <= l->copies)
		code = collect_one(cli, session, sweep, rows);
	for (int64_t n = l->copies; n <= l->most_copies && l->most_copies > l->copies &&
	    code == 0; n++) {
		one = with_copies(sweep, n);
		code = collect_one(cli, session, one, rows);
		json_decref(one);
	}
	launch_rows_settle(rows);
	return code;
}

/* ---- printed ---- */

static enum status
put_csv(const struct launch_rows *rows, const char *path, struct fault *why)
{
	FILE	*to = path == NULL ? stdout : fopen(path, "w");
	bool	 failed;

	if (to == NULL)
		return fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
	launch_rows_csv(rows, to);
	if (to == stdout)
		return ST_OK;
	failed = ferror(to) != 0;
	if (fclose(to) != 0 || failed)
		return fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
	return ST_OK;
}

/* Rows that have no time are told with their reasons in the table of all. */
static enum status
put_cores(const struct launch_rows *rows, struct fault *why)
{
	struct core_sweep	c;
	enum status		st;

	for (size_t i = 0; i < rows->n; i++)
		if (!isfinite(rows->at[i].value))
			return launch_rows_table(rows, stdout, why);
	if ((st = core_sweep_of(&c, rows, why)) != ST_OK)
		return st;
	st = core_sweep_print(&c, rows->n > 0 ? rows->at[0].unit : "", stdout, why);
	core_sweep_release(&c);
	return st;
}

/* A knee is one of sizes alone, of the time of an iteration. */
static enum status
put_sizes(const struct launch *l, const struct launch_rows *rows, struct fault *why)
{
	enum status	st = launch_rows_table(rows, stdout, why);

	return st == ST_OK && l->what == LAUNCH_ITERATION && l->survey.n == 0 &&
	    l->copies == 1 && l->nfrequencies < 2 ?
	    size_sweep_print(rows, stdout, why) : st;
}

enum status
launch_check_output(const struct cli *cli, const struct launch *l, struct fault *why)
{
	if (!l->csv || !(cli->json || cli->ndjson))
		return ST_OK;
	(void)fault_at(why, ST_BAD_REQUEST, cli->json ? "--json" : "--ndjson",
	    "cannot go with --csv");
	fault_hint(why, "leave one of them out");
	return ST_BAD_REQUEST;
}

static enum status
put_json(const struct cli *cli, const struct launch_rows *rows, struct fault *why)
{
	json_t		*document = launch_rows_json(rows);
	enum status	 st = document == NULL ? fault_set(why, ST_NOMEM, "rows") :
			    output_json(cli, document, why);

	json_decref(document);
	return st;
}

enum status
launch_put_rows(const struct cli *cli, const struct launch *l, const struct launch_rows *rows,
    struct fault *why)
{
	if (cli->json)
		return put_json(cli, rows, why);
	if (l->csv)
		return put_csv(rows, l->output, why);
	if (l->quiet_results)
		return ST_OK;
	return l->most_copies > l->copies ? put_cores(rows, why) :
	    put_sizes(l, rows, why);
}

enum status
launch_check_file(const char *option, const char *path, struct fault *why)
{
	FILE	*f = path != NULL ? fopen(path, "ae") : NULL;

	if (path != NULL && f == NULL)
		return fault_at(why, ST_IO, option, "%s: %s", path, strerror(errno));
	if (f != NULL)
		(void)fclose(f);
	return ST_OK;
}

int
launch_run(struct cli *cli, const struct launch *l, const json_t *sweep)
{
	struct launch_rows	rows;
	struct session		session = { .connection = NULL };
	struct fault		why;
	int			code;

	if (launch_check_file("--output", l->output, &why) != ST_OK ||
	    session_open(&session, cli, &why) != ST_OK)
		return cli_fail(&why);
	launch_rows_init(&rows, l);
	code = launch_collect(cli, &session, sweep, &rows);
	if (code == 0) {
		code = launch_rows_exit_code(&rows);
		if (!cli->ndjson && launch_put_rows(cli, l, &rows, &why) != ST_OK)
			code = cli_fail(&why);
	}
	session_close(&session);
	launch_rows_release(&rows);
	return code;
}
