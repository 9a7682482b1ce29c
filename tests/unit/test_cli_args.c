/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "client/cmd/job/document.h"
#include "client/cmd/job/time_job.h"
#include "client/cmd/timestamp.h"
#include "client/connect/default_path.h"
#include "client/print/cli.h"

/* ---- options ---- */

struct values {
	bool		 flag;
	const char	*text;
	int64_t		 number;
	double		 real;
	struct cli_list	 list, words;
	struct cli	 cli;
	char		 said[2048];		/* on stderr */
};

/* Parse a line of words as `assay thing …`; what cli_parse returns. */
static int
parse(struct values *v, const char *line)
{
	const struct cli_option		options[] = {
		{ 'f', "flag", CLI_FLAG, &v->flag, NULL, "", 0, 0 },
		{ 't', "text", CLI_TEXT, &v->text, "T", "", 0, 0 },
		{ 'n', "number", CLI_INT, &v->number, "N", "", -5, 10 },
		{ '\0', "real", CLI_REAL, &v->real, "R", "", 0, 10 },
		{ 'D', "define", CLI_LIST, &v->list, "D", "", 0, 0 },
		{ '\0', NULL, CLI_FLAG, NULL, NULL, NULL, 0, 0 },
	};
	static const struct cli_command	thing = { "thing", "", "", NULL };
	static char			copy[256], name[] = "thing";
	char				*argv[32] = { name };
	int				 argc = 1, code, saved = dup(STDERR_FILENO), out[2];
	ssize_t				 n;

	memset(v, 0, sizeof *v);
	(void)snprintf(copy, sizeof copy, "%s", line);
	for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " "))
		argv[argc++] = word;
	assert_int_equal(pipe2(out, O_NONBLOCK), 0);
	(void)dup2(out[1], STDERR_FILENO);
	code = cli_parse(&v->cli, &thing, options, argc, argv, &v->words);
	(void)fflush(stderr);
	(void)dup2(saved, STDERR_FILENO);
	n = read(out[0], v->said, sizeof v->said - 1);
	v->said[n > 0 ? n : 0] = '\0';
	(void)close(out[0]);
	(void)close(out[1]);
	(void)close(saved);
	return code;
}

static void
release(struct values *v)
{
	cli_list_release(&v->list);
	cli_list_release(&v->words);
}

static void
test_cli_takes_options_before_between_and_after_words(void **state)
{
	struct values	v;

	(void)state;
	assert_int_equal(parse(&v, "-f a --text=x -n 7 b --real 2.5 -D A=1 -DB --json -s /sock c"), CLI_GO_ON);
	assert_true(v.flag && v.cli.json && !v.cli.quiet);
	assert_string_equal(v.text, "x");
	assert_int_equal(v.number, 7);
	assert_true(v.real == 2.5);
	assert_int_equal(v.list.n, 2);
	assert_string_equal(v.list.items[1], "B");
	assert_int_equal(v.words.n, 3);
	assert_string_equal(v.words.items[2], "c");
	assert_string_equal(v.cli.socket, "/sock");
	release(&v);
}

static void
test_cli_leaves_words_behind_two_dashes_alone(void **state)
{
	struct values	v;

	(void)state;
	assert_int_equal(parse(&v, "-- -f --text"), CLI_GO_ON);
	assert_false(v.flag);
	assert_int_equal(v.words.n, 2);
	release(&v);
}

static void
test_cli_names_the_option_and_the_nearest_one(void **state)
{
	static const struct {
		const char	*line, *said;
	} cases[] = {
		{ "--txet x", "--txet: there is no such option\n       did you mean --text?" },
		{ "--zzzzzz", "see: assay thing --help" },
		{ "-fz", "-z: there is no such option" },
		{ "--flag=1", "--flag: takes no value" },
		{ "--text", "--text: needs a value" },
		{ "-n", "--number: needs a value" },
		{ "-n 11", "--number: \"11\" must be a whole number from -5 to 10" },
		{ "-n 1x", "--number: \"1x\"" },
		{ "-n 99999999999999999999", "must be a whole number" },
		{ "--real nan", "--real: \"nan\" must be a number from 0 to 10" },
	};
	struct values	v;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_int_equal(parse(&v, cases[i].line), status_exit_code(ST_BAD_REQUEST));
		if (strstr(v.said, cases[i].said) == NULL)
			fail_msg("%s: \"%s\" lacks \"%s\"", cases[i].line, v.said, cases[i].said);
		release(&v);
	}
}

