/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "client/cmd/cmd.h"
#include "client/cmd/sweep/sweep_create.h"
#include "client/cmd/sweep/sweep_list.h"
#include "client/cmd/sweep/sweep_show.h"

/* The words behind `sweep`. */
struct sweep_words {
	const struct cli_command	*self;
	struct cli			*cli;
	struct sweep_choice		 choice;
	struct sweep_list		 list;
	const char			*object;	/* behind the verb; NULL: none */
};

static int
create(struct sweep_words *w)
{
	return sweep_create_file(w->cli, &w->choice, w->object);
}

static int
list(struct sweep_words *w)
{
	struct fault	why;

	return sweep_list(w->cli, &w->list, &why) == ST_OK ? 0 : cli_fail(&why);
}

static int
show(struct sweep_words *w)
{
	return sweep_show(w->cli, w->object);
}

static int
cancel(struct sweep_words *w)
{
	return sweep_cancel(w->cli, w->object);
}

static int
share(struct sweep_words *w)
{
	if (w->choice.readers == NULL)
		return cli_usage(w->self, "sweep share: needs --visibility: private, all, or "
		    "users' names");
	return sweep_share(w->cli, w->object, w->choice.readers);
}

static const struct {
	const char	*name;
	int		(*run)(struct sweep_words *);
	const char	*needs;		/* behind it; NULL: nothing */
} verbs[] = {
	{ "create", create, "one file, or -" },
	{ "list", list, NULL },
	{ "show", show, "the name or id of one sweep" },
	{ "cancel", cancel, "the name or id of one sweep" },
	{ "share", share, "the name or id of one sweep" },
};
enum { NVERBS = sizeof verbs / sizeof verbs[0] };

static int
unknown_verb(const struct cli_command *self, const char *verb)
{
	const char	*names[NVERBS + 1] = { NULL }, *near;

	for (unsigned i = 0; i < NVERBS; i++)
		names[i] = verbs[i].name;
	if (verb == NULL)
		return cli_usage(self, "sweep: needs one of create, list, show, cancel, share");
	if ((near = nearest_name(verb, names)) != NULL)
		return cli_usage(self, "sweep: there is no \"%s\"; did you mean: assay sweep %s?",
		    verb, near);
	return cli_usage(self, "sweep: \"%s\" is none of create, list, show, cancel, share", verb);
}

static int
run_verb(struct sweep_words *w, const struct cli_list *words)
{
	const char	*verb = words->n > 0 ? words->items[0] : NULL;

	for (unsigned i = 0; verb != NULL && i < NVERBS; i++) {
		if (strcmp(verb, verbs[i].name) != 0)
			continue;
		if (verbs[i].needs != NULL && words->n != 2)
			return cli_usage(w->self, "sweep %s: needs %s", verb, verbs[i].needs);
		if (verbs[i].needs == NULL && words->n != 1)
			return cli_usage(w->self, "sweep %s: takes no argument but options", verb);
		w->object = words->n == 2 ? words->items[1] : NULL;
		return verbs[i].run(w);
	}
	return unknown_verb(w->self, verb);
}

int
cmd_sweep(const struct cli_command *self, struct cli *cli, int argc, char **argv)
{
	struct sweep_words	w = { .self = self, .cli = cli, .choice = { .race_ns = -1 },
				    .list = { .limit = SWEEP_LIST_DEFAULT } };
	struct sweep_choice	*c = &w.choice;
	struct sweep_list	*l = &w.list;
	const struct cli_option	options[] = {
		{ 'f', "follow", CLI_FLAG, &c->follow, NULL,
		  "create: wait for the results and print them", 0, 0 },
		{ '\0', "name", CLI_TEXT, &c->name, "NAME",
		  "create: under this name instead of the file's", 0, 0 },
		{ '\0', "yardstick", CLI_INT, &c->yardstick, "N",
		  "create: time the first job again after each N, for the drift", 1, 1000000 },
		{ '\0', "race", CLI_REAL, &c->race_ns, "NS",
		  "create: give up each variant that is surely slower than NS ns", 0, INT64_MAX },
		{ '\0', "correct", CLI_FLAG, &c->correct, NULL,
		  "create: correct the ranking for the yardstick's drift", 0, 0 },
		{ '\0', "notify", CLI_TEXT, &c->webhook, "URL",
		  "create: have the end told to this webhook", 0, 0 },
		{ '\0', "visibility", CLI_TEXT, &c->readers, "READERS",
		  "create, share: who may read the sources: private, all, or alice,bob", 0, 0 },
		{ '\0', "search", CLI_TEXT, &l->search, "TEXT",
		  "list: sweeps with this in their names", 0, 0 },
		{ '\0', "state", CLI_TEXT, &l->state, "STATE",
		  "list: arriving, active, done or cancelled ones", 0, 0 },
		{ '\0', "user", CLI_TEXT, &l->user, "USER",
		  "list: sweeps of this user (name or id)", 0, 0 },
		{ '\0', "limit", CLI_INT, &l->limit, "N",
		  "list: at most so many (default 50)", 1, SWEEP_LIST_MAX },
		CLI_END,
	};
	struct cli_list		words;
	int			code = cli_parse(cli, self, options, argc, argv, &words);

	if (code == CLI_GO_ON)
		code = run_verb(&w, &words);
	cli_list_release(&words);
	return code;
}
