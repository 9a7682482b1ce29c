/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "client/cmd/job/document.h"
#include "client/cmd/job/helper.h"
#include "client/cmd/job/transformed.h"
#include "client/cmd/tune/tune_source.h"
#include "client/print/member.h"

bool
tune_source_is_automatic(const struct tune_choice *c, const char *path)
{
	const char	*language = document_language(path);
	bool		 has_space = c->space.n > 0 || c->flags.n > 1;

	for (size_t i = 0; i < c->defines.n; i++)
		has_space = has_space || strpbrk(c->defines.items[i], ",:") != NULL;
	return language != NULL && strcmp(language, "c") == 0 && c->script == NULL && !has_space;
}

/* ---- the spec ---- */

/* NAME.spec.json beside NAME.c. */
static bool
spec_beside(const char *path, char spec[PATH_MAX])
{
	const char	*slash = strrchr(path, '/'), *dot = strrchr(path, '.');
	const int	 n = dot != NULL && (slash == NULL || dot > slash) ? (int)(dot - path) :
			    (int)strlen(path);

	return snprintf(spec, PATH_MAX, "%.*s.spec.json", n, path) < PATH_MAX &&
	    access(spec, R_OK) == 0;
}

static enum status
derive_spec(const struct tune_choice *c, const char *path, json_t **spec, struct fault *why)
{
	struct helper	 h;
	enum status	 st;
	const json_t	*guesses;

	if ((st = helper_init(&h, "assay-spec", "libclang and libdw", why)) != ST_OK)
		return st;
	helper_add(&h, "--quiet");
	helper_add(&h, "--");
	helper_add(&h, "%s", path);
	st = helper_run(&h, false, spec, why);
	helper_release(&h);
	if (st != ST_OK) {
		(void)fault_set(why, ST_NOT_FOUND, "%s: has no spec, and none can be derived",
		    path);
		fault_hint(why, "name one with --spec SPEC.json; assay-spec(5) describes it");
		return ST_NOT_FOUND;
	}
	guesses = json_object_get(json_object_get(*spec, "meta"), "guesses");
	if (!c->is_quiet)
		(void)fprintf(stderr, "assay: %s: its spec is derived, with %zu guesses; to see "
		    "and keep it: assay spec %s\n", path, json_array_size(guesses), path);
	return ST_OK;
}

/* A file may have a spec, or a job with a spec in it. */
static enum status
find_spec(const struct tune_choice *c, const char *path, json_t **out, struct fault *why)
{
	char		 beside[PATH_MAX];
	const char	*file = c->spec != NULL ? c->spec : spec_beside(path, beside) ? beside :
			    NULL;
	json_t		*spec = NULL;
	enum status	 st;

	if (file == NULL)
		st = derive_spec(c, path, &spec, why);
	else if ((st = document_load(file, &spec, why)) == ST_OK &&
	    (st = document_resolve(spec, file, why)) != ST_OK)
		(void)fault_within(why, file);
	*out = json_incref(json_is_object(json_object_get(spec, "spec")) ?
	    json_object_get(spec, "spec") : spec);
	json_decref(spec);
	return st;
}

enum status
tune_source_sweep(const struct tune_choice *c, const char *path, json_t **sweep,
    struct fault *why)
{
	json_t		*spec = NULL, *template = NULL;
	enum status	 st = find_spec(c, path, &spec, why);

	*sweep = NULL;
	if (st == ST_OK && (st = document_variant(path, &template, why)) == ST_OK)
		*sweep = json_pack("{s:O, s:O, s:O}", "name", json_object_get(template, "name"),
		    "spec", spec, "template", template);
	json_decref(spec);
	json_decref(template);
	return st;
}

/* ---- the variants ---- */

/* With several sizes, one variant is timed with all of them. */
static bool
has_several_sizes(const json_t *sweep)
{
	const json_t	*params = json_object_get(json_object_get(sweep, "spec"), "params");
	const char	*name;
	json_t		*values;

	json_object_foreach(json_object_get(sweep, "space"), name, values)
		if (json_object_get(params, name) != NULL)
			return true;
	return false;
}

static enum status
refuse_empty(const struct tune_choice *c, const char *path, struct fault *why)
{
	(void)fault_set(why, ST_BAD_SPEC, "%s: %s", path, c->script == NULL ?
	    "no legal variant is found" : "the script makes no legal variant");
	if (c->script != NULL)
		fault_hint(why, "to see why: assay variants %s --script %s", path, c->script);
	return ST_BAD_SPEC;
}

