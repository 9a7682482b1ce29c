/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/cmd/job/helper.h"
#include "client/cmd/micro/programs.h"
#include "client/print/member.h"

void
generator_options(struct generator *g, struct cli_option *to)
{
	const struct cli_option	own[GENERATOR_OPTIONS] = {
		{ '\0', "plugin", CLI_LIST, &g->plugins, "FILE",
		  "a shared object with passes of your own, run in its own process", 0, 0 },
		{ '\0', "plugin-seconds", CLI_INT, &g->plugin_seconds, "N",
		  "how long that may take; otherwise 300", 1, 86400 },
		{ '\0', "vector", CLI_TEXT, &g->vector, "BYTES",
		  "width of vector registers instead of the description's", 0, 0 },
		{ '\0', "microperf", CLI_FLAG, &g->by_copies, NULL,
		  "linked counters count copies, as the public tool's do", 0, 0 },
		{ '\0', "verbose", CLI_FLAG, &g->is_verbose, NULL,
		  "print among how many each pass chooses", 0, 0 },
	};

	memcpy(to, own, sizeof own);
}

/* ---- what a call returns ---- */

/* A line that names %eax, or a part or whole of it. */
static bool
has_result(const char *line, size_t n)
{
	static const char *const	names[] = { "%eax", "%rax", "%ax", "%al", "%ah" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (memmem(line, n, names[i], strlen(names[i])) != NULL)
			return true;
	return false;
}

int64_t
programs_count_of(const char *source)
{
	long long	counts = 0, one;
	int		used;

	for (size_t n; *source != '\0'; source += n + (source[n] == '\n')) {
		n = strcspn(source, "\n");
		if (!has_result(source, n))
			continue;
		used = 0;
		if (counts == 0 && strncmp(source, "mov $0, %eax", n) == 0)
			continue;
		if (sscanf(source, "add $%lld, %%eax%n", &one, &used) != 1 || (size_t)used != n ||
		    one < 1 || one > INT32_MAX || counts != 0)
			return 0;
		counts = one;
	}
	return counts;
}

static void
take_count(struct programs *p, const json_t *program, json_t *meta, bool is_first)
{
	const double	step = member_number(meta, "step");
	const int64_t	counts = json_is_true(json_object_get(meta, "returns")) &&
			    json_is_true(json_object_get(meta, "straight")) && step >= 1 &&
			    step <= INT32_MAX ?
			    programs_count_of(member_text(program, "source")) : 0;

	if (counts > 0)
		(void)json_object_set_new(meta, PROGRAM_COUNTS, json_integer(counts));
	if (is_first) {
		p->step = counts > 0 ? (int64_t)step : 0;
		p->counts = counts;
	} else if (counts != p->counts || (double)p->step != step) {
		p->step = p->counts = 0;
	}
}

/* ---- the programs ---- */

/* What is no member of a variant goes; what all have in common is kept. */
static void
look_at(struct programs *p, json_t *program, bool is_first)
{
	json_t		*meta = json_object_get(program, "meta");
	const double	 arrays = member_number(meta, "arrays");
	const double	 element = member_number(meta, "element_bytes");
	const double	 step = member_number(meta, "step");

	(void)json_object_del(program, "index");
	p->arrays = arrays > (double)p->arrays ? (int64_t)fmin(arrays, SURVEY_MAX_ARRAYS) :
	    p->arrays;
	p->element_bytes = element > (double)p->element_bytes ? (int64_t)fmin(element, 64) :
	    p->element_bytes;
	p->longest_step = step > (double)p->longest_step ? (int64_t)fmin(step, INT32_MAX) :
	    p->longest_step;
	take_count(p, program, meta, is_first);
}

static void
add_options(struct helper *h, const struct generator *g, const struct cli *cli)
{
	if (cli->quiet)
		helper_add(h, "-q");
	for (size_t i = 0; i < g->plugins.n; i++)
		helper_add(h, "--plugin=%s", g->plugins.items[i]);
	if (g->plugin_seconds > 0)
		helper_add(h, "--plugin-seconds=%" PRId64, g->plugin_seconds);
	if (g->vector != NULL)
		helper_add(h, "--vector=%s", g->vector);
	if (g->by_copies)
		helper_add(h, "--microperf");
	if (g->is_verbose)
		helper_add(h, "--verbose");
	if (g->limit > 0) {
		helper_add(h, "--limit=%" PRId64, g->limit);
		helper_add(h, "--seed=%" PRId64, g->seed);
	}
}

enum status
programs_make(struct programs *p, const struct generator *g, const struct cli *cli,
    const char *file, const char *function, int *code, struct fault *why)
{
	struct helper	 h;
	json_t		*program;
	size_t		 i;
	enum status	 st;

	*p = (struct programs){ .list = NULL };
	*code = 0;
	if ((st = helper_init(&h, "assay-micro", "expat and Zydis", why)) != ST_OK)
		return st;
	helper_add(&h, "--ndjson");
	helper_add(&h, cli->host == NULL ? "--for-host" : "--decode");
	helper_add(&h, "--function=%s", function);
	add_options(&h, g, cli);
	helper_add(&h, "--");
	helper_add(&h, "%s", file);
	st = helper_run_lines(&h, &p->list, code, why);
	helper_release(&h);
	if (*code == status_exit_code(ST_FULL) && g->limit == 0)
		(void)fprintf(stderr, "       micro run calls it --programs N\n");
	json_array_foreach(p->list, i, program)
		look_at(p, program, i == 0);
	return st;
}

void
programs_release(struct programs *p)
{
	json_decref(p->list);
	free(p->checked);
	*p = (struct programs){ .list = NULL };
}

void
programs_describe(const struct programs *p, struct launch *l)
{
	if (l->arrays < 0 && l->sizes_text == NULL && l->survey_text == NULL)
		l->arrays = p->arrays;
	if (l->element == NULL)
		l->element = p->element_bytes == 8 ? "double" :
		    p->element_bytes == 1 || p->element_bytes == 2 ? "char" : "float";
}

void
programs_check_result(struct programs *p, struct launch *l)
{
	int64_t	 least = l->trips > 0 ? l->trips : l->first_size;
	char	 n[64];

	for (unsigned i = 0; i < l->nlisted; i++)
		least = i == 0 || l->listed[i] < least ? l->listed[i] : least;
	if (p->step == 0 || l->checked != NULL || strcmp(l->iterations, "return") != 0 ||
	    strcmp(l->info_text, "iteration") != 0 || least / l->max_stride < p->step)
		return;
	if (l->trips > 0)
		(void)snprintf(n, sizeof n, "%" PRId64, l->trips);
	else
		(void)snprintf(n, sizeof n, l->max_stride > 1 ? "(N / %" PRId64 ")" : "N",
		    l->max_stride);
	if (asprintf(&p->checked, "(%s - %s %% %" PRId64 ") / %" PRId64 " * %" PRId64, n, n,
	    p->step, p->step, p->counts) < 0)
		p->checked = NULL;
	l->checked = p->checked;
}
