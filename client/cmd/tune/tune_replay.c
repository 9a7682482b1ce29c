/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/cmd/job/document.h"
#include "client/cmd/tune/tune_print.h"
#include "client/cmd/tune/tune_replay.h"
#include "client/print/format.h"
#include "client/print/output.h"
#include "client/search/strategy/strategy.h"

enum { MOST_STRATEGIES = 32, NSTOPS = 3 };
static const uint64_t	stops[NSTOPS] = { 20, 40, 80 };

int
tune_word(const char *const *words, const char *word)
{
	for (int i = 0; words[i] != NULL; i++)
		if (strcmp(words[i], word) == 0)
			return i;
	return -1;
}

static json_t *
studied_json(const struct studied *s)
{
	json_t	*ratios = json_object();
	char	 name[32];

	for (size_t i = 0; i < NSTOPS; i++) {
		(void)snprintf(name, sizeof name, "%d", (int)stops[i]);
		(void)json_object_set_new(ratios, name, json_real(s->ratio[i]));
	}
	return json_pack("{s:s, s:o, s:f}", "strategy", s->strategy, "mean_ratio", ratios,
	    "own_ms", s->own_ms);
}

static enum status
print(const struct cli *cli, const char *file, const struct study *study,
    const struct studied *s, size_t n, struct fault *why)
{
	json_t		*list, *o;
	char		 optimum[FORMAT_BYTES];
	enum status	 st;

	if (!cli->json && !cli->ndjson) {
		(void)printf("%s: %zu points, the best takes %s\n", file, study->points,
		    format_duration_ns(study->optimum, optimum));
		return tune_print_studies(s, n, stops, NSTOPS, why);
	}
	list = json_array();
	for (size_t i = 0; i < n; i++)
		(void)json_array_append_new(list, studied_json(&s[i]));
	o = json_pack("{s:s, s:I, s:f, s:o}", "file", file, "points", (json_int_t)study->points,
	    "optimum_ns", study->optimum, "strategies", list);
	st = output_json(cli, o, why);
	json_decref(o);
	return st;
}

static enum status
replay(const struct cli *cli, const struct tune_replay *r, const char *file, struct fault *why)
{
	struct studied	 found[MOST_STRATEGIES];
	struct study	 study = { .field = NULL };
	struct logbook	 journal = { .head = NULL };
	char		*text;
	size_t		 n = 0, bytes;
	enum status	 st;

	if ((st = document_text(file, &text, &bytes, why)) != ST_OK)
		return st;
	if ((st = logbook_read(&journal, file, text, bytes, why)) == ST_OK)
		st = study_open(&study, &journal, file, why);
	for (; st == ST_OK && n < MOST_STRATEGIES && strategy_name(n) != NULL; n++)
		st = study_run(&study, strategy_name(n), (uint64_t)r->seeds, stops, NSTOPS,
		    &found[n], why);
	if (st == ST_OK)
		st = print(cli, file, &study, found, n, why);
	study_close(&study);
	logbook_release(&journal);
	free(text);
	return st;
}

int
tune_replay(struct cli *cli, const struct cli_command *self, const struct tune_replay *r,
    const struct cli_list *files)
{
	struct fault	why;

	if (files->n == 0)
		return cli_usage(self, "tune: --replay needs the journals of whole spaces");
	for (size_t i = 0; i < files->n; i++)
		if (replay(cli, r, files->items[i], &why) != ST_OK)
			return cli_fail(&why);
	return 0;
}
