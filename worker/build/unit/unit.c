/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/base/fnv.h"
#include "worker/build/recipe/run.h"
#include "worker/build/unit/unit.h"
#include "worker/build/unit/unit_blame.h"
#include "worker/build/unit/unit_notes.h"
#include "worker/build/unit/unit_text.h"
#include "worker/jail/jail.h"

enum {
	WORDS_ADDED = 4,
	UNIT_RETRIES = 3,		/* without those that failed */
	UNIT_OBJECT_BYTES = 16 << 20,
	LINK_BYTES = 64 << 20,		/* of objects in one jail */
	LINK_PATH_BYTES = 64,
};

struct member {
	struct job	 job;		/* of company; the first has none */
	bool		 has_job;
	struct recipe	 own;
	struct hash	 name;
	int		 fd;		/* its shared object; -1: none */
};

struct unit {
	struct units		*units;		/* borrowed, as are the next four */
	const struct unit_means	*means;
	const struct job	*job;
	const struct recipe	*first;
	const struct compile	*where;
	struct member		*all;		/* owned: UNIT_MOST of them */
	unsigned		 taken;		/* of all; some have left again */
	unsigned		 n;
	struct member		*member[UNIT_MOST];	/* borrowed: of all */
	const struct recipe	*recipe[UNIT_MOST];	/* borrowed: of members */
	char			*text;		/* owned */
	char			*words;		/* owned: the compiler's; NULL: none */
	void			*object;	/* owned */
	size_t			 bytes;
	double			 ms;
};

/* ---- members ---- */

/* gcc in all its versions, clang as well; no other has been looked at. */
static bool
is_compiler_known(const char *name)
{
	return strcmp(name, "gcc") == 0 || strcmp(name, "clang") == 0 ||
	    (strncmp(name, "gcc-", 4) == 0 && isdigit((unsigned char)name[4])) ||
	    (strncmp(name, "clang-", 6) == 0 && isdigit((unsigned char)name[6]));
}

static bool
may_begin(const struct units *u, const struct job *job, const struct recipe *r,
    const struct hash *name)
{
	return r->compiler != NULL && is_compiler_known(r->compiler->name) && r->steps != NULL &&
	    r->pad[0] == '\0' && job->against.source == NULL && !notes_is_off(u, job) &&
	    !notes_is_alone(u, name) && unit_text_fits(job);
}

/* The command line without macros. */
static bool
is_same_line(const struct recipe *a, const struct recipe *b)
{
	size_t	i = 0, j = 0;

	for (;; i++, j++) {
		i += i == a->first_macro ? a->nmacros : 0;
		j += j == b->first_macro ? b->nmacros : 0;
		if (i >= a->nwords || j >= b->nwords)
			return i >= a->nwords && j >= b->nwords;
		if (strcmp(a->words[i], b->words[j]) != 0)
			return false;
	}
}

static bool
is_alike(const struct unit *u, const struct job *job, const struct recipe *r)
{
	const struct recipe	*first = u->first;

	return r->compiler == first->compiler && r->is_plain == first->is_plain &&
	    strcmp(r->file, first->file) == 0 &&
	    strcmp(job->spec.routine.name, u->job->spec.routine.name) == 0 &&
	    is_same_line(r, first) && (r->is_plain || (r->source_bytes == first->source_bytes &&
	    memcmp(r->source, first->source, r->source_bytes) == 0));
}

static bool
has_name(const struct unit *u, const struct hash *name)
{
	for (unsigned k = 0; k < u->n; k++)
		if (strcmp(u->member[k]->name.hex, name->hex) == 0)
			return true;
	return false;
}

/* A recipe is in `own`; is it one more member? */
static bool
is_member(struct unit *u, struct member *m)
{
	struct fault	why;

	if (m->job.against.source != NULL || !unit_text_fits(&m->job) ||
	    !is_alike(u, &m->job, &m->own))
		return false;
	m->own.dir = u->means->scratch->path;
	m->own.steps = u->first->steps;		/* of the same command line */
	return recipe_hash(&m->own, &m->name, &why) == ST_OK &&
	    !notes_is_alone(u->units, &m->name) &&
	    !has_name(u, &m->name) && !cache_has(u->means->cache, &m->name);
}

