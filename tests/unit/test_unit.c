/* SPDX-License-Identifier: Apache-2.0 */
/*
 * time limit: 3600 s; takes about 200 s
 * Units against lone builds: two builders with a cache each, one of which is never told of company.
 * The compilers are real, and so are the jails.
 */
#include <ctype.h>
#include <dlfcn.h>
#include <fcntl.h>
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

#include "worker/build/build.h"
#include "worker/build/split/split.h"
#include "worker/build/unit/unit_notes.h"
#include "worker/cache/cache.h"

enum { VARIANTS = 3 };

struct side {
	char			 cache[96], scratch[96];
	struct builder		*builder;
	struct artifacts	 made;
	char			*detail;
	json_t			*report;
};

static char		dir[64];
static struct side	together, alone;

static void
open_side(struct side *s, const char *name)
{
	const struct builder_config	config = { .cache_dir = s->cache, .scratch_dir = s->scratch,
					    .cache_limit_bytes = 64 << 20, .cpu = -1 };
	struct fault			why;

	(void)snprintf(s->cache, sizeof s->cache, "%s/%s_cache", dir, name);
	(void)snprintf(s->scratch, sizeof s->scratch, "%s/%s_scratch", dir, name);
	if (builder_new(&s->builder, &config, &why) != ST_OK)
		fail_msg("%s", why.text);
}

static void
close_side(struct side *s)
{
	builder_free(s->builder);
	free(s->detail);
	json_decref(s->report);
	*s = (struct side){ .builder = NULL };
}

static int
set_up(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/assay-test-XXXXXX");
	if (mkdtemp(dir) == NULL || chmod(dir, 0755) == -1)
		return -1;
	open_side(&together, "together");
	open_side(&alone, "alone");
	return 0;
}

static int
tear_down(void **state)
{
	char	command[128];

	(void)state;
	close_side(&together);
	close_side(&alone);
	(void)snprintf(command, sizeof command, "rm -rf '%s'", dir);
	return system(command);
}

/* ---- jobs ---- */

/* Of `double f(int n, const double *x)`, with the macros U and V.  Takes the flags. */
static json_t *
document(const char *language, const char *source, json_t *flags, int u, const char *v)
{
	json_t	*doc = json_pack("{s:{s:s, s:s, s:o, s:{s:i, s:s}}, s:{s:s, s:{s:i}, s:{s:s, s:{"
		    "s:s, s:[s]}}}}", "variant", "language", language, "source", source, "flags",
		    flags, "defines", "U", u, "V", v, "spec", "routine",
		    "double f(int n, const double *x)", "params", "n", 100, "args", "n", "n", "x",
		    "type", "double", "dims", "n");

	assert_non_null(doc);
	return doc;
}

static json_t *
assembly(const char *source)
{
	json_t	*doc = document("asm", source, json_pack("[]"), 1, "1");

	(void)json_object_del(json_object_get(doc, "variant"), "defines");
	return doc;
}

static enum status
build(struct side *s, const json_t *doc, const json_t *company)
{
	char		*text, line[1400];
	struct job	 job;
	struct fault	 why;
	enum status	 st;

	if (job_decode(&job, doc, &why) != ST_OK)
		fail_msg("%s", fault_line(&why, line, sizeof line));
	free(s->detail);
	json_decref(s->report);
	st = builder_build_with(s->builder, &job, company, &s->made, &s->detail, &text);
	assert_non_null(s->report = json_loads(text, 0, NULL));
	free(text);
	job_release(&job);
	return st;
}

static const char *
built(const struct side *s)
{
	const char	*word = json_string_value(json_object_get(s->report, "built"));

	return word != NULL ? word : "";
}

static int
unit_of(const struct side *s)
{
	return (int)json_integer_value(json_object_get(s->report, "unit_variants"));
}

/* Build the documents as the daemon gives them out: the first with all others as its company. */
static unsigned
build_all(json_t *docs, enum status st[])
{
	json_t		*company = json_copy(docs), *doc;
	unsigned	 n = 0;
	size_t		 i;

	(void)json_array_remove(company, 0);
	json_array_foreach(docs, i, doc) {
		st[i] = build(&together, doc, i == 0 ? company : NULL);
		n += strcmp(built(&together), "unit") == 0;
	}
	json_decref(company);
	return n;
}

/* ---- bytes ---- */

static int
open_artifact(const struct side *s)
{
	char	path[256];
	int	fd;

	assert_true(artifact_path(s->cache, &s->made.variant, path, sizeof path));
	assert_int_not_equal(fd = open(path, O_RDONLY | O_CLOEXEC), -1);
	return fd;
}

static void *
read_all(int fd, size_t *bytes)
{
	struct stat	 sb;
	void		*at;

	assert_int_equal(fstat(fd, &sb), 0);
	assert_non_null(at = malloc((size_t)sb.st_size + 1));
	*bytes = (size_t)sb.st_size;
	assert_int_equal(pread(fd, at, *bytes, 0), sb.st_size);
	return at;
}

static bool
are_equal(int a, int b)
{
	size_t	 n, m;
	void	*x = read_all(a, &n), *y = read_all(b, &m);
	bool	 equal = n == m && memcmp(x, y, n) == 0;

	free(x);
	free(y);
	return equal;
}

/* The lone variant's object file, in which its routine is version 0. */
static void *
object_of(const char *source, const char *flags, int u, const char *v, size_t *bytes)
{
	char	 path[96], command[640];
	FILE	*f;
	int	 fd;
	void	*at;

	(void)snprintf(path, sizeof path, "%s/lone.c", dir);
	assert_non_null(f = fopen(path, "w"));
	(void)fputs(source, f);
	(void)fclose(f);
	(void)snprintf(command, sizeof command, "gcc -falign-functions=64 %s -fPIC "
	    "-ffunction-sections -Df=f__0 -DU=%d '-DV=%s' -c -o '%s/lone.o' '%s'", flags, u, v,
	    dir, path);
	assert_int_equal(system(command), 0);
	(void)snprintf(path, sizeof path, "%s/lone.o", dir);
	assert_int_not_equal(fd = open(path, O_RDONLY | O_CLOEXEC), -1);
	at = read_all(fd, bytes);
	(void)close(fd);
	return at;
}

