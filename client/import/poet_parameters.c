/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parameters of POET's timer generator (timerGeneration.pt) → members of a spec.  The generator
 * wrote them into the driver; here they are how the job is timed.
 */
#include <stdio.h>
#include <string.h>

#include "client/import/poet_parts.h"
#include "proto/base/name.h"

struct setting {
	struct poet	*p;
	json_t		*spec;
	const char	*name, *value;
};

typedef enum status set_fn(struct setting *, struct fault *);

static json_t *
object_in(json_t *o, const char *name)
{
	if (json_object_get(o, name) == NULL)
		(void)json_object_set_new(o, name, json_object());
	return json_object_get(o, name);
}

static json_t *
timing(const struct setting *s)
{
	return object_in(s->spec, "timing");
}

static enum status
get_int(const struct setting *s, int64_t min, int64_t max, int64_t *n, struct fault *why)
{
	enum status	st = cli_int(s->value, min, max, n, why);

	return st == ST_OK ? ST_OK : fault_within(why, s->name);
}

/* ---- one each ---- */

static enum status
set_cache_kb(struct setting *s, struct fault *why)
{
	int64_t		kib;
	enum status	st = get_int(s, 1, 4 << 20, &kib, why);

	if (st == ST_OK)
		(void)json_object_set_new(object_in(timing(s), "flush"), "bytes",
		    json_integer((json_int_t)kib * 1024));
	return st;
}

static enum status
set_clock(struct setting *s, struct fault *why)
{
	int64_t		wall;
	enum status	st = get_int(s, 0, 1, &wall, why);

	if (st == ST_OK)
		(void)json_object_set_new(timing(s), "clock", json_string(wall ? "wall" : "cpu"));
	return st;
}

static enum status
set_calls(struct setting *s, struct fault *why)
{
	int64_t		n;
	enum status	st = get_int(s, 1, 1 << 24, &n, why);

	if (st == ST_OK)
		(void)json_object_set_new(timing(s), "calls", json_integer((json_int_t)n));
	return st;
}

static enum status
set_samples(struct setting *s, struct fault *why)
{
	int64_t		n;
	enum status	st = get_int(s, 1, 10000, &n, why);

	if (st == ST_OK)
		(void)json_object_set_new(timing(s), "samples", json_integer((json_int_t)n));
	return st;
}

static enum status
set_seed(struct setting *s, struct fault *why)
{
	int64_t		n;
	enum status	st = get_int(s, 1, INT32_MAX, &n, why);

	s->p->seed = st == ST_OK ? (uint64_t)n : 0;
	return st;
}

static enum status
set_flush(struct setting *s, struct fault *why)
{
	const char	*method = strcmp(s->value, "generic") == 0 ? "OneCallFlushLRU" :
			    strcmp(s->value, "x86") == 0 ? "OneCallFlushX86" : NULL;

	if (method == NULL) {
		(void)fault_at(why, ST_BAD_REQUEST, s->name, "there is no flush \"%s\"", s->value);
		fault_hint(why, "it is generic or x86");
		return ST_BAD_REQUEST;
	}
	(void)json_object_set_new(object_in(timing(s), "flush"), "method", json_string(method));
	return ST_OK;
}

/* The counter of the host's own processor, or the kernel's clock. */
static enum status
set_isa(struct setting *s, struct fault *why)
{
	static const char	here[] =
#if defined(__x86_64__)
				    "x86_64";
#elif defined(__aarch64__)
				    "aarch64";
#else
				    "generic";
#endif

	if (strcmp(s->value, "generic") == 0)
		return ST_OK;
	if (strcmp(s->value, here) != 0) {
		(void)fault_at(why, ST_BAD_REQUEST, s->name,
		    "drivers for \"%s\" cannot be made here", s->value);
		fault_hint(why, "it is generic or %s, this host's", here);
		return ST_BAD_REQUEST;
	}
	(void)json_object_set_new(timing(s), "clock", json_string("cycle"));
	return ST_OK;
}

static enum status
set_mhz(struct setting *s, struct fault *why)
{
	int64_t		mhz;
	enum status	st = get_int(s, 0, 1000000, &mhz, why);

	if (st == ST_OK && mhz > 0)
		foreign_remark(s->p->source, s->p->source->text, "MHZ=%s is left out: the clock's "
		    "rate is measured", s->value);
	return st;
}

