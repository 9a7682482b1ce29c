/* SPDX-License-Identifier: Apache-2.0 */
/* All versions of a unit in one object. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/base/fnv.h"
#include "worker/build/unit/read/unit_include.h"
#include "worker/build/unit/unit_notes.h"
#include "worker/build/unit/unit_parts.h"
#include "worker/build/unit/unit_text.h"

enum {
	UNIT_RETRIES = 3,		/* without those that failed */
	UNIT_OBJECT_BYTES = 16 << 20,
};

/* ---- recipes ---- */

static bool
add_word(struct recipe *r, const char *word)
{
	if (r->nwords == RECIPE_MAX_WORDS)
		return false;
	r->words[r->nwords++] = word;
	return true;
}

/* Behind the object's name; they end with NULL. */
static bool
put_words(struct recipe *r, const struct recipe *of, const char *const *added)
{
	bool	fits = true;

	r->nwords = 0;
	for (size_t i = 0; i < of->nwords && fits; i++) {
		if (i == of->first_macro)
			r->first_macro = r->nwords;
		fits = add_word(r, of->words[i]);
		for (const char *const *word = added; fits && *word != NULL &&
		    strcmp(of->words[i], RECIPE_OBJECT) == 0; word++)
			fits = add_word(r, *word);
	}
	return fits;
}

static bool
set_steps(struct unit *u, struct recipe *r)
{
	r->steps = NULL;
	return direct_set(u->means->direct, r, u->means->scratch, u->where) == ST_OK &&
	    r->steps != NULL;
}

bool
unit_lone_recipe(struct unit *u, struct recipe *r, unsigned k)
{
	static const char *const	sections[] = { "-ffunction-sections", "-fdata-sections",
					    NULL };

	*r = *u->recipe[k];
	r->nmade = 0;			/* the member's */
	return !u->has_names || (put_words(r, u->recipe[k], sections) && set_steps(u, r));
}

static void
drop_macros(struct recipe *r)
{
	const size_t	behind = r->first_macro + r->nmacros;

	memmove(r->words + r->first_macro, r->words + behind,
	    (r->nwords - behind) * sizeof r->words[0]);
	r->nwords -= r->nmacros;
	r->first_macro = r->nmacros = 0;
}

static bool
is_of_gcc(const struct unit *u)
{
	return !u->first->is_plain && strncmp(u->first->compiler->name, "gcc", 3) == 0;
}

/*
 * A section for each thing of each version.  One version's declaration is no other's.  Of equal
 * functions none may be a jump to another; and a version's share of gcc's bounds for a whole unit
 * is what a lone build has (their defaults, UNIT_MOST times).
 */
static void
choose_words(const struct unit *u, const char **added)
{
	const bool	is_gcc = is_of_gcc(u);

	*added++ = "-ffunction-sections";
	*added++ = "-Werror=implicit-function-declaration";
	*added++ = is_gcc ? "-fno-ipa-icf" : "-Werror=out-of-scope-function";
	if (u->has_names)
		*added++ = "-fdata-sections";
	if (u->has_names && is_gcc) {
		*added++ = "--param=large-unit-insns=160000";
		*added++ = "--param=ipa-cp-large-unit-insns=256000";
	}
	*added = NULL;
}

/* The first recipe without macros. */
static bool
make_recipe(struct unit *u, struct recipe *r, const char *text)
{
	const char	*added[8] = { NULL };

	*r = *u->first;
	r->nmade = 0;			/* the first recipe's */
	if (!r->is_plain)
		choose_words(u, added);
	if (!put_words(r, u->first, added))
		return false;
	drop_macros(r);
	r->source = text;
	r->source_bytes = strlen(text);
	return set_steps(u, r);
}

/* The file `f` with another text. */
static void
add_file(struct variant *v, const struct source_file *f, const char *text)
{
	struct source_file	*to = &v->files[v->nfiles++];

	*to = *f;
	to->bytes = (char *)(uintptr_t)text;
	to->nbytes = strlen(text);
}

static bool
make_files(struct unit *u)
{
	const struct variant	*v = &u->job->variant;
	char			*text;

	u->beside = u->barred = *v;
	u->beside.nfiles = u->barred.nfiles = 0;
	u->beside.files = calloc(v->nfiles + 1, sizeof *v->files);
	u->barred.files = calloc(v->nfiles + 1, sizeof *v->files);
	if (u->beside.files == NULL || u->barred.files == NULL)
		return false;
	for (size_t i = 0; i < v->nfiles; i++) {
		if ((text = unit_file_text(&v->files[i], (unsigned)i)) == NULL)
			return false;
		add_file(&u->beside, &v->files[i], text);
		add_file(&u->barred, &v->files[i], "#error\n");
	}
	return true;
}

