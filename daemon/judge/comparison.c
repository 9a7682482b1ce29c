/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "daemon/judge/comparison.h"
#include "daemon/judge/stats.h"
#include "daemon/judge/ttest.h"

/* Sorts x. */
static json_t *
side_json(const struct variant *v, const char *binary, double *x, size_t n)
{
	json_t		*o = json_pack("{s:s, s:s}", "name", v->name, "binary", binary);
	struct stats	 s;

	stats_of(x, n, &s);
	if (o != NULL)
		judge_put_summary(o, &s);
	return o;
}

static json_t *
compiler_of(const struct case_file *c, const char *member)
{
	json_t	*compiler = json_object_get(c->job->build_report, member);

	return compiler != NULL ? json_incref(compiler) : json_null();
}

static void
put_sides(json_t *o, const struct case_file *c, const struct job *job, double *a, double *b, size_t n)
{
	const struct artifacts	*made = c->job->artifacts;
	struct ttest		 t = ttest_equal(a, n, b, n);	/* before they are sorted, though it is the same */
	json_t			*of_a, *of_b;

	(void)json_object_set_new(o, "t_test", ttest_json("student", &t));
	of_a = side_json(&job->against, made != NULL ? made->against.hex : "", a, n);
	of_b = side_json(&job->variant, made != NULL ? made->variant.hex : "", b, n);
	(void)json_object_set_new(of_a, "compiler", compiler_of(c, "against_compiler"));
	(void)json_object_set_new(of_b, "compiler", compiler_of(c, "compiler"));
	(void)json_object_set_new(o, "a", of_a);
	(void)json_object_set_new(o, "b", of_b);
}

json_t *
comparison_json(const struct case_file *c, const struct job *job)
{
	const json_t	*found = json_object_get(c->timed, "comparison");
	json_t		*o;
	double		*a, *b;
	size_t		 na, nb;

	if (!json_is_object(found) || job == NULL || job->against.source == NULL)
		return json_null();
	o = json_copy((json_t *)(uintptr_t)found);
	a = judge_numbers(c->timed, "against_ns", &na);
	b = judge_numbers(c->timed, "ns", &nb);
	if (o != NULL && a != NULL && b != NULL)
		put_sides(o, c, job, a, b, na);
	free(a);
	free(b);
	return o;
}
