/* SPDX-License-Identifier: Apache-2.0 */
/* time limit: 3600 s; takes about 100 s */
/*
 * Steps against the driver that they stand for: the same words, the same objects, byte for byte, on
 * the sources of tests/kernels.  The compilers are real, and so are the jails.
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
#include "worker/build/recipe/plain.h"

enum { WALL_MS = 120000 };

static char			dir[64];
static struct scratch		scratch;
static struct direct		*direct;
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
	    compilers_new(&means.compilers, -1, &why) != ST_OK ||
	    libraries_new(&means.libraries, NULL, &why) != ST_OK;
}

static int
tear_down(void **state)
{
	char	command[128];

	(void)state;
	direct_free(direct);
	compilers_free(means.compilers);
	libraries_free(means.libraries);
	scratch_remove(&scratch);
	(void)snprintf(command, sizeof command, "rm -rf '%s'", dir);
	return system(command);
}

static bool
is_installed(const char *program)
{
	char	path[64];

	(void)snprintf(path, sizeof path, "/usr/bin/%s", program);
	return access(path, X_OK) == 0;
}

/* ---- sources ---- */

/* The whole file, in memory that the next call takes. */
static const char *
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

/* What the compiler makes of a file of C; NULL: it refuses it. */
static const char *
assembly_of(const char *path)
{
	char	command[512], to[96];

	(void)snprintf(to, sizeof to, "%s/variant.s", dir);
	(void)snprintf(command, sizeof command, "gcc -O2 -fPIC -w -S -o '%s' '%s' 2>/dev/null", to,
	    path);
	return system(command) == 0 ? text_of(to) : NULL;
}

/* Takes the job, and the variant's flags. */
static void
decode(struct job *job, const char *language, const char *compiler, const char *source,
    json_t *flags)
{
	struct fault	 why;
	char		 line[1400];
	json_t		*doc = json_pack("{s:{s:s, s:s, s:s, s:o}, s:{s:s, s:{s:i, s:i}, s:{s:s, "
			    "s:{s:s, s:[s]}}}}", "variant", "language", language, "compiler",
			    compiler, "source", source, "flags", flags, "spec", "routine",
			    "double f(int n, const double *x)", "params", "n", 100, "UNROLL", 3,
			    "args", "n", "n", "x", "type", "double", "dims", "n");

	assert_non_null(doc);
	if (job_decode(job, doc, &why) != ST_OK)
		fail_msg("%s", fault_line(&why, line, sizeof line));
	json_decref(doc);
}

/* ---- builds ---- */

struct outcome {
	struct compiled	 c;
	unsigned char	*bytes;		/* owned: of the file that was asked for */
	size_t		 n;
};

static void
outcome_release(struct outcome *o)
{
	free(o->c.words);
	free(o->bytes);
}

static struct outcome
build(struct recipe *r, const char *const *argv, const char *steps, const char *result)
{
	struct compile	order = { .phase = JAIL_BUILD, .argv = argv, .steps = steps,
			    .dir = scratch.path, .result = result, .cpu = -1,
			    .wall_ms = WALL_MS };
	struct outcome	o = { 0 };
	struct stat	sb;

	order.result_fd = memfd_create("result", MFD_CLOEXEC);
	scratch_empty(&scratch);
	assert_int_equal(recipe_put(r, &scratch, NULL), ST_OK);
	compile_run(&order, &o.c);
	assert_int_equal(fstat(order.result_fd, &sb), 0);
	o.n = (size_t)sb.st_size;
	assert_non_null(o.bytes = malloc(o.n + 1));
	assert_int_equal(pread(order.result_fd, o.bytes, o.n, 0), (ssize_t)o.n);
	(void)close(order.result_fd);
	return o;
}

static struct outcome
build_by_driver(struct recipe *r)
{
	r->words[r->nwords] = NULL;
	return build(r, r->words, NULL, RECIPE_OBJECT);
}

/* The object of the driver with -c, which leaves nothing else. */
static struct outcome
object_by_driver(struct recipe *r)
{
	const char	*words[RECIPE_MAX_WORDS + 2];
	size_t		 n = 0;

	for (size_t i = 0; i < r->nwords; i++)
		if (strcmp(r->words[i], "-shared") != 0 && strcmp(r->words[i], "-lm") != 0 &&
		    strncmp(r->words[i], "-Wl,", 4) != 0)
			words[n++] = r->words[i];
	words[n++] = "-c";
	words[n] = NULL;
	return build(r, words, NULL, RECIPE_OBJECT);
}

