/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_TESTS_SUPPORT_TWO_BUILDERS_H
#define ASSAY_TESTS_SUPPORT_TWO_BUILDERS_H

/*
 * Units against lone builds, for tests that include this once, after cmocka: two builders with a
 * cache each, one of which is never told of company.  The compilers are real, and so are the jails.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "worker/build/build.h"
#include "worker/cache/cache.h"

enum { VARIANTS = 3 };		/* of a source, mostly */

struct side {
	char			 cache[96], scratch[96];
	struct builder		*builder;
	struct artifacts	 made;
	char			*detail;
	json_t			*report;
};

static char		dir[64];
static struct side	together, alone;

static inline void
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

static inline void
close_side(struct side *s)
{
	builder_free(s->builder);
	free(s->detail);
	json_decref(s->report);
	*s = (struct side){ .builder = NULL };
}

static inline int
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

static inline int
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

#define PLAIN	"double\nf(int n, const double *x)\n{\n\treturn x[n - 1] * U + V;\n}\n"

/* Of `double f(int n, const double *x)`, with the macros U and V.  Takes the flags. */
static inline json_t *
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

static inline json_t *
assembly(const char *source)
{
	json_t	*doc = document("asm", source, json_pack("[]"), 1, "1");

	(void)json_object_del(json_object_get(doc, "variant"), "defines");
	return doc;
}

static inline enum status
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

static inline const char *
built(const struct side *s)
{
	const char	*word = json_string_value(json_object_get(s->report, "built"));

	return word != NULL ? word : "";
}

static inline int
unit_of(const struct side *s)
{
	return (int)json_integer_value(json_object_get(s->report, "unit_variants"));
}

static inline json_t *
split_words(const char *flags)
{
	json_t	*all = json_array();
	char	 copy[64], *rest, *word;

	(void)snprintf(copy, sizeof copy, "%s", flags);
	for (word = strtok_r(copy, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
		(void)json_array_append_new(all, json_string(word));
	return all;
}

/* Build the documents as the daemon gives them out: the first with all others as its company. */
static inline unsigned
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

/* How many of three such variants are built in a unit; all must build, as alone. */
static inline unsigned
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

/* All in units. */
static inline void
must_be_in_units(const char *const *sources, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (units_of(sources[i], json_pack("[s]", "-O2")) != 3)
			fail_msg("not in a unit: %s", sources[i]);
}

/* ---- what they built ---- */

static inline int
open_artifact(const struct side *s)
{
	char	path[256];
	int	fd;

	assert_true(artifact_path(s->cache, &s->made.variant, path, sizeof path));
	assert_int_not_equal(fd = open(path, O_RDONLY | O_CLOEXEC), -1);
	return fd;
}

static inline void *
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

static inline bool
are_equal(int a, int b)
{
	size_t	 n, m;
	void	*x = read_all(a, &n), *y = read_all(b, &m);
	bool	 equal = n == m && memcmp(x, y, n) == 0;

	free(x);
	free(y);
	return equal;
}

/* Loaded; NULL: it cannot be. */
static inline void *
load(const struct side *s)
{
	char	path[256];

	assert_true(artifact_path(s->cache, &s->made.variant, path, sizeof path));
	return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/* Where the routine starts in its page. */
static inline unsigned
page_offset(const struct side *s)
{
	void		*object = load(s), *at;
	unsigned	 offset;

	assert_non_null(object);
	assert_non_null(at = dlsym(object, "f"));
	offset = (unsigned)((uintptr_t)at & 4095);
	(void)dlclose(object);
	return offset;
}

/*
 * All instructions of a shared object, without places, the numbers of versions, and what fills the
 * gap before the next function.
 */
static inline char *
instructions(const struct side *s)
{
	char	 path[256], command[1024], *all = NULL;
	size_t	 room = 0;
	FILE	*f;

	assert_true(artifact_path(s->cache, &s->made.variant, path, sizeof path));
	(void)snprintf(command, sizeof command, "objdump -d -j .text --no-show-raw-insn '%s' | sed -nE "
	    "'/^[0-9a-f]+ <|^ /{s/^ *[0-9a-f]+:?//; s/__assay[0-9]+//g; s/-?0x[0-9a-f]+\\(%%rip\\)/(%%rip)/; "
	    "s/[0-9a-f]+ <([^>]*)>/<\\1>/; s/ *#.*//; p}' | awk '/>:$/{gap = \"\"} /nop|xchg *%%ax,%%ax/"
	    "{gap = gap $0 \"\\n\"; next} {printf \"%%s%%s\\n\", gap, $0; gap = \"\"}'", path);
	assert_non_null(f = popen(command, "r"));
	assert_int_not_equal(getdelim(&all, &room, '\0', f), -1);
	assert_int_equal(pclose(f), 0);
	return all;
}

static inline void
must_have_same_code(const char *source, const char *flags)
{
	char	*a = instructions(&together), *b = instructions(&alone);

	if (strstr(a, "<f>:") == NULL || strcmp(a, b) != 0)
		fail_msg("other code in a unit, %s:\n%s\n%s\nalone:\n%s", flags, source, a, b);
	if (page_offset(&together) != page_offset(&alone))
		fail_msg("another place in its page, %s:\n%s", flags, source);
	free(a);
	free(b);
}

/* ---- as alone ---- */

/* What the side's object answers; false: it cannot be loaded. */
static inline bool
answer(const struct side *s, double *out)
{
	static const double	x[3] = { 0.5, 1.5, 2.5 };
	double			(*f)(int, const double *) = NULL;
	void			*object = load(s), *at;

	if (object == NULL)
		return false;
	if ((at = dlsym(object, "f")) != NULL) {
		memcpy(&f, &at, sizeof f);
		*out = f(3, x);
	}
	(void)dlclose(object);
	return at != NULL;
}

/* Both sides have built the same: outcome, words, answer. */
static inline void
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
static inline void
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

static inline void
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

#endif