/* Where the routine starts in its page, as nm has it. */
static unsigned
page_offset(const struct side *s)
{
	char		path[256], command[320];
	unsigned long	at = 1;
	FILE		*f;

	assert_true(artifact_path(s->cache, &s->made.variant, path, sizeof path));
	(void)snprintf(command, sizeof command, "nm -D --defined-only '%s' | grep ' T f$'", path);
	assert_non_null(f = popen(command, "r"));
	assert_int_equal(fscanf(f, "%lx", &at), 1);
	(void)pclose(f);
	return (unsigned)(at & 4095);
}

/* Both sides have the document's variant; true: the objects are the same, byte for byte. */
static bool
must_be_same(const char *source, const char *flags, int u, const char *v)
{
	const int	 a = open_artifact(&together), b = open_artifact(&alone);
	size_t		 n;
	const bool	 equal = are_equal(a, b);
	void		*object = equal ? NULL : object_of(source, flags, u, v, &n);

	if (!equal && !split_is_same(object, n, "f", 0, a, b))
		fail_msg("other code in a unit: U=%d V=%s %s\n%s", u, v, flags, source);
	assert_true(equal || page_offset(&together) == page_offset(&alone));
	free(object);
	(void)close(a);
	(void)close(b);
	return equal;
}

/* ---- a corpus ---- */

/* Each text with so many numbers; a sanitizer looks at us, and bytes are the other builds' matter. */
#if defined(__SANITIZE_ADDRESS__)
enum { FORMS = 1, LEAST_SOURCES = 18 };
#else
enum { FORMS = 6, LEAST_SOURCES = 100 };
#endif

#define HEAD	"double\nf(int n, const double *x)\n{\n\tdouble s = 0, t[4 * U] = { 0 };\n\n"
#define LOOP	"\tfor (int i = 0; i + U <= n; i += U)\n"
#define TAIL	"\treturn s + t[0];\n}\n"

/* K becomes a number, so that each text is there in several forms. */
static const char *const	corpus[] = {
	HEAD LOOP "\t\tfor (int k = 0; k < U; k++)\n\t\t\ts += x[i + k] * K;\n" TAIL,
	HEAD LOOP "\t\tfor (int k = 0; k < U; k++)\n\t\t\tt[k] += x[i + k] - K;\n" TAIL,
	HEAD LOOP "\t\ts += x[i] > K ? x[i] : V;\n" TAIL,
	HEAD LOOP "\t\ts = s * V + x[i] / (K + U);\n" TAIL,
	"#include <math.h>\n" HEAD LOOP "\t\ts += sin(x[i] * K) + U;\n" TAIL,
	"#include <math.h>\n" HEAD LOOP "\t\ts += exp(x[i]) * pow(x[i], V) + K;\n" TAIL,
	"#include <math.h>\n" HEAD LOOP "\t\ts += sqrt(fabs(x[i] * K)) * V;\n" TAIL,
	HEAD "\tswitch (n % 8) {\n\tcase 0: s = x[0] * U; break;\n\tcase 1: s = x[1] + K; break;\n"
	"\tcase 2: s = x[2] / U; break;\n\tcase 3: s = x[3] * x[4]; break;\n"
	"\tcase 4: s = x[4] - U; break;\n\tcase 5: s = x[5] * x[6]; break;\n"
	"\tcase 6: return f(n - 1, x);\n\tdefault: s = V;\n\t}\n" TAIL,
	"#define AT(i) x[(i) * K % n]\n" HEAD LOOP "\t\ts += AT(i) + V;\n" TAIL,
	"#ifndef V\n#define V 3\n#endif\n" HEAD LOOP "\t\ts += x[i] * V * K;\n" TAIL,
	HEAD "#pragma GCC unroll 4\n" LOOP "\t\ts += x[i] * K + V;\n" TAIL,
	"#include <string.h>\n" HEAD "\tmemcpy(t, x, sizeof t);\n" LOOP "\t\ts += t[i % U] + K;\n"
	TAIL,
	HEAD "\tconst char *words = \"K words\";\n\n" LOOP "\t\ts += words[i % U] * V;\n" TAIL,
	HEAD "\tfloat r = V;\n\tunsigned long long b = U;\n\n" LOOP "\t\tb = b << 3 ^ (b + K);\n"
	"\ts = r + b;\n" TAIL,
	HEAD "\tint i = n;\n\n\twhile (i-- > 0 && x[i] < K)\n\t\tif (i % U == 0)\n"
	"\t\t\ts -= x[i];\n"
	"\t\telse\n\t\t\ts += V;\n" TAIL,
	HEAD "\tfor (int i = 0; i < n; i++)\n\t\tfor (int j = i; j < n; j += U)\n"
	"\t\t\ts += x[i] * x[j] * K;\n" TAIL,
	/* some versions need a library, others are linked alone */
	"#include <math.h>\n" HEAD "#if U == 2\n\ts = sin(x[0] * K);\n#else\n\ts = x[0] * V;\n"
	"#endif\n" TAIL,
	HEAD "\tint m[] = { 3, 1, 4, 1, 5, 9, 2, 6, K, U };\n\n" LOOP "\t\ts += m[i % 10] * V;\n"
	TAIL,
};

static const char *const	flag_sets[] = { "-O2", "-O3", "-O3 -ffast-math",
				    "-O3 -mavx2 -mfma" };
static const char *const	values[VARIANTS] = { "2", "0.5", "1e9" };

static void
put_corpus(char *to, size_t room, const char *text, unsigned number)
{
	size_t	n = 0;

	for (; *text != '\0'; text++)
		n += (size_t)snprintf(to + n, room - n, *text == 'K' ? "%u" : "%c",
		    *text == 'K' ? number : (unsigned)*text);
}

