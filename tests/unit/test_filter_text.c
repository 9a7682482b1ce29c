/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an object may do to code while it is loaded, in a real runner: nothing; and that objects of
 * every honest kind are loaded all the same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "proto/base/clock.h"
#include "tests/support/driver.h"
#include "worker/bench/bench.h"
#include "worker/spawn/spawn.h"

#define SPEC	"{'routine': 'int f(int *y)', 'context': 'warm', " \
		"'args': {'y': {'dims': [1000], 'init': 'index'}}}"
#define LIMIT_NS	(120 * UINT64_C(1000000000))
#define OUTPUT_BYTES	(64 + 4032)

static struct bench_reply	answer;
static struct slot		slot = { .l1_bytes = 32 << 10, .l2_bytes = 1 << 20,
    .l3_bytes = 32 << 20, .line_bytes = 64 };
static char			scratch[96];

/* A kernel without seccomp has no filters to test. */
static void
need_filters(void)
{
	if (!jail_support()->seccomp)
		skip();
}

static struct bench *
open_bench(void)
{
	static char		 driver[128];
	struct bench_config	 config = { .slot = &slot, .output_bytes = OUTPUT_BYTES,
				     .setup_limit_ns = LIMIT_NS, .driver_path = driver };
	struct bench		*b;
	struct fault		 why;

	if (driver[0] == '\0') {
		support_load_driver(SPEC, NULL);
		snprintf(driver, sizeof driver, "%s/driver1.so", support_own_dir());
		snprintf(scratch, sizeof scratch, "%s/scratch", support_dir);
		slot.scratch_dir = scratch;
		slot.cpu = (int)sysconf(_SC_NPROCESSORS_ONLN) - 1;
	}
	if (bench_new(&b, &config, &why) != ST_OK)
		fail_msg("%s", why.text);
	return b;
}

/* 0: no such compiler, or not with these flags. */
static int
compile(char *object, size_t bytes, const char *name, const char *command, const char *text)
{
	char	line[512], source[128];

	snprintf(object, bytes, "%s/%s.so", support_own_dir(), name);
	snprintf(source, sizeof source, "%s/%s.%s", support_dir, name,
	    strstr(command, "fortran") != NULL ? "f90" : strstr(command, "++") != NULL ? "cc" :
	    "c");
	support_write(source, text);
	snprintf(line, sizeof line, "%s -fPIC -shared -o %s %s 2>/dev/null", command, object,
	    source);
	return system(line) == 0;
}

/* The outcome of loading and calling it once; *result: what it returned. */
static enum status
call(const char *object, int *result)
{
	static const struct runner_run	run = { .kind = RUNNER_CHECK };
	const uint64_t			deadline_ns = clock_now_ns() + LIMIT_NS;
	struct bench			*b = open_bench();
	enum status			 st = bench_load(b, 0, object, deadline_ns, &answer);

	if (st == ST_OK)
		st = bench_run(b, 0, &run, deadline_ns, &answer);
	*result = st == ST_OK ? *(const int *)bench_output(b, 0) : -1;
	bench_free(b);
	return st;
}

static enum status
call_c(const char *name, const char *text, int *result)
{
	char	object[128];

	assert_true(compile(object, sizeof object, name, "gcc -O1", text));
	return call(object, result);
}

