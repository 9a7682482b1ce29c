/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A spec with nothing left to be filled in.  Members follow from the decoder's tables.  A row with
 * a function of its own to read it has one here to write it.  A value that is NULL is left out.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/base/base64.h"
#include "proto/base/log.h"
#include "proto/spec/spec_parts.h"
#include "proto/spec/words.h"

#define LENGTH(array)	(sizeof (array) / sizeof (array)[0])
#define SPEC_OF(t) \
	((const struct spec *)(const void *)((const char *)(t) - offsetof(struct spec, timing)))

static json_t *
put_bytes(const void *data, size_t bytes)
{
	char	*text = base64_encode(data, bytes);
	json_t	*v = text != NULL ? json_string(text) : NULL;

	free(text);
	return v;
}

static json_t *
put_expr(const struct expr *e)
{
	return e != NULL ? json_string(expr_text(e)) : NULL;
}

/* ---- of a variant ---- */

static json_t *
put_source(const void *in)
{
	const struct variant	*v = in;

	return language_is_binary(v->language) ? put_bytes(v->source, v->source_bytes) :
	    json_string(v->source);
}

/* NULL: there is no list. */
static json_t *
put_texts(char *const *texts, size_t n)
{
	json_t	*a = texts != NULL ? json_array() : NULL;

	for (size_t i = 0; i < n; i++)
		json_array_append_new(a, json_string(texts[i]));
	return a;
}

static json_t *
put_flags(const void *in)
{
	const struct variant	*v = in;

	return put_texts(v->flags, v->nflags);
}

static json_t *
put_libraries(const void *in)
{
	const struct variant	*v = in;

	return put_texts(v->libraries, v->nlibraries);
}

static json_t *
put_words(const void *in)
{
	const struct program	*p = in;

	return put_texts(p->args, p->nargs);
}

static json_t *
put_defines(const void *in)
{
	const struct variant	*v = in;
	json_t			*o = v->defines != NULL ? json_object() : NULL;

	for (size_t i = 0; i < v->ndefines; i++)
		json_object_set_new(o, v->defines[i].name, json_string(v->defines[i].text));
	return o;
}

static json_t *
put_files(const void *in)
{
	const struct variant	*v = in;
	json_t			*o = v->files != NULL ? json_object() : NULL;

	for (size_t i = 0; i < v->nfiles; i++)
		json_object_set_new(o, v->files[i].name, json_pack("{so, sb}", "base64",
		    put_bytes(v->files[i].bytes, v->files[i].nbytes), "compile",
		    (int)v->files[i].compile));
	return o;
}

/* ---- of an operand ---- */

static json_t *
put_record(const struct record *r)
{
	json_t	*members = json_array();

	for (size_t i = 0; i < r->nmembers; i++)
		json_array_append_new(members, json_pack("[ssI]", r->member[i].name,
		    ctype_name(r->member[i].type), (json_int_t)r->member[i].count));
	return json_pack("{so}", "struct", members);
}

static json_t *
put_type(const void *in)
{
	if (((const struct place *)in)->o.record != NULL)
		return put_record(((const struct place *)in)->o.record);
	return json_string(ctype_name(((const struct place *)in)->o.type));
}

static json_t *
put_dims(const void *in)
{
	const struct operand	*op = &((const struct place *)in)->o;
	json_t			*a = json_array();

	for (size_t i = 0; i < op->ndims; i++)
		json_array_append_new(a, json_integer((json_int_t)op->size[i]));
	return a;
}

static json_t *
put_align(const void *in)
{
	return json_integer((json_int_t)((const struct place *)in)->o.align);
}

static json_t *
put_misalign(const void *in)
{
	const struct operand	*op = &((const struct place *)in)->o;

	return op->misalign != 0 ? json_integer((json_int_t)op->misalign) : NULL;
}

static json_t *
put_offset(const void *in)
{
	return json_integer((json_int_t)((const struct place *)in)->o.offset);
}