static json_t *
split_words(const char *flags)
{
	json_t	*all = json_array();
	char	 copy[64], *rest, *word;

	(void)snprintf(copy, sizeof copy, "%s", flags);
	for (word = strtok_r(copy, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
		(void)json_array_append_new(all, json_string(word));
	return all;
}

/* Returns how many of the objects are the same, byte for byte. */
static unsigned
compare(const char *source, const char *flags)
{
	json_t		*docs = json_array(), *doc;
	enum status	 st[VARIANTS];
	unsigned	 n = 0;
	size_t		 i;

	for (int k = 0; k < VARIANTS; k++)
		(void)json_array_append_new(docs, document("c", source, split_words(flags), k + 1,
		    values[k]));
	if (build_all(docs, st) != VARIANTS)
		fail_msg("no unit: %s\n%s", flags, source);
	json_array_foreach(docs, i, doc) {
		assert_int_equal(build(&together, doc, NULL), ST_OK);
		assert_int_equal(build(&alone, doc, NULL), ST_OK);
		assert_string_equal(built(&alone), "alone");
		n += must_be_same(source, flags, (int)i + 1, values[i]);
	}
	json_decref(docs);
	return n;
}

static void
test_unit_code_is_that_of_a_lone_build(void **state)
{
	const unsigned	ntexts = sizeof corpus / sizeof corpus[0];
	const unsigned	nflags = sizeof flag_sets / sizeof flag_sets[0];
	unsigned	sources = 0, equal = 0;
	char		source[2048];

	(void)state;
	for (unsigned form = 0; form < FORMS; form++)
		for (unsigned i = 0; i < ntexts; i++, sources++) {
			put_corpus(source, sizeof source, corpus[i], 3 + 2 * form);
			equal += compare(source, flag_sets[(form + i) % nflags]);
		}
	print_message("%u sources, %u variants, %u objects equal byte for byte\n", sources,
	    sources * VARIANTS, equal);
	assert_true(sources >= LEAST_SOURCES);
	assert_true(equal > 0);
}

/* ---- what is built alone ---- */

#define PLAIN	"double\nf(int n, const double *x)\n{\n\treturn x[n - 1] * U + V;\n}\n"

/* How many of three such variants are built in a unit; all must build, as alone. */
static unsigned
units_of(const char *source, json_t *flags)
{
	json_t		*docs = json_array(), *doc;
	enum status	 st[3];
	unsigned	 n;
	size_t		 i;

	for (int k = 0; k < 3; k++)
		(void)json_array_append_new(docs, document("c", source, json_copy(flags), k + 1,
		    "2"));
	n = build_all(docs, st);
	json_array_foreach(docs, i, doc) {
		if (build(&alone, doc, NULL) != st[i])
			fail_msg("%s", source);
		assert_int_equal(st[i], ST_OK);
	}
	json_decref(docs);
	json_decref(flags);
	return n;
}

static void
test_unit_says_how_many_were_built_together(void **state)
{
	(void)state;
	assert_int_equal(units_of(PLAIN, json_pack("[s]", "-O2")), 3);
	assert_int_equal(unit_of(&together), 3);
}

static void
test_unit_refuses_a_source_that_reaches_beyond_itself(void **state)
{
	static const char *const	sources[] = {
		"static const double t[] = { 1, 2, 3, 4, 5, 6, 7, 8 };\n"
		"double f(int n, const double *x) { return x[n & 1] * t[n & 7] * U; }\n",
		"double f(int n, const double *x) { static double t[] = { 1, 2 }; "
		"return t[n & 1] += x[0] * U; }\n",
		"static double g(double a) { return a * U; }\n"
		"double f(int n, const double *x) { return g(x[n - 1]); }\n",
		"double last;\ndouble f(int n, const double *x) { return last = x[n - 1]; }\n",
		"__attribute__((noinline)) " PLAIN,
		"#pragma GCC optimize(\"O1\")\n" PLAIN,
		"#pragma GCC push_options\n" PLAIN,
		"_Pragma(\"GCC optimize(1)\")\n" PLAIN,
		"#line 7 \"other.c\"\n" PLAIN,
		"# 7 \"other.c\"\n" PLAIN,
		"#undef U\n#define U 9\n" PLAIN,
		"double f(int n, const double *x) __asm__(\"f\");\n" PLAIN,
		"double f(int n, const double *x) { return x[n - 1] * __COUNTER__; }\n",
		"double f(int n, const double *x) { return x[n - 1] * __LINE__; }\n",
		"double f(int n, const double *x) { return x[n - 1] * sizeof __FILE__; }\n",
		"double f(int n, const double *x) { return x[n - 1] * sizeof __func__; }\n",
		"#define NAME(a) #a\n#define NAMED(a) NAME(a)\n"
		"double f(int n, const double *x) { return x[n - 1] + NAMED(f)[0]; }\n",
		"#ifdef f\n#error f\n#endif\n" PLAIN,
		"#include <math.h>\n#ifndef M_PI\n#define M_PI 3\n#endif\n" PLAIN,
		"#if U > 1\n#include <math.h>\n#endif\n" PLAIN,
		"[[gnu::cold]] " PLAIN,
		"%:define A 1\n" PLAIN,
		"/* \\\n*/" PLAIN,
		"#if U == 1\ntypedef double real;\n#else\ntypedef double real;\n#endif\n" PLAIN,
		"#if U == 1\nenum { STEP = 2 };\n#endif\n" PLAIN,
		"#if U == 1\nstruct pair { double a, b; };\n#endif\n" PLAIN,
		"#if U == 1\ndouble atof(const char *);\n#endif\n" PLAIN,
		"#if U == 1\nstatic inline double g(double a) { return a; }\n#endif\n" PLAIN,
		"extern double far[U];\n" PLAIN,
		"#define LOUD typedef double real;\nLOUD " PLAIN,
		"#include <math.h>\n#define cbrt sqrt\n" PLAIN,
		"#include <string.h>\n#define size_t int\n" PLAIN,
		"#include <math.h>\n#define double double\n" PLAIN,
	};

	(void)state;
	for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++)
		if (units_of(sources[i], json_pack("[s, s]", "-O2", "-std=gnu2x")) != 0)
			fail_msg("in a unit: %s", sources[i]);
}

static void
test_unit_refuses_flags_that_name_lines_or_whole_programs(void **state)
{
	static const char *const	flags[] = { "-g", "-flto", "-DW=3" };

	(void)state;
	for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
		if (units_of(PLAIN, json_pack("[s, s]", "-O2", flags[i])) != 0)
			fail_msg("in a unit: %s", flags[i]);
}

/* What the routine's own definition depends on is its version's alone. */
static void
test_unit_a_source_may_choose_among_forms_of_its_routine(void **state)
{
	static const char *const	sources[] = {
		"#if U > 1\n" PLAIN "#else\n" PLAIN "#endif\n",
		"#define RESTRICT restrict\ndouble\nf(int n, const double *RESTRICT x)\n"
		"{\n\treturn x[n - 1] * U;\n}\n",
		"typedef double real;\ndouble f(int, const real *);\n"
		"#include <math.h>\n" PLAIN,
		"/* ; { */ // }\n#define STEP(i) { sum += x[i]; }\n#include <immintrin.h>\ndouble\n"
		"f(int n, const double *x)\n{\n\tdouble sum = '{' + ';';\n\n#if U > 0\n\tSTEP(0)\n#endif\n"
		"\treturn sum * n + U;\n}\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++)
		if (units_of(sources[i], json_pack("[s]", "-O2")) != 3)
			fail_msg("not in a unit: %s", sources[i]);
}

/* ---- variants that fail ---- */

/* Each variant's outcome is that of a lone build, in the same words. */
static void
must_fail_as_alone(const char *source, const char *const v[], size_t n, unsigned build_ms)
{
	json_t		*docs = json_array(), *doc, *company;
	size_t		 i;

	for (size_t k = 0; k < n; k++) {
		doc = document("c", source, json_pack("[s]", "-O2"), (int)k + 1, v[k]);
		(void)json_object_set_new(doc, "timeout_ms", json_pack("{s:i}", "build",
		    (int)build_ms));
		(void)json_array_append_new(docs, doc);
	}
	json_array_foreach(docs, i, doc) {
		enum status	st;

		company = json_copy(docs);
		for (size_t k = 0; k <= i; k++)
			(void)json_array_remove(company, 0);
		st = build(&together, doc, json_array_size(company) > 0 ? company : NULL);
		assert_int_equal(build(&alone, doc, NULL), st);
		assert_int_equal(together.detail != NULL, alone.detail != NULL);
		if (together.detail != NULL)
			assert_string_equal(together.detail, alone.detail);
		json_decref(company);
	}
	json_decref(docs);
}

static void
test_unit_that_fails_is_built_one_by_one_with_each_its_own_words(void **state)
{
	static const char *const	v[] = { "1", "bad", "3", "4" };

	(void)state;
	must_fail_as_alone(PLAIN, v, 4, 60000);
}

/* Those of a unit that their compiler refuses leave it to the others. */
static void
must_stay_together(const char *compiler, const char *const v[], size_t n, unsigned good)
{
	json_t		*docs = json_array(), *doc;
	enum status	 st[SPLIT_MOST];
	size_t		 i;

	assert_true(n <= SPLIT_MOST);
	for (size_t k = 0; k < n; k++) {
		doc = document("c", PLAIN, json_pack("[s]", "-O1"), (int)k + 1, v[k]);
		(void)json_object_set_new(json_object_get(doc, "variant"), "compiler",
		    json_string(compiler));
		(void)json_array_append_new(docs, doc);
	}
	assert_int_equal(build_all(docs, st), good);
	json_array_foreach(docs, i, doc) {
		assert_int_equal(build(&alone, doc, NULL), st[i]);
		assert_int_equal(st[i] == ST_OK, isdigit((unsigned char)v[i][0]) != 0);
	}
	json_decref(docs);
}

static void
test_unit_variants_that_fail_leave_it_to_the_others(void **state)
{
	static const char *const	middle[] = { "1", "bad", "3", "4" };
	static const char *const	ends[] = { "bad", "12", "13", "worse" };
	static const char *const	most[] = { "one", "two", "23", "24", "five" };
	static const char *const	all_but_one[] = { "31", "two", "three" };
	static const char *const	compilers[] = { "gcc", "clang" };

	(void)state;
	for (size_t i = 0; i < sizeof compilers / sizeof compilers[0]; i++) {
		must_stay_together(compilers[i], middle, 4, 3);
		must_stay_together(compilers[i], ends, 4, 2);
		must_stay_together(compilers[i], most, 5, 2);
		must_stay_together(compilers[i], all_but_one, 3, 0);
	}
}

/* A sweep has failing points again and again. */
static void
test_unit_after_failures_others_are_built_together_still(void **state)
{
	char		 v[4][24];
	const char	*all[] = { v[0], v[1], v[2], v[3] };

	(void)state;
	for (int i = 0; i < 2 * UNIT_FAILURES; i++) {
		for (int k = 0; k < 4; k++)
			(void)snprintf(v[k], sizeof v[k], k == i % 4 ? "bad%d" : "%d",
			    100 + 4 * i + k);
		must_stay_together("gcc", all, 4, 3);
	}
}

static void
test_unit_a_variant_that_breaks_out_of_its_place_harms_no_other(void **state)
{
	static const char *const	braces[] = { "1; } {", "1; {", "1; }", "1; }}}", "2" };
	static const char *const	others[] = { "1; } double g(void) { return 1", "2",
					    "1; } double f__0(void) { return 9", "3" };

	(void)state;
	must_fail_as_alone(PLAIN, braces, 5, 60000);
	must_fail_as_alone(PLAIN, others, 4, 60000);
}

static void
test_unit_what_one_variant_declares_no_other_has(void **state)
{
	static const char *const	v[] = { "1", "2", "3", "4" };
	static const char *const	sources[] = {
		"#if U == 1\ntypedef double real;\n#endif\n"
		"double f(int n, const double *x) { real y = U; return x[n - 1] + y; }\n",
		"double f(int n, const double *x)\n{\n#if U == 1\n\tdouble atof(const char *);\n"
		"#endif\n\treturn x[n - 1] + atof(\"1.5\");\n}\n",
		PLAIN "const",
		PLAIN "__extension__",
	};

	(void)state;
	for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++)
		must_fail_as_alone(sources[i], v, 4, 30000);
}

/* complex.h puts its own in the place of the first version's macro, and of no other's. */
static void
test_unit_a_macro_that_a_header_knows_is_built_alone(void **state)
{
	static const char *const	source = "#define I 3\n#include <complex.h>\n"
	    "double f(int n, const double *x) { return x[n - 1] + creal(I * I) * U; }\n";

	(void)state;
	assert_int_equal(units_of(source, json_pack("[s]", "-O2")), 0);
}

static void
test_unit_a_variant_without_end_takes_no_other_with_it(void **state)
{
	static const char *const	v[] = { "1", "A30", "3" };
	static char			source[4096];
	int				n = snprintf(source, sizeof source, "#define A0 1 +\n");

	(void)state;
	for (int i = 0; i < 30; i++)
		n += snprintf(source + n, sizeof source - (size_t)n, "#define A%d A%d A%d\n",
		    i + 1, i, i);
	(void)snprintf(source + n, sizeof source - (size_t)n,
	    "double f(int n, const double *x)\n{\n\treturn x[n - 1] * U + V 1;\n}\n");
	must_fail_as_alone(source, v, 3, 2000);
}

static void
test_unit_a_source_or_a_macro_too_large_is_built_alone(void **state)
{
	const size_t	 n = 1 << 20;
	char		*source = malloc(n + 256);

	(void)state;
	assert_non_null(source);
	(void)strcpy(source, PLAIN);
	for (size_t at = strlen(source); at < n; at += 16)
		(void)strcpy(source + at, "#define A 111111");
	source[n - n % 16] = '\0';
	for (char *at = strstr(source, "#define"); at != NULL; at = strstr(at + 15, "#define"))
		at[-1] = '\n';
	assert_int_equal(units_of(source, json_pack("[s, s]", "-O2", "-w")), 0);
	free(source);
}

/* ---- as alone ---- */

/* What the side's object answers; false: it cannot be loaded. */
static bool
answer(const struct side *s, double *out)
{
	static const double	x[3] = { 0.5, 1.5, 2.5 };
	double			(*f)(int, const double *) = NULL;
	char			path[256];
	void			*object, *at;

	assert_true(artifact_path(s->cache, &s->made.variant, path, sizeof path));
	if ((object = dlopen(path, RTLD_NOW | RTLD_LOCAL)) == NULL)
		return false;
	if ((at = dlsym(object, "f")) != NULL) {
		memcpy(&f, &at, sizeof f);
		*out = f(3, x);
	}
	(void)dlclose(object);
	return at != NULL;
}

/* Both sides have built the same: outcome, words, answer. */
static void
must_agree(enum status st, enum status lone, const char *source)
{
	double		a = 0, b = 0;
	const bool	loads = st == ST_OK && answer(&together, &a);
	const bool	loads_alone = lone == ST_OK && answer(&alone, &b);

	if (st != lone || loads != loads_alone || a != b)
		fail_msg("in a unit %s, %sloaded, %g; alone %s, %sloaded, %g:\n%s",
		    status_word(st), loads ? "" : "not ", a, status_word(lone),
		    loads_alone ? "" : "not ", b, source);
	if ((together.detail != NULL) != (alone.detail != NULL) || (alone.detail != NULL &&
	    strcmp(together.detail, alone.detail) != 0))
		fail_msg("other words: %s\n%s\n%s", together.detail, alone.detail, source);
}

/* The first is built with the others as its company. */
static void
must_be_as_alone(json_t *docs, const char *source)
{
	json_t	*company = json_copy(docs), *doc;
	size_t	 i;

	(void)json_array_remove(company, 0);
	json_array_foreach(docs, i, doc) {
		const enum status	st = build(&together, doc, i == 0 ? company : NULL);

		must_agree(st, build(&alone, doc, NULL), source);
		assert_string_not_equal(built(&alone), "unit");
	}
	json_decref(company);
	json_decref(docs);
}

struct odd {
	const char	*source, *compiler, *flags;	/* NULL: gcc, "-O2" */
};

static void
must_all_be_as_alone(const struct odd *odd, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		json_t	*docs = json_array();

		for (int k = 1; k <= VARIANTS + 1; k++) {	/* the last is checked */
			json_t	*doc = document("c", odd[i].source, split_words(odd[i].flags != NULL ?
				    odd[i].flags : "-O2"), k, "2");

			if (odd[i].compiler != NULL)
				(void)json_object_set_new(json_object_get(doc, "variant"),
				    "compiler", json_string(odd[i].compiler));
			(void)json_array_append_new(docs, doc);
		}
		must_be_as_alone(docs, odd[i].source);
	}
}

