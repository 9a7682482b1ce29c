/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <inttypes.h>
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

/* NULL: there is none. */
static const struct cli_option *
find_option(const char *node, const struct cli_option *options)
{
	for (; options->name != NULL; options++)
		if (is_called(node, options->name))
			return options;
	return NULL;
}

/* One of MicroLauncher's that is none here, or none at all. */
static enum status
refuse_name(const char *place, const char *node, const struct cli_option *options,
    struct fault *why)
{
	const char	*names[CLI_MAX_OPTIONS + 1] = { NULL }, *near;

	for (size_t i = 0; launch_foreign(i) != NULL; i++)
		if (is_called(node, launch_foreign(i)))
			return launch_foreign_fault(i, place, why);
	for (size_t i = 0; options[i].name != NULL && i < CLI_MAX_OPTIONS; i++)
		names[i] = options[i].name;
	(void)fault_at(why, ST_BAD_SPEC, place, "there is no option %s", node);
	if ((near = nearest_name(node, names)) != NULL)
		fault_hint(why, "did you mean %s?", near);
	return ST_BAD_SPEC;
}

/* The value as the command line would take it. */
static enum status
check_value(const char *place, const char *node, const struct cli_option *o, const char *value,
    struct fault *why)
{
	int64_t		not_kept;

	if (strcmp(o->name, "config") == 0) {
		(void)fault_at(why, ST_BAD_SPEC, place, "%s: a configuration names no other one",
		    node);
		fault_hint(why, "put its options here");
		return ST_BAD_SPEC;
	}
	if (o->kind == CLI_FLAG && value != NULL) {
		(void)fault_at(why, ST_BAD_SPEC, place, "%s has no value", node);
		fault_hint(why, "write <%s/>, or leave it out", node);
		return ST_BAD_SPEC;
	}
	if (o->kind != CLI_FLAG && value == NULL) {
		(void)fault_at(why, ST_BAD_SPEC, place, "%s has no value", node);
		fault_hint(why, "write <%s value=\"%s\"/>", node, o->argument);
		return ST_BAD_SPEC;
	}
	if (o->kind == CLI_INT && cli_int(value, o->min, o->max, &not_kept, why) != ST_OK)
		return fault_at(why, ST_BAD_REQUEST, place, "%s: \"%.40s\" must be a whole number "
		    "from %" PRId64 " to %" PRId64, node, value, o->min, o->max);
	return ST_OK;
}

static enum status
add_option(struct config_words *c, const char *file, const json_t *option,
    const struct cli_option *options, struct fault *why)
{
	const char		*node = member_text(option, "name");
	const char		*value = json_string_value(json_object_get(option, "value"));
	const struct cli_option	*o = find_option(node, options);
	char			*word = NULL, place[160];
	enum status		 st;

	(void)snprintf(place, sizeof place, "%.120s:%.0f", file, member_number(option, "line"));
	if (o == NULL)
		return refuse_name(place, node, options, why);
	if ((st = check_value(place, node, o, value, why)) != ST_OK)
		return st;
	if (asprintf(&word, "--%s%s%s", o->name, value != NULL ? "=" : "",
	    value != NULL ? value : "") < 0)
		return fault_set(why, ST_NOMEM, "options");
	c->made[c->nmade++] = word;
	return ST_OK;
}

static enum status
add_options(struct config_words *c, const char *file, const json_t *list,
    const struct cli_option *options, struct fault *why)
{
	const json_t	*option;
	size_t		 i;
	enum status	 st = ST_OK;

	if ((c->made = calloc(json_array_size(list) + 1, sizeof *c->made)) == NULL)
		return fault_set(why, ST_NOMEM, "options");
	json_array_foreach(list, i, option)
		if ((st = add_option(c, file, option, options, why)) != ST_OK)
			return st;
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
	if (st == ST_BAD_SPEC && why->hint[0] == '\0')
		fault_hint(why, "a configuration is <microlaunch><config><name value=\"...\"/>... "
		    "</config></microlaunch>; see assay-launch(1)");
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

/* Of these one counts, and the other would be lost. */
static enum status
refuse_twice(int argc, char **argv, const char *option, struct fault *why)
{
	const size_t	bytes = strlen(option);
	unsigned	n = 0;

	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		n += strncmp(argv[i], option, bytes) == 0 &&
		    (argv[i][bytes] == '\0' || argv[i][bytes] == '=');
	if (n < 2)
		return ST_OK;
	(void)fault_at(why, ST_BAD_REQUEST, option, "is given twice");
	fault_hint(why, "give it once");
	return ST_BAD_REQUEST;
}

int
config_parse(struct cli *cli, const struct cli_command *self, const struct cli_option *options,
    int argc, char **argv, struct config_words *given, struct cli_list *words)
{
	struct fault	why;

	*words = (struct cli_list){ NULL, 0 };
	if (refuse_twice(argc, argv, "--config", &why) != ST_OK ||
	    refuse_twice(argc, argv, "--evallib", &why) != ST_OK ||
	    config_words_init(given, options, argc, argv, &why) != ST_OK ||
	    launch_refuse_foreign(given->n, given->words, &why) != ST_OK)
		return cli_fail(&why);
	return cli_parse(cli, self, options, given->n, given->words, words);
}
