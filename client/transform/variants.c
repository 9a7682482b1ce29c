/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <isl/options.h>

#include "client/transform/steps/steps.h"
#include "client/transform/variants_parts.h"
#include "client/transform/write/write.h"

/* isl's own count of steps: some seconds of work. */
enum { MAX_OPERATIONS = 2 * 1000 * 1000 };

/* ---- what is given ---- */

static enum status
read_value(struct making *m, const char *word, struct fault *why)
{
	const char	*equals = strchr(word, '=');
	char		*end;
	long long	 value;

	if (equals == NULL)
		return fault_at(why, ST_BAD_REQUEST, "--set", "%s: needs NAME=VALUE", word);
	value = strtoll(equals + 1, &end, 10);
	if (end == equals + 1 || *end != '\0')
		return fault_at(why, ST_BAD_REQUEST, "--set", "%s: is no integer", word);
	for (size_t i = 0; i < m->source.nsymbols; i++) {
		struct symbol	*s = m->source.symbols[i];

		if (s->kind != SYMBOL_ARGUMENT || strlen(s->name) != (size_t)(equals - word) ||
		    strncmp(s->name, word, (size_t)(equals - word)) != 0)
			continue;
		m->known = arena_grow(m->arena, m->known, m->nknown, sizeof *m->known);
		m->known[m->nknown++] = (struct constant){ s, value };
		return ST_OK;
	}
	return fault_at(why, ST_BAD_REQUEST, "--set", "%s: %s has no such argument", word,
	    m->source.routine);
}

static void
read_fixed(struct making *m)
{
	struct script_param	*all = NULL;
	size_t			 n = 0;

	for (size_t i = 0; m->request->params != NULL && m->request->params[i] != NULL; i++) {
		const char	*word = m->request->params[i], *equals = strchr(word, '=');
		const char	**value = arena_take(m->arena, sizeof *value);

		if (equals == NULL)
			continue;
		*value = equals + 1;
		all = arena_grow(m->arena, all, n, sizeof *all);
		all[n++] = (struct script_param){ .values = value, .n = 1,
		    .name = arena_text(m->arena, word, (size_t)(equals - word)) };
	}
	m->script.fixed = all;
	m->script.nfixed = n;
}

static enum status
read_script(struct making *m, struct fault *why)
{
	FILE		*f = fopen(m->request->script, "r");
	char		*text;
	size_t		 n;

	if (f == NULL)
		return fault_at(why, ST_NOT_FOUND, m->request->script, "%m");
	text = arena_take(m->arena, SCRIPT_MAX_BYTES + 2);
	n = fread(text, 1, SCRIPT_MAX_BYTES + 1, f);
	(void)fclose(f);
	read_fixed(m);
	return script_parse(&m->script, m->arena, m->request->script, text, n, step_words, why);
}

/* ---- one point ---- */

static json_t *
point_of(const struct script *s)
{
	json_t	*point = json_object();

	for (size_t i = 0; i < s->nparams; i++) {
		const char	*text = s->params[i].values[s->params[i].at];
		char		*end;
		long long	 v = strtoll(text, &end, 10);

		(void)json_object_set_new(point, s->params[i].name,
		    *end == '\0' && end != text ? json_integer(v) : json_string(text));
	}
	return point;
}

static json_t *
flags_of(const struct script *s)
{
	char	*text = strdup(script_fill(s, s->flags)), *rest = text, *word;
	json_t	*flags = json_array();

	while (text != NULL && (word = strsep(&rest, " \t")) != NULL)
		if (*word != '\0')
			(void)json_array_append_new(flags, json_string(word));
	free(text);
	return flags;
}

/* What the variant is of, and for which values of arguments alone. */
static const char *
heading(const struct work *w, const char *point)
{
	const char	*text;

	text = arena_format(w->arena, "/*\n * Made by assay variants%s%s.\n",
	    point[0] != '\0' ? ": " : "", point);
	for (size_t i = 0; i < w->nconstants; i++)
		text = arena_format(w->arena, "%s%s%s%s is %lld", text, i > 0 ? ", " :
		    " * It is right only where ", w->constants[i].symbol->is_pointer ? "*" : "",
		    w->constants[i].symbol->name, (long long)w->constants[i].value);
	if (w->nconstants > 0)
		text = arena_format(w->arena, "%s.\n", text);
	if (w->assumed != NULL)
		text = arena_format(w->arena, "%s * Assumed, not proved: %s\n", text, w->assumed);
	return arena_format(w->arena, "%s */\n", text);
}

void
variants_add(struct making *m, struct work *w, const char *name, json_t *point)
{
	const char	*body = write_source(w);
	json_t		*v = json_pack("{s:s, s:s, s:o}", "name", name[0] != '\0' ? name :
			    "transformed", "source", arena_format(w->arena, "%s%s",
			    heading(w, name), body), "point", point);

	if (w->assumed != NULL)
		(void)json_object_set_new(v, "assumed", json_string(w->assumed));
	if (m->script.compiler != NULL)
		(void)json_object_set_new(v, "compiler", json_string(script_fill(&m->script,
		    m->script.compiler)));
	if (m->script.flags != NULL)
		(void)json_object_set_new(v, "flags", flags_of(&m->script));
	(void)json_array_append_new(m->variants, v);
}

static void
add_refused(struct making *m, const struct fault *why)
{
	const char	*point = script_point(&m->script);

	if (json_array_size(m->refused) == 0)
		m->first = *why;
	(void)json_array_append_new(m->refused, json_pack("{s:s, s:o, s:s, s:s, s:s}", "name",
	    point[0] != '\0' ? point : "transformed", "point", point_of(&m->script), "member",
	    why->member, "text", why->text, "hint", why->hint));
}

