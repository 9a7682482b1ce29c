/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "proto/base/base64.h"
#include "proto/spec/spec_parts.h"

/*
 * The inverse of the decoder.  Each function returns a new object with every default said aloud, or NULL when memory is
 * short; jansson's setters take that NULL and pass the failure on, so one test at the end of each is enough.
 */

/* Put `value`, which is taken; false: it is NULL or there is no memory. */
static bool
put(json_t *o, const char *name, json_t *value)
{
	return json_object_set_new(o, name, value) == 0;
}

static json_t *
finish(json_t *o, bool ok)
{
	if (ok)
		return o;
	json_decref(o);
	return NULL;
}

static json_t *
encode_bytes(const void *data, size_t bytes)
{
	char	*text = base64_encode(data, bytes);
	json_t	*v = text != NULL ? json_string(text) : NULL;

	free(text);
	return v;
}

static json_t *
encode_expr(const struct expr *e)
{
	return json_string(expr_text(e));
}

/* --- variant --- */

static bool
is_built(const struct variant *v)
{
	return v->language == LANG_OBJECT || v->language == LANG_SHARED;
}

static json_t *
encode_flags(const struct variant *v)
{
	json_t	*a = json_array();
	bool	 ok = true;

	for (size_t i = 0; i < v->nflags && ok; i++)
		ok = json_array_append_new(a, json_string(v->flags[i])) == 0;
	return finish(a, ok);
}

static json_t *
encode_defines(const struct variant *v)
{
	json_t	*o = json_object();
	bool	 ok = true;

	for (size_t i = 0; i < v->ndefines && ok; i++)
		ok = put(o, v->defines[i].name, json_string(v->defines[i].text));
	return finish(o, ok);
}

json_t *
spec_encode_variant(const struct variant *v)
{
	json_t	*o = json_object();
	bool	 ok;

	ok = put(o, "name", json_string(v->name)) && put(o, "language", json_string(language_name(v->language))) &&
	    put(o, "source", is_built(v) ? encode_bytes(v->source, v->source_bytes) : json_string(v->source));
	if (ok && !is_built(v))
		ok = put(o, "compiler", json_string(v->compiler)) && put(o, "flags", encode_flags(v)) &&
		    put(o, "defines", encode_defines(v));
	return finish(o, ok);
}

/* --- spec --- */

static json_t *
encode_value(const struct value *v)
{
	if (v->kind == VALUE_TEXT)
		return json_string(v->text);
	return v->kind == VALUE_INT ? json_integer(v->i) : json_real(v->r);
}

static json_t *
encode_params(const struct spec *s)
{
	json_t	*o = json_object();
	bool	 ok = true;

	for (size_t i = 0; i < s->nparams && ok; i++)
		ok = put(o, s->params[i].name, encode_value(&s->params[i].value));
	return finish(o, ok);
}

static json_t *
encode_init(const struct init *i)
{
	json_int_t	seed = (json_int_t)i->seed;

	switch (i->kind) {
	case INIT_RANDOM:
		return json_pack("{s{sIsfsf}}", "random", "seed", seed, "min", i->min, "max", i->max);
	case INIT_VALUE:
		return json_pack("{so}", "value", encode_expr(i->value));
	case INIT_PERMUTATION:
		return json_pack("{s{sI}}", "permutation", "seed", seed);
	case INIT_DATA:
		return json_pack("{so}", "data", encode_bytes(i->data, i->data_bytes));
	default:
		return json_string("index");
	}
}

static json_t *
encode_dims(const struct operand *op)
{
	json_t	*a = json_array();
	bool	 ok = true;

	for (size_t i = 0; i < op->ndims && ok; i++)
		ok = json_array_append_new(a, encode_expr(op->dims[i])) == 0;
	return finish(a, ok);
}

static json_t *
encode_operand(const struct operand *op)
{
	json_t	*o = json_object();
	bool	 ok;

	ok = put(o, "type", json_string(ctype_name(op->type))) && put(o, "dims", encode_dims(op)) &&
	    put(o, "init", encode_init(&op->init)) && put(o, "access", json_string(access_name(op->access))) &&
	    put(o, "align", json_integer((json_int_t)op->align)) &&
	    (op->misalign == 0 || put(o, "misalign", json_integer((json_int_t)op->misalign))) &&
	    put(o, "stride", json_integer((json_int_t)op->stride)) &&
	    put(o, "cache", json_string(cache_state_name(op->cache)));
	return finish(o, ok);
}

static json_t *
encode_args(const struct spec *s)
{
	json_t	*o = json_object();
	bool	 ok = true;

	for (size_t i = 0; i < s->routine.nparams && ok; i++)
		ok = put(o, s->routine.params[i].name,
		    s->args[i].is_operand ? encode_operand(&s->args[i].operand) : encode_expr(s->args[i].scalar));
	return finish(o, ok);
}

static json_t *
encode_context(const struct spec *s)
{
	if (s->context == CONTEXT_FLUSH_BYTES)
		return json_pack("{sI}", "flush_bytes", (json_int_t)s->context_flush_bytes);
	if (s->context == CONTEXT_FLUSH_LEVEL)
		return json_pack("{ss}", "flush_level", cache_state_name(s->context_level));
	return json_string(s->context == CONTEXT_WARM ? "warm" : "cold");
}

