/* SPDX-License-Identifier: Apache-2.0 */
/* The options of a launch: MicroLauncher's by their names, and those that it never had. */
#include <stdio.h>
#include <string.h>

#include "client/cmd/launch/launch.h"

enum { MOST_BYTES = 1 << 30 };

void
launch_options(struct launch *l, struct cli_option *to)
{
	const struct cli_option	own[] = {
		{ '\0', "kernelname", CLI_LIST, &l->kernels, "FILE",
		  "a kernel, or a directory of kernels; as the words behind the options", 0, 0 },
		{ '\0', "kernelfunction", CLI_TEXT, &l->function, "NAME",
		  "the function to time (default entryPoint)", 0, 0 },
		{ '\0', "execname", CLI_TEXT, &l->program, "FILE",
		  "a whole program in place of kernels: source with a main, or an executable", 0,
		  0 },
		{ '\0', "execpath", CLI_TEXT, &l->program_dir, "DIR", "the directory it is in", 0,
		  0 },
		{ '\0', "execargs", CLI_TEXT, &l->program_args, "WORDS",
		  "words of its command line, apart by blanks", 0, 0 },
		{ '\0', "nbvector", CLI_INT, &l->arrays, "N",
		  "how many arrays it takes (default 1)", 0, SURVEY_MAX_ARRAYS },
		{ '\0', "startvector", CLI_INT, &l->first_size, "ELEMENTS",
		  "the first size of the arrays (default 2500000)", 1, MOST_BYTES },
		{ '\0', "endvector", CLI_INT, &l->last_size, "ELEMENTS",
		  "the last size (default: the first)", 1, MOST_BYTES },
		{ '\0', "stepvector", CLI_INT, &l->size_step, "ELEMENTS",
		  "from one size to the next (default 1)", 1, MOST_BYTES },
		{ '\0', "nbsizes", CLI_TEXT, &l->sizes_text, "{A,B,...}",
		  "a size for each array", 0, 0 },
		{ '\0', "elements", CLI_TEXT, &l->elements, "EXPR",
		  "elements of an array of size N (default N); of a matrix N*N", 0, 0 },
		{ '\0', "data-size", CLI_TEXT, &l->element, "TYPE",
		  "float, double, int, char, or bytes of an element (default float)", 0, 0 },
		{ '\0', "vectsurveyor", CLI_TEXT, &l->survey_text, "{(A,B,S);...}",
		  "offsets of each array from a page, from A to below B by S; all combinations", 0,
		  0 },
		{ '\0', "limit", CLI_INT, &l->limit, "N",
		  "of the combinations of offsets as many, drawn at random", 1, INT32_MAX },
		{ '\0', "seed", CLI_INT, &l->seed, "N", "of the draw (default 0)", 0, INT32_MAX },
		{ '\0', "maxstride", CLI_INT, &l->max_stride, "N",
		  "pass the size divided by this as n (default 1)", 1, MOST_BYTES },
		{ '\0', "iteration-count", CLI_INT, &l->trips, "N",
		  "pass this as n, not the size", 1, INT32_MAX },
		{ '\0', "slack", CLI_INT, &l->slack, "BYTES",
		  "memory behind each array, for loops that go past its end (default 4096)", 0,
		  MOST_BYTES },
		{ '\0', "sizedummy", CLI_INT, &l->dummy_bytes, "BYTES",
		  "read a dummy array of this size before each sample", 1, MOST_BYTES },
		{ '\0', "context", CLI_TEXT, &l->context, "CONTEXT",
		  "warm (default), cold or bytes to flush", 0, 0 },
		{ '\0', "metarepetition", CLI_INT, &l->samples, "N",
		  "samples (default: until they agree)", 1, 10000 },
		{ '\0', "repetition", CLI_INT, &l->calls, "N",
		  "calls in a sample (default: as many as the clock needs)", 1, 1 << 24 },
		{ '\0', "executerepetition", CLI_INT, &l->processes, "N",
		  "processes among which the samples are shared out", 1, 256 },
		{ '\0', "nbprocess", CLI_TEXT, &l->copies_text, "N",
		  "copies, 1 to 64, on as many CPUs, started together; 1-8: a sweep over cores",
		  0, 0 },
		{ '\0', "frequency", CLI_TEXT, &l->frequencies_text, "KHZ,...",
		  "the core's clock, each of these in turn; assay-hostd sets it and puts it back",
		  0, 0 },
		{ '\0', "threads", CLI_INT, &l->threads, "N",
		  "CPUs for the OpenMP threads of the kernel (default 1)", 1, 1024 },
		{ '\0', "info", CLI_TEXT, &l->info_text, "WHAT",
		  "a value for an iteration (default), function (a call) or raw (a sample)", 0, 0 },
		{ '\0', "iterations", CLI_TEXT, &l->iterations, "EXPR",
		  "iterations of a call: return (default), or an expression over N", 0, 0 },
		{ '\0', "check-iterations", CLI_TEXT, &l->checked, "EXPR",
		  "what the kernel must return, an expression over N; else it is wrong_answer", 0,
		  0 },
		{ '\0', "unit", CLI_TEXT, &l->unit, "UNIT",
		  "ns, cycles or auto: cycles where the core's clock is known", 0, 0 },
		{ '\0', "clock", CLI_TEXT, &l->clock, "CLOCK", "auto, wall, cycle or cpu", 0, 0 },
		{ '\0', "counters", CLI_TEXT, &l->counters_text, "EVENT,...",
		  "events to count beside the time: cycles,instructions,power/energy-pkg/", 0, 0 },
		{ '\0', "evallib", CLI_TEXT, &l->metric, "FILE.so",
		  "an evaluation library: a metric beside the time", 0, 0 },
		{ '\0', "compiler", CLI_TEXT, &l->compiler, "NAME",
		  "the compiler (default: the daemon's)", 0, 0 },
		{ 'O', "flags", CLI_LIST, &l->flags, "FLAGS", "flags of the compiler: -O3", 0, 0 },
		{ '\0', "basename", CLI_TEXT, &l->name, "NAME",
		  "the sweep's name (default: the first kernel's, and the time)", 0, 0 },
		{ '\0', "csv", CLI_FLAG, &l->csv, NULL,
		  "CSV: one row an experiment, a column a dimension", 0, 0 },
		{ 'o', "output", CLI_TEXT, &l->output, "FILE", "write the CSV there", 0, 0 },
		{ '\0', "no-output", CLI_FLAG, &l->quiet_results, NULL,
		  "print no results; the daemon has them", 0, 0 },
		{ '\0', "config", CLI_TEXT, &l->config, "FILE.xml",
		  "MicroLauncher's configuration: options, which others override", 0, 0 },
		{ '\0', "print", CLI_FLAG, &l->prints, NULL,
		  "print the sweep, and submit nothing", 0, 0 },
		CLI_END,
	};

	_Static_assert(sizeof own / sizeof own[0] == LAUNCH_OPTIONS, "LAUNCH_OPTIONS");
	memcpy(to, own, sizeof own);
}

