/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "client/cmd/launch/config.h"
#include "client/cmd/launch/launch_run.h"
#include "client/cmd/micro/groups.h"
#include "client/cmd/micro/micro_run.h"
#include "client/cmd/micro/programs.h"
#include "client/cmd/micro/steady.h"
#include "client/cmd/micro/study_page.h"
#include "client/cmd/micro/twin.h"
#include "client/print/output.h"

/* MicroLauncher's ten repetitions, in one process: a description has hundreds of programs. */
enum { SAMPLES = 10, PROCESSES = 1, BASE_PASSES = 4 };

struct run {
	struct cli		*cli;
	struct launch		 launch;
	const char		*file, *levels_text, *report, *twin_of;
	struct generator	 generator;
	struct programs		 programs;
	struct levels		 levels;
	struct session		 session;
	struct launch_rows	 rows;
	json_t			*sweep;		/* owned */
};

/* ---- what is launched ---- */

static int64_t
element_bytes(const struct launch *l)
{
	int64_t		bytes;
	struct fault	not;

	if (cli_int(l->element, 1, 65536, &bytes, &not) == ST_OK)
		return bytes;
	return strcmp(l->element, "double") == 0 ? 8 : strcmp(l->element, "char") == 0 ? 1 : 4;
}

/* Are times of an iteration printed by level, and does the number of iterations follow the size? */
static bool
has_steady_state(const struct launch *l, const char *twin_of)
{
	return twin_of == NULL && strchr(l->copies_text, '-') == NULL &&
	    strcmp(l->info_text, "iteration") == 0 && l->trips == 0 &&
	    (strcmp(l->iterations, "return") == 0 || strchr(l->iterations, 'N') != NULL);
}

static void
list_size(struct launch *l, int64_t n, const char *level)
{
	l->listed[l->nlisted] = n;
	l->level[l->nlisted++] = level;
}

/* None, if a program has too few passes to make in the smallest. */
static void
list_bases(struct run *r, unsigned level)
{
	struct launch	*l = &r->launch;
	const unsigned	 halvings = r->levels.halvings[level];
	const int64_t	 step = r->programs.longest_step > 0 ? r->programs.longest_step : 1;
	int64_t		 n = r->levels.elements[level];

	if (n >> halvings < BASE_PASSES * step * l->max_stride ||
	    l->nlisted + halvings > SURVEY_MAX_ARRAYS)
		return;
	for (unsigned i = 0; i < halvings; i++) {
		n /= 2;
		l->base[l->nlisted - 1] = n;
		list_size(l, n, r->levels.base_name[level]);
	}
}

static void
list_level(struct run *r, unsigned level)
{
	struct launch	*l = &r->launch;
	const int64_t	 n = r->levels.bytes[level] / element_bytes(l) /
			    (l->arrays > 1 ? l->arrays : 1);

	r->levels.elements[level] = n;
	list_size(l, n, r->levels.name[level]);
	if (has_steady_state(l, r->twin_of))
		list_bases(r, level);
}

/*
 * Sizes for each level, unless the options have sizes.  A program's are timed one behind the other:
 * a host disturbed for seconds then slows all of them, and their differences stay.
 */
static enum status
choose_sizes(struct run *r, struct fault *why)
{
	struct launch	*l = &r->launch;
	json_t		*host = NULL;
	enum status	 st;

	if (l->first_size + l->last_size > 0 || l->sizes_text != NULL)
		return ST_OK;
	if ((st = connection_call(r->session.connection, "host.get", NULL, &host, why)) == ST_OK)
		st = levels_of(&r->levels, r->levels_text, host, why);
	json_decref(host);
	l->sizes_last = true;
	for (unsigned i = 0; i < r->levels.n; i++)
		list_level(r, i);
	return st;
}

static enum status
make_sweep(struct run *r, struct fault *why)
{
	enum status	st;

	programs_describe(&r->programs, &r->launch);
	if (r->twin_of != NULL &&
	    (st = twin_add_routine(r->programs.list, r->twin_of, why)) != ST_OK)
		return st;
	if (r->launch.samples == 0)
		r->launch.samples = SAMPLES;
	if (r->launch.processes == 0)
		r->launch.processes = PROCESSES;
	if ((st = choose_sizes(r, why)) != ST_OK)
		return st;
	if (r->twin_of == NULL)
		programs_check_result(&r->programs, &r->launch);
	if ((st = launch_check(&r->launch, why)) != ST_OK)
		return st;
	return launch_sweep_of(&r->launch, r->programs.list, &r->sweep, why);
}

/* ---- what is printed ---- */

static enum status
print_groups(const struct run *r, struct fault *why)
{
	struct groups	g;
	enum status	st;

	groups_of(&g, &r->rows, &r->levels);
	if (g.n == 0)
		return launch_rows_table(&r->rows, stdout, why);
	if ((st = groups_print(&g, &r->levels, stdout, why)) == ST_OK && g.failed > 0)
		(void)printf("%zu of %zu have no time; see: assay results --sweep '%s'\n",
		    g.failed, r->rows.n, json_string_value(json_object_get(r->sweep, "name")));
	return st;
}

static enum status
print_twins(const struct run *r, struct fault *why)
{
	struct twins	t;

	twins_of(&t, &r->rows);
	if (t.n == 0)
		return launch_rows_table(&r->rows, stdout, why);
	if (twins_print(&t, stdout, why) != ST_OK)
		return why->status;
	twins_print_losses(&r->rows, stdout);
	return ST_OK;
}