static void
add_member(struct unit *u, struct member *m, const struct recipe *r)
{
	u->member[u->n] = m;
	u->recipe[u->n++] = r;
	u->taken++;
}

static void
take_member(struct unit *u, const json_t *doc)
{
	struct member	*m = &u->all[u->taken];
	struct fault	 why;

	if (u->n == UNIT_MOST || job_decode(&m->job, doc, &why) != ST_OK)
		return;
	if (recipe_of_variant(&m->own, u->means->recipes, &m->job.spec, &m->job.variant,
	    "variant", 0, &why) == ST_OK && is_member(u, m)) {
		m->has_job = true;
		add_member(u, m, &m->own);
		return;
	}
	recipe_release(&m->own);
	job_release(&m->job);
}

static void
take_members(struct unit *u, const struct hash *name, const json_t *company)
{
	size_t	 i;
	json_t	*doc;

	u->all[0].name = *name;
	add_member(u, &u->all[0], u->first);
	json_array_foreach((json_t *)(uintptr_t)company, i, doc)
		take_member(u, doc);
}

/*
 * Those that the compiler has errors for leave, and are built alone.  False: it has not said whose
 * they are, or fewer than two are left.
 */
static bool
drop_guilty(struct unit *u)
{
	const struct unit_page	page = { u->first->file, u->text, u->job->spec.routine.name };
	bool			guilty[UNIT_MOST] = { false };
	unsigned		kept = 0;

	if (u->words == NULL || !unit_blame(guilty, u->n, u->words, &page))
		return false;
	for (unsigned k = 0; k < u->n; k++) {
		if (guilty[k]) {
			notes_alone(u->units, &u->member[k]->name);
			continue;
		}
		u->member[kept] = u->member[k];
		u->recipe[kept++] = u->recipe[k];
	}
	u->n = kept;
	return kept > 1;
}

/* ---- compiling ---- */

/* The first recipe without macros, and a section for each version. */
static void
put_words(struct recipe *r, const struct recipe *first)
{
	const bool	is_gcc = strncmp(first->compiler->name, "gcc", 3) == 0;

	r->nwords = 0;
	for (size_t i = 0; i < first->nwords; i++) {
		if (i >= first->first_macro && i < first->first_macro + first->nmacros)
			continue;
		r->words[r->nwords++] = first->words[i];
		if (first->is_plain || strcmp(first->words[i], RECIPE_OBJECT) != 0)
			continue;
		r->words[r->nwords++] = "-ffunction-sections";
		/* one version's declaration is no other's */
		r->words[r->nwords++] = "-Werror=implicit-function-declaration";
		r->words[r->nwords++] = is_gcc ?
		    "-fno-ipa-icf" :		/* equal ones would be jumps */
		    "-Werror=out-of-scope-function";
	}
}

static bool
make_recipe(struct unit *u, struct recipe *r, const char *text)
{
	if (u->first->nwords + WORDS_ADDED > RECIPE_MAX_WORDS)
		return false;
	*r = *u->first;
	put_words(r, u->first);
	r->nmade = 0;			/* the first recipe's */
	r->first_macro = r->nmacros = 0;
	r->steps = NULL;
	r->beside = NULL;
	r->source = text;
	r->source_bytes = strlen(text);
	return direct_set(u->means->direct, r, u->means->scratch, u->where) == ST_OK &&
	    r->steps != NULL;
}

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

/* Up to its object, which no linker has seen. */
static enum status
run_first(struct unit *u, const struct recipe *r, int fd)
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
compile_text(struct unit *u, const char *text, int fd)
{
	struct recipe	*r = malloc(sizeof *r);
	enum status	 st = ST_BAD_SPEC;

	if (fd != -1 && r != NULL && text != NULL && make_recipe(u, r, text))
		st = run_first(u, r, fd);
	free(r);
	return st;
}

/* What they make is not looked at. */
static enum status
compile_headers(struct unit *u, const char *text)
{
	const int		fd = memfd_create("assay-headers", MFD_CLOEXEC);
	const enum status	st = compile_text(u, text, fd);

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
	return compile_text(u, u->text, fd);
}

static enum status
compile_versions(struct unit *u, int fd)
{
	enum status	st = compile_once(u, fd);

	for (unsigned i = 0; i < UNIT_RETRIES && st == ST_BUILD_FAILED && drop_guilty(u); i++)
		st = compile_once(u, fd);
	return st;
}