void
launch_release(struct launch *l)
{
	cli_list_release(&l->kernels);
	cli_list_release(&l->flags);
}

/* ---- MicroLauncher's that are no options here ---- */

struct foreign {
	const char	*name, *reason, *remedy;
};

static const struct foreign foreign[] = {
	{ "alloclib", "the operands are the runner's, which proves where they lie",
	  "see --vectsurveyor, and align, offset and layout in assay-spec(5)" },
	{ "verifylib", "answers are checked outside of the kernel's reach",
	  "give a spec with a check: assay time" },
	{ "initfunction", "contents are the spec's, and the kernel does not choose them",
	  "see init and setup in assay-spec(5), and assay time" },
	{ "cpupin", "the daemon owns its timing CPUs, and a job has the next one that is free",
	  "see slots in assayd.conf(5); assay host lists them" },
	{ "no-thread-pin", "threads of a job always have a CPU each", "leave it out" },
	{ "omppath", "the compiler finds its OpenMP library", "use --threads N -O -fopenmp" },
	{ "vectorspacing", "each array has memory of its own",
	  "use --vectsurveyor for places relative to a page" },
	{ "pagecollide", "each array has pages of its own",
	  "use --vectsurveyor for places relative to a page" },
	{ "pagesize", "the page size is the host's", "leave it out" },
	{ "execoutput", "what a program prints is checked, and not kept",
	  "see program and stdout in assay-spec(5)" },
	{ "suppress-output", "a kernel's output never reaches the terminal", "leave it out" },
	{ "resume", "the daemon goes on by itself after any end",
	  "see: assay sweep show NAME" },
	{ "resumeid", "the daemon goes on by itself after any end",
	  "see: assay sweep show NAME" },
	{ "logverbosity", "the log is the daemon's", "see log-level in assayd.conf(5)" },
	{ "log-output", "the log is the daemon's", "see assayd(8)" },
	{ "output-dir", "results are in the daemon's database",
	  "use -o FILE, or: assay export SWEEP" },
	{ "output-same-dir", "results are in the daemon's database",
	  "use -o FILE, or: assay export SWEEP" },
	{ "all-metric-output", "each copy has a row of its own already", "leave it out" },
	{ "all-print-out", "all results are kept", "see: assay results --json" },
	{ "options", "each option has a name of its own", "give them as they are" },
	{ "no-eval-stack", "one evaluation library is used at a time", "leave it out" },
	{ "summary", "the table is one already", "leave it out" },
};

const char *
launch_foreign(size_t i)
{
	return i < sizeof foreign / sizeof foreign[0] ? foreign[i].name : NULL;
}

enum status
launch_foreign_fault(size_t i, const char *place, struct fault *why)
{
	(void)fault_at(why, ST_BAD_REQUEST, place, "%s: %s", foreign[i].name, foreign[i].reason);
	fault_hint(why, "%s", foreign[i].remedy);
	return ST_BAD_REQUEST;
}

enum status
launch_refuse_foreign(int argc, char **argv, struct fault *why)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		for (size_t k = 0; k < sizeof foreign / sizeof foreign[0]; k++) {
			const size_t	n = strlen(foreign[k].name);

			if (strncmp(argv[i], "--", 2) != 0 ||
			    strncmp(argv[i] + 2, foreign[k].name, n) != 0 ||
			    (argv[i][2 + n] != '\0' && argv[i][2 + n] != '='))
				continue;
			(void)fault_at(why, ST_BAD_REQUEST, argv[i], "%s", foreign[k].reason);
			fault_hint(why, "%s", foreign[k].remedy);
			return ST_BAD_REQUEST;
		}
	return ST_OK;
}