/* ---- runs ---- */

static bool
read_object(struct unit *u, int fd)
{
	struct stat	sb;

	if (fstat(fd, &sb) == -1 || sb.st_size <= 0 || sb.st_size > UNIT_OBJECT_BYTES ||
	    (u->object = malloc((size_t)sb.st_size)) == NULL)
		return false;
	u->bytes = (size_t)sb.st_size;
	return pread(fd, u->object, u->bytes, 0) == (ssize_t)u->bytes;
}

enum status
unit_run_first(struct unit *u, const struct recipe *r, int fd)
{
	struct compile		order = *u->where;
	struct compiled		c;
	struct step_line	line;
	struct fault		why;
	const struct scratch	*s = u->means->scratch;

	if (!steps_put_first(r->steps, r->words + r->first_macro, r->nmacros, &line,
	    &order.result))
		return ST_INTERNAL;
	order.argv = line.words;
	order.steps = line.counts;
	order.result_fd = fd;
	scratch_empty(s);
	if (recipe_put(r, s, &why) != ST_OK || (!r->is_plain && scratch_put(s, UNIT_SOURCE,
	    u->first->source, u->first->source_bytes, &why) != ST_OK))
		return ST_INTERNAL;
	compile_run(&order, &c);
	u->ms += c.ms;
	free(u->words);
	u->words = c.words;
	return c.status;
}

/* ST_BUILD_FAILED and others: see u->words.  ST_BAD_SPEC: these variants are built alone. */
static enum status
compile_text(struct unit *u, const char *text, const struct variant *beside, int fd)
{
	struct recipe	*r = malloc(sizeof *r);
	enum status	 st = ST_BAD_SPEC;

	if (fd != -1 && r != NULL && text != NULL && make_recipe(u, r, text)) {
		r->beside = beside;
		st = unit_run_first(u, r, fd);
	}
	free(r);
	return st;
}

/* What they make is not looked at; none of them finds a file of the source's. */
static enum status
compile_headers(struct unit *u, const char *text)
{
	const int		fd = memfd_create("assay-headers", MFD_CLOEXEC);
	const enum status	st = compile_text(u, text, &u->barred, fd);

	if (fd != -1)
		(void)close(fd);
	return st;
}

/* Once for each source and set of names: its headers may have no macro of its variants. */
static enum status
check_headers(struct unit *u)
{
	char		*text;
	enum status	 st = ST_OK;
	uint64_t	 key;

	if (u->first->is_plain)
		return ST_OK;
	if (!unit_text_headers(&text, u->job, u->recipe, u->n))
		return ST_BAD_SPEC;
	if (text == NULL)
		return ST_OK;
	key = fnv1a(text);
	if (!notes_has_headers(u->units, u->job, key))
		st = compile_headers(u, text);
	if (st == ST_OK)
		notes_headers(u->units, u->job, key);
	free(text);
	return st;
}

static enum status
compile_once(struct unit *u, int fd)
{
	free(u->text);
	u->text = u->first->is_plain ?
	    unit_text_asm(u->job->spec.routine.name, u->recipe, u->n) :
	    unit_text_c(u->job, u->recipe, u->n);
	return compile_text(u, u->text, &u->beside, fd);
}

static enum status
compile_versions(struct unit *u, int fd)
{
	enum status	st = compile_once(u, fd);

	for (unsigned i = 0; i < UNIT_RETRIES && st == ST_BUILD_FAILED && unit_drop_guilty(u); i++)
		st = compile_once(u, fd);
	return st;
}

static bool
is_object_fit(const struct unit *u)
{
	const unsigned	many = is_of_gcc(u) ? split_many_constants(u->object, u->bytes) : 0;

	if (many == u->n)
		notes_off(u->units, u->job);
	return many == 0 && split_check(u->object, u->bytes, u->job->spec.routine.name, u->n,
	    NULL) == ST_OK;
}

enum status
unit_compile(struct unit *u)
{
	const int	 fd = memfd_create("assay-unit", MFD_CLOEXEC);
	enum status	 st;

	u->has_names = !u->first->is_plain && unit_text_has_names(u->job);
	st = make_files(u) ? check_headers(u) : ST_BAD_SPEC;
	if (st == ST_OK)
		st = compile_versions(u, fd);
	if (st == ST_OK && (!read_object(u, fd) || !is_object_fit(u)))
		st = ST_BAD_SPEC;
	if (fd != -1)
		(void)close(fd);
	return st;
}