static enum status
compile_unit(struct unit *u)
{
	const int	 fd = memfd_create("assay-unit", MFD_CLOEXEC);
	struct fault	 why;
	enum status	 st = check_headers(u);

	if (st == ST_OK)
		st = compile_versions(u, fd);
	if (st == ST_OK && (!read_object(u, fd) || split_check(u->object, u->bytes,
	    u->job->spec.routine.name, u->n, &why) != ST_OK))
		st = ST_BAD_SPEC;
	if (fd != -1)
		(void)close(fd);
	return st;
}

/* ---- linking ---- */

/* A version's object in its folder, where the links look for it. */
static enum status
put_version(const struct unit *u, unsigned k, unsigned folder, const char *name)
{
	char		*object = malloc(u->bytes);
	char		 path[LINK_PATH_BYTES], number[JAIL_FOLDER_BYTES];
	enum status	 st = ST_INTERNAL;

	jail_folder(folder, number);
	if (object != NULL &&
	    (size_t)snprintf(path, sizeof path, "%s/%s", number, name) < sizeof path) {
		memcpy(object, u->object, u->bytes);
		st = split_take(object, u->bytes, u->job->spec.routine.name, k) ?
		    scratch_put(u->means->scratch, path, object, u->bytes, NULL) : ST_BAD_SPEC;
	}
	free(object);
	return st;
}

/* The next shared object in `from`, which moves on.  -1: there is none, or not all of it. */
static int
take_result(int from)
{
	const int	to = memfd_create("assay-object", MFD_CLOEXEC);
	uint64_t	bytes = 0;
	bool		whole = to != -1 && read(from, &bytes, sizeof bytes) == sizeof bytes &&
			    bytes > 0 && bytes <= JAIL_RESULT_BYTES;

	for (ssize_t n; whole && bytes > 0; bytes -= (uint64_t)n)
		if ((n = sendfile(to, from, NULL, bytes)) <= 0)
			break;
	if (whole && bytes == 0)
		return to;
	if (to != -1)
		(void)close(to);
	return -1;
}

static enum status
take_results(struct unit *u, unsigned first, unsigned n, int from)
{
	if (lseek(from, 0, SEEK_SET) == -1)
		return ST_INTERNAL;
	for (unsigned k = first; k < first + n; k++)
		if ((u->member[k]->fd = take_result(from)) == -1)
			return ST_INTERNAL;
	return ST_OK;
}

static enum status
run_links(struct unit *u, unsigned first, unsigned n, int fd)
{
	struct compile		 order = *u->where;
	struct compiled		 c;
	struct step_line	 line;
	const char		*name;
	enum status		 st = ST_OK;

	if (!steps_put_links(u->first->steps, &line, &name))
		return ST_INTERNAL;
	order.argv = line.words;
	order.steps = line.counts;
	order.folders = n;
	order.result = RECIPE_OBJECT;
	order.result_fd = fd;
	scratch_empty(u->means->scratch);
	for (unsigned k = 0; k < n && st == ST_OK; k++)
		st = put_version(u, first + k, k, name);
	if (st != ST_OK)
		return st;
	compile_run(&order, &c);
	u->ms += c.ms;
	free(c.words);
	return c.status == ST_OK ? take_results(u, first, n, fd) : c.status;
}

/* So many at once as have room in a jail's memory. */
static enum status
link_versions(struct unit *u)
{
	const size_t	room = LINK_BYTES / u->bytes;
	const unsigned	most = room < 1 ? 1 : room < u->n ? (unsigned)room : u->n;
	enum status	st = ST_OK;

	for (unsigned k = 0; k < u->n && st == ST_OK; k += most) {
		const int	fd = memfd_create("assay-objects", MFD_CLOEXEC);

		st = fd == -1 ? ST_INTERNAL :
		    run_links(u, k, u->n - k < most ? u->n - k : most, fd);
		if (fd != -1)
			(void)close(fd);
	}
	return st;
}

/* ---- against a lone build ---- */

/* The variant's own object, before it is linked. */
static bool
is_object_same(struct unit *u, unsigned k, int fd)
{
	const double		ms = u->ms;
	const enum status	st = run_first(u, u->recipe[k], fd);

	u->ms = ms;			/* the unit's own is shared among its variants */
	return st == ST_CANCELLED || (st == ST_OK && split_is_same_object(u->object, u->bytes,
	    u->job->spec.routine.name, k, fd));
}

