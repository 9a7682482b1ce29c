/* SPDX-License-Identifier: Apache-2.0 */
/*
 * time limit: 3600 s; takes about 120 s
 * The code of units is that of lone builds; what is noted of units, and their orders.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/two_builders.h"
#include "worker/build/split/split.h"
#include "worker/build/unit/unit_notes.h"

/* ---- bytes ---- */

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
	    "-ffunction-sections -Df=f__assay0 -DU=%d '-DV=%s' -c -o '%s/lone.o' '%s'", flags, u, v,
	    dir, path);
	assert_int_equal(system(command), 0);
	(void)snprintf(path, sizeof path, "%s/lone.o", dir);
	assert_int_not_equal(fd = open(path, O_RDONLY | O_CLOEXEC), -1);
	at = read_all(fd, bytes);
	(void)close(fd);
	return at;
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
enum { FORMS = 1, LEAST_SOURCES = 20 };
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
	"#define TEXT(x)\t#x\n#define UNROLLED(n) _Pragma(TEXT(GCC unroll n))\n"
	"#define TIMES(n)\tUNROLLED(n)\n" HEAD "\tTIMES(U)\n"
	"\tfor (int i = 0; i < n; i++)\n\t\ts += x[i] * K + V;\n" TAIL,
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
	"#define STEP(i) \\\n\ts += x[i] \\\n\t    * K;\n" HEAD LOOP "\t{\n\t\tSTEP(i) STEP(i + U - 1)\n"
	"\t}\n#pragma omp simd reduction(+ : s)\n\tfor (int i = 0; i < n; i++)\n"
	"\t\ts += x[i] * V;\n" TAIL,
	HEAD "\tdouble b[4 * U] __attribute__((aligned(64)));\n"
	"\ttypedef double v2 __attribute__((vector_size(16), may_alias));\n"
	"\tv2 p = { 0 };\n\n\tb[0] = x[n - 1];\n" LOOP "\t\tb[i % U] = x[i], p += x[i];\n"
	"\ts = b[0] * K + p[0] - p[1] * V;\n" TAIL,
	HEAD "\tint m[] = { 3, 1, K, U };\n\n" LOOP "\t\ts = s * m[i & 3] + V;\n"
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

/* gcc holds them in other registers, now and then.  Vectorized, the remainder has seven. */
static void
test_unit_functions_with_many_constants_are_built_alone(void **state)
{
#define POLYNOMIAL(more)	"double\nf(int n, const double *x)\n{\n\tdouble a = x[n - 1];\n\n" \
	"\treturn 1.5 + a * (2.5 + a * (3.5 + a * (4.5 + a * (U" more "))));\n}\n"
	static const char	few[] = POLYNOMIAL(""), many[] = POLYNOMIAL(" + a * 6.5");
	static const char	remainder[] = HEAD "\tint m[] = { 3, 1, 4, 1, 5, 9, 2, 6, 7, U };\n\n" LOOP
				    "\t\ts += m[i % 10] * V;\n" TAIL;

	(void)state;
	assert_int_equal(units_of(few, json_pack("[s]", "-O2")), 3);
	assert_int_equal(units_of(many, json_pack("[s]", "-O2")), 0);
	assert_int_equal(units_of(remainder, json_pack("[s]", "-O2")), 3);
	assert_int_equal(units_of(remainder, json_pack("[s, s]", "-O3", "-ffast-math")), 0);
}

static void
test_unit_says_how_many_were_built_together(void **state)
{
	(void)state;
	assert_int_equal(units_of(PLAIN, json_pack("[s]", "-O2")), 3);
	assert_int_equal(unit_of(&together), 3);
}

/* ---- notes ---- */

static void
decode_with(struct job *job, const char *source, json_t *flags)
{
	json_t		*doc = document("c", source, flags, 1, "1");
	struct fault	 why;

	assert_int_equal(job_decode(job, doc, &why), ST_OK);
	json_decref(doc);
}

static void
decode(struct job *job, const char *source)
{
	decode_with(job, source, json_pack("[]"));
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
	decode_with(&other, PLAIN, json_pack("[s]", "-O1"));
	assert_false(notes_is_off(units, &other));	/* that is looked at by itself */
	job_release(&other);
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
		"\t.pushsection .text.f__assay0\n\t.popsection\n", "z = 3\n",
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

/* One in the middle that has to be built alone. */
static void
test_unit_a_program_of_assembly_that_does_not_fit_leaves_the_others_together(void **state)
{
	json_t		*docs = json_array();
	enum status	 st[5];
	char		 source[1024];

	(void)state;
#if !defined(__x86_64__)
	skip();
#endif
	for (int k = 0; k < 5; k++) {
		(void)snprintf(source, sizeof source, PROGRAM(".L1", "%s\taddq\t$%d, %%rcx\n"),
		    k == 2 ? "\t.set\tz, 3\n" : "", 100 + k);
		(void)json_array_append_new(docs, assembly(source));
	}
	assert_int_equal(build_all(docs, st), 4);
	for (int k = 0; k < 5; k++)
		assert_int_equal(st[k], ST_OK);
	json_decref(docs);
}

static void
test_unit_a_program_of_assembly_sees_no_label_of_another(void **state)
{
	static const struct {
		const char	*first, *second;
	} bodies[] = {
		{ ".La:\n\tnop\n.Lb:\n", "\tmovl\t$(.Lb__assay0 - .La__assay0), %ecx\n" },
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
		TEST(test_unit_functions_with_many_constants_are_built_alone),
		TEST(test_unit_says_how_many_were_built_together),
		TEST(test_unit_a_source_that_differs_stays_so_and_its_objects_leave_the_cache),
		TEST(test_unit_programs_of_assembly_share_a_run_of_the_assembler),
		TEST(test_unit_programs_of_assembly_that_could_meet_are_built_alone),
		TEST(test_unit_a_program_of_assembly_that_does_not_fit_leaves_the_others_together),
		TEST(test_unit_a_program_of_assembly_sees_no_label_of_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
