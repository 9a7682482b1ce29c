/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "proto/base/path.h"
#include "proto/spec/flags.h"
#include "worker/build/recipe/compile.h"
#include "worker/build/recipe/compiler.h"
#include "worker/build/recipe/quick.h"
#include "worker/cache/digest.h"

enum { MAX_COMPILERS = 64, QUERY_MS = 10000 };

struct compilers {
	int		 cpu;
	size_t		 n;
	struct compiler	 known[MAX_COMPILERS];	/* id "": the file does not work as a compiler */
};

/* Always there and never written to: a compiler prints its working directory, too. */
#define QUERY_DIR	"/usr"

/* ---- querying one ---- */

/* The first line that contains `word`, or what follows the word in it; without trailing blanks. */
static void
take_line(const char *text, const char *word, bool after_word, char *out, size_t bytes)
{
	const char	*hit = strstr(text, word), *from = hit;

	out[0] = '\0';
	if (hit == NULL)
		return;
	while (!after_word && from > text && from[-1] != '\n')
		from--;
	if (after_word)
		from += strlen(word);
	(void)snprintf(out, bytes, "%.*s", (int)strcspn(from, "\n"), from);
	while (out[0] != '\0' && out[strlen(out) - 1] == ' ')
		out[strlen(out) - 1] = '\0';
}

/* Hash the file's real path and all of the output but the name under which it was called. */
static enum status
put_id(struct compiler *c, const char *output, struct fault *why)
{
	char		*real = realpath(c->path, NULL);
	const char	*name = strstr(output, "COLLECT_GCC="), *rest = output;
	struct digest	*d;
	struct hash	 hash;
	enum status	 st = digest_new(&d, why);

	if (st == ST_OK) {
		digest_text(d, real != NULL ? real : c->path);
		if (name != NULL) {
			digest_add(d, output, (size_t)(name - output));
			rest = name + strcspn(name, "\n");
		}
		digest_text(d, rest);
		if ((st = digest_end(d, &hash)) == ST_OK)
			memcpy(c->id, hash.hex, sizeof c->id - 1);
	}
	free(real);
	return st;
}

static bool
is_name_of(const char *name, const char *stem)
{
	return strncmp(name, stem, strlen(stem)) == 0 &&
	    (name[strlen(stem)] == '\0' || name[strlen(stem)] == '-');
}

static const char *
language_of(const char *name)
{
	if (is_name_of(name, "g++") || is_name_of(name, "clang++"))
		return "c++";
	return is_name_of(name, "gfortran") ? "f95" : "c";
}

/*
 * "-###" prints version, target and the command line that -march=native stands for, without running
 * it.  A compiler that rejects -march=native is run again without it.
 */
static enum status
query(struct compiler *c, int cpu, struct fault *why)
{
	const char		*argv[] = { c->path, "-###", "-S", "-x", language_of(c->name),
				    "-o", "native.s", "/dev/null", "-march=native", NULL };
	const struct compile	 order = { .phase = JAIL_TIME, .argv = argv,
				    .dir = QUERY_DIR, .cpu = cpu, .wall_ms = QUERY_MS };
	struct compiled		 said;
	enum status		 st;

	if (quick_is(c->name)) {		/* it has a version alone */
		argv[1] = "-v";
		argv[2] = NULL;
	}
	compile_run(&order, &said);
	if (said.status == ST_BUILD_FAILED) {
		free(said.words);
		argv[8] = NULL;
		compile_run(&order, &said);
	}
	if (said.status != ST_OK || said.words == NULL) {
		st = fault_set(why, said.status == ST_OK ? ST_INTERNAL : said.status,
		    "%s: %.200s", c->path, said.words != NULL ? said.words : "no output");
	} else {
		take_line(said.words, " version ", false, c->version, sizeof c->version);
		take_line(said.words, "Target: ", true, c->target, sizeof c->target);
		st = put_id(c, said.words, why);
	}
	free(said.words);
	return st;
}

/* ---- all of them ---- */

/* A program of Assay's own lies beside the worker's. */
static bool
find_own(char *path, size_t bytes, struct stat *sb)
{
	return path_program(INPROC_PROGRAM, path, bytes, NULL) == ST_OK && stat(path, sb) == 0;
}

static bool
find_file(const char *name, char *path, size_t bytes, struct stat *sb)
{
	static const char *const	dirs[] = { "/usr/local/bin", "/usr/bin", "/bin" };

	if (strcmp(name, INPROC_COMPILER) == 0)
		return find_own(path, bytes, sb);
	for (size_t i = 0; i < sizeof dirs / sizeof dirs[0]; i++) {
		(void)snprintf(path, bytes, "%s/%s", dirs[i], name);
		if (stat(path, sb) == 0 && S_ISREG(sb->st_mode) && (sb->st_mode & 0111) != 0)
			return true;
	}
	return false;
}