static bool
is_linked_same(struct unit *u, unsigned k, int fd)
{
	struct recipe	*r = malloc(sizeof *r);
	struct compiled	 c = { .status = ST_INTERNAL };
	bool		 same = false;

	if (r != NULL) {
		*r = *u->recipe[k];
		recipe_run(r, u->means->scratch, NULL, u->where, fd, &c);
		same = c.status == ST_CANCELLED || (c.status == ST_OK && split_is_same(u->object,
		    u->bytes, u->job->spec.routine.name, k, fd, u->member[k]->fd));
		free(c.words);
	}
	free(r);
	return same;
}

static bool
is_same_alone(struct unit *u, unsigned k, bool (*is_same)(struct unit *, unsigned, int))
{
	const int	fd = memfd_create("assay-object", MFD_CLOEXEC);
	const bool	same = fd != -1 && is_same(u, k, fd);

	if (fd != -1)
		(void)close(fd);
	return same;
}

/* The last version has the most before it; later units have any of theirs looked at. */
static unsigned
drawn_version(const struct unit *u, unsigned count)
{
	unsigned	k = 0;

	if (count == 0 || getrandom(&k, sizeof k, 0) != sizeof k)
		return u->n - 1;
	return k % u->n;
}

static enum status
check_unit(struct unit *u)
{
	const unsigned	count = notes_count(u->units, u->job), k = drawn_version(u, count);

	if (count % UNIT_CHECKED != 0 || (is_same_alone(u, k, is_object_same) &&
	    is_same_alone(u, k, is_linked_same)))
		return ST_OK;
	notes_differs(u->units, u->job, u->means->cache);
	(void)fprintf(stderr, "warn compiler=%s routine=%s a variant's code in a unit differs from "
	    "that of a lone build: variants of this source are built alone\n",
	    u->first->compiler->name, u->job->spec.routine.name);
	return ST_BAD_SPEC;
}

/* ---- all of it ---- */

static void
keep(struct unit *u)
{
	const struct unit_made	made = { u->n, u->ms / u->n };
	struct fault		why;

	for (unsigned k = 0; k < u->n; k++) {
		const struct member	*m = u->member[k];

		if (cache_put(u->means->cache, &m->name, m->fd, &why) == ST_OK)
			notes_made(u->units, u->job, &m->name, made);
	}
}

static void
give_up(struct unit *u)
{
	for (unsigned k = 0; k < u->n; k++)
		notes_alone(u->units, &u->member[k]->name);
	notes_failure(u->units, u->job);
}

static enum status
make_unit(struct unit *u)
{
	enum status	st = compile_unit(u);

	if (st == ST_OK)
		st = link_versions(u);
	if (st == ST_OK)
		st = check_unit(u);
	if (st == ST_OK)
		keep(u);
	else if (st != ST_CANCELLED)
		give_up(u);
	scratch_empty(u->means->scratch);
	return st == ST_CANCELLED ? st : ST_OK;
}

static void
unit_release(struct unit *u)
{
	for (unsigned k = 0; k < u->taken; k++) {
		struct member	*m = &u->all[k];

		if (m->fd != -1)
			(void)close(m->fd);
		if (!m->has_job)
			continue;
		recipe_release(&m->own);
		job_release(&m->job);
	}
	free(u->all);
	free(u->text);
	free(u->words);
	free(u->object);
}

enum status
units_try(struct units *units, const struct unit_means *means, const struct job *job,
    const struct recipe *first, const struct hash *name, const json_t *company)
{
	struct compile	where = means->where;
	struct unit	u = { .units = units, .means = means, .job = job, .first = first,
			    .where = &where };
	enum status	st = ST_OK;

	if (!may_begin(units, job, first, name) ||
	    (u.all = calloc(UNIT_MOST, sizeof *u.all)) == NULL)
		return ST_OK;
	for (unsigned k = 0; k < UNIT_MOST; k++)
		u.all[k].fd = -1;
	where.wall_ms = job->build_timeout_ms < UNIT_WALL_MS ? job->build_timeout_ms :
	    UNIT_WALL_MS;
	take_members(&u, name, company);
	if (u.n > 1)
		st = make_unit(&u);
	unit_release(&u);
	return st;
}
