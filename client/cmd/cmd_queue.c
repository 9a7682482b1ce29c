/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>

#include "client/cmd/cmd.h"
#include "client/connect/connection.h"
#include "client/print/format.h"
#include "client/print/member.h"
#include "client/print/output.h"
#include "client/print/table.h"

enum { DEFAULT_LIMIT = 50, MAX_LIMIT = 1000, NCELLS = 6, NAME_BYTES = 256 };

static const struct table_column columns[NCELLS + 1] = {
	{ "job", true }, { "state", false }, { "name", false }, { "sweep", false },
	{ "priority", true }, { "user", true }, { NULL, false },
};

static enum status
add_job(struct table *t, const json_t *job, struct fault *why)
{
	char		 id[FORMAT_BYTES], priority[FORMAT_BYTES], user[FORMAT_BYTES];
	const char	*cells[NCELLS] = {
		id, member_text(job, "state"), member_text(job, "name"),
		member_text(json_object_get(job, "sweep"), "name"), priority, user,
	};

	(void)snprintf(id, sizeof id, "%.0f", member_number(job, "id"));
	(void)snprintf(priority, sizeof priority, "%.0f", member_number(job, "priority"));
	(void)snprintf(user, sizeof user, "%.0f", member_number(job, "submitter"));
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
answer(struct cli *cli, int64_t limit, struct fault *why)
{
	struct connection	*c = NULL;
	json_t			*queue = NULL, *job;
	size_t			 i;
	enum status		 st;

	if ((st = connection_open(&c, cli, why)) == ST_OK)
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

int
cmd_queue(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	int64_t			limit = DEFAULT_LIMIT;
	const struct cli_option	options[] = {
		{ '\0', "limit", CLI_INT, &limit, "N",
		  "list at most so many jobs (default 50)", 1, MAX_LIMIT },
		{ '\0', NULL, CLI_FLAG, NULL, NULL, NULL, 0, 0 },
	};
	struct cli_list		words;
	struct fault		why;
	int			code = cli_parse(cli, self, options, argc, argv, &words);

	if (code == CLI_GO_ON && words.n != 0)
		code = cli_usage(self, "queue: takes no argument");
	else if (code == CLI_GO_ON)
		code = answer(cli, limit, &why) == ST_OK ? 0 : cli_fail(&why);
	cli_list_release(&words);
	return code;
}
