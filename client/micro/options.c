/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>

#include "client/micro/options.h"
#include "proto/base/name.h"

enum { LONG_COUNT = 256, LONG_LIMIT, LONG_SEED, LONG_C, LONG_PRINT, LONG_NDJSON, LONG_CHECK,
	LONG_JOINED, LONG_MICROPERF, LONG_FUNCTION, LONG_MACHINE, LONG_VECTOR, LONG_LINES,
	LONG_PASSES, LONG_NODES, LONG_VERBOSE, LONG_PLUGIN, LONG_PLUGIN_SECONDS, LONG_DECODE,
	LONG_FOR_HOST, PLUGIN_SECONDS = 300, MAX_SECONDS = 86400 };

static const struct option	longs[] = {
	{ "output", required_argument, NULL, 'o' },
	{ "count", no_argument, NULL, LONG_COUNT },
	{ "limit", required_argument, NULL, LONG_LIMIT },
	{ "seed", required_argument, NULL, LONG_SEED },
	{ "c", no_argument, NULL, LONG_C },
	{ "print", no_argument, NULL, LONG_PRINT },
	{ "ndjson", no_argument, NULL, LONG_NDJSON },
	{ "check", no_argument, NULL, LONG_CHECK },
	{ "joined", required_argument, NULL, LONG_JOINED },
	{ "microperf", no_argument, NULL, LONG_MICROPERF },
	{ "function", required_argument, NULL, LONG_FUNCTION },
	{ "machine", required_argument, NULL, LONG_MACHINE },
	{ "vector", required_argument, NULL, LONG_VECTOR },
	{ "lines", no_argument, NULL, LONG_LINES },
	{ "passes", no_argument, NULL, LONG_PASSES },
	{ "nodes", no_argument, NULL, LONG_NODES },
	{ "verbose", no_argument, NULL, LONG_VERBOSE },
	{ "plugin", required_argument, NULL, LONG_PLUGIN },
	{ "plugin-seconds", required_argument, NULL, LONG_PLUGIN_SECONDS },
	{ "decode", no_argument, NULL, LONG_DECODE },
	{ "for-host", no_argument, NULL, LONG_FOR_HOST },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

void
lists_help(const struct micro *m, FILE *to)
{
	(void)m;
	(void)fprintf(to,
	    "usage: assay-micro [-o DIR | --print | --ndjson | --joined FILE | --count | "
	    "--check] FILE.xml\n"
	    "\n"
	    "  -o DIR           write each program to a file\n"
	    "  --print          write all to standard output\n"
	    "  --ndjson         write a JSON object for each, with what it has chosen\n"
	    "  --joined FILE    write all to one file; names of functions and labels differ\n"
	    "  --count          print how many there are, without making them\n"
	    "  --check          let the assembler read them; errors have the lines of FILE.xml\n"
	    "  --limit N        keep N of them, at random\n"
	    "  --seed S         with --limit: which ones\n"
	    "  --c              C with the same instructions in an asm statement\n"
	    "  --function NAME  of the routine; otherwise entryPoint\n"
	    "  --lines          put the line of FILE.xml in front of each instruction\n"
	    "  --microperf      linked counters count copies, as the public tool's do\n"
	    "  --machine NAME   x86_64 or aarch64; otherwise this host's\n"
	    "  --vector BYTES   width of vector registers instead of the description's\n"
	    "  --decode         with --ndjson: what the assembled code does, in meta\n"
	    "  --for-host       the same; refuse what this host's processor does not have\n"
	    "  --plugin FILE    a shared object with passes of your own, run in its own process\n"
	    "  --plugin-seconds N  how long that may take; otherwise 300\n"
	    "  --verbose        print among how many each pass chooses\n"
	    "  -q               print no remarks\n"
	    "  --passes         list the passes in their order\n"
	    "  --nodes          list the nodes of descriptions\n"
	    "  --launch-config FILE  print MicroLauncher's configuration as JSON\n");
}

static enum status
read_number(const char *option, const char *text, uint64_t *to, struct fault *why)
{
	char	*end;

	errno = 0;
	*to = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end != '\0' || errno != 0)
		return fault_at(why, ST_BAD_REQUEST, option, "\"%s\" is no number", text);
	return ST_OK;
}

static enum status
read_limit(const char *text, uint64_t *to, struct fault *why)
{
	enum status	st = read_number("--limit", text, to, why);

	return st == ST_OK && *to == 0 ? fault_at(why, ST_BAD_REQUEST, "--limit",
	    "0 programs cannot be kept: 1 or more can") : st;
}

