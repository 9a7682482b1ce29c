/* SPDX-License-Identifier: Apache-2.0 */
/* Real compilers in real jails; the cache and the scratch directory are the test's own. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "proto/spec/flags.h"
#include "worker/build/build.h"
#include "worker/build/recipe/quick.h"
#include "worker/cache/cache.h"
#include "worker/plan/layout.h"

static char		 dir[64], cache_dir[96], scratch_dir[96];
static struct builder	*builder;
static unsigned		 stop_after;		/* calls of the stop function; 0: never */

/* What the last build gave. */
static struct artifacts	 made;
static char		*detail;
static json_t		*report;

static bool
on_stop_asked(void *arg)
{
	(void)arg;
	return stop_after != 0 && --stop_after == 0;
}

static struct builder *
open_builder(void)
{
	const struct builder_config	config = { .cache_dir = cache_dir,
					    .scratch_dir = scratch_dir,
					    .cache_limit_bytes = 64 << 20, .cpu = -1,
					    .stop = on_stop_asked };
	struct builder			*b;
	struct fault			 why;

	if (builder_new(&b, &config, &why) != ST_OK)
		fail_msg("%s", why.text);
	return b;
}

static int
set_up(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/assay-test-XXXXXX");
	if (mkdtemp(dir) == NULL || chmod(dir, 0755) == -1)
		return -1;
	(void)snprintf(cache_dir, sizeof cache_dir, "%s/cache", dir);
	(void)snprintf(scratch_dir, sizeof scratch_dir, "%s/scratch", dir);
	builder = open_builder();
	stop_after = 0;
	return 0;
}

static int
tear_down(void **state)
{
	char	command[128];

	(void)state;
	builder_free(builder);
	free(detail);
	json_decref(report);
	detail = NULL;
	report = NULL;
	(void)snprintf(command, sizeof command, "rm -rf '%s'", dir);
	return system(command);
}

/* A job for `double f(int n, const double *x)`; takes the variant. */
static json_t *
document(json_t *variant)
{
	return json_pack("{s:o, s:{s:s, s:{s:i, s:i}, s:{s:s, s:{s:s, s:[s]}}}}",
	    "variant", variant, "spec", "routine", "double f(int n, const double *x)", "params",
	    "n", 100, "UNROLL", 3, "args", "n", "n", "x", "type", "double", "dims", "n");
}

static json_t *
variant(const char *language, const char *source)
{
	json_t	*v = json_pack("{s:s, s:s}", "language", language, "source", source);

	assert_non_null(v);
	return v;
}

/* Takes the document. */
static enum status
build(json_t *doc)
{
	char		*text;
	struct job	job;
	struct fault	why;
	enum status	st;
	char		line[1400];

	if (job_decode(&job, doc, &why) != ST_OK)
		fail_msg("%s", fault_line(&why, line, sizeof line));
	free(detail);
	json_decref(report);
	st = builder_build(builder, &job, &made, &detail, &text);
	assert_non_null(text);
	assert_non_null(report = json_loads(text, 0, NULL));
	free(text);
	job_release(&job);
	json_decref(doc);
	return st;
}

static void
must_build(json_t *doc)
{
	enum status	st = build(doc);

	if (st != ST_OK)
		fail_msg("%s: %s", status_word(st), detail != NULL ? detail : "");
	assert_null(detail);
}

#define GOOD_SOURCE	"double f(int n, const double *x) { return n > 0 ? x[0] + UNROLL : 0; }\n"

static bool
cached(const char *which)
{
	return json_is_true(json_object_get(json_object_get(report, "cached"), which));
}

static double
number(const char *name)
{
	return json_number_value(json_object_get(report, name));
}

/* Does this object define the function? */
static bool
defines(const struct hash *hash, const char *function)
{
	char	path[256], command[512];

	assert_true(artifact_path(cache_dir, hash, path, sizeof path));
	(void)snprintf(command, sizeof command, "nm -D --defined-only '%s' | grep -q ' T %s$'",
	    path, function);
	return system(command) == 0;
}

static bool
is_installed(const char *program)
{
	char	path[64];

	(void)snprintf(path, sizeof path, "/usr/bin/%s", program);
	return access(path, X_OK) == 0;
}

