/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A command's options are in a table of its function's own.  It shows them when it is called with
 * --help and a cli.describe, and does nothing else then.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "client/cmd/complete/candidates.h"
#include "client/cmd/complete/complete.h"
#include "client/cmd/complete/served.h"
#include "client/cmd/complete/values.h"

/* The command line as far as it has been read. */
struct line {
	const struct cli_command	*commands;
	const struct cli_command	*command;	/* NULL: not yet given */
	struct cli_option		 options[CLI_MAX_OPTIONS];	/* allowed here */
	size_t				 noptions;
	const struct cli_option		*waits;		/* for its value; NULL: none does */
	const char			*first;		/* argument; NULL: none yet */
	size_t				 narguments;
	struct cli			 cli;		/* which daemon to ask */
	bool				 is_lost;	/* there is no such command */
	struct served			 served;
};

/* ---- tables ---- */

static void
take_options(void *arg, const struct cli_option *options, size_t n)
{
	struct line	*l = arg;

	memcpy(l->options, options, n * sizeof *options);
	l->noptions = n;
}

/* `first`: the first argument, on which a command's table may depend; NULL: none yet. */
static void
describe(struct line *l, const struct cli_command *command, const char *first)
{
	static char	 help[] = "--help";
	char		*name = (char *)(uintptr_t)command->name;
	char		*words[] = { name, first != NULL ? (char *)(uintptr_t)first : help,
	    first != NULL ? help : NULL, NULL };
	struct cli	 cli = { .describe = take_options, .describe_arg = l };

	l->noptions = 0;
	if (strcmp(command->name, "serve") == 0)
		l->noptions = served_options(&l->served, l->options);
	else
		(void)command->run(command, &cli, first != NULL ? 3 : 2, words);
}

static const struct cli_command *
command_named(const struct cli_command *c, const char *name)
{
	while (c->name != NULL && strcmp(c->name, name) != 0)
		c++;
	return c->name != NULL ? c : NULL;
}

static const struct cli_option *
option_named(const struct line *l, const char *word, size_t bytes)
{
	for (size_t i = 0; i < l->noptions; i++) {
		const struct cli_option	*o = &l->options[i];

		if (strncmp(word, "--", 2) == 0 ? strlen(o->name) == bytes - 2 &&
		    strncmp(o->name, word + 2, bytes - 2) == 0 :
		    o->letter != '\0' && bytes == 2 && o->letter == word[1])
			return o;
	}
	return NULL;
}

/* ---- reading the words in front ---- */

static void
keep_daemon(struct line *l, const struct cli_option *o, const char *value)
{
	if (strcmp(o->name, "socket") == 0)
		l->cli.socket = value;
	else if (strcmp(o->name, "host") == 0)
		l->cli.host = value;
}

static void
read_option(struct line *l, const char *word)
{
	const size_t			 n = strcspn(word, "=");
	const struct cli_option		*o = option_named(l, word, n);

	if (o == NULL || o->argument == NULL)
		return;
	if (word[n] == '=')
		keep_daemon(l, o, word + n + 1);
	else if (o->kind != CLI_INT_OR_0)
		l->waits = o;
}

static void
read_word(struct line *l, const char *word)
{
	if (l->waits != NULL) {
		keep_daemon(l, l->waits, word);
		l->waits = NULL;
	} else if (word[0] == '-' && word[1] != '\0') {
		read_option(l, word);
	} else if (l->command != NULL) {
		if (l->narguments++ == 0)
			describe(l, l->command, l->first = word);
	} else if ((l->command = command_named(l->commands, word)) != NULL) {
		describe(l, l->command, NULL);
	} else {
		l->is_lost = true;
	}
}

/* ---- the last word ---- */

/* --state is a directory of serve, and a word of sweep list. */
static const char *
value_of(const struct cli_option *o, size_t n)
{
	return strcmp(o->argument, "DIR") != 0 ? values_of_option(o->name, n) : NULL;
}

