/* SPDX-License-Identifier: Apache-2.0 */
/* assay driver: the sources of a timer that runs without Assay. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/cmd/cmd.h"
#include "client/cmd/job/time_job.h"
#include "client/driver/package.h"

struct driver {
	struct cli		*cli;		/* borrowed */
	struct time_choice	 choice;
	const char		*output;	/* borrowed */
	struct cli_list		 words;
	struct job		*jobs;		/* owned */
	size_t			 njobs;		/* decoded */
};

static void
print_remarks(const struct driver *d, const char *notes, const char *remarks)
{
	if (d->cli->quiet)
		return;
	if (notes[0] != '\0')
		(void)fprintf(stderr, "assay: %s\n", notes);
	for (const char *line = remarks; *line != '\0'; line = strchr(line, '\n') + 1)
		(void)fprintf(stderr, "assay: left out: %.*s\n", (int)strcspn(line, "\n"), line);
}

/* Job n: of the n-th variant's file, or with the document's own variant. */
static enum status
add_job(struct driver *d, const json_t *base, const char *file, json_t *variants,
    struct fault *why)
{
	json_t		*doc;
	enum status	 st = time_job_make(&d->choice, base, file, &doc, why);

	if (st != ST_OK)
		return st;
	(void)json_array_append(variants, json_object_get(doc, "variant"));
	if ((st = job_decode(&d->jobs[d->njobs], doc, why)) == ST_OK)
		d->njobs++;
	json_decref(doc);
	return st;
}

static enum status
make_jobs(struct driver *d, const json_t *base, struct fault *why)
{
	const size_t	 nfiles = d->words.n - 1, n = nfiles > 0 ? nfiles : 1;
	json_t		*variants = json_array();
	enum status	 st = ST_OK;

	if ((d->jobs = calloc(n, sizeof *d->jobs)) == NULL)
		st = fault_set(why, ST_NOMEM, "jobs");
	for (size_t i = 0; i < n && st == ST_OK; i++)
		st = add_job(d, base, nfiles > 0 ? d->words.items[1 + i] : NULL, variants, why);
	if (st == ST_OK)
		st = time_job_check(&d->choice, base, variants, why);
	json_decref(variants);
	return st;
}

static enum status
write_out(struct driver *d, const char *notes, struct fault *why)
{
	char			remarks[PACKAGE_REMARKS_BYTES];
	const struct package	p = { .jobs = d->jobs, .n = d->njobs, .remarks = remarks };
	enum status		st = limits_check(&d->jobs[0], remarks, sizeof remarks, why);

	if (st == ST_OK)
		st = package_write(&p, d->output, why);
	if (st == ST_OK)
		print_remarks(d, notes, remarks);
	return st;
}

static int
run(struct driver *d)
{
	json_t		*base = NULL;
	char		 notes[512];
	struct fault	 why;
	enum status	 st;

	st = time_job_base(&d->choice, d->words.items[0], &base, notes, sizeof notes, &why);
	if (st == ST_OK)
		st = make_jobs(d, base, &why);
	if (st == ST_OK)
		st = write_out(d, notes, &why);
	for (size_t i = 0; i < d->njobs; i++)
		job_release(&d->jobs[i]);
	free(d->jobs);
	json_decref(base);
	return st == ST_OK ? 0 : cli_fail(&why);
}

int
cmd_driver(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	struct driver		 d = { .cli = cli, .choice = TIME_AS_SPECIFIED };
	struct time_choice	*c = &d.choice;
	struct cli_option	 options[CLI_MAX_OPTIONS];
	const struct cli_option	 own[] = {
		{ 'o', "output", CLI_TEXT, &d.output, "DIR", "write there, into a new directory",
		  0, 0 },
		{ '\0', "samples", CLI_INT, &c->samples, "N", "how many samples to take", 1,
		  INT32_MAX },
		CLI_END,
	};
	int			 code;

	time_job_options(c, options);
	memcpy(options + TIME_SHARED_OPTIONS, own, sizeof own);
	cli->is_local = true;
	code = cli_parse(cli, self, options, argc, argv, &d.words);
	if (code == CLI_GO_ON && d.words.n == 0)
		code = cli_usage(self, "driver: needs a spec, SPEC.json");
	if (code == CLI_GO_ON && d.output == NULL)
		code = cli_usage(self, "driver: needs a directory to write: -o DIR");
	if (code == CLI_GO_ON)
		code = run(&d);
	time_job_release(c);
	cli_list_release(&d.words);
	return code;
}
