/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <string.h>

#include "worker/build/split/split_mark.h"
#include "worker/build/unit/read/unit_listed.h"
#include "worker/build/unit/read/unit_words.h"

#define OF_SEAMS	"assay_"	/* what stands between two versions */

/* Words with which a source places, names or aligns its functions itself, or asks where it is. */
static const char *const	words[] = {
	"asm", "__asm", "__asm__", "_Pragma", "__pragma", "__declspec", "_declspec",
	"__label__", "_Thread_local", "__thread", "thread_local", "__extension__",
	"__private_extern__",
	"__COUNTER__", "__LINE__", "__FILE__", "__FILE_NAME__", "__BASE_FILE__",
	"__INCLUDE_LEVEL__", "__TIME__", "__DATE__", "__TIMESTAMP__", "__func__",
	"__FUNCTION__", "__PRETTY_FUNCTION__", "__FUNCSIG__", "__FUNCDNAME__",
	"L__FUNCTION__", "L__FUNCSIG__", "__has_include", "__has_include_next",
	"__has_embed", "__VA_OPT__",
	"assert", "assert_perror",	/* in a header, but with the place of its call */
	NULL
};

/* All that ask for a place are upper case but for some of clang's; so are those yet to come. */
static bool
is_builtin_of_place(const char *at, size_t n)
{
	static const char	start[] = "__builtin_";
	const size_t		k = sizeof start - 1;

	if (n <= k || strncmp(at, start, k) != 0)
		return false;
	return isupper((unsigned char)at[k]) || memmem(at, n, "source_location", 15) != NULL ||
	    memmem(at, n, "stable_name", 11) != NULL;
}

/* A name that the unit makes itself: of a version, or of what stands between two. */
static bool
is_of_unit(const char *at, size_t n)
{
	return memmem(at, n, SPLIT_MARK, strlen(SPLIT_MARK)) != NULL ||
	    (n >= strlen(OF_SEAMS) && strncmp(at, OF_SEAMS, strlen(OF_SEAMS)) == 0);
}

bool
unit_is_listed(const char *at, size_t n)
{
	return unit_is_one_of(at, n, words) || is_builtin_of_place(at, n) || is_of_unit(at, n);
}

/* Its end is the mark's beginning. */
static bool
may_begin_mark(const char *at, size_t n)
{
	for (size_t m = 1; m < strlen(SPLIT_MARK) && m <= n; m++)
		if (strncmp(at + n - m, SPLIT_MARK, m) == 0)
			return true;
	return false;
}

bool
unit_may_begin_listed(const char *at, size_t n)
{
	if (*at == '_' || may_begin_mark(at, n) || strncmp(OF_SEAMS, at, n) == 0 ||
	    strncmp("alignas", at, n) == 0)
		return true;
	for (const char *const *word = words; *word != NULL; word++)
		if (strncmp(*word, at, n) == 0)
			return true;
	return false;
}
