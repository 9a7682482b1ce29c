/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "worker/build/recipe/quick.h"
#include "worker/build/recipe/steps.h"

#define OBJECT	"./quick-object.o"

bool
quick_is(const char *compiler)
{
	return strcmp(compiler, QUICK_COMPILER) == 0;
}

static bool
starts(const char *word, const char *with)
{
	return strncmp(word, with, strlen(with)) == 0;
}

static void
put(FILE *to, const char *word)
{
	(void)fputs(" \"", to);
	for (; *word != '\0'; word++) {
		if (*word == '"' || *word == '\\')
			(void)fputc('\\', to);
		(void)fputc(*word, to);
	}
	(void)fputc('"', to);
}

static bool
is_for_linker(const char *word)
{
	return starts(word, "-Wl,") || starts(word, "-l") || word[0] == '/' ||
	    strcmp(word, "-shared") == 0;
}

/* The first word is tcc, the second -###. */
static void
put_compiler(FILE *to, const char *const *words, size_t n)
{
	put(to, words[0]);
	put(to, "-r");
	for (size_t i = 2; i < n; i++) {
		if (strcmp(words[i], "-o") == 0) {
			i++;
		} else if (strcmp(words[i], "-D" STEPS_MACROS) == 0) {
			put(to, "-D");
			put(to, STEPS_MACROS);
		} else if (!is_for_linker(words[i])) {
			put(to, words[i]);
		}
	}
	put(to, "-o");
	put(to, OBJECT);
	(void)fputc('\n', to);
}

/* "-Wl,-z,now" is "-z now". */
static void
put_parts(FILE *to, const char *word)
{
	char	part[4096];

	for (word += strlen("-Wl,"); *word != '\0'; word += *word == ',') {
		const size_t	n = strcspn(word, ",");

		(void)snprintf(part, sizeof part, "%.*s", (int)n, word);
		put(to, part);
		word += n;
	}
}

/* What its code may call, where tcc was installed with it. */
static void
put_runtime(FILE *to)
{
	static const char *const	paths[] = {
		"/usr/lib/x86_64-linux-gnu/tcc/libtcc1.a",
		"/usr/lib/aarch64-linux-gnu/tcc/libtcc1.a",
		"/usr/lib/tcc/libtcc1.a",
	};

	for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
		if (access(paths[i], R_OK) == 0) {
			put(to, paths[i]);
			return;
		}
}

static void
put_linker(FILE *to, const char *const *words, size_t n)
{
	put(to, "ld");
	for (size_t i = 2; i < n; i++) {
		if (starts(words[i], "-Wl,"))
			put_parts(to, words[i]);
		else if (strcmp(words[i], "-o") == 0 && i + 1 < n) {
			put(to, "-o");
			put(to, words[++i]);
			put(to, OBJECT);
		} else if (is_for_linker(words[i])) {
			put(to, words[i]);
		}
	}
	put_runtime(to);
	put(to, "-lc");
	(void)fputc('\n', to);
}

char *
quick_steps(const char *const *words, size_t n)
{
	char	*text = NULL;
	size_t	 bytes;
	FILE	*to = open_memstream(&text, &bytes);

	if (to == NULL)
		return NULL;
	put_compiler(to, words, n);
	put_linker(to, words, n);
	if (fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}