#define SUM	"{\n\tdouble d = U * 0.0;\n\n\tfor (int i = 0; i < n; i++)\n\t\td += x[i];\n" \
		"\treturn d + (R);\n}\n"
#define ROUTINE	"double\nf(int n, const double *x)\n" SUM
#define THIRD(is)	"#if U == 3 && " is "\n#define R 7\n#else\n#define R 0\n#endif\n"

static void
test_unit_a_compiler_s_own_macros_are_there_for_each_version(void **state)
{
	static const struct odd	odd[] = {
		{ "#ifndef __has_builtin\n#define __has_builtin(x) 0\n#endif\n"
		THIRD("!__has_builtin(__builtin_expect)") ROUTINE, NULL, NULL },
		{ "#ifndef __has_builtin\n#define __has_builtin(x) 0\n#endif\n"
		THIRD("!__has_builtin(__builtin_expect)") ROUTINE, "clang", NULL },
		{ "#ifndef __GNUC_MINOR__\n#define __GNUC_MINOR__ 99\n#endif\n"
		"#define R (U == 3) * (__GNUC_MINOR__ == 99)\n" ROUTINE, NULL, NULL },
		{ "#ifndef __OPTIMIZE__\n#define __OPTIMIZE__ 0\n#endif\n"
		THIRD("!__OPTIMIZE__") ROUTINE, NULL, NULL },
		{ "#ifndef __OPTIMIZE__\n#define __OPTIMIZE__ 0\n#endif\n#if __OPTIMIZE__\n"
		"#define R d * 1.0625\n#else\n#define R d * 3.125\n#endif\n" ROUTINE, NULL, NULL },
		{ "/* on other hosts:\n#define __OPTIMIZE__ 1\n*/\n#ifdef __OPTIMIZE__\n"
		"#define R 0\n#else\n#define R 7\n#endif\n" ROUTINE, NULL, NULL },
		{ "/* now */ #define __OPTIMIZE__ 1\n" THIRD("__OPTIMIZE__") ROUTINE, NULL, NULL },
		{ "#define __CHAR_BIT__ /* of\n*/ 9\n#define R (U == 3) * __CHAR_BIT__\n" ROUTINE,
		NULL, NULL },
	};

	(void)state;
	must_all_be_as_alone(odd, sizeof odd / sizeof odd[0]);
}