/* ---- what is built ---- */

static void
test_build_makes_a_driver_and_a_variant(void **state)
{
	(void)state;
	must_build(document(variant("c", GOOD_SOURCE)));
	assert_true(defines(&made.variant, "f"));
	assert_true(strlen(made.driver.hex) == HASH_HEX);
	assert_string_equal(made.reference.hex, "");
	assert_false(cached("driver"));
	assert_false(cached("variant"));
	assert_true(number("build_ms") > 0.5);
	assert_true(number("driver_ms") > 0.5);
	assert_true(number("code_bytes") > 0);
	assert_string_equal(json_string_value(json_object_get(json_object_get(report, "compiler"),
	    "name")), "gcc");
	assert_int_equal(json_string_length(json_object_get(json_object_get(report, "compiler"),
	    "id")), 16);
}

static void
test_build_the_same_again_comes_from_the_cache(void **state)
{
	struct artifacts	first;

	(void)state;
	must_build(document(variant("c", GOOD_SOURCE)));
	first = made;
	must_build(document(variant("c", GOOD_SOURCE)));
	assert_memory_equal(&first, &made, sizeof made);
	assert_true(cached("driver"));
	assert_true(cached("variant"));
	assert_true(number("build_ms") == 0 && number("driver_ms") == 0);
}

static void
test_build_another_builder_finds_what_one_has_built(void **state)
{
	struct builder	*first = builder;

	(void)state;
	must_build(document(variant("c", GOOD_SOURCE)));
	builder = open_builder();
	must_build(document(variant("c", GOOD_SOURCE)));
	assert_true(cached("driver") && cached("variant"));
	builder_free(first);
}

static void
test_build_what_was_lost_from_the_cache_is_built_again(void **state)
{
	char	path[256];

	(void)state;
	must_build(document(variant("c", GOOD_SOURCE)));
	assert_true(artifact_path(cache_dir, &made.variant, path, sizeof path));
	assert_int_equal(unlink(path), 0);
	must_build(document(variant("c", GOOD_SOURCE)));
	assert_true(cached("driver"));
	assert_false(cached("variant"));
}

static void
test_build_every_variant_of_a_sweep_shares_the_driver(void **state)
{
	struct hash	driver, first;

	(void)state;
	must_build(document(variant("c", GOOD_SOURCE)));
	driver = made.driver;
	first = made.variant;
	must_build(document(variant("c", "double f(int n, const double *x) { return x[n - 1]; }")));
	assert_string_equal(made.driver.hex, driver.hex);
	assert_true(cached("driver"));
	assert_string_not_equal(made.variant.hex, first.hex);
}

/* The name of the variant's object when one member of its document is another. */
static struct hash
with(const char *member, json_t *value)
{
	json_t	*v = variant("c", GOOD_SOURCE);

	assert_int_equal(json_object_set_new(v, member, value), 0);
	must_build(document(v));
	return made.variant;
}

static void
test_build_an_object_is_named_by_all_that_can_change_it_and_no_more(void **state)
{
	struct hash	plain, again, flags, order, define, param;
	json_t		*doc;

	(void)state;
	must_build(document(variant("c", GOOD_SOURCE)));
	plain = made.variant;
	again = with("name", json_string("another name"));
	assert_string_equal(plain.hex, again.hex);
	flags = with("flags", json_pack("[s, s]", "-O3", "-g"));
	order = with("flags", json_pack("[s, s]", "-g", "-O3"));
	define = with("defines", json_pack("{s:i}", "M", 1));
	assert_string_not_equal(plain.hex, flags.hex);
	assert_string_not_equal(flags.hex, order.hex);
	assert_string_not_equal(plain.hex, define.hex);
	again = with("defines", json_pack("{s:i}", "M", 2));
	assert_string_not_equal(define.hex, again.hex);
	doc = document(variant("c", GOOD_SOURCE));
	(void)json_object_set_new(json_object_get(json_object_get(doc, "spec"), "params"), "UNROLL",
	    json_integer(4));
	must_build(doc);
	param = made.variant;
	assert_string_not_equal(plain.hex, param.hex);
	if (is_installed("clang")) {
		again = with("compiler", json_string("clang"));
		assert_string_not_equal(plain.hex, again.hex);
	}
}

