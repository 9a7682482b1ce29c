/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "client/micro/write/element.h"
#include "client/micro/write/lines.h"
#include "client/micro/write/meta.h"

struct survey {
	const struct target	*target;
	json_t		*operations, *strides, *immediates;
	char		*sequence;
	size_t		 n;
	uint64_t	 loads, stores, bytes;
	unsigned	 element;	/* bytes of the largest; 0: nothing is in memory */
};

static bool
has_text(const json_t *array, const char *text)
{
	size_t	 i;
	json_t	*one;

	json_array_foreach(array, i, one)
		if (strcmp(json_string_value(one), text) == 0)
			return true;
	return false;
}

static bool
survey_pattern(void *arg, struct pattern *p)
{
	struct survey		*s = arg;
	const struct slot	*v = pattern_open_immediate(p);
	const struct scale	 scale = pattern_scale(s->target, p);

	if (p->is_induction)
		return true;
	s->sequence[s->n++] = pattern_letter(p);
	s->loads += pattern_is_load(p);
	s->stores += pattern_is_store(p);
	s->bytes += pattern_memory(p) != NULL ? access_bytes(p) * scale.by / scale.of : 0;
	if (pattern_memory(p) != NULL && element_bytes(p) > s->element)
		s->element = element_bytes(p);
	if (!has_text(s->operations, pattern_operation(p)))
		(void)json_array_append_new(s->operations, json_string(pattern_operation(p)));
	if (v != NULL)
		(void)json_array_append_new(s->immediates, json_integer(v->value));
	return true;
}

static bool
survey_kernel(void *arg, struct kernel *k)
{
	struct survey	*s = arg;

	for (size_t i = 0; i < k->ninductions; i++)
		if (range_is_open(&k->inductions[i].strides))
			(void)json_array_append_new(s->strides,
			    json_integer(k->inductions[i].stride));
	return true;
}

/* The first kernel with instructions of its own, if no loop counts. */
static bool
find_main(void *arg, struct kernel *k)
{
	const struct kernel	**to = arg;

	for (size_t i = 0; i < k->nstatements && *to == NULL; i++)
		if (k->statements[i].kind == STATEMENT_PATTERN)
			*to = k;
	return *to == NULL;
}

/* By how much n goes down with an iteration; 0: no loop counts it. */
static int64_t
step_of(const struct kernel *counted)
{
	return counted == NULL ? 0 :
	    counted->statements[counted->nstatements - 1].pattern->slots[0].value;
}

json_t *
meta_json(const struct program *of)
{
	const struct kernel	*counted = lines_counted(of), *k = counted;
	struct survey		 s = { .target = &of->micro->target,
				    .operations = json_array(), .strides = json_array(),
				    .immediates = json_array() };
	struct arguments	 a;

	if (k == NULL)
		(void)kernel_each(of->root, find_main, &k);
	s.sequence = arena_take(of->arena, kernel_size(of->root) + 1);
	(void)kernel_each_pattern(of->root, survey_pattern, &s);
	(void)kernel_each(of->root, survey_kernel, &s);
	arguments_find(of, &a);
	return json_pack("{s:I, s:s, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:i, s:I, s:b}",
	    "unroll", (json_int_t)(k != NULL ? k->unroll : 1), "sequence", s.sequence,
	    "loads", (json_int_t)s.loads, "stores", (json_int_t)s.stores,
	    "bytes", (json_int_t)s.bytes, "element_bytes", (json_int_t)s.element,
	    "operations", s.operations, "strides", s.strides,
	    "immediates", s.immediates, "arrays", (int)a.narrays, "step",
	    (json_int_t)step_of(counted), "returns", a.has_result);
}