static void
test_cli_stops_at_the_command_when_it_reads_global_options(void **state)
{
	static char	a[] = "assay", q[] = "-q", nd[] = "--ndjson", results[] = "results", limit[] = "--limit";
	char		*argv[] = { a, q, nd, results, limit, NULL };
	struct cli	 cli = { 0 };
	int		 used;

	(void)state;
	assert_int_equal(cli_parse_global(&cli, 5, argv, &used), CLI_GO_ON);
	assert_int_equal(used, 2);
	assert_true(cli.quiet && cli.ndjson && !cli.json);
	assert_string_equal(argv[1 + used], "results");
}

/* ---- timestamps ---- */

static void
test_timestamp_reads_ages_dates_and_seconds(void **state)
{
	static const struct {
		const char	*text;
		double		 want;
	} cases[] = {
		{ "90s", 999910 }, { "2m", 999880 }, { "1.5h", 994600 }, { "1d", 913600 }, { "1w", 395200 },
		{ "@12.5", 12.5 }, { "1970-01-02Z", 86400 }, { "1970-01-01T00:01Z", 60 }, { "1970-01-01 00:00:07Z", 7 },
		{ "1970-01-02", 82800 },
	};
	static const char *const	bad[] = { "", "2", "2x", "h", "-1h", "yesterday", "2026-13-01", "2026-01-01T",
	    "@", "@x", "@-1", "nanh", "infd" };
	double				t;
	struct fault			why;

	(void)state;
	assert_int_equal(setenv("TZ", "XXX-1", 1), 0);		/* an hour east */
	tzset();
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_int_equal(timestamp_parse(cases[i].text, 1000000, &t, &why), ST_OK);
		assert_float_equal(t, cases[i].want, 1e-9);
	}
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		if (timestamp_parse(bad[i], 1000000, &t, &why) != ST_BAD_REQUEST)
			fail_msg("\"%s\" is taken", bad[i]);
}

/* ---- default paths ---- */

static void
test_default_path_prefers_what_the_environment_says(void **state)
{
	char	path[PATH_MAX];

	(void)state;
	assert_int_equal(setenv("ASSAY_SOCKET", "/there/it.sock", 1), 0);
	default_path_socket(path);
	assert_string_equal(path, "/there/it.sock");
	assert_int_equal(unsetenv("ASSAY_SOCKET"), 0);
	assert_int_equal(setenv("XDG_RUNTIME_DIR", "/nonexistent", 1), 0);
	assert_int_equal(setenv("XDG_STATE_HOME", "/nonexistent/too", 1), 0);
	default_path_socket(path);
	assert_string_equal(path, "/run/assay/assay.sock");
	assert_true(default_path_state(path));
	assert_string_equal(path, "/nonexistent/too/assay");
	assert_int_equal(setenv("XDG_STATE_HOME", "relative", 1), 0);
	assert_int_equal(setenv("HOME", "/home/of", 1), 0);
	assert_true(default_path_state(path));
	assert_string_equal(path, "/home/of/.local/state/assay");
}

/* ---- documents ---- */

