/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/print/cli.h"
#include "client/print/format.h"
#include "client/print/style.h"

enum { FIRST_LONG = 1000, NGLOBAL = 12, NDAEMON = 6, HELP_COLUMN = 30 };

/* The options of a command and the global ones, as one table and as getopt_long's. */
struct menu {
	struct cli_option	all[CLI_MAX_OPTIONS];
	struct option		longs[CLI_MAX_OPTIONS + 1];
	char			shorts[2 * CLI_MAX_OPTIONS + 3];
	size_t			n;
	size_t			daemon;	/* NDAEMON options that say which, from here on */
	bool			help;
};

/* ---- saying what is wrong ---- */

int
cli_fail(const struct fault *why)
{
	struct fault	shown = *why;

	(void)fprintf(stderr, "%sassay:%s %s%s%s\n", style_on(stderr, STYLE_BAD),
	    style_on(stderr, STYLE_PLAIN), format_clean(shown.member, false),
	    shown.member[0] != '\0' ? ": " : "", format_clean(shown.text, true));
	if (shown.hint[0] != '\0')
		(void)fprintf(stderr, "       %s\n", format_clean(shown.hint, true));
	return status_exit_code(why->status);
}

static int
usage_fault(const struct cli_command *command, struct fault *why)
{
	if (why->hint[0] == '\0')
		fault_hint(why, "see: assay %s%s", command != NULL ? command->name : "help",
		    command != NULL ? " --help" : "");
	return cli_fail(why);
}

int
cli_usage(const struct cli_command *command, const char *fmt, ...)
{
	struct fault	why;
	char		text[sizeof why.text];
	va_list		ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	(void)fault_set(&why, ST_BAD_REQUEST, "%s", text);
	return usage_fault(command, &why);
}

/* ---- values ---- */

enum status
cli_int(const char *text, int64_t min, int64_t max, int64_t *out, struct fault *why)
{
	char	*end;

	errno = 0;
	*out = strtoll(text, &end, 10);
	if (end != text && *end == '\0' && errno == 0 && *out >= min && *out <= max)
		return ST_OK;
	if (max == INT64_MAX)
		return fault_set(why, ST_BAD_REQUEST,
		    "\"%s\" must be a whole number from %" PRId64 " on", text, min);
	return fault_set(why, ST_BAD_REQUEST,
	    "\"%s\" must be a whole number from %" PRId64 " to %" PRId64, text, min, max);
}

static enum status
parse_real(const char *text, double min, double max, double *out, struct fault *why)
{
	char	*end;

	*out = strtod(text, &end);
	if (end == text || *end != '\0' || !isfinite(*out) || *out < min || *out > max)
		return fault_set(why, ST_BAD_REQUEST, "\"%s\" must be a number from %g to %g",
		    text, min, max);
	return ST_OK;
}

enum status
cli_split(const char *text, size_t *name_bytes, const char **value, struct fault *why)
{
	const char	*equals = strchr(text, '=');

	if (equals == NULL || equals == text)
		return fault_set(why, ST_BAD_REQUEST, "\"%s\" is not NAME=VALUE", text);
	*name_bytes = (size_t)(equals - text);
	*value = equals + 1;
	return ST_OK;
}

enum status
cli_add(struct cli_list *list, char *item, struct fault *why)
{
	char	**more = realloc(list->items, (list->n + 1) * sizeof *more);

	if (more == NULL)
		return fault_set(why, ST_NOMEM, "arguments");
	list->items = more;
	list->items[list->n++] = item;
	return ST_OK;
}

void
cli_list_release(struct cli_list *list)
{
	free(list->items);
	list->items = NULL;
	list->n = 0;
}

static enum status
store_value(const struct cli_option *o, char *text, struct fault *why)
{
	enum status	st = ST_OK;

	switch (o->kind) {
	case CLI_FLAG:
		*(bool *)o->into = true;
		break;
	case CLI_TEXT:
		*(const char **)o->into = text;
		break;
	case CLI_INT_OR_0:
		if (text == NULL) {
			*(int64_t *)o->into = 0;
			break;
		}
		/* fall through */
	case CLI_INT:
		st = cli_int(text, o->min, o->max, o->into, why);
		break;
	case CLI_REAL:
		st = parse_real(text, (double)o->min, (double)o->max, o->into, why);
		break;
	case CLI_LIST:
		st = cli_add(o->into, text, why);
		break;
	}
	if (st != ST_OK) {
		(void)snprintf(why->member, sizeof why->member, "--%s", o->name);
		why->hint[0] = '\0';
	}
	return st;
}