static json_t *
encode_flush(const struct timing *t)
{
	json_t	*o = json_object();
	bool	 ok;

	ok = put(o, "method", json_string(flush_method_name(t->method))) &&
	    (t->flush_bytes == 0 || put(o, "bytes", json_integer((json_int_t)t->flush_bytes))) &&
	    put(o, "walk", json_string(walk_name(t->walk))) &&
	    (t->tlb == TLB_AUTO || put(o, "tlb", json_boolean(t->tlb == TLB_COLD))) &&
	    (t->page_tables == TABLES_AUTO || put(o, "page_tables", json_string(tables_name(t->page_tables))));
	return finish(o, ok);
}

static json_t *
encode_timing(const struct spec *s)
{
	const struct timing	*t = &s->timing;
	json_t			*o = json_object();
	bool			 ok;

	ok = put(o, "clock", json_string(clock_name(t->clock))) &&
	    (t->samples == 0 || put(o, "samples", json_integer(t->samples))) &&
	    (t->calls == 0 || put(o, "calls", json_integer(t->calls))) &&
	    (t->interval == 0 || put(o, "interval", json_real(t->interval))) &&
	    (t->max_samples == 0 || put(o, "max_samples", json_integer(t->max_samples))) &&
	    (t->ncounters == 0 || put(o, "counters", spec_encode_counters(t))) &&
	    put(o, "difference", json_boolean(t->difference)) &&
	    put(o, "gate", t->gate == GATING_AUTO ? json_string("auto") : json_boolean(t->gate == GATING_ON)) &&
	    (!t->has_budget || put(o, "budget_ms", json_integer(t->budget_ms))) && put(o, "flush", encode_flush(t)) &&
	    put(o, "estimator", json_string(estimator_name(t->estimator))) &&
	    put(o, "trust", json_string(trust_asked_name(t->trust))) &&
	    put(o, "range_guard", spec_encode_guard(s)) &&
	    put(o, "layout", json_string(layout_kind_name(t->layout)));
	if (ok && t->layout != LAYOUT_FIXED)
		ok = put(o, "layouts", json_integer(t->layouts)) &&
		    put(o, "layout_seed", json_integer((json_int_t)t->layout_seed));
	return finish(o, ok);
}

static json_t *
encode_check(const struct check *c)
{
	json_t	*o;

	if (!c->present && !c->image)
		return json_string("none");
	o = json_pack("{sfsf}", "rtol", c->rtol, "atol", c->atol);
	return finish(o, !c->present || put(o, "reference", spec_encode_variant(&c->reference)));
}

/* What the routine is called with. */
static bool
put_data(json_t *o, const struct spec *s)
{
	return s->checkpoint != NULL ? put(o, "checkpoint", json_string(s->checkpoint)) :
	    put(o, "args", encode_args(s));
}

json_t *
spec_encode(const struct spec *s)
{
	json_t	*o = json_object();
	bool	 ok;

	ok = put(o, "routine", json_string(s->routine_text)) && put(o, "params", encode_params(s)) &&
	    put_data(o, s) && (s->flops == NULL || put(o, "flops", encode_expr(s->flops))) &&
	    (s->bytes == NULL || put(o, "bytes", encode_expr(s->bytes))) && put(o, "context", encode_context(s)) &&
	    (!s->data_sensitive || put(o, "data_sensitive", json_true())) &&
	    put(o, "timing", encode_timing(s)) &&
	    ((!s->check.present && s->checkpoint == NULL) || put(o, "check", encode_check(&s->check)));
	return finish(o, ok);
}

/* --- job --- */

static json_t *
encode_window(const struct job *j)
{
	return json_sprintf("%02d:%02d-%02d:%02d", j->window_from / 60, j->window_from % 60, j->window_to / 60,
	    j->window_to % 60);
}

/* What may be absent is left out. */
static bool
put_optional(json_t *o, const struct job *j)
{
	return (j->against.source == NULL || (put(o, "against", spec_encode_variant(&j->against)) &&
	    put(o, "compare", spec_encode_contest(&j->contest)))) &&
	    (j->meta == NULL || json_object_set(o, "meta", j->meta) == 0) &&
	    (j->not_before == 0 || put(o, "not_before", json_integer(j->not_before))) &&
	    (j->deadline == 0 || put(o, "deadline", json_integer(j->deadline))) &&
	    (j->window_from < 0 || put(o, "window", encode_window(j))) &&
	    (j->key[0] == '\0' || put(o, "key", json_string(j->key)));
}

json_t *
job_encode(const struct job *j)
{
	json_t	*o = json_object();
	bool	 ok;

	ok = put(o, "variant", spec_encode_variant(&j->variant)) && put(o, "spec", spec_encode(&j->spec)) &&
	    put(o, "priority", json_integer(j->priority)) &&
	    put(o, "timeout_ms", json_pack("{sIsI}", "build", (json_int_t)j->build_timeout_ms, "run",
	    (json_int_t)j->run_timeout_ms)) &&
	    put(o, "threads", json_integer(j->threads)) && put(o, "retries", json_integer(j->retries)) &&
	    put_optional(o, j);
	return finish(o, ok);
}