/* A directory with the files of these tests; tests run in it. */
static int
in_a_directory_of_its_own(void **state)
{
	static char			dir[32];
	static const struct {
		const char	*name, *text;
	} files[] = {
		{ "dot.c", "double dot(void);\n" }, { "dot.f", "      end\n" }, { "notes.txt", "x" },
		{ "latin.c", "/* \xe9 */\n" },
		{ "zero.c", "" }, { "dot.o", "\x7f""ELF" }, { "dup.json", "{\"a\":1,\n\"a\":2}" },
		{ "text.json", "hello" },
		{ "spec.json", "{\"routine\":\"double dot(const int N)\","
		  "\"params\":{\"N\":7,\"SIZE\":1},\"args\":{\"N\":\"N\",\"X\":{\"cache\":"
		  "\"warm\"}},\"check\":{\"reference\":{\"source_file\":\"dot.c\"},\"rtol\":1}}" },
		{ "sweep.json", "{\"name\":\"s\",\"spec_file\":\"spec.json\","
		  "\"template_file\":\"dot.c\",\"variants\":[{\"source\":\"x\"},"
		  "{\"source_file\":\"dot.c\",\"name\":\"mine\"}]}" },
		{ "named.c", "#if UNROLL > 4\n# elif defined(OTHER)\n#endif\n"
		  "double dot(const int n) { int unrolls = DEPTH; return n * unrolls; }" },
		{ "named.json", "{\"spec\":{\"routine\":\"double dot(const int n)\","
		  "\"params\":{\"N\":7,\"SIZE\":1,\"TYPE\":\"REAL\"},"
		  "\"args\":{\"n\":\"N\",\"X\":{\"dims\":[\"N*LD\"]}},\"check\":{\"reference\":"
		  "{\"source\":\"int REFERS;\"}}},\"variant\":{}}" },
		{ "lost.json", "{\"spec\":{},\"variants\":[{},{\"source_file\":\"gone.c\"}]}" },
		{ "twice.json", "{\"variant\":{\"source_file\":\"dot.c\",\"source\":\"\"}}" },
		{ "job.json", "{\"spec\":{\"routine\":\"x\"},\"key\":\"k\","
		  "\"variant\":{\"source_file\":\"dot.c\",\"flags\":[\"-g\"]}}" },
	};

	(void)state;
	(void)strcpy(dir, "/tmp/assay-args-XXXXXX");
	if (mkdtemp(dir) == NULL || chdir(dir) != 0)
		return -1;
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		FILE	*f = fopen(files[i].name, "w");

		if (f == NULL || fputs(files[i].text, f) < 0 || fclose(f) != 0)
			return -1;
	}
	return 0;
}

static int
remove_the_directory(void **state)
{
	char	command[64], dir[32];

	(void)state;
	if (getcwd(dir, sizeof dir) == NULL || strncmp(dir, "/tmp/assay-args-", 16) != 0 || chdir("/") != 0)
		return -1;
	(void)snprintf(command, sizeof command, "rm -rf %s", dir);
	return system(command);
}

/* "spec.check.rtol" → what is there. */
static json_t *
at(json_t *o, const char *path)
{
	char	name[32];

	for (size_t n; *path != '\0'; path += n + (path[n] == '.')) {
		n = strcspn(path, ".");
		(void)snprintf(name, sizeof name, "%.*s", (int)n, path);
		o = json_is_array(o) ? json_array_get(o, strtoul(name, NULL, 10)) : json_object_get(o, name);
	}
	return o;
}

static const char *
text_at(json_t *o, const char *path)
{
	return json_string_value(at(o, path));
}