/* While it is loaded, an object does DONE to each page of code that is not its own, and more. */
#define EACH_CODE(DONE) \
	"#define _GNU_SOURCE\n#include <fcntl.h>\n#include <link.h>\n#include <stdint.h>\n" \
	"#include <sys/mman.h>\n#include <sys/syscall.h>\n#include <unistd.h>\n" \
	"static int done, seen;\n" \
	"static void try(char *at, long bytes) { (void)at; (void)bytes; " DONE " }\n" \
	"static int visit(struct dl_phdr_info *o, size_t n, void *own) {\n" \
	"	for (int i = 0; i < o->dlpi_phnum; i++) {\n" \
	"		const ElfW(Phdr) *h = &o->dlpi_phdr[i];\n" \
	"		uintptr_t at = o->dlpi_addr + h->p_vaddr;\n" \
	"		if (h->p_type != PT_LOAD || !(h->p_flags & PF_X)) continue;\n" \
	"		if ((uintptr_t)own - at < h->p_memsz) continue;\n" \
	"		for (uintptr_t p = at & -4096ul; p < at + h->p_memsz; p += 4096)\n" \
	"			try((char *)p, 4096), seen++;\n" \
	"		try((char *)((at & -4096ul) - (5l << 32)), 6l << 32);\n" \
	"	}\n" \
	"	return n == 0;\n" \
	"}\n" \
	"static void __attribute__((constructor)) c(void)" \
	"{ dl_iterate_phdr(visit, (void *)c); }\n" \
	"int f(int *y) { return seen > 100 ? done : y[0] - 2; }\n"

static void
assert_code_stays(const char *name, const char *text)
{
	int	done;

	need_filters();
	assert_int_equal(call_c(name, text, &done), ST_OK);
	assert_int_equal(done, 0);
}

static void
test_filter_text_stays_what_it_is_while_an_object_is_loaded(void **state)
{
	(void)state;
	assert_code_stays("rights", EACH_CODE(
	    "done += mprotect(at, bytes, PROT_READ | PROT_WRITE) == 0;"
	    "done += mprotect(at, bytes, PROT_NONE) == 0;"
	    "done += mprotect(at, bytes, PROT_READ | PROT_EXEC) == 0;"));
	assert_code_stays("maps", EACH_CODE(
	    "int fd = open(\"/lib64/ld-linux-x86-64.so.2\", O_RDONLY);"
	    "done += mmap(at, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0)"
	    " != MAP_FAILED;"
	    "done += mmap(at, bytes, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd, 0)"
	    " != MAP_FAILED; close(fd);"));
	assert_code_stays("unmaps", EACH_CODE(
	    "done += munmap(at, bytes) == 0;"
	    "done += syscall(SYS_mremap, at, bytes, 2 * bytes, MREMAP_MAYMOVE) != -1;"
	    "done += madvise(at, bytes, MADV_DONTNEED) == 0;"));
}

static void
test_filter_text_a_file_is_the_only_source_of_new_code(void **state)
{
	int	made;

	(void)state;
	need_filters();
	assert_int_equal(call_c("makes", "#include <sys/mman.h>\nstatic int made;\n"
	    "__attribute__((constructor)) static void c(void) {\n"
	    "	void *at = mmap(0, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);\n"
	    "	made += mmap(0, 4096, 5, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;\n"
	    "	made += mmap(0, 4096, 7, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;\n"
	    "	made += mprotect(at, 4096, 5) == 0;\n"
	    "	made += mprotect((void *)((long)c & -4096), 4096, 7) == 0;\n"
	    "}\nint f(int *y) { return made + y[0]; }", &made), ST_OK);
	assert_int_equal(made, 0);
}

