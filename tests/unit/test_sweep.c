/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "proto/spec/spec.h"
#include "tests/support/quoted.h"

#define SPEC	"'spec': { 'routine': 'void f(int N, double *x)', 'params': { 'N': 100 }, " \
		"'args': { 'N': 'N', 'x': { 'dims': ['N'] } } }"

struct jobs {
	json_t	*docs;		/* array */
	size_t	 stop_at;	/* refuse the job with this number; 0: none */
};

static enum status
collect(void *arg, json_t *doc, struct fault *why)
{
	struct jobs	*jobs = arg;
	struct job	 j;
	enum status	 st = job_decode(&j, doc, why);

	if (st == ST_OK)
		job_release(&j);
	if (json_array_append_new(jobs->docs, doc) == -1)
		return fault_set(why, ST_NOMEM, "test");
	if (jobs->stop_at != 0 && json_array_size(jobs->docs) == jobs->stop_at)
		return fault_set(why, ST_FULL, "enough");
	return st;
}

static enum status
expand(const char *text, struct jobs *jobs, struct fault *why)
{
	json_t		*doc = quoted_json(text);
	enum status	 st;

	*why = (struct fault){ .status = ST_OK };
	jobs->docs = json_array();
	st = sweep_expand(doc, collect, jobs, why);
	json_decref(doc);
	return st;
}

static void
expand_well(const char *text, struct jobs *jobs)
{
	struct fault	why;
	char		line[1200];

	if (expand(text, jobs, &why) != ST_OK)
		fail_msg("%s", fault_line(&why, line, sizeof line));
}

static void
refuse(const char *text, const char *member, const char *words)
{
	struct jobs	jobs = { .stop_at = 0 };
	struct fault	why;

	assert_int_equal(expand(text, &jobs, &why), ST_BAD_SPEC);
	assert_string_equal(why.member, member);
	if (strstr(why.text, words) == NULL)
		fail_msg("%s", why.text);
	json_decref(jobs.docs);
}

/* What job `n` has at this place, as compact JSON; valid until the next call. */
static const char *
at(const struct jobs *jobs, size_t n, const char *member, const char *inner)
{
	static char	 text[1000];
	const json_t	*v = json_object_get(json_array_get(jobs->docs, n), member);
	char		*dump;

	if (inner != NULL)
		v = json_object_get(v, inner);
	if (v == NULL)
		return "absent";
	assert_non_null(dump = json_dumps(v, JSON_COMPACT | JSON_ENCODE_ANY));
	(void)snprintf(text, sizeof text, "%s", dump);
	free(dump);
	return text;
}

static void
test_sweep_lists_its_variants_in_order(void **state)
{
	struct jobs	jobs = { .stop_at = 0 };

	(void)state;
	expand_well("{ 'name': 's', " SPEC ", 'variants': [{ 'source': 'a' }, { 'source': 'b', "
	    "'name': 'B' }] }", &jobs);
	assert_int_equal(json_array_size(jobs.docs), 2);
	assert_string_equal(at(&jobs, 0, "variant", NULL), "{\"source\":\"a\"}");
	assert_string_equal(at(&jobs, 1, "variant", "name"), "\"B\"");
	assert_string_equal(at(&jobs, 0, "meta", NULL), "{}");
	assert_string_equal(at(&jobs, 0, "key", NULL), "absent");
	json_decref(jobs.docs);
}

static void
test_sweep_the_last_dimension_runs_fastest(void **state)
{
	static const char *const	names[] = { "t A=1 B=x", "t A=1 B=y", "t A=2 B=x",
	    "t A=2 B=y" };
	struct jobs			jobs = { .stop_at = 0 };
	char				want[40];

	(void)state;
	expand_well("{ 'name': 's', " SPEC ", 'template': { 'source': 'a', 'name': 't' }, "
	    "'space': { 'A': [1, 2], 'B': ['x', 'y'] } }", &jobs);
	assert_int_equal(json_array_size(jobs.docs), 4);
	for (size_t i = 0; i < 4; i++) {
		(void)snprintf(want, sizeof want, "\"%s\"", names[i]);
		assert_string_equal(at(&jobs, i, "variant", "name"), want);
	}
	assert_string_equal(at(&jobs, 2, "meta", NULL), "{\"A\":2,\"B\":\"x\"}");
	assert_string_equal(at(&jobs, 2, "variant", "defines"), "{\"A\":2,\"B\":\"x\"}");
	json_decref(jobs.docs);
}