static void
test_build_a_param_that_is_an_argument_is_no_macro(void **state)
{
	(void)state;
	must_build(document(variant("c",
	    "#ifdef n\n#error\n#endif\n#if UNROLL != 3\n#error\n#endif\n" GOOD_SOURCE)));
}

static void
test_build_takes_every_language(void **state)
{
	static const struct {
		const char	*language, *compiler, *source;
	} all[] = {
		{ "c", "gcc", GOOD_SOURCE },
		{ "c++", "g++", "#include <cmath>\n"
		    "extern \"C\" double f(int n, const double *x) { return "
		    "std::sin(x[n - 1]); }" },
		{ "fortran", "gfortran", "real(8) function f(n, x) bind(c)\n  use iso_c_binding\n"
		    "  integer(c_int), value :: n\n  real(c_double) :: x(n)\n  f = x(1) + "
		    "UNROLL\nend function\n" },
		{ "asm", "gcc", "#define NAME f\n\t.text\n\t.globl NAME\n\t.type NAME, "
		    "@function\nNAME:\n\tret\n" "\t.section .note.GNU-stack,\"\",@progbits\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
		if (!is_installed(all[i].compiler))
			continue;
		must_build(document(variant(all[i].language, all[i].source)));
		assert_true(defines(&made.variant, "f"));
	}
}

/* The bytes of a file as base64; by coreutils, as no program of ours writes it. */
static char *
base64_of(const char *path)
{
	static char	text[1 << 20];
	char		command[512];
	FILE		*f;
	size_t		n;

	(void)snprintf(command, sizeof command, "base64 -w 0 '%s'", path);
	f = popen(command, "r");
	assert_non_null(f);
	n = fread(text, 1, sizeof text - 1, f);
	assert_int_equal(pclose(f), 0);
	text[n] = '\0';
	return text;
}

/* f.o and f.so. */
static void
compile_objects(void)
{
	char	command[600];

	(void)snprintf(command, sizeof command,
	    "printf 'double f(int n, const double *x) { return x[n]; }' | "
	    "gcc -O2 -fPIC -c -x c - -o '%s/f.o' && gcc -shared -o '%s/f.so' '%s/f.o'",
	    dir, dir, dir);
	assert_int_equal(system(command), 0);
}

static void
test_build_takes_objects_and_shared_objects_as_they_are(void **state)
{
	char	path[256];

	(void)state;
	compile_objects();
	(void)snprintf(path, sizeof path, "%s/f.o", dir);
	must_build(document(variant("object", base64_of(path))));
	assert_true(defines(&made.variant, "f"));
	(void)snprintf(path, sizeof path, "%s/f.so", dir);
	must_build(document(variant("shared", base64_of(path))));
	assert_true(defines(&made.variant, "f"));
	assert_string_equal(json_string_value(json_object_get(json_object_get(report, "compiler"),
	    "name")), "");
}

static void
test_build_what_is_no_object_cannot_be_loaded(void **state)
{
	(void)state;
	assert_int_equal(build(document(variant("shared", "bm90IGFuIG9iamVjdA=="))),
	    ST_LOAD_FAILED);
	assert_non_null(detail);
	/* To a linker, this one would be a script that reads another file. */
	assert_int_equal(build(document(variant("object",
	    "SU5QVVQoL3Vzci9saWIveDg2XzY0LWxpbnV4LWdudS9saWJjLnNvLjYp"))), ST_LOAD_FAILED);
}

/* ---- what is not ---- */

static void
test_build_the_compilers_words_name_the_users_file(void **state)
{
	(void)state;
	assert_int_equal(build(document(variant("c",
	    "\ndouble f(int n, const double *x) { return y; }\n"))), ST_BUILD_FAILED);
	assert_non_null(detail);
	assert_non_null(strstr(detail, "variant.c:2:43: error:"));
	assert_null(strchr(detail, '/'));			/* as the user named it: in no
								 * directory of ours */
	assert_null(strstr(detail, "build."));
	assert_true(cached("driver") == false);
	assert_int_equal(strlen(made.driver.hex), HASH_HEX);
	if (!is_installed("clang"))
		return;
	assert_int_equal(build(document(json_pack("{s:s, s:s, s:s}", "language", "c", "source",
	    "int f(", "compiler", "clang"))), ST_BUILD_FAILED);
	assert_int_equal(strncmp(detail, "variant.c:1:7: error:", 21), 0);
}

static void
test_build_the_assemblers_words_name_the_users_line(void **state)
{
	static const char *const	sources[] = { "\t.text\n\tnosuch %eax\n",
					    "#define X 1\n\tnosuch %eax, X\n" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(build(document(variant("asm", sources[i]))), ST_BUILD_FAILED);
		assert_non_null(strstr(detail, "variant.S:2: Error: no such instruction"));
		assert_null(strchr(detail, '/'));
	}
	assert_int_equal(build(document(variant("asm", "#if 1\n"))), ST_BUILD_FAILED);
	assert_non_null(strstr(detail, "variant.S:1: error: unterminated #if"));
}

static void
test_build_each_source_of_a_variant_says_what_is_wrong_with_it(void **state)
{
	json_t	*v = variant("c", "int f(");

	(void)state;
	(void)json_object_set_new(v, "files", json_pack("{s:s, s:s}", "help.c", "int g(", "more.s",
	    "\tnosuch\n"));
	assert_int_equal(build(document(v)), ST_BUILD_FAILED);
	assert_non_null(strstr(detail, "variant.c:1:"));
	assert_non_null(strstr(detail, "help.c:1:"));
	assert_non_null(strstr(detail, "more.s:1:"));
}

/* The libraries that the variant's object names. */
static const char *
libraries_of(const char *source, const char *flag)
{
	static char	line[256];
	char		path[256], command[512];
	json_t		*v = variant("c", source);
	FILE		*f;

	(void)json_object_set_new(v, "flags", json_pack("[s]", flag));
	must_build(document(v));
	assert_true(artifact_path(cache_dir, &made.variant, path, sizeof path));
	(void)snprintf(command, sizeof command, "readelf -dW '%s' | grep NEEDED | tr -d '\\n'", path);
	assert_non_null(f = popen(command, "r"));
	if (fgets(line, sizeof line, f) == NULL)
		line[0] = '\0';
	(void)pclose(f);
	return line;
}

static void
test_build_an_object_names_libraries_if_it_needs_them(void **state)
{
	(void)state;
	assert_string_equal(libraries_of(GOOD_SOURCE, "-O2"), "");
	assert_non_null(strstr(libraries_of("double sin(double); double f(int n, const double *x) "
	    "{ return sin(x[n - 1]); }", "-O2"), "libm.so.6"));
	assert_non_null(strstr(libraries_of("int abort(void); double f(int n, const double *x) "
	    "{ return n < 0 ? abort() : x[0]; }", "-O2"), "libc.so.6"));
}

static void
test_build_a_flag_that_changes_arithmetic_keeps_its_start_file(void **state)
{
	char	path[256], command[512];

	(void)state;
	(void)libraries_of(GOOD_SOURCE, "-Ofast");
	assert_true(artifact_path(cache_dir, &made.variant, path, sizeof path));
	(void)snprintf(command, sizeof command, "nm '%s' | grep -q set_fast_math", path);
	assert_int_equal(system(command), 0);
}

static void
test_build_a_file_of_the_host_cannot_be_included(void **state)
{
	(void)state;
	assert_int_equal(build(document(variant("c", "#include \"/etc/passwd\"\n"))),
	    ST_BUILD_FAILED);
	assert_non_null(strstr(detail, "No such file or directory"));
	assert_int_equal(build(document(variant("asm", ".incbin \"/proc/self/environ\"\n"))),
	    ST_BUILD_FAILED);
}

static void
test_build_words_are_capped(void **state)
{
	static char	source[300000];
	enum status	st;

	(void)state;
	for (unsigned i = 0, n = 0; i < 3000; i++)
		n += (unsigned)snprintf(source + n, sizeof source - n,
		    "#error %u, said at some length\n", i);
	st = build(document(variant("c", source)));
	if (st != ST_BUILD_FAILED)
		fail_msg("%s: %.300s", status_word(st), detail);
	assert_true(strlen(detail) <= (64 << 10) + 64);
	assert_non_null(strstr(detail, "variant.c:1:"));
	assert_non_null(strstr(detail, "(cut: it printed "));
}

/*
 * A compiler that works on it prints and remembers nothing, and does not end: 2^60 expansions of
 * nothing.
 */
static const char *
endless(void)
{
	static char	source[4096];
	int		n = snprintf(source, sizeof source, "#define A0\n");

	for (int i = 0; i < 60; i++)
		n += snprintf(source + n, sizeof source - (size_t)n, "#define A%d A%d A%d\n", i + 1,
		    i, i);
	(void)snprintf(source + n, sizeof source - (size_t)n, "A60\n");
	return source;
}

static void
test_build_a_source_without_end_runs_into_the_wall_limit(void **state)
{
	json_t	*doc = document(variant("c", endless()));

	(void)state;
	(void)json_object_set_new(doc, "timeout_ms", json_pack("{s:i}", "build", 300));
	must_build(document(variant("c", GOOD_SOURCE)));	/* the driver, without such haste */
	assert_int_equal(build(doc), ST_BUILD_TIMEOUT);
	assert_non_null(strstr(detail, "300 ms"));
	assert_true(number("build_ms") >= 300);
}

static void
test_build_an_object_beyond_the_limit_is_told_from_an_error(void **state)
{
	(void)state;
	assert_int_equal(build(document(variant("c", "char x[1u << 30] = { 1 };\n"))),
	    ST_BUILD_LIMIT);
	assert_non_null(detail);
	assert_int_equal(build(document(variant("c", "char x[20 << 20] = { 1 };\n"))),
	    ST_BUILD_LIMIT);
	assert_non_null(strstr(detail, "bytes"));
	assert_int_equal(build(document(variant("c", "#include __FILE__\n#include __FILE__\n"))),
	    ST_BUILD_LIMIT);
	assert_int_equal(build(document(variant("c", "#error out of memory\n"))), ST_BUILD_FAILED);
}

static void
test_build_a_compiler_that_is_not_here_is_a_bad_spec(void **state)
{
	const char *const	*name = compiler_names();

	(void)state;
	while (*name != NULL &&
	    (is_installed(*name) || compiler_check(LANG_C, *name, NULL) != ST_OK))
		name++;
	if (*name == NULL)
		skip();
	assert_int_equal(build(document(json_pack("{s:s, s:s, s:s}", "language", "c", "source",
	    GOOD_SOURCE, "compiler", *name))), ST_BAD_SPEC);
	assert_non_null(strstr(detail, "variant.compiler: "));
	assert_non_null(strstr(detail, *name));
	assert_non_null(strstr(detail, "installed: gcc"));
}

static json_t *
with_reference(const char *source)
{
	json_t	*doc = document(variant("c", GOOD_SOURCE));

	(void)json_object_set_new(json_object_get(doc, "spec"), "check",
	    json_pack("{s:{s:s, s:s}}", "reference", "language", "c", "source", source));
	return doc;
}

static void
test_build_a_reference_is_built_too(void **state)
{
	(void)state;
	must_build(with_reference("double f(int n, const double *x) { return x[n]; }"));
	assert_true(defines(&made.reference, "f"));
	assert_string_not_equal(made.reference.hex, made.variant.hex);
	must_build(with_reference("double f(int n, const double *x) { return x[n]; }"));
	assert_true(cached("reference"));
}

static void
test_build_a_reference_that_does_not_build_is_a_bad_spec(void **state)
{
	(void)state;
	assert_int_equal(build(with_reference("double f(")), ST_BAD_SPEC);
	assert_int_equal(strncmp(detail, "check.reference: reference.c:1:", 31), 0);
}

static void
test_build_stops_when_told(void **state)
{
	(void)state;
	must_build(document(variant("c", GOOD_SOURCE)));
	stop_after = 3;
	assert_int_equal(build(document(variant("c", endless()))), ST_CANCELLED);
	assert_string_equal(made.reference.hex, "");
	must_build(document(variant("c", GOOD_SOURCE " ")));
}

static void
test_build_two_builders_on_the_same_job_are_harmless(void **state)
{
	pid_t	pids[2];
	int	status;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			builder = open_builder();
			_exit(build(document(variant("c", GOOD_SOURCE))) == ST_OK ? 0 : 1);
		}
	}
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	must_build(document(variant("c", GOOD_SOURCE)));
	assert_true(cached("driver") && cached("variant"));
}

