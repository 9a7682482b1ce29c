/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "client/cmd/cmd.h"
#include "client/cmd/queue/queue_pause.h"
#include "client/cmd/queue/queue_quota.h"
#include "client/cmd/queue/queue_users.h"
#include "client/connect/connection.h"
#include "client/connect/fleet.h"
#include "client/connect/hosts.h"
#include "client/print/format.h"
#include "client/print/member.h"
#include "client/print/output.h"
#include "client/print/results/readiness.h"
#include "client/print/table.h"

enum { DEFAULT_LIMIT = 50, MAX_LIMIT = 1000, NCELLS = 6, NAME_BYTES = 256 };

static const struct table_column columns[NCELLS + 1] = {
	{ "job", true }, { "state", false }, { "name", false }, { "sweep", false },
	{ "priority", true }, { "user", false }, { NULL, false },
};

static enum status
add_job(struct table *t, const json_t *job, struct fault *why)
{
	char		 id[FORMAT_BYTES], priority[FORMAT_BYTES], user[FORMAT_BYTES];
	const char	*cells[NCELLS] = {
		id, member_text(job, "state"), member_text(job, "name"),
		member_text(json_object_get(job, "sweep"), "name"), priority,
		member_user(job, "submitter", user),
	};

	(void)snprintf(id, sizeof id, "%.0f", member_number(job, "id"));
	(void)snprintf(priority, sizeof priority, "%.0f", member_number(job, "priority"));
	return table_add(t, cells, why);
}

static json_int_t
print_states(const json_t *states)
{
	static const char *const	live[] = { "queued", "building", "built", "timing" };
	json_int_t			sum = 0;

	for (unsigned i = 0; i < sizeof live / sizeof live[0]; i++) {
		json_int_t	n = json_integer_value(json_object_get(states, live[i]));

		(void)printf("%s%" JSON_INTEGER_FORMAT " %s", i > 0 ? ", " : "", n, live[i]);
		sum += n;
	}
	(void)putchar('\n');
	return sum;
}

/* The job at each place, in one line: "timing: CPU 1 job 12; CPU 3 idle". */
static void
print_places(const char *what, const json_t *places)
{
	const json_t	*place;
	size_t		 i;
	char		 cpus[FORMAT_CPUS_BYTES];

	if (json_array_size(places) == 0)
		return;
	(void)printf("%s:", what);
	json_array_foreach(places, i, place) {
		const json_t	*job = json_object_get(place, "job");

		(void)printf("%s %s", i > 0 ? ";" : "", member_cpus(place, cpus));
		if (json_is_integer(job))
			(void)printf(" job %" JSON_INTEGER_FORMAT, json_integer_value(job));
		else
			(void)printf(" idle");
	}
	(void)putchar('\n');
}

static enum status
print_queue(const struct cli *cli, const json_t *queue, struct fault *why)
{
	const json_t	*jobs = json_object_get(queue, "jobs"), *job;
	json_int_t	 alive = print_states(json_object_get(queue, "states"));
	struct table	*t;
	size_t		 i;
	enum status	 st = table_new(&t, columns, why);

	print_places("timing", json_object_get(queue, "slots"));
	print_places("building", json_object_get(queue, "builders"));
	queue_print_paused(queue);
	queue_print_quota(json_object_get(queue, "quota"));
	readiness_print(json_object_get(queue, "readiness"));
	if (st == ST_OK)
		st = queue_print_users(cli, queue, why);
	json_array_foreach(jobs, i, job)
		if (st == ST_OK)
			st = add_job(t, job, why);
	if (st == ST_OK && table_rows(t) > 0) {
		(void)putchar('\n');
		table_print(t, stdout, output_columns());
	}
	table_free(t);
	if (st == ST_OK && !cli->quiet && alive > (json_int_t)json_array_size(jobs))
		(void)fprintf(stderr,
		    "assay: and %" JSON_INTEGER_FORMAT " more: --limit N shows up to %d\n",
		    alive - (json_int_t)json_array_size(jobs), MAX_LIMIT);
	return st;
}