static void
test_document_knows_languages_by_their_endings(void **state)
{
	static const char *const	known[][2] = {
		{ "a.c", "c" }, { "a.cc", "c++" }, { "a.cpp", "c++" }, { "a.cxx", "c++" }, { "a.C", "c++" },
		{ "a.f", "fortran" }, { "a.f90", "fortran" }, { "a.s", "asm" }, { "x.y/a.S", "asm" },
		{ "a.o", "object" }, { "a.so", "shared" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		assert_string_equal(document_language(known[i][0]), known[i][1]);
	assert_null(document_language("a"));
	assert_null(document_language("a.h"));
}

static void
test_document_makes_a_variant_of_a_file(void **state)
{
	struct fault	 why;
	json_t		*v;

	(void)state;
	assert_int_equal(document_variant("./dot.c", &v, &why), ST_OK);
	assert_string_equal(text_at(v, "language"), "c");
	assert_string_equal(text_at(v, "name"), "dot");
	assert_string_equal(text_at(v, "source"), "double dot(void);\n");
	json_decref(v);
	assert_int_equal(document_variant("dot.o", &v, &why), ST_OK);
	assert_string_equal(text_at(v, "source"), "f0VMRg==");
	json_decref(v);
	assert_int_equal(document_variant("dot.f", &v, &why), ST_OK);
	assert_string_equal(text_at(v, "flags.1"), "-ffixed-form");
	json_decref(v);
}

static void
test_document_says_what_is_wrong_with_a_file(void **state)
{
	static const struct {
		const char	*path, *said;
		enum status	 st;
	} cases[] = {
		{ "gone.c", "gone.c: No such file", ST_NOT_FOUND },
		{ "notes.txt", "no language has this ending", ST_BAD_SPEC },
		{ "latin.c", "latin.c:1: is not UTF-8", ST_BAD_SPEC },
		{ ".", "no language has this ending", ST_BAD_SPEC },
	};
	struct fault	 why;
	json_t		*v;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_int_equal(document_variant(cases[i].path, &v, &why), cases[i].st);
		assert_null(v);
		assert_non_null(strstr(why.text, cases[i].said));
	}
	assert_int_equal(document_load("dup.json", &v, &why), ST_BAD_SPEC);
	assert_non_null(strstr(why.text, "dup.json:2:"));
	assert_int_equal(document_load("text.json", &v, &why), ST_BAD_SPEC);
}

static void
test_document_puts_files_where_they_are_named(void **state)
{
	struct fault	 why;
	json_t		*d;

	(void)state;
	assert_int_equal(document_load("sweep.json", &d, &why), ST_OK);
	assert_int_equal(document_resolve(d, "./sweep.json", &why), ST_OK);
	assert_string_equal(text_at(d, "spec.routine"), "double dot(const int N)");
	assert_string_equal(text_at(d, "spec.check.reference.language"), "c");
	assert_null(text_at(d, "spec.check.reference.name"));
	assert_string_equal(text_at(d, "template.name"), "dot");
	assert_string_equal(text_at(d, "variants.1.name"), "mine");
	assert_string_equal(text_at(d, "variants.1.language"), "c");
	assert_null(json_object_get(d, "spec_file"));
	assert_null(json_object_get(d, "template_file"));
	json_decref(d);
}

static void
test_document_names_the_member_whose_file_is_missing(void **state)
{
	struct fault	 why;
	json_t		*d;

	(void)state;
	assert_int_equal(document_load("lost.json", &d, &why), ST_OK);
	assert_int_equal(document_resolve(d, "lost.json", &why), ST_NOT_FOUND);
	assert_string_equal(why.member, "variants[1].source_file");
	json_decref(d);
	assert_int_equal(document_load("twice.json", &d, &why), ST_OK);
	assert_int_equal(document_resolve(d, "twice.json", &why), ST_BAD_SPEC);
	assert_string_equal(why.member, "variant.source_file");
	json_decref(d);
}

static void
test_document_takes_anything_without_falling_over(void **state)
{
	static const char *const	strange[] = {
		"[]", "[1,null,[]]", "{\"spec\":7}", "{\"variants\":{}}", "{\"variants\":[3]}",
		"{\"template\":[],\"template_file\":1}",
		"{\"spec_file\":[]}", "{\"check\":[]}", "{\"jobs\":7}", "{\"variant\":{\"source_file\":\"\"}}",
	};
	struct fault			why;

	(void)state;
	for (size_t i = 0; i < sizeof strange / sizeof strange[0]; i++) {
		json_t	*d = json_loads(strange[i], 0, NULL);

		assert_non_null(d);
		(void)document_resolve(d, "x.json", &why);
		json_decref(d);
	}
}

/* ---- assay time ---- */

static char	*
words(const char *text)
{
	return (char *)(uintptr_t)text;
}

static void
test_time_job_puts_choices_into_the_spec(void **state)
{
	struct time_choice	 c = { .samples = 9, .calls = -1, .context = "4096", .flush = "OneCallFlushLRU",
				    .clock = "cpu", .reference = "dot.c" };
	json_t			*base, *job;
	char			 notes[256];
	struct fault		 why;

	(void)state;
	assert_int_equal(cli_add(&c.params, words("N=100"), &why), ST_OK);
	assert_int_equal(cli_add(&c.params, words("ALPHA=0.5"), &why), ST_OK);
	assert_int_equal(time_job_base(&c, "spec.json", &base, notes, sizeof notes, &why), ST_OK);
	assert_non_null(strstr(notes, "X"));			/* has a cache of its own */
	assert_int_equal(time_job_make(&c, base, "dot.c", &job, &why), ST_OK);
	assert_int_equal(json_integer_value(at(job, "spec.params.N")), 100);
	assert_true(json_real_value(at(job, "spec.params.ALPHA")) == 0.5);
	assert_int_equal(json_integer_value(at(job, "spec.context.flush_bytes")), 4096);
	assert_int_equal(json_integer_value(at(job, "spec.timing.samples")), 9);
	assert_null(at(job, "spec.timing.calls"));
	assert_string_equal(text_at(job, "spec.timing.flush.method"), "OneCallFlushLRU");
	assert_string_equal(text_at(job, "spec.check.reference.language"), "c");
	assert_int_equal(json_integer_value(at(job, "spec.check.rtol")), 1);	/* kept */
	assert_string_equal(text_at(job, "variant.name"), "dot");
	json_decref(job);
	json_decref(base);
	time_job_release(&c);
}

static void
test_time_job_builds_a_variant_as_told(void **state)
{
	struct time_choice	 c = { .samples = -1, .calls = -1, .name = "mine", .compiler = "clang" };
	json_t			*base, *job;
	char			 notes[256];
	struct fault		 why;

	(void)state;
	assert_int_equal(cli_add(&c.flags, words("3"), &why), ST_OK);			/* -O3 */
	assert_int_equal(cli_add(&c.flags, words(" -mavx2  -mfma "), &why), ST_OK);	/* -O "-mavx2 -mfma" */
	assert_int_equal(cli_add(&c.defines, words("UNROLL=4"), &why), ST_OK);
	assert_int_equal(cli_add(&c.defines, words("FAST"), &why), ST_OK);
	assert_int_equal(cli_add(&c.defines, words("T=a=b"), &why), ST_OK);
	assert_int_equal(time_job_base(&c, "job.json", &base, notes, sizeof notes, &why), ST_OK);
	assert_string_equal(notes, "");
	assert_int_equal(time_job_make(&c, base, NULL, &job, &why), ST_OK);
	assert_null(json_object_get(job, "key"));		/* an old result is not what `time` is for */
	assert_int_equal(json_array_size(at(job, "variant.flags")), 3);
	assert_string_equal(text_at(job, "variant.flags.0"), "-O3");
	assert_string_equal(text_at(job, "variant.flags.2"), "-mfma");
	assert_int_equal(json_integer_value(at(job, "variant.defines.UNROLL")), 4);
	assert_int_equal(json_integer_value(at(job, "variant.defines.FAST")), 1);
	assert_string_equal(text_at(job, "variant.defines.T"), "a=b");
	assert_string_equal(text_at(job, "variant.compiler"), "clang");
	assert_string_equal(text_at(job, "variant.name"), "mine");
	json_decref(job);
	assert_string_equal(text_at(base, "variant.name"), "dot");	/* the next variant starts from the same */
	json_decref(base);
	cli_list_release(&c.flags);
	cli_list_release(&c.defines);
}

static void
test_time_job_lets_a_file_inherit_how_it_is_built(void **state)
{
	struct time_choice	 c = { .samples = -1, .calls = -1 };
	json_t			*base, *job;
	char			 notes[256];
	struct fault		 why;

	(void)state;
	assert_int_equal(time_job_base(&c, "job.json", &base, notes, sizeof notes, &why), ST_OK);
	assert_int_equal(time_job_make(&c, base, "zero.c", &job, &why), ST_OK);
	assert_string_equal(text_at(job, "variant.name"), "zero");
	assert_string_equal(text_at(job, "variant.flags.0"), "-g");
	json_decref(job);
	json_decref(base);
}

static void
test_time_job_takes_no_name_twice(void **state)
{
	struct time_choice	 c = { .samples = -1, .calls = -1, .context = "warm" };
	json_t			*base, *job;
	char			 notes[256];
	struct fault		 why;

	(void)state;
	assert_int_equal(cli_add(&c.params, words("N=8"), &why), ST_OK);
	assert_int_equal(cli_add(&c.params, words("SIZE=2"), &why), ST_OK);
	assert_int_equal(cli_add(&c.defines, words("FAST"), &why), ST_OK);
	assert_int_equal(cli_add(&c.defines, words("FASTER=1"), &why), ST_OK);
	assert_int_equal(time_job_base(&c, "spec.json", &base, notes, sizeof notes, &why), ST_OK);
	assert_non_null(strstr(notes, "--context does not change operand X"));
	assert_int_equal(time_job_make(&c, base, "dot.c", &job, &why), ST_OK);
	json_decref(job);
	assert_int_equal(cli_add(&c.defines, words("FAST=0"), &why), ST_OK);
	assert_int_equal(time_job_make(&c, base, "dot.c", &job, &why), ST_BAD_REQUEST);
	assert_string_equal(why.member, "-D");
	assert_string_equal(why.text, "\"FAST\" is given twice");
	json_decref(base);
	assert_int_equal(cli_add(&c.params, words("N=9"), &why), ST_OK);
	assert_int_equal(time_job_base(&c, "spec.json", &base, notes, sizeof notes, &why), ST_BAD_REQUEST);
	assert_string_equal(why.member, "-p");
	assert_string_equal(why.text, "\"N\" is given twice");
	time_job_release(&c);
	assert_int_equal(cli_add(&c.params, words("=8"), &why), ST_OK);
	assert_int_equal(time_job_base(&c, "spec.json", &base, notes, sizeof notes, &why), ST_BAD_REQUEST);
	assert_null(base);
	time_job_release(&c);
}

/* What becomes of one -p or -D with the variant named.c, and named.o if `binary`. */
static enum status
name_word(const char *param, const char *define, bool binary, struct fault *why)
{
	struct time_choice	 c = { .samples = -1, .calls = -1 };
	const char		*const files[] = { "named.c", "dot.o" };
	json_t			*base, *job, *variants = json_array();
	char			 notes[256];
	enum status		 st;

	if (param != NULL)
		assert_int_equal(cli_add(&c.params, words(param), why), ST_OK);
	if (define != NULL)
		assert_int_equal(cli_add(&c.defines, words(define), why), ST_OK);
	assert_int_equal(time_job_base(&c, "named.json", &base, notes, sizeof notes, why), ST_OK);
	for (unsigned i = 0; i < (binary ? 2 : 1); i++) {
		assert_int_equal(time_job_make(&c, base, files[i], &job, why), ST_OK);
		assert_int_equal(json_array_append(variants, json_object_get(job, "variant")), 0);
		json_decref(job);
	}
	memset(why, 0, sizeof *why);
	st = time_job_check(&c, base, variants, why);
	json_decref(variants);
	json_decref(base);
	time_job_release(&c);
	return st;
}

static void
test_time_job_refuses_names_that_name_nothing(void **state)
{
	static const struct {
		const char	*param, *define, *text, *hint;
	} cases[] = {
		{ "n=200", NULL, "there is no param \"n\"", "did you mean \"N\"?" },
		{ "SIZ=2", NULL, "there is no param \"SIZ\"", "did you mean \"SIZE\"?" },
		{ "M=2", NULL, "there is no param \"M\"", "" },
		{ "a-b=2", NULL, "there is no param \"a-b\"", "" },
		{ NULL, "UNROL=8", "no source mentions \"UNROL\"", "did you mean \"UNROLL\"?" },
		{ NULL, "unroll", "no source mentions \"unroll\"", "did you mean \"UNROLL\"?" },
		{ NULL, "DEPHT=8", "no source mentions \"DEPHT\"", "did you mean \"DEPTH\"?" },
		{ NULL, "NOTHING_LIKE_IT", "no source mentions \"NOTHING_LIKE_IT\"", "" },
		{ NULL, "REFERS=1", "no source mentions \"REFERS\"", "" },
	};
	struct fault	 why;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_int_equal(name_word(cases[i].param, cases[i].define, false, &why), ST_BAD_REQUEST);
		assert_string_equal(why.member, cases[i].param != NULL ? "-p" : "-D");
		assert_string_equal(why.text, cases[i].text);
		assert_string_equal(why.hint, cases[i].hint);
	}
}