/* ---- menus ---- */

static void
menu_add(struct menu *m, const struct cli_option *o)
{
	size_t	at = strlen(m->shorts);

	m->all[m->n] = *o;
	m->longs[m->n] = (struct option){ o->name, o->kind == CLI_FLAG ? no_argument :
	    o->kind == CLI_INT_OR_0 ? optional_argument : required_argument, NULL,
	    FIRST_LONG + (int)m->n };
	m->n++;
	if (o->letter == '\0')
		return;
	m->shorts[at++] = o->letter;
	if (o->kind != CLI_FLAG)
		m->shorts[at++] = ':';
	m->shorts[at] = '\0';
}

/* `mode`: leading characters for getopt; "+" stops at the first word that is no option. */
static void
menu_init(struct menu *m, struct cli *cli, const struct cli_option *own, const char *mode)
{
	const struct cli_option	global[NGLOBAL] = {
		{ 's', "socket", CLI_TEXT, &cli->socket, "PATH", "the daemon's Unix socket", 0, 0 },
		{ 'H', "host", CLI_TEXT, &cli->host, "ADDRESS",
		  "another host's daemon: ssh://HOST, https://HOST:PORT; A,B: several", 0, 0 },
		{ '\0', "token-file", CLI_TEXT, &cli->token_file, "FILE",
		  "https: your token (default ~/.config/assay/token)", 0, 0 },
		{ '\0', "ca", CLI_TEXT, &cli->ca, "FILE",
		  "https: the authority of the daemon's certificate", 0, 0 },
		{ '\0', "cert", CLI_TEXT, &cli->cert, "FILE", "https: your certificate", 0, 0 },
		{ '\0', "cert-key", CLI_TEXT, &cli->key, "FILE", "https: its key", 0, 0 },
		{ '\0', "json", CLI_FLAG, &cli->json, NULL, "print one JSON document", 0, 0 },
		{ '\0', "ndjson", CLI_FLAG, &cli->ndjson, NULL,
		  "print lists as one JSON document a line", 0, 0 },
		{ '\0', "markdown", CLI_FLAG, &cli->markdown, NULL,
		  "print tables in Markdown", 0, 0 },
		{ '\0', "color", CLI_TEXT, &cli->color, "WHEN",
		  "colours: auto (on a terminal, without NO_COLOR), always, never", 0, 0 },
		{ 'q', "quiet", CLI_FLAG, &cli->quiet, NULL,
		  "print no progress and no remarks", 0, 0 },
		{ 'h', "help", CLI_FLAG, &m->help, NULL, "print this", 0, 0 },
	};

	memset(m, 0, sizeof *m);
	(void)strcpy(m->shorts, mode);
	for (; own != NULL && own->name != NULL; own++)
		menu_add(m, own);
	m->daemon = m->n;
	for (size_t i = 0; i < NGLOBAL; i++)
		menu_add(m, &global[i]);
}

static const struct cli_option *
menu_find(const struct menu *m, int what)
{
	if (what >= FIRST_LONG)
		return &m->all[what - FIRST_LONG];
	for (size_t i = 0; i < m->n; i++)
		if (m->all[i].letter == what)
			return &m->all[i];
	return NULL;
}

/* getopt_long refused `word`: it is unknown, ambiguous, or a flag that was given a value. */
static void
unknown_option(const struct menu *m, const char *word, struct fault *why)
{
	const char	*names[CLI_MAX_OPTIONS + 1] = { NULL }, *near;
	char		 name[64];

	if (optopt != 0 && optopt < FIRST_LONG) {
		(void)fault_set(why, ST_BAD_REQUEST, "-%c: there is no such option", optopt);
		return;
	}
	(void)snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
	for (size_t i = 0; i < m->n; i++) {
		names[i] = m->all[i].name;
		if (strcmp(names[i], name) == 0) {
			(void)fault_set(why, ST_BAD_REQUEST, "--%s: takes no value", name);
			return;
		}
	}
	(void)fault_set(why, ST_BAD_REQUEST, "--%s: there is no such option", name);
	if ((near = nearest_name(name, names)) != NULL)
		fault_hint(why, "did you mean --%s?", near);
}