/* Drivers are in C; there is no other back end. */
static enum status
set_language(struct setting *s, struct fault *why)
{
	if (strcmp(s->value, "c") == 0 || strcmp(s->value, "Cfront.code") == 0)
		return ST_OK;
	(void)fault_at(why, ST_BAD_REQUEST, s->name, "no driver can be made in \"%s\"", s->value);
	fault_hint(why, "it is c; variants may be in C, C++, Fortran or assembly");
	return ST_BAD_REQUEST;
}

/* Results always have all times. */
static enum status
set_verbose(struct setting *s, struct fault *why)
{
	int64_t	n;

	return get_int(s, 0, 1, &n, why);
}

/* ---- all ---- */

static const struct {
	const char	*name;
	set_fn		*set;
} known[] = {
	{ "CacheKB", set_cache_kb }, { "UseWallTime", set_clock }, { "NREP", set_calls },
	{ "MT", set_samples }, { "RANDSEED", set_seed }, { "CacheFlushMethod", set_flush },
	{ "ISA", set_isa }, { "MHZ", set_mhz }, { "outputLang", set_language },
	{ "Verbose", set_verbose },
};
enum { NKNOWN = sizeof known / sizeof known[0] };

static enum status
unknown_parameter(const struct poet *p, const char *name, struct fault *why)
{
	const char	*names[NKNOWN + 1] = { NULL }, *near;

	for (unsigned i = 0; i < NKNOWN; i++)
		names[i] = known[i].name;
	(void)fault_at(why, ST_BAD_REQUEST, "-p", "the generator has no parameter \"%s\"", name);
	if (params_find(&p->params, (struct span){ name, strlen(name) }) != NULL)
		fault_hint(why, "a macro of the spec is changed when it is timed: assay time -p "
		    "%.64s=...", name);
	else if ((near = nearest_name(name, names)) != NULL)
		fault_hint(why, "did you mean %s?", near);
	return ST_BAD_REQUEST;
}

static enum status
set_one(struct poet *p, const char *word, json_t *spec, struct fault *why)
{
	char		name[NAME_MAX_BYTES + 1];
	struct setting	s = { .p = p, .spec = spec, .name = name };
	size_t		n = 0;
	enum status	st;

	if ((st = cli_split(word, &n, &s.value, why)) != ST_OK)
		return fault_within(why, "-p");
	(void)snprintf(name, sizeof name, "%.*s", (int)n, word);
	for (unsigned i = 0; i < NKNOWN; i++)
		if (strcmp(known[i].name, name) == 0)
			return known[i].set(&s, why);
	return unknown_parameter(p, name, why);
}

/* ---- what goes together ---- */

/* Several calls after one flush would find what the first one has left. */
static enum status
settle_calls(json_t *own, struct fault *why)
{
	json_t		*flush = json_object_get(own, "flush");
	const char	*method = json_string_value(json_object_get(flush, "method"));

	if (method == NULL || json_integer_value(json_object_get(own, "calls")) < 2)
		return ST_OK;
	if (strcmp(method, "OneCallFlushX86") == 0) {
		(void)fault_at(why, ST_BAD_REQUEST, "NREP", "more than one call cannot follow one "
		    "flush by instructions");
		fault_hint(why, "leave out NREP, or CacheFlushMethod=x86");
		return ST_BAD_REQUEST;
	}
	(void)json_object_set_new(flush, "method", json_string("MultiCallFlushLRU"));
	return ST_OK;
}

enum status
poet_settle(struct poet *p, json_t *spec, struct fault *why)
{
	json_t		*own = json_object_get(spec, "timing");
	json_t		*flush = json_object_get(own, "flush");
	const char	*method = json_string_value(json_object_get(flush, "method"));
	const char	*context = json_string_value(json_object_get(spec, "context"));

	if (flush != NULL && (context == NULL || strcmp(context, "cold") != 0)) {
		foreign_remark(p->source, p->source->text, "CacheKB and CacheFlushMethod are left "
		    "out: no operand has flush");
		(void)json_object_del(own, "flush");
	} else if (method != NULL && strcmp(method, "OneCallFlushX86") == 0 &&
	    json_object_del(flush, "bytes") == 0) {
		foreign_remark(p->source, p->source->text, "CacheKB is left out: flushes by "
		    "instructions need no area");
	}
	if (own != NULL && json_object_size(own) == 0)
		(void)json_object_del(spec, "timing");
	return settle_calls(own, why);
}

enum status
poet_parameters(struct poet *p, const struct cli_list *words, json_t *spec, struct fault *why)
{
	enum status	st = ST_OK;

	for (size_t i = 0; words != NULL && st == ST_OK && i < words->n; i++)
		st = set_one(p, words->items[i], spec, why);
	return st;
}