static void
test_unit_words_that_only_a_compiler_sees_are_built_alone(void **state)
{
	static const struct odd	odd[] = {
		{ "#define R (U == 3) * (__COUN\\ \nTER__)\n" ROUTINE, NULL, NULL },
		{ "#define R (U == 3) * (__FI\\\t\nLE__[0])\n" ROUTINE, NULL, NULL },
		{ "#define R (U == 3) * (sizeof(__fu\\\f\nnc__))\n" ROUTINE, NULL, NULL },
		{ THIRD("defined f\\\v\n") ROUTINE, NULL, NULL },
		{ THIRD("defined a$b") "#define a$b 1\n" ROUTINE, NULL, NULL },
		{ THIRD("defined a\xc3\xa9") "#define a\xc3\xa9 1\n" ROUTINE, NULL, NULL },
		{ THIRD("defined a\\u00e9") "#define a\\u00e9 1\n" ROUTINE, NULL, NULL },
		{ "#define R (U == 3) * __builtin_FILE()[0]\n" ROUTINE, NULL, NULL },
		{ "#define R (U == 3) * __builtin_LINE()\n" ROUTINE, NULL, NULL },
		{ "#define R (U == 3) * sizeof __builtin_FUNCTION()\n" ROUTINE, "clang", NULL },
		{ "#define R (U == 3) * __builtin_FILE_NAME()[0]\n" ROUTINE, "clang-19", NULL },
		{ "#define A [\n#define R 0\n" ROUTINE, NULL, NULL },
		{ "#define R 1'0\n" ROUTINE, NULL, "-O2 -std=c2x" },
		{ "#define R sizeof(R\"(\n#undef U\n)\")\n" ROUTINE, NULL, NULL },
		{ "#define R 4 //*\n2 /* */\n" ROUTINE, NULL, "-O2 -std=c90" },
	};

	(void)state;
	must_all_be_as_alone(odd, sizeof odd / sizeof odd[0]);
}