static enum status
add_plugin(struct options *o, const char *file, struct fault *why)
{
	if (o->how.plugins.n == OPTIONS_PLUGINS)
		return fault_at(why, ST_BAD_REQUEST, "--plugin", "%d at most can be given",
		    OPTIONS_PLUGINS);
	o->plugins[o->how.plugins.n++] = file;
	return ST_OK;
}

static enum status
read_seconds(const char *text, unsigned *to, struct fault *why)
{
	uint64_t	seconds;
	enum status	st = read_number("--plugin-seconds", text, &seconds, why);

	if (st != ST_OK)
		return st;
	if (seconds == 0 || seconds > MAX_SECONDS)
		return fault_at(why, ST_BAD_REQUEST, "--plugin-seconds", "1 to %d can be given",
		    MAX_SECONDS);
	*to = (unsigned)seconds;
	return ST_OK;
}

struct words {
	const char	*machine, *vector;
};

static enum status
take_output(struct options *o, int c, char *value, struct fault *why)
{
	switch (c) {
	case 'o': o->how.folder = value; break;
	case LONG_JOINED: o->how.joined = value; break;
	case LONG_PRINT: o->how.prints = true; break;
	case LONG_NDJSON: o->how.as_lines = true; break;
	case LONG_CHECK: o->how.checks = true; break;
	case LONG_DECODE: o->how.decodes = true; break;
	case LONG_FOR_HOST: o->how.decodes = o->how.for_host = true; break;
	case LONG_COUNT: o->how.make.counts = true; break;
	case LONG_LIMIT: return read_limit(value, &o->how.make.limit, why);
	case LONG_SEED: return read_number("--seed", value, &o->how.make.seed, why);
	case LONG_PASSES: o->lists = lists_passes; break;
	case LONG_NODES: o->lists = lists_nodes; break;
	case 'h': o->lists = lists_help; break;
	}
	return ST_OK;
}

static enum status
take(struct options *o, struct words *w, int c, char *value, struct fault *why)
{
	switch (c) {
	case LONG_C: o->micro.as_c = true; break;
	case LONG_MICROPERF: o->micro.by_copies = true; break;
	case LONG_LINES: o->micro.has_lines = true; break;
	case LONG_FUNCTION: o->micro.function = value; break;
	case LONG_MACHINE: w->machine = value; break;
	case LONG_VECTOR: w->vector = value; break;
	case LONG_VERBOSE: o->how.make.is_verbose = true; break;
	case LONG_PLUGIN: return add_plugin(o, value, why);
	case LONG_PLUGIN_SECONDS: return read_seconds(value, &o->how.plugins.seconds, why);
	case 'q': o->how.make.is_quiet = true; break;
	case '?':
		(void)fault_set(why, ST_BAD_REQUEST, "there is no such option, or it lacks a "
		    "value");
		fault_hint(why, "assay-micro --help lists them");
		return ST_BAD_REQUEST;
	default: return take_output(o, c, value, why);
	}
	return ST_OK;
}

static enum status
check(struct options *o, int nwords, struct fault *why)
{
	enum status	st;

	if (o->lists != NULL)
		return ST_OK;
	if (nwords != 1) {
		(void)fault_set(why, ST_BAD_REQUEST, "it needs one description, FILE.xml");
		fault_hint(why, "assay-micro --help");
		return ST_BAD_REQUEST;
	}
	if (o->how.decodes && !o->how.as_lines) {
		(void)fault_at(why, ST_BAD_REQUEST, o->how.for_host ? "--for-host" : "--decode",
		    "what is decoded goes into objects of --ndjson, which is not given");
		fault_hint(why, "add --ndjson");
		return ST_BAD_REQUEST;
	}
	if ((st = name_check_routine(o->micro.function, why)) != ST_OK)
		return fault_at(why, ST_BAD_REQUEST, "--function", "\"%s\" is no name of a routine",
		    o->micro.function);
	if (!o->how.make.counts && o->how.folder == NULL && o->how.joined == NULL &&
	    !o->how.as_lines && !o->how.checks)
		o->how.prints = true;
	return ST_OK;
}

enum status
options_parse(struct options *o, int argc, char **argv, struct fault *why)
{
	struct words	w = { NULL, NULL };
	enum status	st = ST_OK;
	int		c;

	o->micro.function = "entryPoint";
	o->how.plugins = (struct plugins){ .files = o->plugins, .seconds = PLUGIN_SECONDS };
	opterr = 0;
	while (st == ST_OK && (c = getopt_long(argc, argv, "o:qh", longs, NULL)) != -1)
		st = take(o, &w, c, optarg, why);
	if (st != ST_OK || (st = check(o, argc - optind, why)) != ST_OK)
		return st;
	o->micro.path = argv[optind];
	if (w.machine == NULL)
		w.machine = machine_word(machine_of_host());
	return target_from_words(&o->micro.target, w.machine, w.vector, why);
}