static void
test_sweep_names_of_variants_members_replace_them(void **state)
{
	struct jobs	jobs = { .stop_at = 0 };

	(void)state;
	expand_well("{ 'name': 's', " SPEC ", 'template': { 'source': 'a', 'flags': ['-O1'], "
	    "'defines': { 'K': 1 } }, "
	    "'space': { 'flags': [['-O2'], ['-O3', '-mavx2']], 'compiler': ['clang'], 'U': "
	    "[0.5] } }", &jobs);
	assert_int_equal(json_array_size(jobs.docs), 2);
	assert_string_equal(at(&jobs, 1, "variant", "flags"), "[\"-O3\",\"-mavx2\"]");
	assert_string_equal(at(&jobs, 1, "variant", "compiler"), "\"clang\"");
	assert_string_equal(at(&jobs, 1, "variant", "defines"), "{\"K\":1,\"U\":0.5}");
	assert_string_equal(at(&jobs, 1, "variant", "name"),
	    "\"flags=-O3,-mavx2 compiler=clang U=0.5\"");
	assert_string_equal(at(&jobs, 0, "meta", NULL),
	    "{\"flags\":[\"-O2\"],\"compiler\":\"clang\",\"U\":0.5}");
	json_decref(jobs.docs);
}

static void
test_sweep_names_of_params_change_the_spec(void **state)
{
	struct jobs	jobs = { .stop_at = 0 };

	(void)state;
	expand_well("{ 'name': 's', " SPEC ", 'template': { 'source': 'a' }, 'space': { 'N': [10, "
	    "20] } }", &jobs);
	assert_string_equal(at(&jobs, 0, "spec", "params"), "{\"N\":10}");
	assert_string_equal(at(&jobs, 1, "spec", "params"), "{\"N\":20}");
	assert_string_equal(at(&jobs, 1, "variant", "defines"), "absent");
	json_decref(jobs.docs);
}

static void
test_P2_every_point_shares_the_spec_but_for_its_params(void **state)
{
	struct jobs	jobs = { .stop_at = 0 };

	(void)state;
	expand_well("{ 'name': 's', " SPEC ", 'template': { 'source': 'a' }, 'space': { 'U': [1, 2, "
	    "4] } }", &jobs);
	for (size_t i = 1; i < 3; i++)
		assert_ptr_equal(json_object_get(json_array_get(jobs.docs, i), "spec"),
		    json_object_get(json_array_get(jobs.docs, 0), "spec"));
	json_decref(jobs.docs);
}

static void
test_sweep_where_leaves_points_out(void **state)
{
	struct jobs	jobs = { .stop_at = 0 };

	(void)state;
	expand_well("{ 'name': 's', " SPEC ", 'template': { 'source': 'a' }, 'space': { 'U': "
	    "[1, 2, 4, 8], " "'V': [1, 2] }, "
	    "'where': ['U * V <= 4', 'N % (U * 25) == 0'], 'key': 'k' }", &jobs);
	assert_int_equal(json_array_size(jobs.docs), 5);
	assert_string_equal(at(&jobs, 4, "meta", NULL), "{\"U\":4,\"V\":1}");
	assert_string_equal(at(&jobs, 0, "key", NULL), "\"k#0\"");
	assert_string_equal(at(&jobs, 4, "key", NULL), "\"k#4\"");
	json_decref(jobs.docs);
}

/* As a search visits them all: blocks of 1 to 31, unrolled by no more than the block. */
static void
test_sweep_G5_G25_a_block_and_an_unrolling_up_to_it_are_496_points(void **state)
{
	char		text[1024], values[128];
	struct jobs	jobs = { .stop_at = 0 };
	int		n = 0;

	(void)state;
	for (int i = 1; i <= 31; i++)
		n += snprintf(values + n, sizeof values - (size_t)n, "%s%d", i > 1 ? "," : "", i);
	snprintf(text, sizeof text, "{ 'name': 's', " SPEC ", 'template': { 'source': 'x' }, "
	    "'space': { 'BLOCK': [%s], 'UNROLL': [%s] }, 'where': ['UNROLL <= BLOCK'] }", values,
	    values);
	expand_well(text, &jobs);
	assert_int_equal(json_array_size(jobs.docs), 31 * 32 / 2);
	assert_string_equal(at(&jobs, 0, "meta", "BLOCK"), "1");
	assert_string_equal(at(&jobs, 495, "meta", "BLOCK"), "31");
	assert_string_equal(at(&jobs, 495, "meta", "UNROLL"), "31");
	json_decref(jobs.docs);
}

