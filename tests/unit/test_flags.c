/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "proto/spec/flags.h"

#define LENGTH(array)	(sizeof (array) / sizeof (array)[0])

static void
test_flags_that_change_code_generation_pass(void **state)
{
	static const char *const	flags[] = {
		"-O", "-O0", "-O3", "-Os", "-Oz", "-Og", "-Ofast", "-ffast-math", "-funroll-loops",
		    "-fno-tree-vectorize",
		"-fopenmp", "-fopenmp-simd", "-fprefetch-loop-arrays", "-falign-loops=64:32",
		    "-fmodulo-sched", "-flto", "-fno-lto",
		"-fno-builtin", "-fno-math-errno", "-ffp-contract=fast",
		"-fvect-cost-model=unlimited", "-fno-common", "-finline-limit=1000",
		    "-fno-strict-aliasing", "-march=native", "-mtune=znver4",
		    "-mavx512f", "-mno-avx",
		"-mprefer-vector-width=512", "-m64", "-mfma", "-std=c11", "-std=gnu++17",
		    "-std=iso9899:1999", "-std=f2008", "-g",
		"-g3", "-ggdb", "-gdwarf-4", "-W", "-Wall", "-Wno-unused-variable", "-Werror=vla",
		    "-Wframe-larger-than=100", "-w",
		"-ansi", "-pedantic", "-pipe", "-pthread", "-lm", "-DX", "-DX=", "-DX=1",
		    "-DTYPE=double *", "-DNAME=\"quoted\"",
		"-D_GNU_SOURCE", "-DPATH=/tmp/x", "-UX", "--param=max-unroll-times=8",
		    "--param=vect-epilogues-nomask=0",
	};
	struct fault			why;

	(void)state;
	for (size_t i = 0; i < LENGTH(flags); i++)
		if (flag_check(flags[i], &why) != ST_OK)
			fail_msg("%s", why.text);
}

static void
test_flags_that_reach_files_programs_or_other_tools_are_refused(void **state)
{
	static const char *const	flags[] = {
		"", "-", "--", "@file", "file.c", "-o", "-ox", "-c", "-S", "-E", "-x", "-xc", "-I.",
		    "-Idir", "-I", "-iquote",
		"-include", "-imacros", "-isystem", "-iplugindir=x", "-idirafter", "-isysroot",
		    "-L.", "-lcrypt", "-l", "-B.", "-B",
		"-T", "-Tx.ld", "-Wl,-z,now", "-Wa,-a=x", "-Wp,-MD,x", "-Wl", "-Wa", "-Wp",
		    "-Xlinker", "-Xassembler", "-Xclang",
		"-z", "-specs=x", "--specs=x", "-wrapper", "-save-temps", "-save-temps=obj",
		    "--save-temps", "-M", "-MD", "-MF",
		"-MMD", "-dumpdir", "-dD", "-da", "--sysroot=x", "-v", "-###",
		    "--version", "--help", "-print-prog-name=as",
		"-static", "-shared", "-nostdlib", "-nodefaultlibs", "-rdynamic", "-s", "-r", "-u",
		    "-D", "-U", "-D=1", "-D1X",
		"-DF(x)=x", "-UX=1", "--param", "--param=x", "--param=", "--param==1",
		    "-std=", "-std", "-stdlib=libc++", "-target",
		"-arch", "-fplugin=x", "-fplugin-arg-x-y", "-fpass-plugin=x", "-fdump-tree-all",
		"-fdump-rtl-all=x", "-fno-dump-tree-all", "-fopt-info", "-fopt-info-vec=x",
		"-fsave-optimization-record", "-foptimization-record-file=x", "-fprofile-generate",
		    "-fprofile-use=x", "-fprofile-arcs", "-fauto-profile=x",
		"-fbranch-probabilities", "-fcs-profile-generate", "-ftest-coverage",
		"-fcoverage-mapping", "-fsanitize=address", "-fno-sanitize=all", "-flto=jobserver",
		    "-flto=8", "-flto-partition=none", "-fthinlto-index=x",
		"-fuse-ld=gold", "-fuse-linker-plugin", "-fwpa", "-fltrans", "-fresolution=x",
		    "-fcompare-debug", "-fstack-usage",
		"-fcallgraph-info", "-fself-test=x", "-freport-bug", "-fmodules", "-fmodule-file=x",
		"-fmodules-ts", "-fimplicit-modules", "-fprebuilt-module-path=x",
		    "-fbuild-session-file=x", "-fembed-bitcode", "-fxray-instrument",
		"-foffload=nvptx-none", "-fopenmp-targets=x", "-fcrash-diagnostics-dir=x",
		    "-fproc-stat-report=x", "-ftime-trace",
		"-fdiagnostics-format=sarif-file", "-fdiagnostics-add-output=x",
		"-fbasic-block-sections=list=x", "-fintrinsic-modules-path", "-fpre-include=x",
		    "-fsyntax-only", "-fvtv-counts", "-forder-file-instrumentation", "-f", "-fno-",
		    "-f=x", "-f/x", "-fx/y", "-fX",
		"-frandom-seed=/etc/x", "-m", "-mllvm", "-mllvm=-load", "-mmlir", "-mfoo/bar",
		    "-module-file-info", "-mlinker-version=1", "-mthread-model", "-framework",
		    "-filelist", "-force_load",
		"-gsplit-dwarf", "-gcc-toolchain", "-gz", "-W,x", "-Wx", "-Wno,x", "-O4x", "-O9",
		    "-Ofaster", "-O2 ", " -O2", "-O2\n",
		"-pipe-x", "-lmx", "-fm\n", "-fö", "-DX=\n", "-DX=\x7f", "-DX=ä",
	};
	struct fault			why;

	(void)state;
	for (size_t i = 0; i < LENGTH(flags); i++) {
		if (flag_check(flags[i], &why) != ST_BAD_SPEC)
			fail_msg("\"%s\" passes", flags[i]);
		assert_non_null(strstr(why.text, "refused: "));
		assert_non_null(strstr(why.hint, "allowed: "));
	}
}