static json_t *
put_random(const struct init *i)
{
	json_t	*o = json_pack("{sIsfsfsssf}", "seed", (json_int_t)i->seed, "min", i->min, "max",
		    i->max, "order", words_order[i->order], "density", i->density);

	if (i->order == ORDER_NEARLY_SORTED)
		json_object_set_new(o, "swaps", json_real(i->swaps));
	if (i->distinct != 0)
		json_object_set_new(o, "distinct", json_integer(i->distinct));
	return json_pack("{so}", "random", o);
}

static json_t *
put_value_of(const struct expr *re, const struct expr *im)
{
	return im == NULL ? put_expr(re) : json_pack("{soso}", "re", put_expr(re), "im",
	    put_expr(im));
}

static json_t *
put_init(const void *in)
{
	const struct init	*i = &((const struct place *)in)->o.init;
	const json_int_t	 seed = (json_int_t)i->seed;

	switch (i->kind) {
	case INIT_RANDOM:
		if (((const struct place *)in)->o.record != NULL)
			return json_pack("{s{sI}}", "random", "seed", seed);
		return put_random(i);
	case INIT_VALUE:
		return json_pack("{so}", "value", put_value_of(i->value, i->imaginary));
	case INIT_PERMUTATION:
	case INIT_TEXT:
		return json_pack("{s{sI}}", init_name(i->kind), "seed", seed);
	case INIT_DATA:
		return json_pack("{so}", "data", put_bytes(i->data, i->data_bytes));
	case INIT_FUNCTION:
		return json_pack("{ss}", "function", i->function);
	default:
		return json_string("index");
	}
}

/* ---- of a spec ---- */

/* Of a place as well as of a spec. */
static json_t *
put_inputs(const struct data *d)
{
	if (d->kind == DATA_ROTATE)
		return json_pack("{sI}", "rotate", (json_int_t)d->rotate);
	return json_string(d->kind == DATA_ONE ? "one" : "auto");
}

static json_t *
put_data(const void *in)
{
	return put_inputs(&((const struct spec *)in)->data);
}

static json_t *
put_place_data(const void *in)
{
	return put_inputs(&((const struct place *)in)->o.data);
}

static json_t *
put_params(const void *in)
{
	const struct spec	*s = in;
	json_t			*o = json_object();

	for (size_t i = 0; i < s->nparams; i++) {
		const struct value	*v = &s->params[i].value;

		json_object_set_new(o, s->params[i].name,
		    v->kind == VALUE_TEXT ? json_string(v->text) :
		    v->kind == VALUE_INT ? json_integer(v->i) : json_real(v->r));
	}
	return o;
}

static json_t *
put_context(const void *in)
{
	const struct spec	*s = in;

	if (s->context == CONTEXT_FLUSH_BYTES)
		return json_pack("{sI}", "flush_bytes", (json_int_t)s->context_flush_bytes);
	if (s->context == CONTEXT_FLUSH_LEVEL)
		return json_pack("{ss}", "flush_level", cache_state_name(s->context_level));
	return json_string(s->context == CONTEXT_WARM ? "warm" : "cold");
}

static json_t *
put_node(const void *in)
{
	const struct operand	*op = &((const struct place *)in)->o;

	if (op->home == HOME_ANY)
		return NULL;
	return op->home == HOME_NUMBER ? json_integer((json_int_t)op->node) :
	    json_string(words_home[op->home - HOME_LOCAL]);
}

static json_t *
put_nothing(const void *in)
{
	(void)in;
	return NULL;
}

/* An argument that points into another one's memory. */
static json_t *
put_shared(const struct spec *s, const struct shared *shared)
{
	return json_pack("{ss ss sI}", "same_as", s->routine.params[shared->of].name, "access",
	    access_name(shared->access), "from", (json_int_t)shared->first);
}

static json_t *
put_scalar(const struct arg *a)
{
	if (a->imaginary != NULL)
		return json_pack("{s{so}}", "init", "value", put_value_of(a->scalar, a->imaginary));
	return a->value.kind == VALUE_INT ? json_integer(a->value.i) : json_real(a->value.r);
}