static void
test_sweep_a_dimension_of_whole_variants_sets_their_members(void **state)
{
	struct jobs	jobs = { .stop_at = 0 };

	(void)state;
	expand_well("{ 'name': 's', " SPEC ", 'template': { 'flags': ['-O1'] }, 'space': { "
	    "'variant': [{ 'name': 'a', 'source': 'A' }, { 'name': 'b', 'source': 'B', 'flags': [] "
	    "}], 'N': [5, 6] } }", &jobs);
	assert_int_equal(json_array_size(jobs.docs), 4);
	assert_string_equal(at(&jobs, 1, "variant", NULL),
	    "{\"flags\":[\"-O1\"],\"name\":\"a N=6\",\"source\":\"A\"}");
	assert_string_equal(at(&jobs, 2, "variant", "flags"), "[]");
	assert_string_equal(at(&jobs, 2, "meta", NULL), "{\"variant\":\"b\",\"N\":5}");
	json_decref(jobs.docs);
	refuse("{ 'name': 's', " SPEC ", 'template': {}, 'space': { 'variant': [{ 'source': 'a' }, "
	    "{ 'source': 'a', 'flags': ['-o'] }] } }", "space.variant[1].flags[0]", "");
	refuse("{ 'name': 's', " SPEC ", 'template': { 'flags': ['-o'] }, 'space': { 'variant': "
	    "[{ 'source': 'a' }] } }", "template.flags[0]", "at the point variant=#0");
	refuse("{ 'name': 's', " SPEC ", 'template': {}, 'space': { 'variant': [{ 'source': 'a' }, "
	    "7] } }", "space.variant[1]", "object");
}

static void
test_sweep_variant_is_a_macro_where_its_values_are_plain(void **state)
{
	struct jobs	jobs = { .stop_at = 0 };

	(void)state;
	expand_well("{ 'name': 's', " SPEC ", 'template': { 'source': 'a' }, "
	    "'space': { 'variant': [1, 2] } }", &jobs);
	assert_string_equal(at(&jobs, 1, "variant", "defines"), "{\"variant\":2}");
	json_decref(jobs.docs);
}

static void
test_sweep_context_and_paths_change_the_spec(void **state)
{
	struct jobs	jobs = { .stop_at = 0 };

	(void)state;
	expand_well("{ 'name': 's', " SPEC ", 'template': { 'source': 'a', 'name': 't' }, 'space': { "
	    "'context': ['cold', { 'flush_bytes': 4096 }], 'args.x.align': [16, 64], "
	    "'spec.timing.calls': [3] } }", &jobs);
	assert_int_equal(json_array_size(jobs.docs), 4);
	assert_string_equal(at(&jobs, 0, "spec", "context"), "\"cold\"");
	assert_string_equal(at(&jobs, 2, "spec", "context"), "{\"flush_bytes\":4096}");
	assert_string_equal(at(&jobs, 1, "spec", "args"),
	    "{\"N\":\"N\",\"x\":{\"dims\":[\"N\"],\"align\":64}}");
	assert_string_equal(at(&jobs, 0, "spec", "args"),
	    "{\"N\":\"N\",\"x\":{\"dims\":[\"N\"],\"align\":16}}");
	assert_string_equal(at(&jobs, 3, "spec", "timing"), "{\"calls\":3}");
	assert_string_equal(at(&jobs, 2, "variant", "name"),
	    "\"t context={\\\"flush_bytes\\\":4096} args.x.align=16 spec.timing.calls=3\"");
	json_decref(jobs.docs);
}