/* Memory that is shared can be there twice: once as code, and once to be written. */
static void
test_filter_text_shared_memory_is_no_source_of_code(void **state)
{
	int	made;

	(void)state;
	need_filters();
	assert_int_equal(call_c("shares", "#define _GNU_SOURCE\n#include <fcntl.h>\n"
	    "#include <sys/mman.h>\n#include <unistd.h>\nstatic int made;\n"
	    "static int doubled(int fd) {\n"
	    "	void *code = mmap(0, 4096, 5, MAP_SHARED, fd, 0), *data;\n"
	    "	if (code == MAP_FAILED) return 0;\n"
	    "	data = mremap(code, 0, 4096, MREMAP_MAYMOVE);\n"
	    "	return data != MAP_FAILED && mprotect(data, 4096, 3) == 0;\n"
	    "}\n"
	    "__attribute__((constructor)) static void c(void) {\n"
	    "	int fd = shm_open(\"/any\", O_CREAT | O_EXCL | O_RDWR, 0600);\n"
	    "	char *at = mmap(0, 4096, 3, MAP_SHARED, fd, 0);\n"
	    "	if (fd < 0 || ftruncate(fd, 4096) != 0 || at == MAP_FAILED) { made = -1; return; }\n"
	    "	at[9] = 1;\n"
	    "	made += 1 * doubled(fd);\n"
	    "	made += 2 * (mprotect(at, 4096, 5) == 0);\n"
	    "	made += 4 * (shm_open(\"/any\", O_RDWR, 0600) != -1);\n"
	    "	made += 8 * doubled(open(\"/dev/zero\", O_RDONLY));\n"
	    "	at = mmap(0, 4096, 3, MAP_SHARED, fd, 0);\n"
	    "	made += 16 * (at == MAP_FAILED || at[9] != 0);\n"
	    "}\nint f(int *y) { return made + y[0]; }", &made), ST_OK);
	assert_int_equal(made, 0);
}

static void
test_filter_text_what_is_shared_with_the_template_is_not_read(void **state)
{
	int	got;

	(void)state;
	need_filters();
	assert_int_equal(call_c("reads", "#include <unistd.h>\nstatic int got;\n"
	    "__attribute__((constructor)) static void c(void) { char b[8];\n"
	    "	got += read(4, b, 8) >= 0; got += pread(4, b, 8, 0) >= 0;\n"
	    "	got += lseek(4, 0, SEEK_SET) >= 0;\n"
	    "}\nint f(int *y) { return got + y[0]; }", &got), ST_OK);
	assert_int_equal(got, 0);
}

static void
test_filter_text_operands_and_lane_keep_their_mapping(void **state)
{
	int	done;

	(void)state;
	need_filters();
	assert_int_equal(call_c("gives", "#define _GNU_SOURCE\n#include <sys/mman.h>\n"
	    "int f(int *y) { void *page = (void *)((long)y & -4096);\n"
	    "	return (madvise(page, 4096, MADV_DONTNEED) == 0) +\n"
	    "	    2 * (madvise(page, 4096, MADV_FREE) == 0) +\n"
	    "	    4 * (mprotect(page, 4096, PROT_NONE) == 0) +\n"
	    "	    8 * (munmap(page, 4096) == 0) + y[0]; }", &done), ST_OK);
	assert_int_equal(done, 0);
}

/* ---- honest objects ---- */

#define LIBM	"-Wl,--no-as-needed -lm"

static const char	sum_c[] = "int f(int *y) { return y[1] + y[2] + y[3]; }\n";
static const char	team_c[] = "int f(int *y) { int s = 0;\n#pragma omp parallel for reduction(+:s)\n"
			    "for (int i = 1; i < 4; i++) s += y[i]; return s; }\n";
static const char	libm_c[] = "#include <math.h>\n#include <stdlib.h>\n"
			    "int f(int *y) { return abs((int)lround(cbrt(y[216]))); }\n";
static const char	chosen_c[] = "static int real(int *y) { return y[1] + y[2] + y[3]; }\n"
			    "static int (*resolve(void))(int *) { return real; }\n"
			    "int f(int *) __attribute__((ifunc(\"resolve\")));\n";
static const char	own_data_c[] = "static _Thread_local int t[5000] = { 1 };\n"
			    "static double b[1 << 20];\n"
			    "static double *const volatile at[] = { b, b + 9 };\n"
			    "int f(int *y) { *at[1] = t[0] + y[5]; return (int)b[9]; }\n";
static const char	quad_c[] = "#include <quadmath.h>\n"
			    "int f(int *y) { return (int)(sqrtq(y[4]) * 3); }\n";