static void
test_build_the_same_source_gives_the_same_bytes(void **state)
{
	char	path[256], command[700];

	(void)state;
	must_build(document(variant("c", GOOD_SOURCE)));
	assert_true(artifact_path(cache_dir, &made.variant, path, sizeof path));
	(void)snprintf(command, sizeof command, "mv '%s' '%s/first.so'", path, dir);
	assert_int_equal(system(command), 0);
	must_build(document(variant("c", GOOD_SOURCE)));
	assert_false(cached("variant"));
	(void)snprintf(command, sizeof command, "cmp '%s' '%s/first.so'", path, dir);
	assert_int_equal(system(command), 0);
}

/* The function's address in an object, mod 64, as nm has it; -1: it is not there. */
static int
start_of(const struct hash *hash, const char *function)
{
	char	path[256], command[512];
	long	at;
	FILE	*f;

	assert_true(artifact_path(cache_dir, hash, path, sizeof path));
	(void)snprintf(command, sizeof command,
	    "nm -D --defined-only '%s' | sed -n 's/^\\([0-9a-f]*\\) T %s$/\\1/p'", path, function);
	assert_non_null(f = popen(command, "r"));
	if (fscanf(f, "%lx", &at) != 1)
		at = -1;
	(void)pclose(f);
	return at < 0 ? -1 : (int)(at % 64);
}

