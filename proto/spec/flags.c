/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "proto/base/name.h"
#include "proto/spec/flags.h"

enum { FLAG_MAX_BYTES = 1024 };

#define LENGTH(array)	(sizeof (array) / sizeof (array)[0])

/* --- flags: first why some are refused, then what is allowed --- */

static const struct refusal {
	const char	*prefix, *reason;
} refusals[] = {
	{ "@", "it reads a file of further options" },
	{ "-o", "Assay names the output" },
	{ "-c", "Assay decides how to build" },
	{ "-S", "Assay decides how to build" },
	{ "-E", "Assay decides how to build" },
	{ "-x", "the language is the variant's `language`" },
	{ "-shared", "Assay decides how to link" },
	{ "-static", "Assay decides how to link" },
	{ "-nostd", "Assay decides how to link" },
	{ "-nodefault", "Assay decides how to link" },
	{ "-I", "it names a directory" },
	{ "-i", "it names a file or directory" },
	{ "-L", "it names a directory" },
	{ "-B", "it names a directory to take programs from" },
	{ "-T", "it names a linker script" },
	{ "-l", "only libc and libm (-lm) are there to link with" },
	{ "-Wl", "it speaks to the linker" },
	{ "-Wa", "it speaks to the assembler" },
	{ "-Wp", "it speaks to the preprocessor" },
	{ "-X", "it passes options on to another program" },
	{ "-z", "it speaks to the linker" },
	{ "-wrapper", "it runs a program" },
	{ "-specs", "it reads a file" },
	{ "--specs", "it reads a file" },
	{ "-save-temps", "it writes files" },
	{ "--save-temps", "it writes files" },
	{ "-M", "it writes dependency files" },
	{ "-d", "it writes dump files" },
	{ "--sysroot", "it names a directory" },
	{ "-fplugin", "it loads code into the compiler" },
	{ "-fpass-plugin", "it loads code into the compiler" },
	{ "-fuse-ld", "it chooses a program to run" },
	{ "-fprofile", "it reads or writes profile files" },
	{ "-fsanitize", "its run-time library is not there, and it changes what is timed" },
};

/* Within -f (and -fno-): all that reads or writes files, loads code or runs programs.  Prefixes. */
static const char *const	f_refused[] = {
	"plugin", "pass-plugin", "dump", "opt-info", "save-", "optimization-record", "profile",
	"auto-profile", "branch-probabilities", "cs-profile", "memory-profile", "coverage",
	"condition-coverage", "path-coverage", "test-coverage", "sanitize", "lto", "thinlto",
	"thin-link", "wpa", "ltrans", "linker-output", "resolution", "use-ld", "use-linker-plugin",
	"compare-debug", "stack-usage", "callgraph-info", "self-test", "report-bug", "module",
	"implicit-module", "prebuilt-module", "system-module", "build-session", "pch", "embed-",
	"xray", "offload", "openmp-targets", "gpu", "hip", "cuda", "crash-diagnostics",
	"driver-only", "proc-stat-report", "time-trace", "diagnostics-format",
	"diagnostics-add-output", "diagnostics-set-output", "basic-block-sections",
	"intrinsic-modules-path", "pre-include", "depfile", "deps-", "rewrite-map-file", "apinotes",
	"api-notes", "syntax-only", "ms-", "vtv-", "order-file", "builtin-module",
	/* of other words, which take the next one with them */
	"ramework", "ilelist", "orce_", NULL
};

/* Within -m: likewise, and ways to speak to a back end. */
static const char *const	m_refused[] = {
	"llvm", "mlir", "odule", "ulti", "dump", "linker", "thread-model", NULL
};

static const char *const	exact[] = {
	"-O", "-O0", "-O1", "-O2", "-O3", "-Os", "-Og", "-Oz", "-Ofast", "-g", "-g0", "-g1", "-g2",
	"-g3", "-ggdb", "-ggdb0", "-ggdb1", "-ggdb2", "-ggdb3", "-gdwarf", "-gdwarf-2", "-gdwarf-3",
	"-gdwarf-4", "-gdwarf-5", "-gline-tables-only", "-gcolumn-info", "-gno-column-info",
	"-gstrict-dwarf", "-gno-strict-dwarf", "-W", "-w", "-ansi", "-pedantic", "-pedantic-errors",
	"-pipe", "-pthread", "-lm", "-flto", "-fno-lto", NULL
};