/* All steps but those that link; in every compiler's, the last file made is the object. */
static struct outcome
object_by_steps(struct recipe *r, struct step_line *line)
{
	const struct step	*last = &r->steps->step[r->steps->n - 3];
	char			*alone = strstr(line->counts, ",a");
	struct outcome		 o;
	size_t			 nwords = 0, n = strtoul(line->counts, NULL, 10);
	const char		*object = NULL;

	assert_non_null(alone);
	*alone = '\0';
	for (const char *at = line->counts; at != NULL; n = at != NULL ? strtoul(at, NULL, 10) : 0) {
		nwords += n;
		at = (at = strchr(at, ',')) != NULL ? at + 1 : NULL;
	}
	line->words[nwords] = NULL;
	for (size_t i = last->first; i < last->first + last->nwords; i++)
		if (strcmp(r->steps->words[i], "-o") == 0)
			object = r->steps->words[i + 1];
	assert_non_null(object);
	o = build(r, line->words, line->counts, object);
	return o;
}

/* With both links, the second of which is the driver's. */
static struct outcome
build_by_steps(struct recipe *r, struct step_line *line)
{
	char	*alone = strstr(line->counts, ",a");

	assert_non_null(alone);
	memmove(alone + 1, alone + 2, strlen(alone + 2) + 1);
	return build(r, line->words, line->counts, RECIPE_OBJECT);
}

static void
make_recipe(struct recipe *r, const struct job *job, struct step_line *line)
{
	const struct compile	where = { .phase = JAIL_BUILD, .dir = scratch.path, .cpu = -1 };
	struct fault		why;

	assert_int_equal(recipe_of_variant(r, &means, &job->spec, &job->variant, "variant", 0,
	    &why), ST_OK);
	assert_int_equal(direct_set(direct, r, &scratch, &where), ST_OK);
	assert_non_null(r->steps);
	assert_true(steps_put(r->steps, r->words + r->first_macro, r->nmacros, line));
}

static void
must_be_equal(const struct outcome *a, const struct outcome *b, const char *what)
{
	if (a->n != b->n || memcmp(a->bytes, b->bytes, a->n) != 0)
		fail_msg("%s: %zu and %zu bytes differ", what, a->n, b->n);
}

/* true: the source compiles.  Takes the flags. */
static bool
compare(const char *language, const char *compiler, const char *source, json_t *flags,
    const char *what)
{
	struct step_line	line, again;
	struct recipe		r;
	struct job		job;
	struct outcome		a, b;
	bool			compiles;

	decode(&job, language, compiler, source, flags);
	make_recipe(&r, &job, &line);
	again = line;
	a = build_by_driver(&r);
	b = build_by_steps(&r, &line);
	assert_int_equal(a.c.status, b.c.status);
	must_be_equal(&a, &b, what);
	compiles = a.c.status == ST_OK;
	outcome_release(&a);
	outcome_release(&b);
	if (compiles) {
		a = object_by_driver(&r);
		b = object_by_steps(&r, &again);
		assert_true(a.n > 0);
		must_be_equal(&a, &b, what);
		outcome_release(&a);
		outcome_release(&b);
	}
	recipe_release(&r);
	job_release(&job);
	return compiles;
}

/* How many of these files compile. */
static size_t
compare_files(const char *pattern, const char *language, const char *compiler, size_t most)
{
	glob_t	files;
	size_t	n = 0;

	assert_int_equal(glob(pattern, 0, NULL, &files), 0);
	for (size_t i = 0; i < files.gl_pathc && n < most; i++) {
		const char	*path = files.gl_pathv[i];
		const char	*text = strcmp(language, "asm") == 0 ? assembly_of(path) :
				    text_of(path);

		if (text != NULL)
			n += compare(language, compiler, text, json_pack("[s, s]", "-O3", "-w"),
			    path);
	}
	globfree(&files);
	return n;
}

static void
test_direct_steps_make_the_objects_that_the_driver_makes_of_c(void **state)
{
	(void)state;
	assert_int_equal(compare_files("tests/kernels/honest/*.c", "c", "gcc", 20), 20);
	if (is_installed("clang"))
		assert_int_equal(compare_files("tests/kernels/honest/*.c", "c", "clang", 3), 3);
}

static void
test_direct_steps_make_the_objects_that_the_driver_makes_of_assembly(void **state)
{
	(void)state;
	assert_int_equal(compare_files("tests/kernels/honest/*.c", "asm", "gcc", 12), 12);
	if (is_installed("clang"))
		assert_int_equal(compare_files("tests/kernels/honest/*.c", "asm", "clang", 2), 2);
}

/* ---- without the preprocessor ---- */