static void
put_values(struct candidates *c, const struct cli_option *o)
{
	const char	*comma = strrchr(c->typed, ','), *value = value_of(o, 0);

	if (value == NULL) {
		candidates_put_kind(c, o->argument, strlen(o->argument));
		return;
	}
	if (comma != NULL) {		/* cold,wa */
		c->kept_bytes += (size_t)(comma + 1 - c->typed);
		c->typed = comma + 1;
	}
	for (size_t n = 0; (value = value_of(o, n)) != NULL; n++)
		candidates_put(c, value, NULL);
}

static void
put_options(const struct line *l, const struct candidates *c)
{
	char	word[128];

	for (size_t i = 0; i < l->noptions; i++) {
		(void)snprintf(word, sizeof word, "--%s", l->options[i].name);
		candidates_put(c, word, l->options[i].text);
	}
	if (l->command == NULL)
		candidates_put(c, "--version", "print the version");
}

static void
put_commands(const struct line *l, const struct candidates *c)
{
	for (const struct cli_command *known = l->commands; known->name != NULL; known++)
		candidates_put(c, known->name, known->text);
}

/* The next of the words that blanks and brackets separate; 0: there is none. */
static size_t
next_place(const char **at)
{
	*at += strspn(*at, " []");
	return strcspn(*at, " []");
}

static bool
is_verb(const char *place, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!islower((unsigned char)place[i]))
			return false;
	return n > 0;
}

static void
put_place(const struct line *l, const struct candidates *c, const char *place, size_t n)
{
	if (strncmp(place, "COMMAND", n) == 0 && n == strlen("COMMAND"))
		put_commands(l, c);
	else
		candidates_put_kind(c, place, n);
}

/* The place of the next argument among these, of which "X..." takes all that come. */
static void
put_argument(const struct line *l, const struct candidates *c, const char *places, size_t skip)
{
	const char	*last = NULL;
	size_t		 n, last_bytes = 0;

	for (const char *at = places; (n = next_place(&at)) > 0 && *at != '|'; at += n) {
		if (strncmp(at, "--", 2) == 0) {	/* an option, and its value */
			at += n;
			n = next_place(&at);
			continue;
		}
		last = at;
		last_bytes = n;
		if (skip-- == 0) {
			put_place(l, c, at, n);
			return;
		}
	}
	if (last != NULL && last_bytes > 3 && strncmp(last + last_bytes - 3, "...", 3) == 0)
		put_place(l, c, last, last_bytes);
}

/* "create FILE.json | show SWEEP": a verb chooses what follows it. */
static void
put_arguments(const struct line *l, const struct candidates *c)
{
	for (const char *at = l->command->arguments; at != NULL; at = strchr(at, '|')) {
		const char	*place = at + (*at == '|');
		size_t		 n = next_place(&place);

		at = place;
		if (!is_verb(place, n))
			put_argument(l, c, place, l->narguments);
		else if (l->narguments > 0 && strncmp(l->first, place, n) == 0 &&
		    l->first[n] == '\0')
			put_argument(l, c, place + n, l->narguments - 1);
		else if (l->narguments == 0) {
			char	verb[32];

			(void)snprintf(verb, sizeof verb, "%.*s", (int)n, place);
			candidates_put(c, verb, NULL);
		}
	}
}

void
complete(const struct cli_command *commands, char **words, size_t n)
{
	struct line			 l = { .commands = commands };
	const char			*current = n > 0 ? words[n - 1] : "";
	const size_t			 name = strcspn(current, "=");
	struct candidates		 c = { &l.cli, current, 0, current };
	const struct cli_option		*o;

	describe(&l, command_named(commands, "version"), NULL);	/* the global options */
	for (size_t i = 0; i + 1 < n; i++)
		read_word(&l, words[i]);
	if (l.is_lost)
		return;
	if (l.waits != NULL) {
		put_values(&c, l.waits);
	} else if (strncmp(current, "--", 2) == 0 && current[name] == '=') {
		if ((o = option_named(&l, current, name)) != NULL && o->argument != NULL) {
			c.kept_bytes = name + 1;
			c.typed += name + 1;
			put_values(&c, o);
		}
	} else if (current[0] == '-') {
		put_options(&l, &c);
	} else if (l.command == NULL) {
		put_commands(&l, &c);
	} else {
		put_arguments(&l, &c);
	}
}