static void
test_unit_a_version_has_no_names_of_its_neighbours(void **state)
{
	static const struct odd	odd[] = {
		{ "double f__0(int, const double *);\n#define R (U == 3 ? 0 * f__0(n, x) : 0)\n"
		ROUTINE, NULL, NULL },
		{ "double f__0(int, const double *);\n#define R (U == 3 ? 0 * f__0(n, x) : 0)\n"
		ROUTINE, "clang", NULL },
		{ "#define R 0\nint assay_between_1(int);\n" ROUTINE, NULL, NULL },
		{ "extern int w[sizeof(struct {\n#if U == 1\n enum { LEAK = 0 } e; int g;\n#else\n"
		" int e; int g;\n#endif\n})];\n#if U == 3\n#define R LEAK\n#else\n#define R 0\n"
		"#endif\n" ROUTINE, NULL, NULL },
		{ "#if U == 1\nextern int v[sizeof(&f)], w[sizeof(enum { LEAK = 0 })];\n#endif\n"
		"#if U == 3\n#define R LEAK\n#else\n#define R 0\n#endif\n" ROUTINE, NULL, NULL },
		{ "#if U == 1\nstatic inline double\ng(double (*p)[sizeof(&f)])\n{\n\treturn 0;\n}\n"
		"#endif\n#if U == 3\n#define R g(0)\n#else\n#define R 0\n#endif\n" ROUTINE, NULL,
		NULL },
		{ "#define DROP(x)\n#define R 0\ndouble\nf(int n, const double *x)\n{\nDROP({)\n"
		"#if U == 3\n\treturn LEAK + x[n - 1];\n#endif\n\treturn x[n - 1];\n}\n#if U == 1\n"
		"enum { LEAK = 0 };\n#endif\nDROP(})\n", NULL, NULL },
		{ "double\nf(int n, const double *x)\n{\n#ifdef NULL\n\treturn 7 * U;\n#endif\n"
		"\treturn x[n - 1] * U;\n}\n#include <stddef.h>\n", NULL, NULL },
		{ "#define _FORTIFY_SOURCE (U == 3 ? 2 : 0)\n#include <string.h>\n"
		THIRD("__USE_FORTIFY_LEVEL > 0") ROUTINE, NULL, NULL },
		{ "#if U == 1\ndouble drand48(void);\n#endif\n#if U == 2\n#define R 0\n#else\n"
		"#define R (drand48() > 1)\n#endif\n" ROUTINE, NULL, "-O2 -w" },
	};

	(void)state;
	must_all_be_as_alone(odd, sizeof odd / sizeof odd[0]);
}