static void
test_sweep_paths_that_name_nothing_are_refused(void **state)
{
	static const char *const	paths[] = { "args.", ".x", "nothing.x", "args..x", "args.x y",
	    "spec.", "variant.flags" };
	char				text[500], member[60];

	(void)state;
	for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
		(void)snprintf(text, sizeof text, "{ 'name': 's', " SPEC ", 'template': { 'source': "
		    "'a' }, 'space': { '%s': [1] } }", paths[i]);
		(void)snprintf(member, sizeof member, "space.%s", paths[i]);
		refuse(text, member, "the path of a member of the spec");
	}
	refuse("{ 'name': 's', " SPEC ", 'template': { 'source': 'a' }, 'space': { 'context': "
	    "['cold'], 'spec.context': ['warm'] } }", "space.spec.context", "twice");
	refuse("{ 'name': 's', " SPEC ", 'template': { 'source': 'a' }, 'space': { "
	    "'context': ['cold', 'tepid'] } }", "space.context[1]", "at the point context=tepid");
	refuse("{ 'name': 's', " SPEC ", 'template': { 'source': 'a' }, 'space': { "
	    "'args.x.align': [64, 3] } }", "space.args.x.align[1]", "power of two");
	refuse("{ 'name': 's', " SPEC ", 'template': { 'source': 'a' }, 'space': { "
	    "'args.x.algin': [64] } }", "space.args.x.algin[0]", "");
}

static void
test_sweep_a_path_may_not_be_deep(void **state)
{
	json_t		*doc = quoted_json("{ 'name': 's', " SPEC ", 'template': { 'source': 'a' }, "
			    "'space': {} }");
	struct jobs	 jobs = { .stop_at = 0 };
	struct fault	 why;
	char		*path = malloc(1 << 20);

	(void)state;
	assert_non_null(path);
	for (size_t i = 0; i < 1 << 20; i++)
		path[i] = i % 2 == 0 ? 'a' : '.';
	memcpy(path, "args", 4);
	path[(1 << 20) - 1] = '\0';
	assert_int_equal(json_object_set_new(json_object_get(doc, "space"), path,
	    json_pack("[i]", 1)), 0);
	assert_int_equal(sweep_expand(doc, collect, &jobs, &why), ST_BAD_SPEC);
	assert_non_null(strstr(why.text, "at most 127 bytes"));
	json_decref(doc);
	free(path);
}

static void
test_sweep_members_of_jobs_apply_to_all(void **state)
{
	struct jobs	jobs = { .stop_at = 0 };

	(void)state;
	expand_well("{ 'name': 's', " SPEC ", 'variants': [{ 'source': 'a' }, { 'source': 'b' }], "
	    "'priority': 7, " "'timeout_ms': { 'run': 5 }, 'retries': 0, 'meta': { 'who': 'me' }, "
	    "'key': 'night' }", &jobs);
	for (size_t i = 0; i < 2; i++) {
		assert_string_equal(at(&jobs, i, "priority", NULL), "7");
		assert_string_equal(at(&jobs, i, "timeout_ms", "run"), "5");
		assert_string_equal(at(&jobs, i, "meta", NULL), "{\"who\":\"me\"}");
	}
	assert_string_equal(at(&jobs, 1, "key", NULL), "\"night#1\"");
	assert_string_equal(at(&jobs, 1, "name", NULL), "absent");
	json_decref(jobs.docs);
}

static void
test_sweep_a_points_values_go_over_the_sweeps_meta(void **state)
{
	struct jobs	jobs = { .stop_at = 0 };

	(void)state;
	expand_well("{ 'name': 's', " SPEC ", 'template': { 'source': 'a' }, 'space': "
	    "{ 'U': [1] }, " "'meta': { 'U': 'old', 'who': 'me' } }", &jobs);
	assert_string_equal(at(&jobs, 0, "meta", NULL), "{\"U\":1,\"who\":\"me\"}");
	json_decref(jobs.docs);
}

static void
test_sweep_a_name_in_the_space_is_the_name(void **state)
{
	struct jobs	jobs = { .stop_at = 0 };

	(void)state;
	expand_well("{ 'name': 's', " SPEC ", 'template': {}, 'space': { 'source': ['a', 'b'], "
	    "'name': ['n'] } }", &jobs);
	assert_string_equal(at(&jobs, 0, "variant", "name"), "\"n source=#0\"");
	assert_string_equal(at(&jobs, 1, "variant", "name"), "\"n source=#1\"");
	json_decref(jobs.docs);
}

