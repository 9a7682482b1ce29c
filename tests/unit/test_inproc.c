/* SPDX-License-Identifier: Apache-2.0 */
/* time limit: 3600 s; takes about 100 s */
/*
 * clang in a process that stays, against clang's driver: the same objects, byte for byte, and the
 * same words, on the sources of tests/kernels and on others.  Jails and compilers are real.
 */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "worker/build/recipe/direct.h"
#include "worker/build/recipe/inproc.h"

enum { WALL_MS = 120000, FIRST = 40 };
#define OBJECT	".1.o"

static char			dir[64];
static struct scratch		scratch;
static struct direct		*direct;
static struct inproc		*inproc;
static struct recipe_means	means;

static int
set_up(void **state)
{
	struct fault	why;

	(void)state;
	strcpy(dir, "/tmp/assay-test-XXXXXX");
	if (mkdtemp(dir) == NULL || chmod(dir, 0755) == -1)
		return -1;
	return scratch_make(&scratch, dir, &why) != ST_OK || direct_new(&direct, &why) != ST_OK ||
	    inproc_new(&inproc, &why) != ST_OK ||
	    compilers_new(&means.compilers, -1, &why) != ST_OK ||
	    libraries_new(&means.libraries, NULL, &why) != ST_OK;
}

static int
tear_down(void **state)
{
	char	command[128];

	(void)state;
	inproc_free(inproc);
	direct_free(direct);
	compilers_free(means.compilers);
	libraries_free(means.libraries);
	scratch_remove(&scratch);
	(void)snprintf(command, sizeof command, "rm -rf '%s'", dir);
	return system(command);
}

/* Without clang's library there is no such program, and nothing to test. */
static void
skip_without(void)
{
	const struct compiler	*c;

	if (compilers_find(means.compilers, INPROC_COMPILER, &c, NULL) != ST_OK)
		skip();
}

/* ---- sources ---- */

static char *
text_of(const char *path)
{
	static char	text[1 << 20];
	FILE		*f = fopen(path, "r");
	size_t		 n;

	assert_non_null(f);
	n = fread(text, 1, sizeof text - 1, f);
	text[n] = '\0';
	(void)fclose(f);
	return text;
}

/* Takes the flags. */
static void
make_recipe(struct job *job, struct recipe *r, const char *source, json_t *flags)
{
	const struct compile	 where = { .phase = JAIL_BUILD, .dir = scratch.path, .cpu = -1 };
	struct fault		 why;
	char			 line[1400];
	json_t			*doc = json_pack("{s:{s:s, s:s, s:o}, s:{s:s, s:{s:i, s:i}, "
				    "s:{s:s, s:{s:s, s:[s]}}}}", "variant",
				    "compiler", INPROC_COMPILER, "source", source,
				    "flags", flags, "spec", "routine",
				    "double f(int n, const double *x)", "params", "n", 100,
				    "UNROLL", 3, "args", "n", "n", "x", "type", "double", "dims",
				    "n");

	assert_non_null(doc);
	if (job_decode(job, doc, &why) != ST_OK)
		fail_msg("%s", fault_line(&why, line, sizeof line));
	json_decref(doc);
	assert_int_equal(recipe_of_variant(r, &means, &job->spec, &job->variant, "variant", 0,
	    &why), ST_OK);
	assert_int_equal(direct_set(direct, r, &scratch, &where), ST_OK);
}

/* ---- builds ---- */

struct outcome {
	struct compiled	 c;
	bool		 decided;
	unsigned char	*bytes;		/* owned */
	size_t		 n;
};

static void
outcome_release(struct outcome *o)
{
	free(o->c.words);
	free(o->bytes);
}

static void
take_bytes(struct outcome *o, int fd)
{
	struct stat	sb;

	assert_int_equal(fstat(fd, &sb), 0);
	o->n = (size_t)sb.st_size;
	assert_non_null(o->bytes = malloc(o->n + 1));
	assert_int_equal(pread(fd, o->bytes, o->n, 0), (ssize_t)o->n);
	(void)close(fd);
}

