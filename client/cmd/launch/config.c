/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/cmd/job/helper.h"
#include "client/cmd/launch/config.h"
#include "client/cmd/launch/launch.h"
#include "client/print/member.h"

/* metaRepetition, output-dir: equal but for case and hyphens. */
static bool
is_called(const char *node, const char *option)
{
	while (*node != '\0' || *option != '\0') {
		if (*option == '-') {
			option++;
			continue;
		}
		if (tolower((unsigned char)*node++) != tolower((unsigned char)*option++))
			return false;
	}
	return true;
}

/* Of the command, or one of MicroLauncher's that is refused later; NULL: there is none. */
static const char *
find_option(const char *node, const struct cli_option *options)
{
	for (; options->name != NULL; options++)
		if (is_called(node, options->name))
			return options->name;
	for (size_t i = 0; launch_foreign(i) != NULL; i++)
		if (is_called(node, launch_foreign(i)))
			return launch_foreign(i);
	return NULL;
}

static enum status
unknown(const char *file, const json_t *option, const struct cli_option *options,
    struct fault *why)
{
	const char	*names[LAUNCH_OPTIONS + 1] = { NULL }, *near;
	char		 place[160];

	for (size_t i = 0; options[i].name != NULL && i < LAUNCH_OPTIONS; i++)
		names[i] = options[i].name;
	(void)snprintf(place, sizeof place, "%.120s:%.0f", file, member_number(option, "line"));
	(void)fault_at(why, ST_BAD_SPEC, place, "there is no option %s",
	    member_text(option, "name"));
	if ((near = nearest_name(member_text(option, "name"), names)) != NULL)
		fault_hint(why, "did you mean %s?", near);
	return ST_BAD_SPEC;
}

static enum status
add_word(struct config_words *c, const char *name, const json_t *value, struct fault *why)
{
	char	*word = NULL;

	if (asprintf(&word, "--%s%s%s", name, value != NULL ? "=" : "",
	    value != NULL ? json_string_value(value) : "") < 0)
		return fault_set(why, ST_NOMEM, "options");
	c->made[c->nmade++] = word;
	return ST_OK;
}

static enum status
add_options(struct config_words *c, const char *file, const json_t *list,
    const struct cli_option *options, struct fault *why)
{
	const json_t	*option;
	const char	*name;
	size_t		 i;
	enum status	 st = ST_OK;

	if ((c->made = calloc(json_array_size(list) + 1, sizeof *c->made)) == NULL)
		return fault_set(why, ST_NOMEM, "options");
	json_array_foreach(list, i, option) {
		name = find_option(member_text(option, "name"), options);
		st = name == NULL ? unknown(file, option, options, why) :
		    add_word(c, name, json_object_get(option, "value"), why);
		if (st != ST_OK)
			return st;
	}
	return ST_OK;
}

static enum status
read_file(struct config_words *c, const char *file, const struct cli_option *options,
    struct fault *why)
{
	struct helper	 h;
	json_t		*document = NULL;
	enum status	 st;

	if ((st = helper_init(&h, "assay-micro", "expat and Zydis", why)) != ST_OK)
		return st;
	helper_add(&h, "--launch-config");
	helper_add(&h, "%s", file);
	st = helper_run(&h, false, &document, why);
	helper_release(&h);
	if (st == ST_OK)
		st = add_options(c, file, json_object_get(document, "options"), options, why);
	json_decref(document);
	return st;
}

/* Its value, and at *at its first word, of *n; NULL: there is none. */
static const char *
find_config(int argc, char **argv, int *at, int *n)
{
	for (*at = 1; *at < argc && strcmp(argv[*at], "--") != 0; ++*at) {
		*n = 1;
		if (strncmp(argv[*at], "--config=", 9) == 0)
			return argv[*at] + 9;
		*n = 2;
		if (strcmp(argv[*at], "--config") == 0 && *at + 1 < argc)
			return argv[*at + 1];
	}
	*n = 0;
	return NULL;
}

enum status
config_words_init(struct config_words *c, const struct cli_option *options, int argc, char **argv,
    struct fault *why)
{
	int		 at, n;
	const char	*file = find_config(argc, argv, &at, &n);
	enum status	 st;

	*c = (struct config_words){ .words = NULL };
	if (file != NULL && (st = read_file(c, file, options, why)) != ST_OK)
		return st;
	if ((c->words = calloc((size_t)argc + c->nmade + 1, sizeof *c->words)) == NULL)
		return fault_set(why, ST_NOMEM, "options");
	c->words[c->n++] = argv[0];
	for (size_t i = 0; i < c->nmade; i++)
		c->words[c->n++] = c->made[i];
	for (int i = 1; i < argc; i++)
		if (i < at || i >= at + n)
			c->words[c->n++] = argv[i];
	return ST_OK;
}

void
config_words_release(struct config_words *c)
{
	for (size_t i = 0; i < c->nmade; i++)
		free(c->made[i]);
	free(c->made);
	free(c->words);
	*c = (struct config_words){ .words = NULL };
}

int
config_parse(struct cli *cli, const struct cli_command *self, const struct cli_option *options,
    int argc, char **argv, struct config_words *given, struct cli_list *words)
{
	struct fault	why;

	*words = (struct cli_list){ NULL, 0 };
	if (config_words_init(given, options, argc, argv, &why) != ST_OK ||
	    launch_refuse_foreign(given->n, given->words, &why) != ST_OK)
		return cli_fail(&why);
	return cli_parse(cli, self, options, given->n, given->words, words);
}