static void
test_sweep_long_names_are_cut_between_characters(void **state)
{
	struct jobs	 jobs;
	char		 text[2000];
	const char	*name;

	(void)state;
	for (int shift = 0; shift < 3; shift++) {
		jobs.stop_at = 0;
		(void)snprintf(text, sizeof text,
		    "{ 'name': 's', " SPEC ", 'template': { 'source': 'a', 'name': '%.*s" "äääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääää' }, "
		    "'space': { 'flags': [['-DX=abcdef']], 'C': ['%.*s'] } }", shift,
		    "xx", shift * 90, "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
		    "yyyyyyyy"
		    "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
		    "yyyyyyyy");
		expand_well(text, &jobs);
		name = json_string_value(json_object_get(json_object_get(json_array_get(jobs.docs,
		    0), "variant"), "name"));
		assert_non_null(name);
		assert_in_range(strlen(name), 195, SPEC_MAX_NAME);
		json_decref(jobs.docs);
	}
}

static void
test_sweep_faults_of_a_job_name_the_sweeps_member(void **state)
{
	(void)state;
	refuse("{ 'name': 's', " SPEC ", 'variants': [{ 'source': 'a' }, { 'source': 'b', 'flags': "
	    "['-O2', '-I.'] }] }", "variants[1].flags[1]", "directory");
	refuse("{ 'name': 's', " SPEC ", 'template': { 'source': 'a', 'flags': ['-I.'] }, 'space': "
	    "{ 'U': [1] } }", "template.flags[0]", "at the point U=1");
	refuse("{ 'name': 's', " SPEC ", 'template': { 'source': 'a' }, 'space': { 'flags': [[], "
	    "['-I.']] } }", "space.flags[1][0]", "directory");
	refuse("{ 'name': 's', " SPEC ", 'template': { 'source': 'a' }, 'space': { 'N': [1, 0] } }",
	    "spec.args.x.dims[0]",
	    "at the point N=0");
	refuse("{ 'name': 's', " SPEC ", 'template': { 'source': 'a' }, 'space': { 'U': [1, "
	    "'a\\nb'] } }", "space.U[1]", "printable");
	refuse("{ 'name': 's', " SPEC ", 'template': { 'source': 'a' }, 'space': { 'U': [1] }, "
	    "'threads': 0 }", "threads",
	    "1 to 1024");
}

static void
test_sweep_where_names_what_is_unknown(void **state)
{
	struct jobs	jobs = { .stop_at = 0 };
	struct fault	why;

	(void)state;
	assert_int_equal(expand("{ 'name': 's', " SPEC ", 'template': { 'source': 'a' }, 'space': { "
	    "'UNROLL': [1] }, " "'where': ['UNROL > 0'] }", &jobs, &why), ST_BAD_SPEC);
	assert_string_equal(why.member, "where[0]");
	assert_string_equal(why.hint, "did you mean \"UNROLL\"?");
	json_decref(jobs.docs);
}

static void
test_sweep_without_points_is_refused(void **state)
{
	(void)state;
	refuse("{ 'name': 's', " SPEC ", 'template': { 'source': 'a' }, 'space': { 'U': [1, 2] }, "
	    "'where': ['U > 2'] }", "where",
	    "none of the 2 points");
}

static void
test_sweep_points_are_counted_without_overflow(void **state)
{
	json_t		*doc =
			    quoted_json("{ 'name': 's', " SPEC ", 'template': { 'source': 'a' }, "
			    "'space': {} }");
	json_t		*values;
	struct jobs	 jobs = { .stop_at = 0 };
	struct fault	 why;
	char		 name[8];

	(void)state;
	for (int i = 0; i < 64; i++) {
		values = json_array();
		for (int v = 0; v < 2; v++)
			assert_int_equal(json_array_append_new(values, json_integer(v)), 0);
		(void)snprintf(name, sizeof name, "D%d", i);
		assert_int_equal(json_object_set_new(json_object_get(doc, "space"), name, values),
		    0);
	}
	assert_int_equal(sweep_expand(doc, collect, &jobs, &why), ST_BAD_SPEC);
	assert_string_equal(why.member, "space");
	assert_non_null(strstr(why.text, "more than 1000000 points"));
	json_decref(doc);
}

