/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/judge/placement.h"

#define POINT(varied, first, second)	"{\"varied\":\"" varied "\",\"rounds\":[[" first "],[" second "]]}"
#define NS(x)				"{\"ns\":" #x "}"
#define LOUD(x, slowness)		"{\"ns\":" #x ",\"slowness\":" #slowness ",\"loud\":true}"
#define QUIET(x, slowness)		"{\"ns\":" #x ",\"slowness\":" #slowness "}"

static void
put_round(struct layout_round *r, const json_t *round)
{
	const json_t	*sample;
	size_t		 i;

	assert_true(shape_reals_make(&r->ns, json_array_size(round)));
	assert_true(shape_reals_make(&r->slowness, json_array_size(round)));
	assert_true(shape_sizes_make(&r->loud, json_array_size(round)));
	r->loud.n = 0;
	json_array_foreach(round, i, sample) {
		r->ns.x[i] = json_number_value(json_object_get(sample, "ns"));
		r->slowness.x[i] = json_number_value(json_object_get(sample, "slowness"));
		if (json_is_true(json_object_get(sample, "loud")))
			r->loud.x[r->loud.n++] = i;
	}
	json_array_foreach(round, i, sample)
		if (json_object_get(sample, "slowness") == NULL)
			r->slowness.n = 0;
}

static void
put_point(struct layout_point *p, const json_t *point)
{
	const json_t	*round;
	size_t		 i;

	p->varied = json_string_value(json_object_get(point, "varied"));
	p->code_offset = 16;
	p->stack_offset = 32;
	assert_true(shape_sizes_make(&p->operand_shift, 1));
	assert_true(shape_list_make(&p->rounds, json_array_size(json_object_get(point, "rounds")),
	    sizeof(struct layout_round)));
	json_array_foreach(json_object_get(point, "rounds"), i, round)
		put_round((struct layout_round *)p->rounds.at + i, round);
}

/* As it stands in a result, written and read again; new reference. */
static json_t *
result_of_report(const struct report *r, bool gated)
{
	struct result	 result;
	char		*text;
	json_t		*doc, *layout;

	result_clear(&result);
	result.name = result.routine = result.status = result.status_text = result.invalidity = "";
	result.has_layout = true;
	assert_int_equal(placement_judge(&r->layout, gated, &result.layout), ST_OK);
	assert_non_null(text = result_put(&result));
	assert_non_null(doc = json_loads(text, 0, NULL));
	layout = json_incref(json_object_get(doc, "layout"));
	json_decref(doc);
	free(text);
	free(result.layout.several.each.at);
	return layout;
}

static json_t *
judged(const char *mode, const char *points, bool gated)
{
	char		 text[4096];
	json_t		*list, *o;
	const json_t	*point;
	struct report	 r;
	size_t		 i;

	(void)snprintf(text, sizeof text, "[%s]", points);
	assert_non_null(list = json_loads(text, 0, NULL));
	report_clear(&r);
	r.layout.mode = mode;
	r.layout.seed = 1;
	r.layout.samples = 1;
	assert_true(shape_list_make(&r.layout.points, json_array_size(list),
	    sizeof(struct layout_point)));
	json_array_foreach(list, i, point)
		put_point((struct layout_point *)r.layout.points.at + i, point);
	o = result_of_report(&r, gated);
	report_release(&r);
	json_decref(list);
	return o;
}

static json_t *
result_of(const char *mode, const char *points)
{
	return judged(mode, points, true);
}

static double
number(const json_t *o, const char *name)
{
	assert_true(json_is_number(json_object_get(o, name)));
	return json_number_value(json_object_get(o, name));
}

static void
test_placement_each_factor_is_judged_by_its_own_layouts_and_the_default(void **state)
{
	json_t		*r = result_of("sweep",
			    POINT("none", NS(100), NS(100)) "," POINT("code", NS(110),
			    NS(110)) "," POINT("operands", NS(99), NS(99)) "," POINT("stack",
			    NS(100), NS(100)) "," POINT("all", NS(80), NS(80)));
	const json_t	*by = json_object_get(r, "by"), *first;

	(void)state;
	assert_float_equal(number(r, "spread"), 0.30, 1e-12);		/* 80 to 110, of 100 */
	assert_float_equal(number(by, "code"), 0.10, 1e-12);
	assert_float_equal(number(by, "operands"), 0.01, 1e-12);
	assert_float_equal(number(by, "stack"), 0, 0);
	assert_float_equal(number(r, "repeat"), 0, 0);
	assert_float_equal(number(r, "layouts"), 5, 0);
	first = json_array_get(json_object_get(r, "each"), 0);
	assert_float_equal(number(first, "median_ns"), 100, 0);
	assert_float_equal(number(first, "code_offset"), 16, 0);
	assert_float_equal(number(first, "stack_offset"), 32, 0);
	assert_int_equal(json_array_size(json_object_get(first, "operand_shift")), 1);
	json_decref(r);
}