static json_t *
space_of(json_t *sweep)
{
	if (json_object_get(sweep, "space") == NULL)
		(void)json_object_set_new(sweep, "space", json_object());
	return json_object_get(sweep, "space");
}

static enum status
put_variants(const struct tune_choice *c, const char *path, json_t *sweep, struct fault *why)
{
	struct transformed_request	 request = { .source = path, .script = c->script,
					    .spec = json_object_get(sweep, "spec"),
					    .defines = c->defines,
					    .any_size = has_several_sizes(sweep) };
	json_t				*made, *list;
	json_t				*template = json_object_get(sweep, "template");
	enum status			 st = transformed_get(&request, &made, why);

	if (st != ST_OK)
		return st;
	list = transformed_variants(&request, made);
	if (json_array_size(list) == 0)
		st = refuse_empty(c, path, why);
	(void)json_object_set_new(sweep, "made", transformed_points(made));
	(void)json_object_set_new(space_of(sweep), "variant", list);
	(void)json_object_del(template, "name");
	(void)json_object_del(template, "language");
	(void)json_object_del(template, "source");
	json_decref(made);
	return st;
}

/* One program may have several names: gcc and gcc-12. */
static bool
is_listed(const json_t *compilers, size_t before, const char *id)
{
	for (size_t i = 0; i < before; i++)
		if (strcmp(member_text(json_array_get(compilers, i), "id"), id) == 0)
			return true;
	return false;
}

/* Its objects are those of the clang that it is. */
static bool
is_twin_of_clang(const json_t *compilers, const json_t *one)
{
	const json_t	*other;
	size_t		 i;

	if (strcmp(member_text(one, "name"), "clang-inproc") != 0)
		return false;
	json_array_foreach(compilers, i, other)
		if (other != one && json_equal(json_object_get(other, "version"),
		    json_object_get(one, "version")))
			return true;
	return false;
}

/* Without a choice of the user's: all compilers for C, plainly and for this CPU alone. */
static void
put_compilers(const struct tune_choice *c, const json_t *host, json_t *sweep)
{
	const json_t	*one, *all = json_object_get(host, "compilers");
	json_t		*names = json_array();
	size_t		 i;

	json_array_foreach(all, i, one) {
		const char	*name = member_text(one, "name");

		if (strchr(name, '+') == NULL && !is_listed(all, i, member_text(one, "id")) &&
		    !is_twin_of_clang(all, one) && (strncmp(name, "gcc", 3) == 0 ||
		    strncmp(name, "clang", 5) == 0))
			(void)json_array_append(names, json_object_get(one, "name"));
	}
	if (c->compiler == NULL && json_array_size(names) > 0)
		(void)json_object_set(space_of(sweep), "compiler", names);
	if (c->flags.n == 0)
		(void)json_object_set_new(space_of(sweep), "flags", json_pack("[[s], [s, s]]",
		    "-O3", "-O3", "-march=native"));
	json_decref(names);
}

/* Proofs may take half a minute, in which nothing else is printed. */
static void
remark_proofs(const struct tune_choice *c, const char *path)
{
	if (!c->is_quiet)
		(void)fprintf(stderr, "assay: %s: looking for legal variants of its loops\n", path);
}

/* A source that cannot be transformed has compilers and flags still. */
static void
remark_plain(const struct tune_choice *c, const char *path, const struct fault *why)
{
	char	line[1400];

	if (!c->is_quiet)
		(void)fprintf(stderr, "assay: %s: compilers and flags alone are searched: %s\n",
		    path, fault_line(why, line, sizeof line));
}

enum status
tune_source_variants(const struct tune_choice *c, const char *path, const json_t *host,
    json_t *sweep, struct fault *why)
{
	const bool	automatic = tune_source_is_automatic(c, path);
	enum status	st = ST_OK;

	if (automatic)
		remark_proofs(c, path);
	if (c->script != NULL || automatic)
		st = put_variants(c, path, sweep, why);
	if (automatic && (st == ST_BAD_SPEC || st == ST_NOT_FOUND)) {
		remark_plain(c, path, why);
		st = ST_OK;
	}
	if (st == ST_OK && automatic)
		put_compilers(c, host, sweep);
	if (st == ST_OK && json_object_get(sweep, "space") == NULL) {
		st = fault_set(why, ST_BAD_REQUEST, "there is no space to search");
		fault_hint(why, "give it: --space UNROLL=1,2,4,8 -O 2 -O \"3 -march=native\"");
	}
	return st;
}