static enum status
menu_read(const struct menu *m, int argc, char **argv, struct fault *why)
{
	enum status	st = ST_OK;
	int		what;

	optind = 0;		/* glibc: forget any earlier scan */
	opterr = 0;
	while (st == ST_OK && (what = getopt_long(argc, argv, m->shorts, m->longs, NULL)) != -1) {
		const struct cli_option	*o;

		if (what == ':')
			return fault_set(why, ST_BAD_REQUEST, "--%s: needs a value",
			    menu_find(m, optopt)->name);
		if (what == '?' || (o = menu_find(m, what)) == NULL) {
			unknown_option(m, argv[optind - 1], why);
			return ST_BAD_REQUEST;
		}
		st = store_value(o, optarg, why);
	}
	return st;
}

/* Does the command ask no daemon, so that the options that lead to one are not for it? */
static bool
is_for_another(const struct cli_command *command, const struct cli_option *o)
{
	static const char *const	local[] = { "init", "spec", "import", "driver",
					    "completion", NULL };
	static const char *const	to_daemon[] = { "socket", "host", "token-file", "ca",
					    "cert", "cert-key", NULL };
	bool				is_local = false, leads = false;

	for (unsigned i = 0; local[i] != NULL; i++)
		is_local |= strcmp(command->name, local[i]) == 0;
	for (unsigned i = 0; to_daemon[i] != NULL; i++)
		leads |= strcmp(o->name, to_daemon[i]) == 0;
	return is_local && leads;
}

static void
print_help(const struct cli_command *command, const struct menu *m, bool is_local)
{
	(void)printf("usage: assay %s [options]%s%s\n%s\n\n", command->name,
	    command->arguments[0] != '\0' ? " " : "", command->arguments, command->text);
	for (size_t i = 0; i < m->n; i++) {
		const struct cli_option	*o = &m->all[i];
		char			 letter[4] = "", left[64];

		if ((is_local && i >= m->daemon && i < m->daemon + NDAEMON) ||
		    is_for_another(command, o))
			continue;
		if (o->letter != '\0')
			(void)snprintf(letter, sizeof letter, "-%c,", o->letter);
		(void)snprintf(left, sizeof left, "%-3s --%s%s%s%s", letter, o->name,
		    o->argument == NULL ? "" : o->kind == CLI_INT_OR_0 ? "[=" : " ",
		    o->argument != NULL ? o->argument : "", o->kind == CLI_INT_OR_0 ? "]" : "");
		(void)printf("  %-*s%s%s\n", HELP_COLUMN, left,
		    strlen(left) < HELP_COLUMN ? "" : " ", o->text);
	}
}

int
cli_parse(struct cli *cli, const struct cli_command *command, const struct cli_option *options,
    int argc, char **argv, struct cli_list *words)
{
	struct menu	m;
	struct fault	why;

	words->items = NULL;
	words->n = 0;
	menu_init(&m, cli, options, ":");
	if (menu_read(&m, argc, argv, &why) != ST_OK ||
	    style_init(cli->color, cli->markdown, &why) != ST_OK)
		return usage_fault(command, &why);
	if (m.help) {
		if (cli->describe != NULL)
			cli->describe(cli->describe_arg, m.all, m.n);
		else
			print_help(command, &m, cli->is_local);
		return 0;
	}
	for (int i = optind; i < argc; i++)
		if (cli_add(words, argv[i], &why) != ST_OK) {
			cli_list_release(words);
			return cli_fail(&why);
		}
	return CLI_GO_ON;
}

int
cli_parse_global(struct cli *cli, int argc, char **argv, int *used)
{
	static char		help[] = "help", version[] = "version";
	bool			asks_version = false;
	const struct cli_option	own[] = {
		{ 'V', "version", CLI_FLAG, &asks_version, NULL, "print the version", 0, 0 },
		CLI_END,
	};
	struct menu		m;
	struct fault		why;

	menu_init(&m, cli, own, "+:");
	if (menu_read(&m, argc, argv, &why) != ST_OK ||
	    style_init(cli->color, cli->markdown, &why) != ST_OK)
		return usage_fault(NULL, &why);
	*used = optind - 1;
	if (m.help || asks_version)
		argv[--*used + 1] = m.help ? help : version;	/* as the command of that name */
	return CLI_GO_ON;
}