static void
test_time_job_takes_names_that_the_job_uses(void **state)
{
	static const char *const	params[] = {
		"N=200", "SIZE=2", "LD=8", "DEPTH=4", "REFERS=1",
	};
	static const char *const	defines[] = {
		"UNROLL=8", "DEPTH", "REAL=float", "NDEBUG", "_GNU_SOURCE", "n=N",
	};
	struct fault			why;

	(void)state;
	for (size_t i = 0; i < sizeof params / sizeof params[0]; i++)
		assert_int_equal(name_word(params[i], NULL, false, &why), ST_OK);
	for (size_t i = 0; i < sizeof defines / sizeof defines[0]; i++)
		assert_int_equal(name_word(NULL, defines[i], false, &why), ST_OK);
}

static void
test_time_job_cannot_ask_a_binary_for_names(void **state)
{
	struct fault	why;

	(void)state;
	assert_int_equal(name_word("n=200", NULL, true, &why), ST_OK);
	assert_int_equal(name_word(NULL, "UNROL=8", true, &why), ST_OK);
}

static void
test_time_job_refuses_what_is_neither_spec_nor_job(void **state)
{
	static const struct {
		const char	*path, *said;
		enum status	 st;
	} cases[] = {
		{ "sweep.json", "is a sweep", ST_BAD_SPEC }, { "gone.json", "No such file", ST_NOT_FOUND },
		{ "text.json", "text.json:1:", ST_BAD_SPEC }, { "twice.json", "already", ST_BAD_SPEC },
	};
	struct time_choice	 c = { .samples = -1, .calls = -1 };
	json_t			*base, *job;
	char			 notes[256];
	struct fault		 why;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_int_equal(time_job_base(&c, cases[i].path, &base, notes, sizeof notes, &why), cases[i].st);
		assert_null(base);
		if (strstr(why.text, cases[i].said) == NULL)
			fail_msg("%s: \"%s\"", cases[i].path, why.text);
	}
	assert_int_equal(time_job_base(&c, "spec.json", &base, notes, sizeof notes, &why), ST_OK);
	assert_int_equal(time_job_make(&c, base, NULL, &job, &why), ST_BAD_REQUEST);	/* no variant anywhere */
	assert_null(job);
	json_decref(base);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_cli_takes_options_before_between_and_after_words),
		cmocka_unit_test(test_cli_leaves_words_behind_two_dashes_alone),
		cmocka_unit_test(test_cli_names_the_option_and_the_nearest_one),
		cmocka_unit_test(test_cli_stops_at_the_command_when_it_reads_global_options),
		cmocka_unit_test(test_timestamp_reads_ages_dates_and_seconds),
		cmocka_unit_test(test_default_path_prefers_what_the_environment_says),
		cmocka_unit_test(test_document_knows_languages_by_their_endings),
		cmocka_unit_test(test_document_makes_a_variant_of_a_file),
		cmocka_unit_test(test_document_says_what_is_wrong_with_a_file),
		cmocka_unit_test(test_document_puts_files_where_they_are_named),
		cmocka_unit_test(test_document_names_the_member_whose_file_is_missing),
		cmocka_unit_test(test_document_takes_anything_without_falling_over),
		cmocka_unit_test(test_time_job_puts_choices_into_the_spec),
		cmocka_unit_test(test_time_job_builds_a_variant_as_told),
		cmocka_unit_test(test_time_job_lets_a_file_inherit_how_it_is_built),
		cmocka_unit_test(test_time_job_takes_no_name_twice),
		cmocka_unit_test(test_time_job_refuses_names_that_name_nothing),
		cmocka_unit_test(test_time_job_takes_names_that_the_job_uses),
		cmocka_unit_test(test_time_job_cannot_ask_a_binary_for_names),
		cmocka_unit_test(test_time_job_refuses_what_is_neither_spec_nor_job),
	};

	return cmocka_run_group_tests(tests, in_a_directory_of_its_own, remove_the_directory);
}