static struct compile
order_of(unsigned wall_ms)
{
	return (struct compile){ .phase = JAIL_BUILD, .dir = scratch.path, .cpu = -1,
	    .wall_ms = wall_ms, .result = RECIPE_OBJECT,
	    .result_fd = memfd_create("result", MFD_CLOEXEC) };
}

/* The object of clang's driver, or of the program as one where clang is not installed. */
static struct outcome
by_driver(struct recipe *r)
{
	static const char	clang[] = "/usr/bin/clang-19";
	struct compile		order = order_of(WALL_MS);
	const char		*words[RECIPE_MAX_WORDS + 2];
	struct outcome		o = { .decided = true };
	size_t			n = 0;

	for (size_t i = 0; i < r->nwords; i++)
		if (strcmp(r->words[i], "-shared") != 0 && strcmp(r->words[i], "-lm") != 0 &&
		    strncmp(r->words[i], "-Wl,", 4) != 0)
			words[n++] = r->words[i];
	if (access(clang, X_OK) == 0)
		words[0] = clang;
	words[n++] = "-c";
	words[n] = NULL;
	order.argv = words;
	scratch_empty(&scratch);
	assert_int_equal(recipe_put(r, &scratch, NULL), ST_OK);
	compile_run(&order, &o.c);
	take_bytes(&o, order.result_fd);
	return o;
}

/* bytes: of the object that the linker got. */
static struct outcome
in_process(struct recipe *r, unsigned wall_ms)
{
	struct compile	order = order_of(wall_ms);
	struct outcome	o = { 0 };
	char		path[2100];
	FILE		*f;

	scratch_empty(&scratch);
	assert_int_equal(recipe_put(r, &scratch, NULL), ST_OK);
	o.decided = inproc_run(inproc, r, &scratch, &order, &o.c);
	(void)close(order.result_fd);
	if (!o.decided)
		o.c.words = NULL;
	(void)snprintf(path, sizeof path, "%s/" OBJECT, scratch.path);
	if (o.decided && (f = fopen(path, "r")) != NULL) {
		take_bytes(&o, dup(fileno(f)));
		(void)fclose(f);
	}
	return o;
}

static const char *
words_of(const struct outcome *o)
{
	return o->c.words != NULL ? o->c.words : "";
}

/* The outcome.  Takes the flags. */
static enum status
compare(const char *source, json_t *flags, const char *what)
{
	struct recipe	r;
	struct job	job;
	struct outcome	a, b;
	enum status	st;

	make_recipe(&job, &r, source, flags);
	a = by_driver(&r);
	b = in_process(&r, WALL_MS);
	assert_true(b.decided);
	if (a.c.status != b.c.status || strcmp(words_of(&a), words_of(&b)) != 0)
		fail_msg("%s: %s\n%s\n%s", what, status_word(b.c.status), words_of(&a),
		    words_of(&b));
	if (a.c.status == ST_OK && (a.n == 0 || a.n != b.n || memcmp(a.bytes, b.bytes, a.n) != 0))
		fail_msg("%s: %zu and %zu bytes differ", what, a.n, b.n);
	st = b.c.status;
	outcome_release(&a);
	outcome_release(&b);
	recipe_release(&r);
	job_release(&job);
	return st;
}

static void
test_inproc_L12_makes_the_objects_of_clangs_driver(void **state)
{
	static const char *const	levels[][2] = { { "-O1", "-w" }, { "-O2", "-g" },
					    { "-O3", "-march=native" },
					    { "-O3", "-ffast-math" } };
	glob_t				files;
	size_t				compiled = 0;

	(void)state;
	skip_without();
	assert_int_equal(glob("tests/kernels/honest/*.c", 0, NULL, &files), 0);
	assert_int_equal(glob("tests/kernels/*.c", GLOB_APPEND, NULL, &files), 0);
	for (size_t i = 0; i < files.gl_pathc && compiled < FIRST; i++)
		compiled += compare(text_of(files.gl_pathv[i]), json_pack("[s, s]",
		    levels[i % 4][0], levels[i % 4][1]), files.gl_pathv[i]) == ST_OK;
	globfree(&files);
	assert_true(compiled >= FIRST);
}