static const char	allowed_hint[] =
    "allowed: -O -f -m -std= -g -W -D -U --param=name=value -pipe -pthread -lm";

static bool
starts_with_one(const char *word, const char *const *prefixes)
{
	for (; *prefixes != NULL; prefixes++)
		if (name_starts(word, *prefixes))
			return true;
	return false;
}

/* Letters, digits and what option values are made of; no `/`, so never a path. */
static bool
is_plain(const char *s)
{
	static const char	plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_+=,.:-";

	return s[strspn(s, plain)] == '\0';
}

static enum status
refuse_flag(struct fault *why, const char *flag, const char *reason)
{
	enum status	st = fault_set(why, ST_BAD_SPEC, "the flag \"%.80s\" is refused: %s",
			    flag, reason);

	fault_hint(why, "%s", allowed_hint);
	return st;
}

static bool
f_is_allowed(const char *name)
{
	if (name_starts(name, "no-"))
		name += 3;
	return *name >= 'a' && *name <= 'z' && is_plain(name) && !starts_with_one(name, f_refused);
}

static bool
m_is_allowed(const char *name)
{
	return ((*name >= 'a' && *name <= 'z') || (*name >= '0' && *name <= '9')) &&
	    is_plain(name) && !starts_with_one(name, m_refused);
}

/* A warning's name: two letters or more, so that -Wl, -Wa and -Wp cannot pass, and no comma. */
static bool
warning_is_allowed(const char *name)
{
	return *name >= 'a' && *name <= 'z' && name[1] != '\0' && is_plain(name) &&
	    strchr(name, ',') == NULL;
}

static bool
std_is_allowed(const char *name)
{
	return name[0] != '\0' &&
	    name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789+:")] == '\0';
}

/* --param=name=value */
static bool
compiler_param_is_allowed(const char *s)
{
	const char	*value = strchr(s, '=');

	return value != NULL && value > s && value[1] != '\0' && is_plain(s);
}

static enum status
check_macro(const char *flag, struct fault *why)
{
	const char	*name = flag + 2;
	size_t		 n = name_length(name);

	if (*name == '\0')
		return refuse_flag(why, flag,
		    "the macro's name belongs to the same string (-DNAME=value)");
	if (n == 0 || n > NAME_MAX_BYTES || (name[n] != '\0' && (name[n] != '=' || flag[1] == 'U')))
		return refuse_flag(why, flag, "-DNAME, -DNAME=value or -UNAME is wanted");
	if (!name_is_printable(name))
		return refuse_flag(why, flag, "its value must be printable ASCII");
	return ST_OK;
}

static enum status
refuse_with_reason(const char *flag, struct fault *why)
{
	for (size_t i = 0; i < LENGTH(refusals); i++)
		if (name_starts(flag, refusals[i].prefix))
			return refuse_flag(why, flag, refusals[i].reason);
	if (flag[0] != '-')
		return refuse_flag(why, flag, "it is not a flag (those start with -)");
	if (strcmp(flag, "--param") == 0)
		return refuse_flag(why, flag, "write it as one string: --param=name=value");
	return refuse_flag(why, flag,
	    "it is not on the list of flags that only change code generation");
}

enum status
flag_check(const char *flag, struct fault *why)
{
	if (strlen(flag) > FLAG_MAX_BYTES)
		return fault_set(why, ST_BAD_SPEC, "a flag has at most %d bytes", FLAG_MAX_BYTES);
	if (name_is_among(flag, exact))
		return ST_OK;
	if (name_starts(flag, "-D") || name_starts(flag, "-U"))
		return check_macro(flag, why);
	if ((name_starts(flag, "-f") && f_is_allowed(flag + 2)) ||
	    (name_starts(flag, "-m") && m_is_allowed(flag + 2)) ||
	    (name_starts(flag, "-W") && warning_is_allowed(flag + 2)) ||
	    (name_starts(flag, "-std=") && std_is_allowed(flag + 5)) ||
	    (name_starts(flag, "--param=") && compiler_param_is_allowed(flag + 8)))
		return ST_OK;
	return refuse_with_reason(flag, why);
}

