/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "client/cmd/cmd.h"
#include "client/cmd/host/host_fitness.h"
#include "client/cmd/host/host_upkeep.h"
#include "client/connect/connection.h"
#include "client/connect/fleet.h"
#include "client/connect/hosts.h"
#include "client/print/format.h"
#include "client/print/member.h"
#include "client/print/output.h"
#include "client/print/results/readiness.h"

#define SLOW_CLOCK	1.01		/* slower than this is worth a word */
enum { LABEL_COLUMNS = 19, NAME_COLUMNS = 12, VALUE_BYTES = 256 };

/* "cpu_model" → "cpu model"; "l1_bytes" → "l1", as the value has the unit. */
static void
put_name(const char *name, char buf[VALUE_BYTES])
{
	static const char *const	units[] = { "_bytes", "_ns", "_hz" };
	size_t				n;

	(void)snprintf(buf, VALUE_BYTES, "%s", name);
	for (unsigned i = 0; i < sizeof units / sizeof units[0]; i++) {
		n = strlen(buf);
		if (n > strlen(units[i]) && strcmp(buf + n - strlen(units[i]), units[i]) == 0)
			buf[n - strlen(units[i])] = '\0';
	}
	for (char *c = buf; *c != '\0'; c++)
		*c = *c == '_' ? ' ' : *c;
	(void)format_clean(buf, false);
}

static bool
ends_with(const char *name, const char *suffix)
{
	size_t	n = strlen(name), m = strlen(suffix);

	return n >= m && strcmp(name + n - m, suffix) == 0;
}

static void
put_plain(const char *name, const json_t *value, char buf[VALUE_BYTES])
{
	double	x = json_number_value(value);

	if (json_is_string(value))
		(void)snprintf(buf, VALUE_BYTES, "%s", json_string_value(value));
	else if (json_is_boolean(value))
		(void)snprintf(buf, VALUE_BYTES, "%s", json_is_true(value) ? "yes" : "no");
	else if (!json_is_number(value))
		(void)snprintf(buf, VALUE_BYTES, "-");
	else if (ends_with(name, "_bytes"))
		(void)format_bytes(x, buf);
	else if (ends_with(name, "_ns"))
		(void)format_duration_ns(x, buf);
	else if (ends_with(name, "_hz"))
		(void)format_hz(x, buf);
	else if (json_is_integer(value))
		(void)snprintf(buf, VALUE_BYTES, "%" JSON_INTEGER_FORMAT,
		    json_integer_value(value));
	else
		(void)format_number(x, buf);
	(void)format_clean(buf, false);
}

static void
print_label(const char *name)
{
	char	label[VALUE_BYTES];

	put_name(name, label);
	(void)printf("%-*s", LABEL_COLUMNS, label);
}

static bool
is_empty_text(const json_t *value)
{
	return json_is_string(value) && json_string_length(value) == 0;
}

/* "namespaces yes, user yes, …": members of an object that are no objects or lists. */
static void
print_pairs(const json_t *object)
{
	const char	*name, *before = "";
	json_t		*value;
	char		 shown[VALUE_BYTES], text[VALUE_BYTES];

	json_object_foreach((json_t *)(uintptr_t)object, name, value) {
		if (json_is_object(value) || json_is_array(value) || json_is_null(value) ||
		    is_empty_text(value))
			continue;
		put_name(name, shown);
		put_plain(name, value, text);
		(void)printf("%s%s %s", before, shown, text);
		before = ", ";
	}
	(void)putchar('\n');
}

/* Numbers share a line; each object has its own. */
static void
print_list(const json_t *list)
{
	const json_t	*item;
	char		 text[VALUE_BYTES];
	size_t		 i;

	json_array_foreach(list, i, item) {
		if (json_is_object(item)) {
			if (i > 0)
				(void)printf("%*s", LABEL_COLUMNS, "");
			print_pairs(item);
		} else {
			put_plain("", item, text);
			(void)printf("%s%s", i > 0 ? ", " : "", text);
		}
	}
	if (!json_is_object(json_array_get(list, 0)))
		(void)printf("%s\n", json_array_size(list) == 0 ? "none" : "");
}

/* A compiler, without its hash. */
static void
print_compilers(const json_t *list)
{
	const json_t	*c;
	size_t		 i;
	char		 line[VALUE_BYTES];

	json_array_foreach(list, i, c) {
		(void)snprintf(line, sizeof line, "%-*s %s, %s", NAME_COLUMNS,
		    member_text(c, "name"), member_text(c, "version"), member_text(c, "target"));
		(void)printf("%*s%s\n", i > 0 ? LABEL_COLUMNS : 0, "", format_clean(line, false));
	}
	if (json_array_size(list) == 0)
		(void)printf("none\n");
}

/* "quiet last met 2026-02-01 12:00:00: canary 3.01 us, pace 664 ns, memory 4.80 us" */
static void
print_quiet(const json_t *quiet)
{
	static const char *const	names[] = { "canary", "pace", "memory" };
	const char			*before = ": ";
	char				 text[FORMAT_BYTES];

	(void)printf("%*squiet last met %s", LABEL_COLUMNS, "",
	    format_time(member_number(quiet, "taken"), text));
	for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
		double	ns = member_number(json_object_get(quiet, names[i]), "ns");

		if (!(ns > 0))
			continue;
		(void)printf("%s%s %s", before, names[i], format_duration_ns(ns, text));
		before = ", ";
	}
	(void)putchar('\n');
}