static void
test_placement_a_layout_is_its_samples_median_and_rounds_tell_what_repeating_does(void **state)
{
	json_t	*r = result_of("sweep", POINT("none", NS(98) "," NS(99) "," NS(400), NS(101) ","
		    NS(102) "," NS(103)) "," POINT("code", NS(200), NS(204)));

	(void)state;
	assert_float_equal(number(json_array_get(json_object_get(r, "each"), 0), "median_ns"),
	    101.5, 1e-12);
	assert_float_equal(number(r, "repeat"), (3 / 101.5 + 4 / 202.0) / 2, 1e-9);
	assert_true(json_is_null(json_object_get(json_object_get(r, "by"), "stack")));
	json_decref(r);
}

static void
test_placement_a_share_below_what_repeating_makes_is_none(void **state)
{
	json_t	*r = result_of("sweep", POINT("none", NS(98), NS(102)) ","
		    POINT("code", NS(99), NS(103)) "," POINT("stack", NS(120), NS(124)));
	json_t	*by = json_object_get(r, "by");

	(void)state;
	assert_true(number(r, "repeat") > 0.03);
	assert_true(json_is_null(json_object_get(by, "code")));		/* 1 % */
	assert_true(number(by, "stack") > 0.2);
	json_decref(r);
}

static void
test_placement_times_are_normalised_where_it_is_known_of_all_how_slow_the_clock_was(void **state)
{
	json_t	*r = result_of("sweep", POINT("none", QUIET(100, 1), QUIET(105, 1.05)) ","
		    POINT("stack", QUIET(100, 1), QUIET(100, 1)));

	(void)state;
	assert_true(json_is_true(json_object_get(r, "normalised")));
	assert_float_equal(number(r, "spread"), 0, 1e-12);
	json_decref(r);
	r = result_of("sweep", POINT("none", QUIET(100, 1), NS(105)) "," POINT("stack",
	    QUIET(100, 1), QUIET(100, 1)));
	assert_true(json_is_false(json_object_get(r, "normalised")));
	assert_true(number(r, "spread") > 0);
	json_decref(r);
	r = result_of("sweep", POINT("none", QUIET(100, 1), LOUD(105, 1.5)) "," POINT("stack",
	    QUIET(100, 1), QUIET(100, 1)));
	assert_true(json_is_false(json_object_get(r, "normalised")));
	json_decref(r);
}

static void
test_placement_random_layouts_have_a_spread_but_no_factors(void **state)
{
	json_t	*r = result_of("random", "{\"varied\":\"all\",\"rounds\":[[" NS(10) "]]},{\"varied\":\"all\",\"rounds\":[["
		    NS(11) "]]}");

	(void)state;
	assert_float_equal(number(r, "spread"), 1 / 10.5, 1e-12);
	assert_null(json_object_get(r, "by"));
	assert_null(json_object_get(r, "repeat"));
	json_decref(r);
}

static void
test_placement_of_rounds_without_times_is_harmless(void **state)
{
	json_t	*r = result_of("sweep",
		    "{\"varied\":\"none\",\"rounds\":[]},{\"varied\":\"code\",\"rounds\":[[]]},"
		    "{\"varied\":\"stack\",\"rounds\":[[" NS(0) "],[],[],[" NS(1) "]]}");

	(void)state;
	assert_int_equal(json_array_size(json_object_get(r, "each")), 1);
	assert_true(json_is_null(json_object_get(r, "spread")));
	json_decref(r);
}

static void
test_placement_a_fixed_layout_is_told_as_it_is(void **state)
{
	struct report	 r;
	json_t		*o;

	(void)state;
	report_clear(&r);
	r.layout.mode = "fixed";
	r.layout.code_offset = 16;
	r.layout.stack_offset = 0;
	o = result_of_report(&r, true);
	assert_string_equal(json_string_value(json_object_get(o, "mode")), "fixed");
	assert_float_equal(number(o, "code_offset"), 16, 0);
	assert_float_equal(number(o, "stack_offset"), 0, 0);
	assert_int_equal(json_object_size(o), 3);
	json_decref(o);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_placement_each_factor_is_judged_by_its_own_layouts_and_the_default),
		cmocka_unit_test(test_placement_a_layout_is_its_samples_median_and_rounds_tell_what_repeating_does),
		cmocka_unit_test(test_placement_a_share_below_what_repeating_makes_is_none),
		cmocka_unit_test(test_placement_times_are_normalised_where_it_is_known_of_all_how_slow_the_clock_was),
		cmocka_unit_test(test_placement_random_layouts_have_a_spread_but_no_factors),
		cmocka_unit_test(test_placement_of_rounds_without_times_is_harmless),
		cmocka_unit_test(test_placement_a_fixed_layout_is_told_as_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