static enum status
answer_fleet(struct cli *cli, int64_t limit, struct fault *why)
{
	const json_t	*host;
	json_t		*answers;
	size_t		 i;
	struct fault	 ours;
	enum status	 st = fleet_call(cli, "queue.get",
			    json_pack("{s:I}", "limit", (json_int_t)limit), &answers, why);

	if (cli->json || cli->ndjson) {
		(void)fleet_print_json(cli, answers, "queue", &ours);
	} else {
		json_array_foreach(answers, i, host) {
			fleet_print_heading(host, i == 0);
			(void)print_queue(cli, json_object_get(host, "answer"), &ours);
		}
	}
	json_decref(answers);
	return st;
}

static enum status
answer(struct cli *cli, int64_t limit, struct fault *why)
{
	struct connection	*c = NULL;
	json_t			*queue = NULL, *job;
	size_t			 i;
	enum status		 st;

	if (hosts_are_several(cli))
		return answer_fleet(cli, limit, why);
	if ((st = connection_open_reading(&c, cli, why)) == ST_OK)
		st = connection_call(c, "queue.get",
		    json_pack("{s:I}", "limit", (json_int_t)limit), &queue, why);
	connection_free(c);
	if (st == ST_OK && cli->ndjson) {
		json_array_foreach(json_object_get(queue, "jobs"), i, job)
			if (st == ST_OK)
				st = output_line(job, why);
	} else if (st == ST_OK) {
		st = cli->json ? output_document(queue, why) : print_queue(cli, queue, why);
	}
	json_decref(queue);
	return st;
}

/* Without a word: shows the queue. */
static int
run(const struct cli_command *self, struct cli *cli, const struct cli_list *words, int64_t limit,
    const struct queue_target *t)
{
	const char	*word = words->n != 0 ? words->items[0] : "";
	const bool	 pauses = strcmp(word, "pause") == 0;
	struct fault	 why;

	if (words->n == 1 && word[0] >= '0' && word[0] <= '9')
		return queue_print_job(cli, word, &why) == ST_OK ? 0 : cli_fail(&why);
	if (words->n > 1 || (words->n == 1 && !pauses && strcmp(word, "resume") != 0))
		return cli_usage(self, "queue: takes pause, resume, a job's id or no argument");
	if (words->n == 1 && !queue_target_is_one(t))
		return cli_usage(self, "queue: needs one of --sweep, --user and --all");
	if (words->n == 0 && (t->sweep != NULL || t->user != NULL || t->all))
		return cli_usage(self, "queue: --sweep, --user and --all are for pause and resume");
	if (words->n == 1)
		return queue_pause(cli, pauses, t, &why) == ST_OK ? 0 : cli_fail(&why);
	return answer(cli, limit, &why) == ST_OK ? 0 : cli_fail(&why);
}

int
cmd_queue(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	int64_t			limit = DEFAULT_LIMIT;
	struct queue_target	target = { .all = false };
	const struct cli_option	options[] = {
		{ '\0', "limit", CLI_INT, &limit, "N",
		  "list at most so many jobs (default 50)", 1, MAX_LIMIT },
		{ '\0', "sweep", CLI_TEXT, &target.sweep, "SWEEP",
		  "pause or resume this sweep (name or id)", 0, 0 },
		{ '\0', "user", CLI_TEXT, &target.user, "USER",
		  "pause or resume all jobs of this user (name or id)", 0, 0 },
		{ '\0', "all", CLI_FLAG, &target.all, NULL,
		  "pause or resume the whole queue", 0, 0 },
		CLI_END,
	};
	struct cli_list		words;
	int			code = cli_parse(cli, self, options, argc, argv, &words);

	if (code == CLI_GO_ON)
		code = run(self, cli, &words, limit, &target);
	cli_list_release(&words);
	return code;
}