static void
test_sweep_stops_where_it_is_told_to(void **state)
{
	struct jobs	jobs = { .stop_at = 3 };
	struct fault	why;

	(void)state;
	assert_int_equal(expand("{ 'name': 's', " SPEC ", 'template': { 'source': 'a' }, "
	    "'space': { 'U': [1, 2, 3, 4] } }",
	    &jobs, &why), ST_FULL);
	assert_string_equal(why.text, "enough");
	assert_int_equal(json_array_size(jobs.docs), 3);
	json_decref(jobs.docs);
}

static const char *const	walked[] = {
	"{ 'name': 's', " SPEC ", 'template': { 'source': 'a' }, 'key': 'k', 'priority': 3,"
	" 'space': { 'U': [1, 2, 3], 'N': [5, 6], 'flags': [[], ['-O2']] },"
	" 'where': ['U != 2 || N == 6'] }",
	"{ 'name': 's', " SPEC ", 'key': 'k', 'variants': [{ 'source': 'a' }, { 'source': 'b' }] }",
};

/* All jobs of a walk's places from here on. */
static json_t *
rest_of(struct sweep *walk)
{
	json_t		*jobs = json_array(), *job;
	struct fault	 why;

	while (!sweep_is_over(walk)) {
		assert_int_equal(sweep_next(walk, &job, &why), ST_OK);
		if (job != NULL)
			assert_int_equal(json_array_append_new(jobs, job), 0);
	}
	return jobs;
}

/* Another walk goes on in between, over the same document. */
static json_t *
jobs_with_a_rest_at(json_t *doc, uint64_t place)
{
	struct sweep	*one, *other;
	struct fault	 why;
	json_t		*jobs = json_array(), *job, *rest;

	assert_int_equal(sweep_open(&one, doc, &why), ST_OK);
	for (uint64_t i = 0; i < place; i++) {
		assert_int_equal(sweep_next(one, &job, &why), ST_OK);
		if (job != NULL)
			assert_int_equal(json_array_append_new(jobs, job), 0);
	}
	assert_int_equal(sweep_open(&other, doc, &why), ST_OK);
	json_decref(rest_of(other));
	sweep_close(other);
	rest = rest_of(one);
	assert_int_equal(json_array_extend(jobs, rest), 0);
	json_decref(rest);
	sweep_close(one);
	return jobs;
}

static void
test_D11_a_walk_that_rests_at_any_place_has_the_jobs_of_the_whole(void **state)
{
	struct jobs	 whole = { .stop_at = 0 };
	struct sweep	*walk;
	struct fault	 why;
	uint64_t	 places;

	(void)state;
	for (size_t i = 0; i < sizeof walked / sizeof walked[0]; i++) {
		json_t	*doc = quoted_json(walked[i]), *jobs;

		expand_well(walked[i], &whole);
		assert_int_equal(sweep_open(&walk, doc, &why), ST_OK);
		places = sweep_places(walk);
		sweep_close(walk);
		assert_true(places >= json_array_size(whole.docs));
		for (uint64_t place = 0; place <= places; place++) {
			jobs = jobs_with_a_rest_at(doc, place);
			assert_true(json_equal(jobs, whole.docs));
			json_decref(jobs);
		}
		json_decref(whole.docs);
		json_decref(doc);
	}
}

/* The fault of a job that others find bad is in the sweep's terms, and so is an empty space. */
static void
test_sweep_a_walk_blames_the_place_that_it_gave(void **state)
{
	json_t		*doc = quoted_json("{ 'name': 's', " SPEC ", 'template': { 'source': 'a' },"
			    " 'space': { 'U': [1, 2] }, 'where': ['U > 2'] }"), *job;
	struct sweep	*walk;
	struct fault	 why;

	(void)state;
	assert_int_equal(sweep_open(&walk, doc, &why), ST_OK);
	assert_int_equal(sweep_next(walk, &job, &why), ST_OK);
	assert_null(job);
	assert_int_equal(sweep_next(walk, &job, &why), ST_BAD_SPEC);
	assert_string_equal(why.member, "where");
	sweep_close(walk);
	(void)json_object_del(doc, "where");
	assert_int_equal(sweep_open(&walk, doc, &why), ST_OK);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(sweep_next(walk, &job, &why), ST_OK);
		json_decref(job);
	}
	(void)fault_at(&why, ST_BAD_SPEC, "variant.defines.U", "bad");
	assert_int_equal(sweep_blame(walk, ST_BAD_SPEC, &why), ST_BAD_SPEC);
	assert_string_equal(why.member, "space.U[1]");
	sweep_close(walk);
	json_decref(doc);
}