/* Forms of C that few kernels have. */
static void
test_unit_sources_of_unusual_form_are_built_as_alone(void **state)
{
	static const struct odd	odd[] = {
		{ "#define R 0\ndouble\nf(n, x)\nint n;\nconst double *x;\n" SUM, NULL, NULL },
		{ "#if U == 3\n#error \"three\" is no step\n#endif\n#define R 0\n" ROUTINE, NULL,
		NULL },
		{ "#define R 0\n" ROUTINE "#if U == 3\nvoid g(void) {\n#else\nvoid g(void);\n#endif\n",
		NULL, NULL },
		{ "#define R r\ndouble\nf(int n, const double *x)\n{\n\tint r = 0;\n\n"
		"\tswitch (n & 7) {\n\tcase 0: r = U; break;\n\tcase 1: r = 3 + n; break;\n"
		"\tcase 2: r = x[1]; break;\n\tcase 3: r = 3 * n; break;\n"
		"\tcase 4: r = n * n; break;\n\tcase 5: r = n / 3; break;\n\t}\n" SUM "}\n", NULL,
		NULL },
		{ "inline double g(double a) { return a * 0; }\n#define R g(n)\n" ROUTINE, NULL, NULL },
		{ "int counter;\n#define R counter++\n" ROUTINE, NULL, NULL },
		{ "#include <assert.h>\n#define R (assert(n == 3), U)\n" ROUTINE, "clang", NULL },
		{ "#define R ({ static int c; c++; })\n" ROUTINE, NULL, NULL },
		{ "#define R ({ double g(int i) { return x[i] * U; } g(0); })\n" ROUTINE, NULL, NULL },
		{ "#define R ({ static void *const t[] = { &&p, &&q }; goto *t[n & 1]; p: q: U; })\n"
		ROUTINE, NULL, NULL },
	};

	(void)state;
	must_all_be_as_alone(odd, sizeof odd / sizeof odd[0]);
}

/* Small loops, with headers, pragmas and tables in the code, are in units: the tests above are of
 * sources that mostly are not. */
static void
test_unit_the_idioms_of_kernels_stay_in_units(void **state)
{
	static const char *const	sources[] = {
		"#ifndef __has_builtin\n#define __has_builtin(x) 0\n#endif\n" PLAIN,
		"/* #define U 9 */\n// it's \"odd\n" PLAIN,
		"#define _GNU_SOURCE\n#define _POSIX_C_SOURCE 200809L\n#include <math.h>\n" PLAIN,
		"#if U > 99\n#error \"too many\"\n#endif\n" PLAIN,
		"#define SQUARE(a) ((a) * (a))\n#define RUN(a) do { s += (a); } while (0)\n"
		"double f(int n, const double *x) { double s = U; RUN(SQUARE(x[n - 1])); return s; }\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++)
		if (units_of(sources[i], json_pack("[s]", "-O2")) != 3)
			fail_msg("not in a unit: %s", sources[i]);
}

/* ---- notes ---- */

static void
decode(struct job *job, const char *source)
{
	json_t		*doc = document("c", source, json_pack("[]"), 1, "1");
	struct fault	 why;

	assert_int_equal(job_decode(job, doc, &why), ST_OK);
	json_decref(doc);
}

static void
test_unit_a_source_that_differs_stays_so_and_its_objects_leave_the_cache(void **state)
{
	const struct hash	name = { "0123456789abcdef0123456789abcdef"
				    "0123456789abcdef0123456789abcdef" };
	json_t			*doc = document("c", PLAIN, json_pack("[]"), 1, "1");
	char			 path[96], text[64];
	struct units		*units;
	struct cache		*cache;
	struct job		 job, other;
	struct fault		 why;
	int			 fd;

	(void)state;
	assert_int_equal(units_new(&units, &why), ST_OK);
	(void)snprintf(path, sizeof path, "%s/notes", dir);
	assert_int_equal(cache_open(&cache, path, 1 << 20, &why), ST_OK);
	assert_int_equal(build(&alone, doc, NULL), ST_OK);
	fd = open_artifact(&alone);
	assert_int_equal(cache_put(cache, &name, fd, &why), ST_OK);
	decode(&job, PLAIN);
	notes_made(units, &job, &name, (struct unit_made){ 2, 1 });
	assert_true(cache_has(cache, &name));
	notes_differs(units, &job, cache);
	assert_false(cache_has(cache, &name));
	for (int i = 0; i < 1000; i++) {
		(void)snprintf(text, sizeof text, "/* %d */", i);
		decode(&other, text);
		(void)notes_count(units, &other);
		assert_false(notes_is_off(units, &other));
		job_release(&other);
	}
	assert_true(units_differ(units, &job) && notes_is_off(units, &job));
	job_release(&job);
	(void)close(fd);
	cache_free(cache);
	units_free(units);
	json_decref(doc);
}

/* ---- assembly ---- */

#define PROGRAM(label, body)	"\t.text\n\t.globl\tf\n\t.type\tf, @function\n\t.p2align 6\n" \
	"f:\n\txorps\t%%xmm0, %%xmm0\n\tmovslq\t%%edi, %%rdi\n\txorl\t%%eax, %%eax\n" \
	label ":\n" body "\taddq\t$1, %%rax\n\tcmpq\t%%rdi, %%rax\n\tjl\t" label "\n\tret\n" \
	"\t.size\tf, . - f\n\t.section .note.GNU-stack,\"\",@progbits\n"

static void
test_unit_programs_of_assembly_share_a_run_of_the_assembler(void **state)
{
	json_t		*docs = json_array(), *doc;
	enum status	 st[16];
	char		 source[1024];
	size_t		 i;

	(void)state;
#if !defined(__x86_64__)
	skip();
#endif
	for (int k = 0; k < 16; k++) {
		(void)snprintf(source, sizeof source, PROGRAM(".L1", "\taddsd\t%d(%%rsi,%%rax,8), "
		    "%%xmm0\n"), 8 * k);
		(void)json_array_append_new(docs, assembly(source));
	}
	assert_int_equal(build_all(docs, st), 16);
	json_array_foreach(docs, i, doc) {
		int	a, b;

		assert_int_equal(build(&together, doc, NULL), ST_OK);
		assert_int_equal(build(&alone, doc, NULL), ST_OK);
		a = open_artifact(&together);
		b = open_artifact(&alone);
		assert_true(are_equal(a, b));
		(void)close(a);
		(void)close(b);
	}
	json_decref(docs);
}

static void
test_unit_programs_of_assembly_that_could_meet_are_built_alone(void **state)
{
	static const char *const	bodies[] = {
		"\t.set\tz, 3\n", "1:\tjmp 1f\n1:\n", "\t.intel_syntax\n\t.att_syntax\n",
		"\t.data\n\t.text\n", "seen:\n", "\t.globl\tother\nother:\n",
		"\t.pushsection .text.f__0\n\t.popsection\n", "z = 3\n",
		"\t.macro m\n\t.endm\n",
	};

	(void)state;
#if !defined(__x86_64__)
	skip();
#endif
	for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
		json_t		*docs = json_array();
		enum status	 st[2];
		char		 source[1024];

		for (int k = 0; k < 2; k++) {
			(void)snprintf(source, sizeof source, PROGRAM(".L1", "%s\taddq\t$%d, "
			    "%%rcx\n"), bodies[i], k + 1);
			(void)json_array_append_new(docs, assembly(source));
		}
		if (build_all(docs, st) != 0)
			fail_msg("in a unit: %s", bodies[i]);
		assert_int_equal(st[0], ST_OK);
		assert_int_equal(st[1], ST_OK);
		json_decref(docs);
	}
}