/* --- compilers --- */

/* FAMILY_C_ALONE: of those for C the ones that do not take assembly. */
enum family { FAMILY_C, FAMILY_C_ALONE, FAMILY_CXX, FAMILY_FORTRAN };

#define GCC_VERSIONS(X, name, family)								\
	X(name, family) X(name "-9", family) X(name "-10", family)				\
	X(name "-11", family) X(name "-12", family)						\
	X(name "-13", family) X(name "-14", family)						\
	X(name "-15", family) X(name "-16", family)
#define CLANG_VERSIONS(X, name, family)								\
	X(name, family) X(name "-13", family) X(name "-14", family)				\
	X(name "-15", family) X(name "-16", family)						\
	X(name "-17", family) X(name "-18", family) X(name "-19", family) X(name "-20", family)	\
	X(name "-21", family) X(name "-22", family)
#define COMPILER_LIST(X)									\
	GCC_VERSIONS(X, "gcc", FAMILY_C) CLANG_VERSIONS(X, "clang", FAMILY_C)			\
	X("clang-inproc", FAMILY_C_ALONE) X("tcc", FAMILY_C_ALONE)				\
	GCC_VERSIONS(X, "g++", FAMILY_CXX) CLANG_VERSIONS(X, "clang++", FAMILY_CXX)		\
	GCC_VERSIONS(X, "gfortran", FAMILY_FORTRAN)

static const char *const	compilers[] = {
#define X(name, family) name,
	COMPILER_LIST(X)
#undef X
	NULL
};

static const enum family	families[] = {
#define X(name, family) family,
	COMPILER_LIST(X)
#undef X
};

static const char *const	family_hints[] = {
	[FAMILY_C] = "gcc, clang, or one with its version: gcc-12; for C also clang-inproc, tcc",
	[FAMILY_CXX] = "g++, clang++, or one with its version: g++-12",
	[FAMILY_FORTRAN] = "gfortran, or one with its version: gfortran-12",
};

static enum family
family_of(enum language l)
{
	return l == LANG_CXX ? FAMILY_CXX : l == LANG_FORTRAN ? FAMILY_FORTRAN : FAMILY_C;
}

const char *
compiler_default(enum language l)
{
	if (language_is_binary(l))
		return "";
	return l == LANG_CXX ? "g++" : l == LANG_FORTRAN ? "gfortran" : "gcc";
}

const char *const *
compiler_names(void)
{
	return compilers;
}

static bool
is_for(enum family family, enum language l)
{
	return family == family_of(l) || (family == FAMILY_C_ALONE && l == LANG_C);
}

static enum status
refuse_compiler(enum language l, const char *name, struct fault *why)
{
	const char	*near = nearest_name(name, compilers);
	enum status	 st;

	st = fault_set(why, ST_BAD_SPEC, "\"%.60s\" is not a compiler for %s", name,
	    language_name(l));
	for (size_t i = 0; near != NULL && compilers[i] != NULL; i++) {
		if (compilers[i] == near && is_for(families[i], l) &&
		    strcmp(near, name) != 0) {
			fault_hint(why, "did you mean \"%s\"? Known: %s", near,
			    family_hints[family_of(l)]);
			return st;
		}
	}
	fault_hint(why, "%s", family_hints[family_of(l)]);
	return st;
}

enum status
compiler_check(enum language l, const char *name, struct fault *why)
{
	if (language_is_binary(l))
		return fault_set(why, ST_BAD_SPEC, "%s is built already: it takes no compiler",
		    language_name(l));
	for (size_t i = 0; compilers[i] != NULL; i++)
		if (strcmp(compilers[i], name) == 0 && is_for(families[i], l))
			return ST_OK;
	return refuse_compiler(l, name, why);
}