static void
test_sweep_leaves_its_document_as_it_was(void **state)
{
	json_t		*doc =
			    quoted_json("{ 'name': 's', " SPEC ", 'template': { 'source': 'a', "
			    "'defines': { 'K': 1 } }, "
			    "'space': { 'U': [1, 2], 'N': [5], 'flags': [[]] }, 'meta': { 'm': 1 "
			    "} }"), *before;
	struct jobs	 jobs = { .docs = json_array() };
	struct fault	 why;

	(void)state;
	before = json_deep_copy(doc);
	assert_int_equal(sweep_expand(doc, collect, &jobs, &why), ST_OK);
	assert_true(json_equal(doc, before));
	json_decref(jobs.docs);
	json_decref(before);
	json_decref(doc);
}

static int	allocations_left;

static void *
allocate_until_it_ends(size_t bytes)
{
	return allocations_left-- > 0 ? malloc(bytes) : NULL;
}

static enum status
drop(void *arg, json_t *doc, struct fault *why)
{
	(void)arg;
	(void)why;
	json_decref(doc);
	return ST_OK;
}

static void
test_sweep_survives_every_failed_allocation(void **state)
{
	json_t		*doc =
			    quoted_json("{ 'name': 's', " SPEC ", 'template': { 'source': 'a' "
			    "}, 'key': 'k', " "'priority': 1, "
			    "'space': { 'U': [1, 2], 'N': [5], 'flags': [[]], 'context': "
			    "['warm'], 'variant': [{}], 'args.x.align': [8] }, 'meta': "
			    "{ 'm': 1 } }");
	struct fault	 why;
	enum status	 st = ST_NOMEM;
	int		 n;

	(void)state;
	for (n = 0; st != ST_OK; n++) {
		allocations_left = n;
		json_set_alloc_funcs(allocate_until_it_ends, free);
		st = sweep_expand(doc, drop, NULL, &why);
		json_set_alloc_funcs(malloc, free);
		assert_true(st == ST_OK || st == ST_NOMEM);
	}
	assert_in_range(n, 20, 1000);
	json_decref(doc);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_sweep_lists_its_variants_in_order),
		cmocka_unit_test(test_sweep_the_last_dimension_runs_fastest),
		cmocka_unit_test(test_sweep_names_of_variants_members_replace_them),
		cmocka_unit_test(test_sweep_names_of_params_change_the_spec),
		cmocka_unit_test(test_P2_every_point_shares_the_spec_but_for_its_params),
		cmocka_unit_test(test_sweep_where_leaves_points_out),
		cmocka_unit_test(
		    test_sweep_G5_G25_a_block_and_an_unrolling_up_to_it_are_496_points),
		cmocka_unit_test(test_sweep_a_dimension_of_whole_variants_sets_their_members),
		cmocka_unit_test(test_sweep_variant_is_a_macro_where_its_values_are_plain),
		cmocka_unit_test(test_sweep_context_and_paths_change_the_spec),
		cmocka_unit_test(test_sweep_paths_that_name_nothing_are_refused),
		cmocka_unit_test(test_sweep_a_path_may_not_be_deep),
		cmocka_unit_test(test_sweep_members_of_jobs_apply_to_all),
		cmocka_unit_test(test_sweep_a_points_values_go_over_the_sweeps_meta),
		cmocka_unit_test(test_sweep_a_name_in_the_space_is_the_name),
		cmocka_unit_test(test_sweep_long_names_are_cut_between_characters),
		cmocka_unit_test(test_sweep_faults_of_a_job_name_the_sweeps_member),
		cmocka_unit_test(test_sweep_where_names_what_is_unknown),
		cmocka_unit_test(test_sweep_without_points_is_refused),
		cmocka_unit_test(test_sweep_points_are_counted_without_overflow),
		cmocka_unit_test(test_sweep_stops_where_it_is_told_to),
		cmocka_unit_test(
		    test_D11_a_walk_that_rests_at_any_place_has_the_jobs_of_the_whole),
		cmocka_unit_test(test_sweep_a_walk_blames_the_place_that_it_gave),
		cmocka_unit_test(test_sweep_leaves_its_document_as_it_was),
		cmocka_unit_test(test_sweep_survives_every_failed_allocation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