static enum status
put_out(const struct run *r, struct fault *why)
{
	enum status	st = ST_OK;

	if (r->report != NULL)
		st = study_page(r->report, r->file, &r->rows, &r->launch, &r->levels, why);
	if (st != ST_OK || r->cli->ndjson)
		return st;
	if (r->cli->json || r->launch.csv || (r->levels.n == 0 && r->twin_of == NULL) ||
	    r->launch.most_copies > r->launch.copies)
		return launch_put_rows(r->cli, &r->launch, &r->rows, why);
	if (r->launch.quiet_results)
		return ST_OK;
	return r->twin_of != NULL ? print_twins(r, why) : print_groups(r, why);
}

/* ---- the whole ---- */

static int
launch_programs(struct run *r)
{
	struct fault	why;
	int		code;

	if (session_open(&r->session, r->cli, &why) != ST_OK || make_sweep(r, &why) != ST_OK)
		return cli_fail(&why);
	if (r->launch.prints)
		return output_document(r->sweep, &why) == ST_OK ? 0 : cli_fail(&why);
	if (launch_check_file("--report", r->report, &why) != ST_OK ||
	    launch_check_file("--output", r->launch.output, &why) != ST_OK)
		return cli_fail(&why);
	if ((code = launch_collect(r->cli, &r->session, r->sweep, &r->rows)) != 0)
		return code;
	if (steady_fill(&r->rows, &why) != ST_OK)
		return cli_fail(&why);
	code = launch_rows_exit_code(&r->rows);
	return put_out(r, &why) == ST_OK ? code : cli_fail(&why);
}

/* What needs no programs to be wrong. */
static enum status
check_options(const struct run *r, struct fault *why)
{
	if (r->launch.limit > 0 && r->launch.survey_text == NULL) {
		(void)fault_at(why, ST_BAD_REQUEST, "--limit",
		    "draws from the offsets of --vectsurveyor, and there are none");
		fault_hint(why, "for some of the programs: --programs N");
		return ST_BAD_REQUEST;
	}
	return launch_check_output(r->cli, &r->launch, why);
}

static int
run(struct run *r)
{
	struct fault	why;
	int		code;

	if (levels_check(r->levels_text, &why) != ST_OK || check_options(r, &why) != ST_OK)
		return cli_fail(&why);
	launch_rows_init(&r->rows, &r->launch);
	r->launch.has_programs = true;
	r->generator.seed = r->launch.seed;
	if (programs_make(&r->programs, &r->generator, r->cli, r->file, r->launch.function, &code,
	    &why) != ST_OK)
		code = cli_fail(&why);
	if (code == 0)
		code = launch_programs(r);
	session_close(&r->session);
	launch_rows_release(&r->rows);
	programs_release(&r->programs);
	json_decref(r->sweep);
	return code;
}

/* Programs are drawn, too, which the table of launch cannot say. */
static void
name_draws(struct cli_option *o)
{
	for (; o->name != NULL; o++)
		if (strcmp(o->name, "limit") == 0)
			o->text = "of the combinations of --vectsurveyor as many, drawn at random";
		else if (strcmp(o->name, "seed") == 0)
			o->text = "of the draws of --programs and --limit (default 0)";
}

enum { OWN_OPTIONS = 4, RUN_OPTIONS = OWN_OPTIONS + GENERATOR_OPTIONS + LAUNCH_OPTIONS };

static void
list_options(struct run *r, struct cli_option to[RUN_OPTIONS])
{
	const struct cli_option	own[OWN_OPTIONS] = {
		{ '\0', "levels", CLI_TEXT, &r->levels_text, "L1,L2,...",
		  "caches that hold the arrays: some of L1, L2, L3, memory (default: all)", 0, 0 },
		{ '\0', "programs", CLI_INT, &r->generator.limit, "N",
		  "of the programs as many, drawn at random", 1, 1 << 20 },
		{ '\0', "report", CLI_TEXT, &r->report, "FILE.html",
		  "write a page with the paper's figures", 0, 0 },
		{ '\0', "twin-of", CLI_TEXT, &r->twin_of, "FILE",
		  "a routine with a macro UNROLL, whose gain the programs shall predict", 0, 0 },
	};

	memcpy(to, own, sizeof own);
	generator_options(&r->generator, to + OWN_OPTIONS);
	launch_options(&r->launch, to + OWN_OPTIONS + GENERATOR_OPTIONS);
	name_draws(to);
}

int
micro_run(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	struct run		r = { .cli = cli, .launch = LAUNCH_DEFAULTS };
	struct cli_option	options[RUN_OPTIONS];
	struct cli_list		words;
	struct config_words	given;
	int			code;

	r.launch.element = NULL;
	list_options(&r, options);
	code = config_parse(cli, self, options, argc, argv, &given, &words);
	if (code == CLI_GO_ON && (words.n != 1 || r.launch.kernels.n > 0))
		code = cli_usage(self, "micro run: needs one description, FILE.xml");
	if (code == CLI_GO_ON && r.twin_of != NULL && strcmp(r.launch.info_text, "raw") == 0)
		code = cli_usage(self, "micro run: --twin-of compares calls, not samples");
	if (code == CLI_GO_ON) {
		r.file = words.items[0];
		code = run(&r);
	}
	cli_list_release(&words);
	cli_list_release(&r.generator.plugins);
	launch_release(&r.launch);
	config_words_release(&given);
	return code;
}