#define TWO_FUNCTIONS	"int g(int n) { return n ? n * 7 : 9; } " \
			"double f(int n, const double *x) { return x[n - 1] + g(n); }"

static json_t *
with_layouts(json_t *variant_doc)
{
	json_t	*doc = document(variant_doc);

	(void)json_object_set_new(json_object_get(doc, "spec"), "timing",
	    json_pack("{s:s}", "layout", "random"));
	return doc;
}

static void
test_build_a_function_starts_at_a_multiple_of_64_unless_its_flags_say_otherwise(void **state)
{
	static const char *const	compilers[] = { "gcc", "clang" };
	json_t				*v;

	(void)state;
	for (size_t i = 0; i < sizeof compilers / sizeof compilers[0]; i++) {
		if (!is_installed(compilers[i]))
			continue;
		must_build(document(json_pack("{s:s, s:s, s:s}", "language", "c", "source",
		    TWO_FUNCTIONS, "compiler", compilers[i])));
		assert_int_equal(start_of(&made.variant, "f"), 0);
		assert_int_equal(start_of(&made.variant, "g"), 0);
	}
	v = variant("c", TWO_FUNCTIONS);
	(void)json_object_set_new(v, "flags", json_pack("[s, s]", "-O2", "-falign-functions=16"));
	must_build(document(v));
	assert_int_not_equal(start_of(&made.variant, "f"), start_of(&made.variant, "g"));
}