static void
test_inproc_makes_the_same_object_at_each_level(void **state)
{
	static const char *const	levels[] = { "-O0", "-O1", "-O2", "-O3", "-Os",
					    "-funroll-loops" };

	(void)state;
	skip_without();
	for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
		assert_int_equal(compare(text_of("tests/kernels/honest/gemm.c"), json_pack("[s, s]",
		    levels[i], "-march=native"), levels[i]), ST_OK);
}

/* Vector code, headers, thread-local and static data, calls of libm, attributes, names of files. */
static void
test_inproc_makes_the_same_object_of_all_that_c_has(void **state)
{
	static const char *const	sources[] = {
		"typedef double v __attribute__((vector_size(32)));\n"
		    "v f(v *x) { return x[0] * x[1] + x[2]; }\n",
		"#include <math.h>\n#include <stdlib.h>\n"
		    "double f(int n, const double *x) { return sin(x[n]) + exp(x[0]); }\n",
		"static _Thread_local int t; static double table[64] = { 1, 2 };\n"
		    "double f(int n) { t++; return table[n & 63] + t; }\n",
		"const char *f(void) { return __FILE__ \" \" __DATE__; }\n",
		"long double f(long double x) { return x * x; }\n"
		    "__attribute__((noinline, hot)) int g(int a) { return a / 7; }\n",
		"#if defined(__x86_64__)\n#include <immintrin.h>\n"
		    "__attribute__((target(\"avx2\"))) __m256d f(__m256d a, __m256d b)\n"
		    "{ return _mm256_mul_pd(a, b); }\n#else\nint f;\n#endif\n",
		"_Complex double f(_Complex double a, _Complex double b) { return a * b / 2; }\n",
		"int f(int n, int (*g)(int)) { return g(n); }\n__asm__(\".globl h\\nh: ret\");\n",
		"struct s { int a : 3; _Bool b; }; int f(struct s *p) { return p->a + p->b; }\n",
		"int f(int n) { switch (n) { case 1: return 5; case 2: return 9; case 3: return 2;"
		    " case 4: return 8; case 5: return 77; default: return 0; } }\n",
	};

	(void)state;
	skip_without();
	for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++)
		assert_int_equal(compare(sources[i], json_pack("[s, s]", "-O3", "-march=native"),
		    sources[i]), ST_OK);
}

static void
test_inproc_prints_the_words_of_clangs_driver(void **state)
{
	static const struct {
		const char	*source;
		enum status	 st;
	}	cases[] = {
		{ "int f(int a, int unused) { int b; return a; }\n", ST_OK },
		{ "int f(int a) { if (a = 1) return 0; }\n", ST_OK },
		{ "#warning \"soon\"\nint f;\n", ST_OK },
		{ "int f( {\n", ST_BUILD_FAILED },
		{ "#include <nope.h>\n", ST_BUILD_FAILED },
		{ "#error no such kernel\n", ST_BUILD_FAILED },
		{ "double f(void) { return missing + 1; }\nint f;\n", ST_BUILD_FAILED },
		{ "int f(void) { __asm__(\"nosuch %eax\"); return 0; }\n", ST_BUILD_FAILED },
		{ "#pragma GCC error \"stop\"\nint f;\n", ST_BUILD_FAILED },
		{ "\n", ST_OK },
	};

	(void)state;
	skip_without();
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_int_equal(compare(cases[i].source, json_pack("[s, s]", "-O2", "-Wall"),
		    cases[i].source), cases[i].st);
	assert_int_equal(compare("int f(int a, int unused) { return a; }\n", json_pack("[s, s, s]",
	    "-Wall", "-Wextra", "-Werror"), "-Werror"), ST_BUILD_FAILED);
}

