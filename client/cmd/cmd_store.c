/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "client/cmd/cmd.h"
#include "client/cmd/job/ids.h"
#include "client/cmd/timestamp.h"
#include "client/connect/connection.h"
#include "client/print/format.h"
#include "client/print/member.h"
#include "client/print/output.h"

static const struct cli_option	no_options[] = {
	CLI_END,
};

static enum status
ask(struct cli *cli, const char *method, json_t *params, json_t **reply, struct fault *why)
{
	struct connection	*c = NULL;
	enum status		 st = connection_open_reading(&c, cli, why);

	if (st == ST_OK)
		st = connection_call(c, method, params, reply, why);
	else
		json_decref(params);
	connection_free(c);
	return st;
}

/* ---- check ---- */

static void
print_list(const char *what, const json_t *list)
{
	const json_t	*item;
	size_t		 i;

	json_array_foreach(list, i, item) {
		if (json_is_string(item))
			(void)printf("%s: %s\n", what, json_string_value(item));
		else
			(void)printf("%s %" JSON_INTEGER_FORMAT "\n", what,
			    json_integer_value(item));
	}
}

static enum status
print_check(const struct cli *cli, const json_t *r, struct fault *why)
{
	if (cli->json || cli->ndjson)
		return output_json(cli, r, why);
	print_list("database", json_object_get(r, "database"));
	print_list("damaged: result of job", json_object_get(r, "damaged_results"));
	print_list("damaged: job", json_object_get(r, "damaged_jobs"));
	print_list("counters", json_object_get(r, "counters"));
	if (!cli->quiet && json_is_true(json_object_get(r, "ok")))
		(void)printf("whole: %.0f results, %.0f jobs\n", member_number(r, "results"),
		    member_number(r, "jobs"));
	return ST_OK;
}

int
cmd_check(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	struct cli_list	 words;
	struct fault	 why;
	json_t		*reply = NULL;
	int		 code = cli_parse(cli, self, no_options, argc, argv, &words);

	if (code == CLI_GO_ON && words.n != 0) {
		code = cli_usage(self, "check: takes no words");
	} else if (code == CLI_GO_ON) {
		if (ask(cli, "store.check", json_object(), &reply, &why) != ST_OK ||
		    print_check(cli, reply, &why) != ST_OK)
			code = cli_fail(&why);
		else
			code = json_is_true(json_object_get(reply, "ok")) ? 0 :
			    status_exit_code(ST_IO);
	}
	json_decref(reply);
	cli_list_release(&words);
	return code;
}

/* ---- backup ---- */

/* The daemon has another working directory. */
static enum status
backup(struct cli *cli, const char *file, struct fault *why)
{
	char		 here[PATH_MAX] = "", path[2 * PATH_MAX];
	json_t		*reply = NULL;
	enum status	 st;

	if (file[0] != '/' && getcwd(here, sizeof here) == NULL)
		return fault_set(why, ST_IO, "the working directory cannot be read");
	(void)snprintf(path, sizeof path, "%s%s%s", here, here[0] != '\0' ? "/" : "", file);
	st = ask(cli, "store.backup", json_pack("{s:s}", "path", path), &reply, why);
	if (st == ST_OK && (cli->json || cli->ndjson))
		st = output_line(reply, why);
	json_decref(reply);
	return st;
}

int
cmd_backup(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	struct cli_list	words;
	struct fault	why;
	int		code = cli_parse(cli, self, no_options, argc, argv, &words);

	if (code == CLI_GO_ON && words.n != 1)
		code = cli_usage(self, "backup: needs the name of one file");
	else if (code == CLI_GO_ON)
		code = backup(cli, words.items[0], &why) == ST_OK ? 0 : cli_fail(&why);
	cli_list_release(&words);
	return code;
}

/* ---- prune ---- */

struct prune_words {
	const char	*age, *sweep, *user;	/* borrowed; NULL: not given */
	bool		 dry_run;
};

static enum status
prune_params(const struct prune_words *w, json_t **params, struct fault *why)
{
	const time_t	now = time(NULL);
	double		before;
	enum status	st = timestamp_parse(w->age, now, &before, why);

	if (st != ST_OK)
		return st;
	if (before > (double)now)
		return fault_set(why, ST_BAD_REQUEST, "--older-than: %s is to come", w->age);
	*params = json_pack("{s:I, s:b}", "older_than_s", (json_int_t)((double)now - before),
	    "dry_run", w->dry_run);
	if (w->sweep != NULL)
		(void)json_object_set_new(*params, "sweep", ids_sweep(w->sweep));
	if (w->user != NULL)
		(void)json_object_set_new(*params, "user", ids_user(w->user));
	return ST_OK;
}

static enum status
prune(struct cli *cli, const struct prune_words *w, struct fault *why)
{
	json_t		*params = NULL, *reply = NULL;
	double		 n;
	enum status	 st;

	if ((st = prune_params(w, &params, why)) != ST_OK ||
	    (st = ask(cli, "store.prune", params, &reply, why)) != ST_OK)
		return st;
	n = member_number(reply, "results");
	if (cli->json || cli->ndjson)
		st = output_line(reply, why);
	else if (!cli->quiet)
		(void)printf(w->dry_run ? "%.0f result%s would be pruned\n" :
		    "pruned %.0f result%s\n", n, n == 1 ? "" : "s");
	json_decref(reply);
	return st;
}

int
cmd_prune(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	struct prune_words	 w = { 0 };
	const struct cli_option	 options[] = {
		{ '\0', "older-than", CLI_TEXT, &w.age, "AGE", "90d, or a date", 0, 0 },
		{ '\0', "sweep", CLI_TEXT, &w.sweep, "SWEEP", "of this sweep (name or id)", 0, 0 },
		{ '\0', "user", CLI_TEXT, &w.user, "USER", "of this user (name or id)", 0, 0 },
		{ '\0', "dry-run", CLI_FLAG, &w.dry_run, NULL, "count them only", 0, 0 },
		CLI_END,
	};
	struct cli_list		 words;
	struct fault		 why;
	int			 code = cli_parse(cli, self, options, argc, argv, &words);

	if (code == CLI_GO_ON && (words.n != 0 || w.age == NULL))
		code = cli_usage(self, "prune: needs --older-than, and takes no words");
	else if (code == CLI_GO_ON)
		code = prune(cli, &w, &why) == ST_OK ? 0 : cli_fail(&why);
	cli_list_release(&words);
	return code;
}