static json_t *
put_arg(const struct spec *s, const struct arg *a)
{
	const struct place	p = { .o = a->operand };

	if (a->is_null)
		return json_null();
	if (a->is_shared)
		return put_shared(s, &a->shared);
	return a->is_operand ? spec_encode_object(&operand_shape, &p, NULL) : put_scalar(a);
}

static json_t *
put_args(const void *in)
{
	const struct spec	*s = in;
	json_t			*o = s->checkpoint == NULL && !s->program.present ?
				    json_object() : NULL;

	for (size_t i = 0; o != NULL && i < s->routine.nparams; i++)
		json_object_set_new(o, s->routine.params[i].name, put_arg(s, &s->args[i]));
	return o;
}

static json_t *
put_iterations(const void *in)
{
	const struct spec	*s = in;

	if (s->iterations_returned)
		return json_string("return");
	return s->iterations != NULL ? json_real(s->iterations_count) : NULL;
}

static json_t *
put_flops(const void *in)
{
	const struct spec	*s = in;

	return s->flops != NULL ? json_real(s->flops_count) : NULL;
}

static json_t *
put_moved(const void *in)
{
	const struct spec	*s = in;

	return s->bytes != NULL ? json_real(s->bytes_count) : NULL;
}

static json_t *
put_program(const void *in)
{
	static const struct spec_writer	 own[] = { { "args", put_words }, { NULL, NULL } };
	const struct program		*p = &((const struct spec *)in)->program;

	return p->present ? spec_encode_object(&program_shape, p, own) : NULL;
}

static json_t *
put_checked_iterations(const void *in)
{
	const struct check	*c = in;

	return c->iterations != NULL ? json_real(c->iterations_count) : NULL;
}

/* A tolerance that was not given is filled in, too. */
static json_t *
put_check(const void *in)
{
	static const struct spec_writer	 own[] = {
		{ "iterations", put_checked_iterations }, { NULL, NULL },
	};
	const struct spec		*s = in;
	json_t				*o;

	if (!s->check.present && !s->check.image && s->check.iterations == NULL)
		return s->checkpoint != NULL ? json_string("none") : NULL;
	o = spec_encode_object(shape_row(&spec_shape, "check")->of, &s->check, own);
	json_object_set_new(o, "rtol", json_real(s->check.rtol));
	json_object_set_new(o, "atol", json_real(s->check.atol));
	return o;
}

/* ---- of a timing ---- */

static json_t *
put_counters(const void *in)
{
	const struct timing	*t = in;
	json_t			*a = t->ncounters > 0 ? json_array() : NULL;

	for (unsigned i = 0; i < t->ncounters; i++)
		json_array_append_new(a, json_string(t->counters[i]));
	return a;
}

static json_t *
put_metric(const void *in)
{
	const struct timing	*t = in;

	return t->metric.present ? spec_encode_object(&metric_shape, &t->metric, NULL) : NULL;
}

static json_t *
put_gate(const void *in)
{
	const enum gating	gate = ((const struct timing *)in)->gate;

	return gate == GATING_AUTO ? json_string("auto") : json_boolean(gate == GATING_ON);
}

static json_t *
put_tlb(const void *in)
{
	const enum tlb_kind	tlb = ((const struct timing *)in)->tlb;

	return tlb == TLB_AUTO ? NULL : json_boolean(tlb == TLB_COLD);
}

static json_t *
put_guard(const void *in)
{
	const struct timing	*t = in;
	const char		*of;

	if (t->guard != GUARD_ALTERNATE && t->guard != GUARD_PAIR)
		return json_string(range_guard_name(t->guard));
	of = t->guard_arg == SPEC_RETURN ? "return" : SPEC_OF(t)->routine.params[t->guard_arg].name;
	return json_pack("{ss}", range_guard_name(t->guard), of);
}