/* ---- what one source does to the next ---- */

static enum status
build(const char *source, unsigned wall_ms, bool *decided)
{
	struct recipe	r;
	struct job	job;
	struct outcome	o;
	enum status	st;

	make_recipe(&job, &r, source, json_pack("[s]", "-O2"));
	o = in_process(&r, wall_ms);
	*decided = o.decided;
	st = o.c.status;
	outcome_release(&o);
	recipe_release(&r);
	job_release(&job);
	return st;
}

static void
test_inproc_a_compiler_that_crashes_harms_no_other(void **state)
{
	static const char	good[] = "int f(int a) { return a + 1; }\n";
	bool			decided;

	(void)state;
	skip_without();
	for (int i = 0; i < 3; i++) {
		(void)build("int f(void)\n{\n#pragma clang __debug crash\n}\n", WALL_MS, &decided);
		assert_false(decided);
		assert_int_equal(build(good, WALL_MS, &decided), ST_OK);
		assert_true(decided);
	}
	assert_int_equal(compare(good, json_pack("[s]", "-O2"), "after a crash"), ST_OK);
}

/* Each macro doubles the text. */
static const char *
endless(void)
{
	static char	text[4096];
	size_t		n = (size_t)snprintf(text, sizeof text, "#define A0 1+\n");

	for (int i = 1; i < 34; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, "#define A%d A%d A%d\n", i, i - 1,
		    i - 1);
	(void)snprintf(text + n, sizeof text - n, "int f = A33 1;\n");
	return text;
}

static void
test_inproc_each_source_has_limits_of_its_own(void **state)
{
	bool	decided;

	(void)state;
	skip_without();
	assert_int_equal(build(endless(), 300, &decided), ST_BUILD_TIMEOUT);
	assert_true(decided);
	assert_int_equal(build("int f;\n", WALL_MS, &decided), ST_OK);
	/* an array of 3 GB: past the limit of addresses, or of a file */
	(void)build("char f[3ull << 30] = { 1 };\n", WALL_MS, &decided);
	assert_false(decided);
	assert_int_equal(build("int f;\n", WALL_MS, &decided), ST_OK);
	assert_true(decided);
}

static void
test_inproc_a_directory_that_was_made_again_is_seen(void **state)
{
	bool	decided;

	(void)state;
	skip_without();
	assert_int_equal(build("int f;\n", WALL_MS, &decided), ST_OK);
	scratch_empty(&scratch);
	assert_int_equal(rmdir(scratch.path), 0);
	assert_int_equal(build("int g;\n", WALL_MS, &decided), ST_OK);
	assert_true(decided);
}

static void
test_inproc_what_it_cannot_compile_is_the_drivers(void **state)
{
	struct recipe	r;
	struct job	job;
	struct outcome	o;

	(void)state;
	skip_without();
	make_recipe(&job, &r, "int f;\n", json_pack("[s]", "-flto"));
	assert_null(r.steps);
	o = in_process(&r, WALL_MS);
	assert_false(o.decided);
	outcome_release(&o);
	recipe_release(&r);
	job_release(&job);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_inproc_L12_makes_the_objects_of_clangs_driver),
		cmocka_unit_test(test_inproc_makes_the_same_object_at_each_level),
		cmocka_unit_test(test_inproc_makes_the_same_object_of_all_that_c_has),
		cmocka_unit_test(test_inproc_prints_the_words_of_clangs_driver),
		cmocka_unit_test(test_inproc_a_compiler_that_crashes_harms_no_other),
		cmocka_unit_test(test_inproc_each_source_has_limits_of_its_own),
		cmocka_unit_test(test_inproc_a_directory_that_was_made_again_is_seen),
		cmocka_unit_test(test_inproc_what_it_cannot_compile_is_the_drivers),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