static const char	class_cc[] = "#include <stdexcept>\n#include <vector>\n"
			    "extern \"C\" int f(int *y) { try { std::vector<int> v(y, y + 4);"
			    " throw std::runtime_error(std::to_string(v.at(3) * 2)); }"
			    " catch (const std::exception &e) { return std::stoi(e.what()); } }\n";
static const char	f_f90[] = "integer(c_int) function f(y) bind(c)\nuse iso_c_binding\n"
			    "integer(c_int) :: y(*)\ncharacter(8) :: t\n"
			    "write (t, '(i4)') y(2) + y(3) + y(4)\nread (t, *) f\nend function\n";

static void
test_filter_text_objects_of_every_honest_kind_are_loaded(void **state)
{
	static const struct {
		const char	*name, *command, *text;
	} kinds[] = {
		{ "gcc", "gcc -O2", sum_c }, { "clang", "clang -O2", sum_c },
		{ "now", "gcc -O2 -Wl,-z,now -Wl,-z,relro " LIBM, libm_c },
		{ "lazy", "gcc -O2 -Wl,-z,lazy -Wl,-z,norelro " LIBM, libm_c },
		{ "one_piece", "gcc -O2 -Wl,-z,noseparate-code " LIBM, libm_c },
		{ "apart", "gcc -O2 -Wl,-z,max-page-size=0x200000", own_data_c },
		{ "own_data", "gcc -O2", own_data_c }, { "chosen", "gcc -O2", chosen_c },
		{ "libgomp", "gcc -O2 -fopenmp", team_c },
		{ "libomp", "clang -O2 -fopenmp", team_c },
		{ "quad", "gcc -O2 -Wl,--no-as-needed -lquadmath", quad_c },
		{ "own_libgcc", "gcc -O2 -static-libgcc", sum_c },
		{ "class", "g++ -O2", class_cc }, { "class_clang", "clang++ -O2", class_cc },
		{ "gfortran", "gfortran -O2", f_f90 },
	};
	char	object[128];
	int	result;

	(void)state;
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		if (!compile(object, sizeof object, kinds[i].name, kinds[i].command, kinds[i].text))
			continue;
		if (call(object, &result) != ST_OK)
			fail_msg("%s: %s", kinds[i].name, answer.words);
		assert_int_equal(result, 6);
	}
}

static void
test_filter_text_an_object_that_needs_more_says_what_it_needs(void **state)
{
	char	object[128];
	int	result;

	(void)state;
	need_filters();
	assert_true(compile(object, sizeof object, "stack", "gcc -O1 -Wl,-z,execstack", sum_c));
	assert_int_equal(call(object, &result), ST_LOAD_FAILED);
	assert_non_null(strstr(answer.words, "(link it with -Wl,-z,noexecstack)"));
#if defined(__x86_64__)
	assert_true(compile(object, sizeof object, "text", "gcc -O1 -Wl,-z,notext",
	    "extern int f(int *); __asm__(\".text\\n.globl f\\n.type f,@function\\nf: movabs $f, "
	    "%rax\\nxor %eax, %eax\\nret\\n\");\n"));
	assert_int_equal(call(object, &result), ST_LOAD_FAILED);
	assert_non_null(strstr(answer.words, "(compile it with -fPIC)"));
#endif
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_filter_text_stays_what_it_is_while_an_object_is_loaded),
		cmocka_unit_test(test_filter_text_a_file_is_the_only_source_of_new_code),
		cmocka_unit_test(test_filter_text_shared_memory_is_no_source_of_code),
		cmocka_unit_test(test_filter_text_what_is_shared_with_the_template_is_not_read),
		cmocka_unit_test(test_filter_text_operands_and_lane_keep_their_mapping),
		cmocka_unit_test(test_filter_text_objects_of_every_honest_kind_are_loaded),
		cmocka_unit_test(test_filter_text_an_object_that_needs_more_says_what_it_needs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
