/* SPDX-License-Identifier: Apache-2.0 */
/* Variants without a script, and the steps that a nest suggests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "client/transform/steps/suggest.h"
#include "client/transform/variants_parts.h"

static const char	gemm[] =
	"void f(int n, const double *a, const double *b, double *c)\n{\n"
	"\tfor (int i = 0; i < n; i++)\n\t\tfor (int j = 0; j < n; j++)\n"
	"\t\t\tfor (int k = 0; k < n; k++)\n"
	"\t\t\t\tc[j + i * n] += a[k + i * n] * b[j + k * n];\n}\n";

/* Each element needs its neighbour of the row before, to the right. */
static const char	diagonal[] =
	"void f(int n, double *a)\n{\n"
	"\tfor (int i = 1; i < n; i++)\n\t\tfor (int j = 0; j < n - 1; j++)\n"
	"\t\t\ta[j + i * n] = a[j + 1 + (i - 1) * n];\n}\n";

static const char	histogram[] =
	"void f(int n, const int *key, int *count)\n{\n"
	"\tfor (int i = 0; i < n; i++)\n\t\tcount[key[i]]++;\n}\n";

static const char *const	eight[] = { "n=8", NULL };

static void
write_source(char path[32], const char *text)
{
	int	fd;

	(void)strcpy(path, "/tmp/assay-explore-XXXXXX");
	assert_return_code(fd = mkstemp(path), 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	(void)close(fd);
}

/* ---- variants ---- */

static json_t *
explore(const char *text)
{
	char			 path[32];
	struct variants_request	 q = { .source = { .path = path }, .values = eight,
				    .is_distinct = true };
	struct fault		 why = { .text = "" };
	json_t			*document;

	write_source(path, text);
	if (variants_make(&q, &document, &why) != ST_OK)
		fail_msg("%s", why.text);
	(void)unlink(path);
	return document;
}

/* It takes long, so all tests share it. */
static json_t	*of_gemm;		/* owned */

static int
explore_gemm(void **state)
{
	(void)state;
	of_gemm = explore(gemm);
	return 0;
}

static int
forget_gemm(void **state)
{
	(void)state;
	json_decref(of_gemm);
	return 0;
}

static const char *
text_of(const json_t *document, size_t i, const char *member)
{
	return json_string_value(json_object_get(json_array_get(json_object_get(document,
	    "variants"), i), member));
}

static size_t
count_of(const json_t *document)
{
	return json_array_size(json_object_get(document, "variants"));
}

static bool
has_step(const json_t *document, const char *step)
{
	bool	found = false;

	for (size_t i = 0; i < count_of(document); i++)
		found |= strstr(text_of(document, i, "name"), step) != NULL;
	return found;
}

static void
test_explore_begins_with_the_source_as_it_is(void **state)
{
	(void)state;
	assert_string_equal(text_of(of_gemm, 0, "name"), "unchanged");
	assert_string_equal(text_of(of_gemm, 0, "source"), gemm);
	assert_string_equal(text_of(of_gemm, 1, "name"), "as written");
}

static void
test_explore_makes_each_source_and_each_point_once(void **state)
{
	json_t		*d = of_gemm, *seen = json_object(), *points = json_object();
	json_t		*variant;
	size_t		 i;

	(void)state;
	assert_in_range(count_of(d), 20, 400);
	json_array_foreach(json_object_get(d, "variants"), i, variant) {
		char	*point = json_dumps(json_object_get(variant, "point"), JSON_SORT_KEYS);

		/* headings have the names */
		(void)json_object_set_new(seen, strstr(text_of(d, i, "source"), "void"),
		    json_true());
		(void)json_object_set_new(points, point, json_true());
		free(point);
	}
	assert_int_equal(json_object_size(points), count_of(d));
	assert_int_equal(json_object_size(seen), count_of(d));
	json_decref(seen);
	json_decref(points);
}

static void
test_explore_makes_the_same_variants_again(void **state)
{
	json_t	*again = explore(gemm);

	(void)state;
	assert_true(json_equal(of_gemm, again));
	json_decref(again);
}

static void
test_explore_leaves_out_orders_and_jams_that_are_illegal(void **state)
{
	json_t	*d = explore(diagonal), *g = of_gemm;

	(void)state;
	assert_true(has_step(g, "swap j k"));
	assert_true(has_step(g, "jam i 2"));
	assert_true(has_step(g, "jam i 4"));
	assert_false(has_step(d, "swap"));
	assert_false(has_step(d, "jam"));
	assert_false(has_step(d, "tile"));
	assert_true(has_step(d, "unroll j"));
	json_decref(d);
}

static void
test_explore_leaves_a_nest_that_is_not_affine_in_its_order(void **state)
{
	json_t	*d = explore(histogram);

	(void)state;
	assert_string_equal(text_of(d, 0, "name"), "unchanged");
	assert_false(has_step(d, "jam"));
	assert_false(has_step(d, "swap"));
	json_decref(d);
}

/* ---- suggestions ---- */

struct nest {
	struct variants_request	request;
	struct making		m;
	struct work		work;
	char			path[32];
};

static void
open_nest(struct nest *n, const char *text)
{
	struct fault	why;

	write_source(n->path, text);
	n->request = (struct variants_request){ .source = { .path = n->path } };
	n->m = (struct making){ .request = &n->request, .arena = arena_new() };
	n->m.ctx = isl_ctx_alloc();
	assert_int_equal(source_read(&n->m.source, n->m.arena, &n->request.source, &why), ST_OK);
	n->m.script.arena = arena_new();
	variants_start_work(&n->m, &n->work);
	assert_int_equal(variants_run_steps(&n->work, 0, &why), ST_OK);
}

static void
close_nest(struct nest *n)
{
	(void)unlink(n->path);
	work_release(&n->work);
	arena_free(n->m.script.arena);
	arena_free(n->m.arena);
	isl_ctx_free(n->m.ctx);
}

typedef void	 suggest_fn(struct work *, struct suggestions *);

static bool
suggests(struct nest *n, suggest_fn *fn, const char *step)
{
	struct suggestions	s = { .n = 0 };
	bool			found = false;

	fn(&n->work, &s);
	for (size_t i = 0; i < s.n; i++)
		found |= strcmp(s.step[i], step) == 0;
	return found;
}

static void
test_suggest_swaps_each_pair_of_a_perfect_nest_and_copies_what_is_read(void **state)
{
	struct nest	n;

	(void)state;
	open_nest(&n, gemm);
	assert_true(suggests(&n, suggest_orders, "swap i j"));
	assert_true(suggests(&n, suggest_orders, "swap i k"));
	assert_true(suggests(&n, suggest_orders, "swap j k"));
	assert_true(suggests(&n, suggest_orders, "copy b transposed"));
	assert_false(suggests(&n, suggest_orders, "fission k"));
	close_nest(&n);
}

static void
test_suggest_jams_outer_loops_and_unrolls_the_innermost(void **state)
{
	struct nest	n;

	(void)state;
	open_nest(&n, gemm);
	assert_true(suggests(&n, suggest_jams, "jam i 2"));
	assert_true(suggests(&n, suggest_jams, "jam j 8"));
	assert_false(suggests(&n, suggest_jams, "jam k 2"));
	assert_true(suggests(&n, suggest_unrolls, "unroll k 4"));
	assert_false(suggests(&n, suggest_unrolls, "unroll j 4"));
	assert_true(suggests(&n, suggest_tiles, "tile j,k 32,32"));
	close_nest(&n);
}

/* Rows of b and c instead of columns, and no chain of sums. */
static void
test_suggest_an_order_along_lines_of_memory_costs_less(void **state)
{
	static const char	swapped[] =
		"void f(int n, const double *a, const double *b, double *c)\n{\n"
		"\tfor (int i = 0; i < n; i++)\n\t\tfor (int k = 0; k < n; k++)\n"
		"\t\t\tfor (int j = 0; j < n; j++)\n"
		"\t\t\t\tc[j + i * n] += a[k + i * n] * b[j + k * n];\n}\n";
	struct nest		one, two;

	(void)state;
	open_nest(&one, gemm);
	open_nest(&two, swapped);
	assert_true(suggest_cost(&two.work) < suggest_cost(&one.work));
	close_nest(&one);
	close_nest(&two);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_explore_begins_with_the_source_as_it_is),
		cmocka_unit_test(test_explore_makes_each_source_and_each_point_once),
		cmocka_unit_test(test_explore_makes_the_same_variants_again),
		cmocka_unit_test(test_explore_leaves_out_orders_and_jams_that_are_illegal),
		cmocka_unit_test(test_explore_leaves_a_nest_that_is_not_affine_in_its_order),
		cmocka_unit_test(
		    test_suggest_swaps_each_pair_of_a_perfect_nest_and_copies_what_is_read),
		cmocka_unit_test(test_suggest_jams_outer_loops_and_unrolls_the_innermost),
		cmocka_unit_test(test_suggest_an_order_along_lines_of_memory_costs_less),
	};

	return cmocka_run_group_tests(tests, explore_gemm, forget_gemm);
}
