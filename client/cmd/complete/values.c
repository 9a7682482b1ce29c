/* SPDX-License-Identifier: Apache-2.0 */
/* Options that take one of a few words, each with the list that the program itself goes by. */
#include <string.h>

#include "client/cmd/complete/values.h"
#include "client/print/style.h"
#include "client/search/strategy/strategy.h"
#include "client/tune/objective.h"
#include "proto/base/status.h"

typedef const char *values_fn(size_t n);

static const char *
outcomes(size_t n)
{
	return n < ST_N && status_is_outcome((enum status)n) ? status_word((enum status)n) : NULL;
}

static const char *
objectives(size_t n)
{
	return objective_of_words[n];
}

static const char *
overs(size_t n)
{
	return objective_over_words[n];
}

static const char *
whens(size_t n)
{
	return style_when_words[n];
}

/* Lists that have no other home; each ends with NULL. */
static const char *const	contexts[] = { "cold", "warm", NULL };
static const char *const	orders[] = { "id", "newest", "fastest", NULL };
static const char *const	elements[] = { "float", "double", "int", "char", NULL };
static const char *const	infos[] = { "iteration", "function", "raw", NULL };
static const char *const	units[] = { "ns", "cycles", "auto", NULL };
static const char *const	levels[] = { "L1", "L2", "L3", "memory", NULL };
static const char *const	machines[] = { "x86_64", "aarch64", NULL };
static const char *const	states[] = { "arriving", "active", "done", "cancelled", NULL };
static const char *const	formats[] = {
	"kernel-tuner", "t4", "t4-1.1", "csv", "ndjson", "markdown", "lnt", "bencher", NULL
};
static const char *const	compilers[] = {
	"gcc", "clang", "clang-inproc", "tcc", "g++", "clang++", "gfortran", NULL
};

static const struct {
	const char		*option;
	values_fn		*values;	/* NULL: `words` */
	const char *const	*words;
} options[] = {
	{ "clock", values_of_clocks, NULL },
	{ "color", whens, NULL },
	{ "compiler", NULL, compilers },
	{ "context", NULL, contexts },
	{ "data-size", NULL, elements },
	{ "format", NULL, formats },
	{ "flush", values_of_flushes, NULL },
	{ "info", NULL, infos },
	{ "layout", values_of_layouts, NULL },
	{ "levels", NULL, levels },
	{ "machine", NULL, machines },
	{ "objective", objectives, NULL },
	{ "order", NULL, orders },
	{ "over", overs, NULL },
	{ "state", NULL, states },
	{ "status", outcomes, NULL },
	{ "strategy", strategy_name, NULL },
	{ "trust", values_of_tiers, NULL },
	{ "unit", NULL, units },
	{ "visibility", values_of_readers, NULL },
};

const char *
values_of_option(const char *option, size_t n)
{
	for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
		if (strcmp(options[i].option, option) == 0)
			return options[i].values != NULL ? options[i].values(n) :
			    options[i].words[n];
	return NULL;
}