/* Build the file of C as assembly, as it is and with a macro that makes the preprocessor run. */
static void
compare_plain(const char *path)
{
	const char		*text = assembly_of(path);
	struct step_line	 line;
	struct recipe		 r;
	struct job		 job;
	struct outcome		 made[2];

	assert_non_null(text);
	for (int i = 0; i < 2; i++) {
		decode(&job, "asm", "gcc", text, i == 0 ? json_pack("[]") :
		    json_pack("[s]", "-DUNUSED"));
		make_recipe(&r, &job, &line);
		assert_int_equal(r.is_plain, i == 0);
		made[i] = object_by_steps(&r, &line);
		assert_true(made[i].n > 0);
		recipe_release(&r);
		job_release(&job);
	}
	must_be_equal(&made[0], &made[1], path);
	outcome_release(&made[0]);
	outcome_release(&made[1]);
}

static void
test_direct_plain_assembly_makes_the_same_object_without_the_preprocessor(void **state)
{
	static const char *const	files[] = { "axpy", "dot", "gemm", "copy", "transpose",
					    "stencil", "spmv", "mix" };
	char				path[96];

	(void)state;
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		(void)snprintf(path, sizeof path, "tests/kernels/honest/%s.c", files[i]);
		compare_plain(path);
	}
}

static bool
is_plain(const char *source, const char *flag)
{
	struct job	job;
	bool		plain;

	decode(&job, "asm", "gcc", source, json_pack("[s]", flag));
	plain = plain_is(&job.spec, &job.variant);
	job_release(&job);
	return plain;
}

static void
test_direct_assembly_is_plain_unless_the_preprocessor_might_change_it(void **state)
{
	static const char *const	changed[] = {
		"mov $UNROLL, %eax\n", "mov $unix, %eax\n", "mov $__LINE__, %eax\n",
		"mov $_LP64, %eax\n", "#define X 1\n", " # if 0\n", "# 3 \"a.c\"\n",
		"nop // UNROLL\n", "nop /* */\n", "nop\\\nnop\n", "mov $'a', %eax\n",
		".string \"a\n\"\n", "nop", "nop\f\n", "?\?=define X\n",
	};

	(void)state;
	assert_true(is_plain("# a comment\n#another\n.L1:\tmov $1, %eax # here\n"
	    ".section .note,\"\",@progbits\n_start: ret; jmp .L1\n", "-O2"));
	for (size_t i = 0; i < sizeof changed / sizeof changed[0]; i++)
		if (is_plain(changed[i], "-O2"))
			fail_msg("plain: %s", changed[i]);
	assert_false(is_plain("nop\n", "-DX"));
	assert_false(is_plain("nop\n", "-g"));
}

/* ---- what the driver builds ---- */

/* Has a source with this flag steps? */
static bool
has_steps(const char *language, const char *flag)
{
	const struct compile	where = { .phase = JAIL_BUILD, .dir = scratch.path, .cpu = -1 };
	struct recipe		r;
	struct job		job;
	struct fault		why;
	bool			has;

	decode(&job, language, "gcc", "\n", json_pack("[s]", flag));
	assert_int_equal(recipe_of_variant(&r, &means, &job.spec, &job.variant, "variant", 0, &why),
	    ST_OK);
	assert_int_equal(direct_set(direct, &r, &scratch, &where), ST_OK);
	has = r.steps != NULL;
	recipe_release(&r);
	job_release(&job);
	return has;
}

static void
test_direct_the_driver_builds_what_needs_its_plugin_and_what_it_refuses(void **state)
{
	(void)state;
	assert_true(has_steps("c", "-O2") && has_steps("asm", "-O2"));
	assert_false(has_steps("c", "-flto") || has_steps("c", "-mno-such-flag"));
}

static void
test_direct_steps_do_not_run_at_the_same_time(void **state)
{
	(void)state;
	assert_true(has_steps("c", "-pipe"));
	assert_true(compare("c", "gcc", text_of("tests/kernels/honest/axpy.c"),
	    json_pack("[s]", "-pipe"), "-pipe"));
}

static void
test_direct_an_answer_outlasts_others_until_there_are_too_many(void **state)
{
	char	flag[32];

	(void)state;
	for (int i = 0; i < DIRECT_KEPT + 2; i++) {
		(void)snprintf(flag, sizeof flag, "-falign-loops=%d", i + 1);
		assert_true(has_steps("c", flag) && has_steps("c", "-O1"));
	}
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_direct_steps_make_the_objects_that_the_driver_makes_of_c),
		cmocka_unit_test(
		    test_direct_steps_make_the_objects_that_the_driver_makes_of_assembly),
		cmocka_unit_test(
		    test_direct_plain_assembly_makes_the_same_object_without_the_preprocessor),
		cmocka_unit_test(
		    test_direct_assembly_is_plain_unless_the_preprocessor_might_change_it),
		cmocka_unit_test(
		    test_direct_the_driver_builds_what_needs_its_plugin_and_what_it_refuses),
		cmocka_unit_test(test_direct_steps_do_not_run_at_the_same_time),
		cmocka_unit_test(test_direct_an_answer_outlasts_others_until_there_are_too_many),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