static void
test_build_the_variant_behind_pads_starts_at_each_asked_offset(void **state)
{
	static const char *const	compilers[] = { "gcc", "clang" };

	(void)state;
	for (size_t i = 0; i < sizeof compilers / sizeof compilers[0]; i++) {
		if (!is_installed(compilers[i]))
			continue;
		must_build(with_layouts(json_pack("{s:s, s:s, s:s}", "language", "c", "source",
		    GOOD_SOURCE, "compiler", compilers[i])));
		for (unsigned pad = 1; pad < LAYOUT_PADS; pad++) {
			struct hash	name;

			assert_int_equal(layout_artifact(&made.variant, pad, &name), ST_OK);
			assert_int_equal(start_of(&name, "f"), (int)(pad * LAYOUT_PAD_BYTES));
		}
	}
	must_build(with_layouts(variant("c", "__attribute__((hot)) " GOOD_SOURCE)));
	for (unsigned pad = 1; pad < LAYOUT_PADS; pad++) {
		struct hash	name;

		assert_int_equal(layout_artifact(&made.variant, pad, &name), ST_OK);
		assert_int_equal(start_of(&name, "f"), (int)(pad * LAYOUT_PAD_BYTES));
	}
}

static void
test_build_an_object_goes_behind_pads_and_a_shared_object_cannot(void **state)
{
	char		path[256];
	struct hash	name;

	(void)state;
	compile_objects();
	(void)snprintf(path, sizeof path, "%s/f.o", dir);
	must_build(with_layouts(variant("object", base64_of(path))));
	assert_int_equal(layout_artifact(&made.variant, 3, &name), ST_OK);
	assert_int_equal(start_of(&name, "f"), 48);
	(void)snprintf(path, sizeof path, "%s/f.so", dir);
	must_build(with_layouts(variant("shared", base64_of(path))));
	assert_int_equal(layout_artifact(&made.variant, 3, &name), ST_OK);
	assert_false(artifact_path(cache_dir, &name, path, sizeof path));
}