/* ---- by the tables ---- */

static const struct spec_writer	writers[] = {
	{ "source", put_source }, { "flags", put_flags }, { "defines", put_defines },
	{ "files", put_files }, { "libraries", put_libraries },
	{ "type", put_type }, { "dims", put_dims }, { "init", put_init },
	{ "align", put_align }, { "misalign", put_misalign }, { "offset", put_offset },
	{ "params", put_params }, { "context", put_context }, { "args", put_args },
	{ "iterations", put_iterations }, { "flops", put_flops }, { "bytes", put_moved },
	{ "check", put_check }, { "data", put_data }, { "program", put_program },
	{ "counters", put_counters }, { "metric", put_metric }, { "gate", put_gate },
	{ "tlb", put_tlb },
	{ "range_guard", put_guard }, { "same_as", put_nothing }, { "from", put_nothing },
	{ "node", put_node },
};

static json_t *
put_own(const struct shape_row *r, const void *in, const struct spec_writer *more)
{
	if (r->get == spec_get_place_data)
		return put_place_data(in);
	for (; more != NULL && more->name != NULL; more++)
		if (strcmp(more->name, r->name) == 0)
			return more->put(in);
	for (size_t i = 0; i < LENGTH(writers); i++)
		if (strcmp(writers[i].name, r->name) == 0)
			return writers[i].put(in);
	bug("\"%s\" has no function that writes it", r->name);
}

static json_t *
put_number(uint64_t i, const struct shape_row *r)
{
	return i != 0 || r->has_default ? json_integer((json_int_t)i) : NULL;
}

/* Of two that cannot be had together, one is left out as it was in the document. */
static bool
is_left_out(const struct shape_row *r, const void *in)
{
	if (r->has != 0)
		return !*(const bool *)((const char *)in + r->has);
	if (r->of == &variant_shape)
		return ((const struct variant *)(const void *)((const char *)in +
		    r->offset))->source == NULL;
	return (strcmp(r->name, "layouts") == 0 || strcmp(r->name, "layout_seed") == 0) &&
	    ((const struct timing *)in)->layout == LAYOUT_FIXED;
}

static json_t *
put_value(const struct shape_row *r, const void *in, const struct spec_writer *more)
{
	const void	*at = (const char *)in + r->offset;
	const char	*text;

	if (is_left_out(r, in))
		return NULL;
	switch (r->kind) {
	case SHAPE_FLAG:	return json_boolean(*(const bool *)at);
	case SHAPE_COUNT:	return put_number(*(const unsigned *)at, r);
	case SHAPE_SIZE:
	case SHAPE_INTEGER:	return put_number(*(const uint64_t *)at, r);
	case SHAPE_REAL:	return *(const double *)at != 0 || r->has_default || r->has != 0 ?
				    json_real(*(const double *)at) : NULL;
	case SHAPE_WORD:	return json_string(r->words[*(const unsigned *)at]);
	case SHAPE_LABEL:
	case SHAPE_STRING:	text = *(char *const *)at;
				return text != NULL && *text != '\0' ? json_string(text) : NULL;
	case SHAPE_OBJECT:	return spec_encode_object(r->of, at, more);
	default:		return put_own(r, in, more);
	}
}

static void
put_rows(json_t *o, const struct shape *s, const void *in, const struct spec_writer *more)
{
	for (size_t i = 0; i < s->rows; i++) {
		const struct shape_row	*r = &s->row[i];
		json_t			*v;

		if (r->kind == SHAPE_INLINE)
			put_rows(o, r->of, in, more);
		else if ((v = put_value(r, in, more)) != NULL)
			json_object_set_new(o, r->name, v);
	}
}

json_t *
spec_encode_object(const struct shape *s, const void *in, const struct spec_writer *more)
{
	json_t	*o = json_object();

	put_rows(o, s, in, more);
	return o;
}

json_t *
spec_encode(const struct spec *s)
{
	return spec_encode_object(&spec_shape, s, NULL);
}
