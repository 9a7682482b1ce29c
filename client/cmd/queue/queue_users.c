/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "client/cmd/job/ids.h"
#include "client/cmd/queue/queue_users.h"
#include "client/connect/connection.h"
#include "client/print/format.h"
#include "client/print/member.h"
#include "client/print/output.h"
#include "client/print/results/estimate.h"
#include "client/print/table.h"

enum { NCELLS = 8, SHOWN = 20 };

static const struct table_column columns[NCELLS + 1] = {
	{ "user", false }, { "waiting", true }, { "not ready", true }, { "building", true },
	{ "timing", true }, { "used", true }, { "before it", true }, { "at its end", false },
	{ NULL, false },
};

static enum status
add_user(struct table *t, const json_t *user, struct fault *why)
{
	char		 n[6][FORMAT_BYTES], used[FORMAT_BYTES], end[ESTIMATE_WORDS_BYTES];
	const char	*cells[NCELLS] = {
		member_user(user, "user", n[0]), member_count(user, "waiting", n[1]),
		member_count(user, "not_ready", n[2]),
		member_count(user, "building", n[3]), member_count(user, "timing", n[4]),
		estimate_duration(member_number(user, "timed_s"), used, sizeof used), n[5],
		estimate_time(user, end),
	};
	const double	 position = member_number(user, "position");

	n[5][0] = '\0';
	if (isfinite(position))
		(void)snprintf(n[5], sizeof n[5], "%.0f", position);
	return table_add(t, cells, why);
}

static void
print_rate(const json_t *rate)
{
	const double	time_s = member_number(rate, "time_s");

	if (!isfinite(time_s))
		return;
	(void)printf("a job takes %.2g s of a slot and %.2g s of a builder (mean of the last "
	    "%.0f)\n", time_s, member_number(rate, "build_s"), member_number(rate, "jobs"));
}

enum status
queue_print_users(const struct cli *cli, const json_t *queue, struct fault *why)
{
	const json_t	*users = json_object_get(queue, "users"), *user;
	const size_t	 n = json_array_size(users);
	struct table	*t;
	size_t		 i;
	enum status	 st;

	print_rate(json_object_get(queue, "rate"));
	if (n == 0 || (st = table_new(&t, columns, why)) != ST_OK)
		return n == 0 ? ST_OK : st;
	json_array_foreach(users, i, user)
		if (st == ST_OK && i < SHOWN)
			st = add_user(t, user, why);
	if (st == ST_OK) {
		(void)putchar('\n');
		table_print(t, stdout, output_columns());
	}
	table_free(t);
	if (st == ST_OK && n > SHOWN && !cli->quiet)
		(void)fprintf(stderr, "assay: and %zu more users: --json shows all\n", n - SHOWN);
	return st;
}

static void
print_job(const json_t *job)
{
	char		 words[ESTIMATE_WORDS_BYTES];
	const bool	 waits = member_number(job, "position") > 0;

	(void)(waits ? estimate_words(job, "it", words) : estimate_time(job, words));
	(void)printf("job %.0f: %s%s%s\n", member_number(job, "id"), member_text(job, "state"),
	    words[0] != '\0' ? ", " : "", words);
}

enum status
queue_print_job(struct cli *cli, const char *id, struct fault *why)
{
	const struct cli_list	 one = { .items = (char **)(uintptr_t)&id, .n = 1 };
	struct connection	*c = NULL;
	json_t			*ids = NULL, *job = NULL;
	enum status		 st = ids_parse(&one, &ids, why);

	if (st == ST_OK && (st = connection_open_reading(&c, cli, why)) == ST_OK)
		st = connection_call(c, "job.get", json_pack("{s:O}", "id",
		    json_array_get(ids, 0)), &job, why);
	connection_free(c);
	if (st == ST_OK && (cli->json || cli->ndjson))
		st = output_json(cli, job, why);
	else if (st == ST_OK)
		print_job(job);
	json_decref(ids);
	json_decref(job);
	return st;
}