/* "CPU 1: canary on, in quiet it takes 3.01 us (7810 ticks; 1234 readings so far)" */
static void
print_canary(const json_t *canary)
{
	char	base[FORMAT_BYTES], line[VALUE_BYTES];

	if (!json_is_object(canary)) {
		(void)printf("nothing timed yet\n");
		return;
	}
	(void)snprintf(line, sizeof line, "canary %s", member_text(canary, "state"));
	(void)printf("%s", format_clean(line, false));
	if (member_number(canary, "base_ticks") > 0)
		(void)printf(", in quiet it takes %s (%.0f ticks; %.0f readings so far)",
		    format_duration_ns(member_number(canary, "base_ns"), base),
		    member_number(canary, "base_ticks"), member_number(canary, "readings"));
	if (member_number(canary, "clock_slowness") > SLOW_CLOCK)
		(void)printf(", its clock is at %.0f %% of its best",
		    100 / member_number(canary, "clock_slowness"));
	if (member_number(canary, "barren_jobs") > 0)
		(void)printf(", no quiet for %.0f jobs", member_number(canary, "barren_jobs"));
	(void)putchar('\n');
}

static void
print_slots(const json_t *list)
{
	const json_t	*slot, *quiet;
	size_t		 i;
	char		 cpus[FORMAT_CPUS_BYTES];

	json_array_foreach(list, i, slot) {
		(void)printf("%*s%s: ", i > 0 ? LABEL_COLUMNS : 0, "", member_cpus(slot, cpus));
		print_canary(json_object_get(slot, "canary"));
		if (json_is_object(quiet = json_object_get(slot, "quiet")))
			print_quiet(quiet);
	}
}

static void
print_host(const json_t *host)
{
	const char	*name;
	json_t		*value;
	char		 text[VALUE_BYTES];

	json_object_foreach((json_t *)(uintptr_t)host, name, value) {
		if (json_is_null(value) || strcmp(name, "warnings") == 0 ||
		    strcmp(name, "readiness") == 0)
			continue;
		print_label(name);
		if (strcmp(name, "compilers") == 0) {
			print_compilers(value);
		} else if (strcmp(name, "slots") == 0) {
			print_slots(value);
		} else if (strcmp(name, "counters") == 0) {
			(void)printf("%zu events, listed by --json\n", json_array_size(value));
		} else if (strcmp(name, "calibration") == 0) {
			host_upkeep_print_calibration(value);
		} else if (strcmp(name, "reference") == 0) {
			host_upkeep_print_reference(value, LABEL_COLUMNS);
		} else if (strcmp(name, "fitness") == 0) {
			host_fitness_print_grade(value);
		} else if (json_is_object(value)) {
			print_pairs(value);
		} else if (json_is_array(value)) {
			print_list(value);
		} else {
			put_plain(name, value, text);
			(void)printf("%s\n", text);
		}
	}
	readiness_print(json_object_get(host, "readiness"));
	host_fitness_print_sentences(json_object_get(host, "warnings"), "warning",
	    ": what stands in the way of accurate times on this host");
	host_fitness_print_remedies(json_object_get(host, "fitness"));
}

static enum status
answer_fleet(struct cli *cli, struct fault *why)
{
	const json_t	*host;
	json_t		*answers;
	size_t		 i;
	struct fault	 ours;
	enum status	 st = fleet_call(cli, "host.get", json_object(), &answers, why);

	if (cli->json || cli->ndjson) {
		(void)fleet_print_json(cli, answers, "about", &ours);
	} else {
		json_array_foreach(answers, i, host) {
			fleet_print_heading(host, i == 0);
			print_host(json_object_get(host, "answer"));
		}
	}
	json_decref(answers);
	return st;
}

static enum status
answer(struct cli *cli, struct fault *why)
{
	struct connection	*c = NULL;
	json_t			*host = NULL;
	enum status		 st;

	if (hosts_are_several(cli))
		return answer_fleet(cli, why);
	if ((st = connection_open_host(&c, cli, why)) == ST_OK)
		st = connection_call(c, "host.get", NULL, &host, why);
	connection_free(c);
	if (st == ST_OK && (cli->json || cli->ndjson))
		st = output_json(cli, host, why);
	else if (st == ST_OK)
		print_host(host);
	json_decref(host);
	return st;
}

/* assay host calibrate, assay host reference. */
static enum status
run_errand(struct cli *cli, const char *errand, struct fault *why)
{
	const json_t		*shown;
	struct connection	*c = NULL;
	json_t			*host = NULL;
	bool			 calibrates = strcmp(errand, "calibrate") == 0;
	enum status		 st;

	if ((st = connection_open(&c, cli, why)) == ST_OK)
		st = host_upkeep_run(c, errand, cli->quiet, &host, why);
	connection_free(c);
	if (st != ST_OK)
		return st;
	shown = json_object_get(host, calibrates ? "calibration" : "reference");
	if (cli->json || cli->ndjson)
		st = output_json(cli, shown, why);
	else if (calibrates)
		host_upkeep_print_curve(shown);
	else
		host_upkeep_print_reference(shown, 0);
	json_decref(host);
	return st;
}

static bool
is_errand(const struct cli_list *words)
{
	return words->n == 1 && (strcmp(words->items[0], "calibrate") == 0 ||
	    strcmp(words->items[0], "reference") == 0);
}

int
cmd_host(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	struct cli_list	words;
	struct fault	why;
	int		code = cli_parse(cli, self, NULL, argc, argv, &words);

	if (code == CLI_GO_ON && words.n == 0)
		code = answer(cli, &why) == ST_OK ? 0 : cli_fail(&why);
	else if (code == CLI_GO_ON && is_errand(&words))
		code = run_errand(cli, words.items[0], &why) == ST_OK ? 0 : cli_fail(&why);
	else if (code == CLI_GO_ON)
		code = cli_usage(self, "host: takes calibrate, reference or no argument");
	cli_list_release(&words);
	return code;
}