static void
test_flags_are_refused_with_the_reason(void **state)
{
	struct fault	why;

	(void)state;
	(void)flag_check("-fplugin=evil.so", &why);
	assert_string_equal(why.text,
	    "the flag \"-fplugin=evil.so\" is refused: it loads code into the compiler");
	(void)flag_check("-Wl,-rpath,x", &why);
	assert_non_null(strstr(why.text, "linker"));
	(void)flag_check("-lblas", &why);
	assert_non_null(strstr(why.text, "only libc and libm"));
	(void)flag_check("--param", &why);
	assert_non_null(strstr(why.text, "--param=name=value"));
}

static void
test_flags_have_a_limit(void **state)
{
	char		flag[1100];
	struct fault	why;

	(void)state;
	memset(flag, 'x', sizeof flag);
	memcpy(flag, "-DX=", 4);
	flag[1024] = '\0';
	assert_int_equal(flag_check(flag, &why), ST_OK);
	flag[1024] = 'x';
	flag[1025] = '\0';
	assert_int_equal(flag_check(flag, &why), ST_BAD_SPEC);
}

static void
test_flags_compilers_fit_their_language(void **state)
{
	static const struct { enum language language; const char *name; bool fits; } cases[] = {
		{ LANG_C, "gcc", true }, { LANG_C, "clang", true }, { LANG_C, "gcc-12", true },
		{ LANG_C, "clang-14", true },
		{ LANG_C, "clang-inproc", true }, { LANG_C, "tcc", true },
		{ LANG_ASM, "tcc", false }, { LANG_ASM, "clang-inproc", false },
		{ LANG_CXX, "clang-inproc", false }, { LANG_C, "clang-inproc-19", false },
		{ LANG_C, "g++", false }, { LANG_C, "gfortran", false }, { LANG_C, "", false },
		{ LANG_C, "cc", false }, { LANG_C, "/usr/bin/gcc", false },
		{ LANG_C, "gcc-", false }, { LANG_C, "gcc-12.2", false }, { LANG_C, "GCC", false },
		{ LANG_CXX, "g++", true }, { LANG_CXX, "clang++-14", true },
		{ LANG_CXX, "gcc", false }, { LANG_CXX, "clang", false },
		{ LANG_FORTRAN, "gfortran", true }, { LANG_FORTRAN, "gfortran-12", true },
		{ LANG_FORTRAN, "gcc", false },
		{ LANG_ASM, "gcc", true }, { LANG_ASM, "clang", true }, { LANG_ASM, "as", false },
		{ LANG_OBJECT, "gcc", false },
		{ LANG_SHARED, "gcc", false }, { LANG_SHARED, "", false },
	};
	struct fault	why;

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++)
		if ((compiler_check(cases[i].language, cases[i].name, &why) == ST_OK) !=
		    cases[i].fits)
			fail_msg("%s for %s", cases[i].name, language_name(cases[i].language));
}

static void
test_flags_default_compilers_are_on_the_list(void **state)
{
	struct fault	why;

	(void)state;
	for (unsigned l = LANG_C; l <= LANG_ASM; l++)
		assert_int_equal(compiler_check(l, compiler_default(l), &why), ST_OK);
	assert_string_equal(compiler_default(LANG_OBJECT), "");
	assert_string_equal(compiler_default(LANG_SHARED), "");
}

static void
test_flags_every_compiler_on_the_list_is_for_some_language(void **state)
{
	struct fault	why;

	(void)state;
	for (const char *const *name = compiler_names(); *name != NULL; name++) {
		unsigned	languages = 0;

		for (unsigned l = 0; l < LANG_N; l++)
			languages += compiler_check(l, *name, &why) == ST_OK;
		assert_in_range(languages, 1, 2);	/* 2: C and asm */
		assert_null(strchr(*name, '/'));
	}
}

static void
test_flags_unknown_compilers_get_a_proposal_of_their_language(void **state)
{
	struct fault	why;

	(void)state;
	(void)compiler_check(LANG_C, "clnag", &why);
	assert_non_null(strstr(why.hint, "did you mean \"clang\"?"));
	(void)compiler_check(LANG_CXX, "icpc", &why);
	assert_string_equal(why.hint, "g++, clang++, or one with its version: g++-12");
	(void)compiler_check(LANG_FORTRAN, "gcc", &why);
	assert_non_null(strstr(why.hint, "gfortran"));
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_flags_that_change_code_generation_pass),
		cmocka_unit_test(test_flags_that_reach_files_programs_or_other_tools_are_refused),
		cmocka_unit_test(test_flags_are_refused_with_the_reason),
		cmocka_unit_test(test_flags_have_a_limit),
		cmocka_unit_test(test_flags_compilers_fit_their_language),
		cmocka_unit_test(test_flags_default_compilers_are_on_the_list),
		cmocka_unit_test(test_flags_every_compiler_on_the_list_is_for_some_language),
		cmocka_unit_test(test_flags_unknown_compilers_get_a_proposal_of_their_language),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