void
variants_start_work(const struct making *m, struct work *w)
{
	*w = (struct work){ .arena = m->script.arena, .source = &m->source, .script = &m->script,
	    .ctx = m->ctx, .assumes = m->request->assumes, .known = m->known,
	    .nknown = m->nknown, .is_distinct = m->request->is_distinct };
}

enum status
variants_run_steps(struct work *w, size_t n, struct fault *why)
{
	enum status	st;

	if ((st = steps_constants(w, why)) == ST_OK && (st = work_init(w, why)) == ST_OK)
		st = steps_apply(w, n, why);
	return st;
}

/* The step after which the flow is another one for the first time; the last one is not tried. */
static size_t
guilty_step(struct making *m, struct fault *why)
{
	struct work	w;
	struct fault	one;
	size_t		guilty = 0, last = 0;

	for (size_t n = 1; n <= m->script.nsteps; n++)
		if (steps_may_fail(&m->script.steps[n - 1]))
			last = n;
	for (size_t n = 1; n < last && guilty == 0; n++) {
		if (!steps_may_fail(&m->script.steps[n - 1]))
			continue;
		variants_start_work(m, &w);
		if (variants_run_steps(&w, n, &one) != ST_OK) {
			guilty = n;
			*why = one;
		}
		work_release(&w);
	}
	return guilty > 0 ? guilty : last;
}

static void
blame_step(struct making *m, struct fault *why)
{
	const struct script_step	*step;
	struct fault			 one;
	size_t				 guilty = guilty_step(m, why);

	if (guilty == 0 || strncmp(why->member, m->script.path, strlen(m->script.path)) == 0)
		return;
	one = *why;
	step = &m->script.steps[guilty - 1];
	(void)fault_at(why, ST_BAD_SPEC, one.member, "%s:%u: %s %s: %.600s", m->script.path,
	    step->line, step->word, step->text, one.text);
	fault_hint(why, "%s", one.hint[0] != '\0' ? one.hint :
	    "--assume makes the variant all the same, and marks it");
}

/* The steps that a point's proof is of, parameters filled in. */
static const char *
steps_of_proof(struct making *m)
{
	const size_t	n = steps_to_prove(&m->script, m->script.nsteps);
	const char	*text = "";

	for (size_t i = 0; i < n; i++)
		text = arena_format(m->script.arena, "%s%s %s\n", text, m->script.steps[i].word,
		    script_fill(&m->script, m->script.steps[i].text));
	return text;
}

static enum status
make_point(struct making *m, struct fault *why)
{
	struct arena	*outer = m->script.arena;
	const char	*steps;
	struct work	 w;
	enum status	 st;

	m->script.arena = arena_new();
	variants_start_work(m, &w);
	steps = steps_of_proof(m);
	w.is_proved = m->proved != NULL && strcmp(steps, m->proved) == 0;
	st = variants_run_steps(&w, m->script.nsteps, why);
	if (!w.is_proved)
		m->proved = st == ST_OK && w.assumed == NULL ?
		    arena_format(m->arena, "%s", steps) : NULL;
	if (st == ST_OK)
		variants_add(m, &w, script_point(&m->script), point_of(&m->script));
	work_release(&w);
	if (st == ST_BAD_SPEC) {
		if (strncmp(why->member, m->script.path, strlen(m->script.path)) != 0)
			blame_step(m, why);
		add_refused(m, why);
		st = ST_OK;
	}
	arena_free(m->script.arena);
	m->script.arena = outer;
	return st;
}

/* ---- all ---- */

static enum status
make_all(struct making *m, struct fault *why)
{
	bool		wanted;
	enum status	st;

	script_first(&m->script);
	do {
		if ((st = script_is_wanted(&m->script, &wanted, why)) == ST_OK && wanted)
			st = make_point(m, why);
	} while (st == ST_OK && script_next(&m->script));
	if (st != ST_OK || json_array_size(m->variants) > 0)
		return st;
	if (json_array_size(m->refused) == 0)
		return fault_at(why, ST_BAD_SPEC, m->script.path, "no point of the space fits "
		    "its conditions");
	*why = m->first;
	return why->status;
}

enum status
variants_make(const struct variants_request *q, json_t **out, struct fault *why)
{
	struct making	m = { .request = q, .arena = arena_new() };
	enum status	st;

	*out = NULL;
	m.ctx = isl_ctx_alloc();
	(void)isl_options_set_on_error(m.ctx, ISL_ON_ERROR_CONTINUE);
	isl_ctx_set_max_operations(m.ctx, MAX_OPERATIONS);
	m.variants = json_array();
	m.refused = json_array();
	if ((st = source_read(&m.source, m.arena, &q->source, why)) == ST_OK)
		for (size_t i = 0; q->values != NULL && q->values[i] != NULL && st == ST_OK; i++)
			st = read_value(&m, q->values[i], why);
	if (st == ST_OK && q->script == NULL)
		st = explore_make(&m, why);
	else if (st == ST_OK && (st = read_script(&m, why)) == ST_OK)
		st = make_all(&m, why);
	if (st == ST_OK)
		*out = json_pack("{s:s, s:O, s:O}", "routine", m.source.routine, "variants",
		    m.variants, "refused", m.refused);
	json_decref(m.variants);
	json_decref(m.refused);
	script_release(&m.script);
	arena_free(m.arena);
	isl_ctx_free(m.ctx);
	return st == ST_OK && *out == NULL ? fault_set(why, ST_NOMEM, "variants") : st;
}