static void
test_build_without_layouts_nothing_is_built_behind_pads(void **state)
{
	struct hash	name;
	char		path[256];

	(void)state;
	must_build(document(variant("c", GOOD_SOURCE)));
	for (unsigned pad = 1; pad < LAYOUT_PADS; pad++) {
		assert_int_equal(layout_artifact(&made.variant, pad, &name), ST_OK);
		assert_false(artifact_path(cache_dir, &name, path, sizeof path));
	}
}

static void
test_build_lists_the_installed_compilers(void **state)
{
	struct shape_list			 list;
	const struct installed_compiler		*one;
	bool					 has_gcc = false;

	(void)state;
	assert_true(builder_compilers(builder, &list));
	one = list.at;
	for (size_t i = 0; i < list.n; i++) {
		const struct compiler_identity	*c = &one[i].identity;

		assert_int_equal(access(one[i].path, X_OK), 0);
		assert_non_null(strstr(c->version, " version "));
		assert_true(quick_is(c->name) || strstr(c->target, "linux") != NULL);
		assert_int_equal(strlen(c->id), 16);
		has_gcc |= strcmp(c->name, "gcc") == 0;
	}
	assert_true(has_gcc || !is_installed("gcc"));
	free(list.at);
}

int
main(void)
{
#define TEST(f)	cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest	tests[] = {
		TEST(test_build_makes_a_driver_and_a_variant),
		TEST(test_build_the_same_again_comes_from_the_cache),
		TEST(test_build_another_builder_finds_what_one_has_built),
		TEST(test_build_what_was_lost_from_the_cache_is_built_again),
		TEST(test_build_every_variant_of_a_sweep_shares_the_driver),
		TEST(test_build_an_object_is_named_by_all_that_can_change_it_and_no_more),
		TEST(test_build_a_param_that_is_an_argument_is_no_macro),
		TEST(test_build_takes_every_language),
		TEST(test_build_takes_objects_and_shared_objects_as_they_are),
		TEST(test_build_what_is_no_object_cannot_be_loaded),
		TEST(test_build_the_compilers_words_name_the_users_file),
		TEST(test_build_the_assemblers_words_name_the_users_line),
		TEST(test_build_each_source_of_a_variant_says_what_is_wrong_with_it),
		TEST(test_build_an_object_names_libraries_if_it_needs_them),
		TEST(test_build_a_flag_that_changes_arithmetic_keeps_its_start_file),
		TEST(test_build_a_file_of_the_host_cannot_be_included),
		TEST(test_build_words_are_capped),
		TEST(test_build_a_source_without_end_runs_into_the_wall_limit),
		TEST(test_build_an_object_beyond_the_limit_is_told_from_an_error),
		TEST(test_build_a_compiler_that_is_not_here_is_a_bad_spec),
		TEST(test_build_a_reference_is_built_too),
		TEST(test_build_a_reference_that_does_not_build_is_a_bad_spec),
		TEST(test_build_stops_when_told),
		TEST(test_build_two_builders_on_the_same_job_are_harmless),
		TEST(test_build_the_same_source_gives_the_same_bytes),
		TEST(test_build_a_function_starts_at_a_multiple_of_64_unless_its_flags_say_otherwise),
		TEST(test_build_the_variant_behind_pads_starts_at_each_asked_offset),
		TEST(test_build_an_object_goes_behind_pads_and_a_shared_object_cannot),
		TEST(test_build_without_layouts_nothing_is_built_behind_pads),
		TEST(test_build_lists_the_installed_compilers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