static void
test_unit_a_program_of_assembly_sees_no_label_of_another(void **state)
{
	static const struct {
		const char	*first, *second;
	} bodies[] = {
		{ ".La:\n\tnop\n.Lb:\n", "\tmovl\t$(.Lb__0 - .La__0), %ecx\n" },
		{ "\".La\":\n\tnop\n\".Lb\":\n", "\tmovl\t$(.Lb - .La), %ecx\n" },
		{ "\t.cfi_startproc\n\t.cfi_label .La\n\t.cfi_label .Lb\n\t.cfi_endproc\n",
		"\tmovl\t$(.Lb - .La), %ecx\n" },
		{ "\tjmp\t.Lc\n\tcall\tsin@PLT\n.Lc:\n\t# ; sin:\n", "\tnop\n" },
	};

	(void)state;
#if !defined(__x86_64__)
	skip();
#endif
	for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
		json_t	*docs = json_array();
		char	 source[1024];

		for (int k = 0; k < 2; k++) {
			(void)snprintf(source, sizeof source, PROGRAM(".L1", "%s"), k == 0 ?
			    bodies[i].first : bodies[i].second);
			(void)json_array_append_new(docs, assembly(source));
		}
		must_be_as_alone(docs, bodies[i].second);
	}
}

/* ---- the order ---- */

static void
test_unit_a_build_order_has_the_documents_of_its_company(void **state)
{
	const struct job_text	text = { "{\"routine\":\"f\"}", "{\"variant\":{}}" };
	struct msg		in = { .kind = MSG_BUILD, .job_id = 7, .text = text,
				    .ncompany = 2, .company = { text, text } }, out;
	struct fault		why;
	char			*frame;
	size_t			 bytes;

	(void)state;
	for (size_t n = 2; n != SIZE_MAX; n--) {
		in.ncompany = (unsigned)n;
		assert_int_equal(msg_put(&in, &frame, &bytes, &why), ST_OK);
		assert_int_equal(msg_get(&out, frame + MSG_HEADER_BYTES, bytes -
		    MSG_HEADER_BYTES, &why), ST_OK);
		assert_int_equal(json_array_size(out.companions), n);
		for (size_t i = 0; i < n; i++)
			assert_true(json_equal(json_array_get(out.companions, i), out.job));
		msg_release(&out);
		free(frame);
	}
}

static void
test_unit_a_build_order_with_too_much_company_is_refused(void **state)
{
	char		text[512] = "{\"kind\":\"build\",\"job_id\":1,\"job\":{},\"company\":[{}";
	struct msg	out;
	struct fault	why;

	(void)state;
	for (int i = 0; i < MSG_COMPANY_MAX; i++)
		(void)strcat(text, ",{}");
	(void)strcat(text, "]}");
	assert_int_equal(msg_get(&out, text, strlen(text), &why), ST_BAD_REQUEST);
	assert_string_equal(why.member, "company");
}

int
main(void)
{
#define TEST(f)	cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest	tests[] = {
		TEST(test_unit_a_build_order_has_the_documents_of_its_company),
		TEST(test_unit_a_build_order_with_too_much_company_is_refused),
		TEST(test_unit_code_is_that_of_a_lone_build),
		TEST(test_unit_says_how_many_were_built_together),
		TEST(test_unit_refuses_a_source_that_reaches_beyond_itself),
		TEST(test_unit_refuses_flags_that_name_lines_or_whole_programs),
		TEST(test_unit_that_fails_is_built_one_by_one_with_each_its_own_words),
		TEST(test_unit_variants_that_fail_leave_it_to_the_others),
		TEST(test_unit_after_failures_others_are_built_together_still),
		TEST(test_unit_a_variant_that_breaks_out_of_its_place_harms_no_other),
		TEST(test_unit_a_source_may_choose_among_forms_of_its_routine),
		TEST(test_unit_what_one_variant_declares_no_other_has),
		TEST(test_unit_a_macro_that_a_header_knows_is_built_alone),
		TEST(test_unit_a_variant_without_end_takes_no_other_with_it),
		TEST(test_unit_a_source_or_a_macro_too_large_is_built_alone),
		TEST(test_unit_a_compiler_s_own_macros_are_there_for_each_version),
		TEST(test_unit_words_that_only_a_compiler_sees_are_built_alone),
		TEST(test_unit_a_version_has_no_names_of_its_neighbours),
		TEST(test_unit_sources_of_unusual_form_are_built_as_alone),
		TEST(test_unit_the_idioms_of_kernels_stay_in_units),
		TEST(test_unit_a_source_that_differs_stays_so_and_its_objects_leave_the_cache),
		TEST(test_unit_programs_of_assembly_share_a_run_of_the_assembler),
		TEST(test_unit_programs_of_assembly_that_could_meet_are_built_alone),
		TEST(test_unit_a_program_of_assembly_sees_no_label_of_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