static struct compiler *
slot_for(struct compilers *all, const char *name)
{
	for (size_t i = 0; i < all->n; i++)
		if (strcmp(all->known[i].name, name) == 0)
			return &all->known[i];
	return &all->known[all->n < MAX_COMPILERS ? all->n++ : MAX_COMPILERS - 1];
}

static bool
is_same_file(const struct compiler *c, const struct stat *sb)
{
	return c->file_device == sb->st_dev && c->file_inode == sb->st_ino &&
	    c->file_bytes == sb->st_size && c->file_changed.tv_sec == sb->st_mtim.tv_sec &&
	    c->file_changed.tv_nsec == sb->st_mtim.tv_nsec;
}

/* Copy what is known of the same file under another name; false: nothing is. */
static bool
copy_twin(const struct compilers *all, struct compiler *c, const struct stat *sb)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct compiler	*twin = &all->known[i];

		if (twin == c || twin->id[0] == '\0' || !is_same_file(twin, sb) ||
		    strcmp(language_of(twin->name), language_of(c->name)) != 0)
			continue;
		memcpy(c->version, twin->version, sizeof c->version);
		memcpy(c->target, twin->target, sizeof c->target);
		memcpy(c->id, twin->id, sizeof c->id);
		return true;
	}
	return false;
}

/*
 * NULL: not installed, or it does not run.  A compiler is queried once, and again if its file
 * changes.
 */
static struct compiler *
look_up(struct compilers *all, const char *name, struct fault *why)
{
	struct compiler	*c;
	struct stat	 sb;
	char		 path[sizeof c->path];

	(void)fault_set(why, ST_BAD_SPEC, "not installed");
	if (strlen(name) >= sizeof c->name || !find_file(name, path, sizeof path, &sb))
		return NULL;
	c = slot_for(all, name);
	if (strcmp(c->path, path) != 0 || !is_same_file(c, &sb)) {
		*c = (struct compiler){ .file_device = sb.st_dev, .file_inode = sb.st_ino,
		    .file_bytes = sb.st_size, .file_changed = sb.st_mtim };
		(void)snprintf(c->name, sizeof c->name, "%s", name);
		memcpy(c->path, path, sizeof path);
		if (!copy_twin(all, c, &sb) && query(c, all->cpu, why) != ST_OK)
			c->id[0] = '\0';
	}
	return c->id[0] != '\0' ? c : NULL;
}

enum status
compilers_new(struct compilers **out, int cpu, struct fault *why)
{
	if ((*out = calloc(1, sizeof **out)) == NULL)
		return fault_set(why, ST_NOMEM, "compilers");
	(*out)->cpu = cpu;
	return ST_OK;
}

void
compilers_free(struct compilers *all)
{
	free(all);
}

/* What to do about a compiler that not every host has. */
static const char *
remedy_for(const char *name)
{
	if (quick_is(name))
		return "; install the package tcc";
	return strcmp(name, INPROC_COMPILER) != 0 ? "" : "; it comes with Assay where the packages "
	    "libclang-19-dev, libclang-cpp19-dev, llvm-19-dev and g++ were installed before make";
}

static enum status
not_installed(struct compilers *all, const char *name, struct fault *why)
{
	char	list[512] = "";

	for (const char *const *n = compiler_names(); *n != NULL; n++) {
		size_t	have = strlen(list);

		if (look_up(all, *n, NULL) != NULL)
			(void)snprintf(list + have, sizeof list - have, "%s%s",
			    have == 0 ? "" : ", ", *n);
	}
	return fault_set(why, ST_BAD_SPEC,
	    "the compiler %.32s is not installed here%s; installed: %s", name,
	    remedy_for(name), list[0] != '\0' ? list : "none");
}

enum status
compilers_find(struct compilers *all, const char *name, const struct compiler **out,
    struct fault *why)
{
	*out = look_up(all, name, why);
	return *out != NULL ? ST_OK : not_installed(all, name, why);
}

struct compiler_identity
compiler_report(const struct compiler *c)
{
	static const struct compiler	none;

	if (c == NULL)
		c = &none;
	return (struct compiler_identity){ c->name, c->version, c->target, c->id };
}

bool
compilers_report(struct compilers *all, struct shape_list *out)
{
	struct installed_compiler	*one;
	size_t				 n = 0;

	while (compiler_names()[n] != NULL)
		n++;
	if (!shape_list_make(out, n, sizeof *one))
		return false;
	one = out->at;
	out->n = 0;
	for (size_t i = 0; i < n; i++) {
		const struct compiler	*c = look_up(all, compiler_names()[i], NULL);

		if (c != NULL)
			one[out->n++] = (struct installed_compiler){ compiler_report(c), c->path };
	}
	return true;
}
