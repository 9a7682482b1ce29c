/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "client/cmd/job/document.h"
#include "client/cmd/job/known_names.h"
#include "client/cmd/job/option_value.h"
#include "client/cmd/job/source_files.h"
#include "client/cmd/job/time_job.h"

enum { NAME_BYTES = 256 };

/* ---- values ---- */

/* The object under `name`, made if missing; NULL: the member is no object. */
static json_t *
object_in(json_t *o, const char *name)
{
	if (json_object_get(o, name) == NULL)
		(void)json_object_set_new(o, name, json_object());
	o = json_object_get(o, name);
	return json_is_object(o) ? o : NULL;
}

static enum status
not_an_object(const char *member, struct fault *why)
{
	return fault_at(why, ST_BAD_SPEC, member, "must be an object");
}

/* A word before the i-th has its name, of n bytes. */
static bool
is_repeated(const struct cli_list *words, size_t i, size_t n)
{
	for (size_t k = 0; k < i; k++)
		if (strcspn(words->items[k], "=") == n &&
		    strncmp(words->items[k], words->items[i], n) == 0)
			return true;
	return false;
}

/* Put NAME=VALUE words into an object; `bare`: a NAME alone is 1. */
static enum status
put_pairs(json_t *o, const struct cli_list *words, bool bare, const char *option, struct fault *why)
{
	for (size_t i = 0; i < words->n; i++) {
		const char	*value = "1";
		char		 name[NAME_BYTES];
		size_t		 n = strlen(words->items[i]);
		enum status	 st;

		if (!bare || strchr(words->items[i], '=') != NULL) {
			if ((st = cli_split(words->items[i], &n, &value, why)) != ST_OK)
				return fault_within(why, option);
		}
		if (n == 0 || n >= sizeof name)
			return fault_at(why, ST_BAD_REQUEST, option, "a name has 1 to %d bytes",
			    NAME_BYTES - 1);
		(void)snprintf(name, sizeof name, "%.*s", (int)n, words->items[i]);
		if (is_repeated(words, i, n))
			return fault_at(why, ST_BAD_REQUEST, option, "\"%s\" is given twice", name);
		if (json_object_set_new(o, name, option_value(value)) != 0)
			return fault_at(why, ST_BAD_REQUEST, option, "\"%s\" is not UTF-8", name);
	}
	return ST_OK;
}

/* ---- the spec ---- */

/* Behind the notes before. */
static void
add_note(char *notes, size_t bytes, const char *fmt, ...)
{
	size_t	used = strlen(notes);
	va_list	ap;

	if (used > 0)
		used += (size_t)snprintf(notes + used, bytes - used, "; ");
	if (used >= bytes)
		return;
	va_start(ap, fmt);
	(void)vsnprintf(notes + used, bytes - used, fmt, ap);
	va_end(ap);
}

/* An operand's own `cache` overrides the context. */
static void
note_own_caches(const json_t *spec, char *notes, size_t bytes)
{
	const char	*name;
	json_t		*arg;

	json_object_foreach(json_object_get(spec, "args"), name, arg)
		if (json_object_get(arg, "cache") != NULL)
			add_note(notes, bytes, "--context does not change operand %s, which has a "
			    "cache of its own", name);
}

enum status
time_job_context(const char *text, json_t **context, struct fault *why)
{
	int64_t	bytes;

	*context = NULL;
	if (strspn(text, "0123456789") != strlen(text) || text[0] == '\0')
		*context = json_string(text);
	else if (cli_int(text, 0, INT64_MAX, &bytes, why) == ST_OK)
		*context = json_pack("{s:I}", "flush_bytes", (json_int_t)bytes);
	else
		return fault_within(why, "--context");
	if (*context == NULL)
		return fault_at(why, ST_BAD_REQUEST, "--context", "is not UTF-8");
	return ST_OK;
}

static enum status
put_context(json_t *spec, const char *text, struct fault *why)
{
	json_t		*context;
	enum status	 st = time_job_context(text, &context, why);

	if (st == ST_OK)
		(void)json_object_set_new(spec, "context", context);
	return st;
}

/* A number of layouts without a mode means a sweep. */
static void
put_layout(json_t *timing, const struct time_choice *c)
{
	const char	*layout = c->layout != NULL || c->layouts < 0 ? c->layout : "sweep";

	if (layout != NULL && (c->layout != NULL || json_object_get(timing, "layout") == NULL))
		(void)json_object_set_new(timing, "layout", json_string(layout));
	if (c->layouts >= 0)
		(void)json_object_set_new(timing, "layouts", json_integer((json_int_t)c->layouts));
}

static enum status
put_timing(json_t *spec, const struct time_choice *c, struct fault *why)
{
	json_t	*timing, *flush;

	if (c->samples < 0 && c->calls < 0 && c->flush == NULL && c->clock == NULL &&
	    c->interval == 0 && !c->difference && c->layout == NULL && c->layouts < 0 &&
	    c->trust == NULL)
		return ST_OK;
	if ((timing = object_in(spec, "timing")) == NULL)
		return not_an_object("spec.timing", why);
	if (c->samples >= 0)
		(void)json_object_set_new(timing, "samples", json_integer((json_int_t)c->samples));
	if (c->calls >= 0)
		(void)json_object_set_new(timing, "calls", json_integer((json_int_t)c->calls));
	if (c->difference)
		(void)json_object_set_new(timing, "difference", json_true());
	if (c->interval != 0)
		(void)json_object_set_new(timing, "interval", json_real(c->interval));
	if (c->trust != NULL)
		(void)json_object_set_new(timing, "trust", json_string(c->trust));
	if (c->clock != NULL)
		(void)json_object_set_new(timing, "clock", json_string(c->clock));
	put_layout(timing, c);
	if (c->flush == NULL)
		return ST_OK;
	if ((flush = object_in(timing, "flush")) == NULL)
		return not_an_object("spec.timing.flush", why);
	(void)json_object_set_new(flush, "method", json_string(c->flush));
	return ST_OK;
}

static enum status
put_reference(json_t *spec, const struct time_choice *c, struct fault *why)
{
	const char	*path = c->reference;
	json_t		*check = object_in(spec, "check"), *reference;
	enum status	 st;

	if (check == NULL)
		return not_an_object("spec.check", why);
	if ((st = document_variant(path, &reference, why)) != ST_OK)
		return fault_within(why, "--reference");
	(void)json_object_del(reference, "name");
	(void)json_object_set_new(check, "reference", reference);
	return source_files_include(reference, &c->includes, why);
}

static enum status
choose(json_t *spec, struct time_choice *c, char *notes, size_t bytes, struct fault *why)
{
	json_t		*params;
	enum status	 st = ST_OK;

	if (c->params.n > 0) {
		if ((params = object_in(spec, "params")) == NULL)
			return not_an_object("spec.params", why);
		if ((st = known_names_new(&c->params, params, &c->new_params, why)) == ST_OK)
			st = put_pairs(params, &c->params, false, "-p", why);
	}
	if (st == ST_OK && c->context != NULL) {
		note_own_caches(spec, notes, bytes);
		st = put_context(spec, c->context, why);
	}
	if (st == ST_OK)
		st = put_timing(spec, c, why);
	if (st == ST_OK && c->reference != NULL)
		st = put_reference(spec, c, why);
	return st;
}

/* ---- the job ---- */

/* A bare spec becomes a job without a variant. */
static enum status
as_job(json_t **doc, const char *path, struct fault *why)
{
	if (json_object_get(*doc, "variants") != NULL ||
	    json_object_get(*doc, "template") != NULL) {
		(void)fault_set(why, ST_BAD_SPEC, "%s: is a sweep", path);
		fault_hint(why, "submit it with: assay sweep create %s --follow", path);
		return ST_BAD_SPEC;
	}
	if (json_is_object(json_object_get(*doc, "spec")))
		return ST_OK;
	if (json_object_get(*doc, "routine") == NULL) {
		(void)fault_set(why, ST_BAD_SPEC,
		    "%s: is neither a spec (no \"routine\") nor a job (no \"spec\")", path);
		return ST_BAD_SPEC;
	}
	*doc = json_pack("{s:o}", "spec", *doc);
	return *doc != NULL ? ST_OK : fault_set(why, ST_NOMEM, "job");
}

enum status
time_job_base(struct time_choice *c, const char *path, json_t **base,
    char *notes, size_t bytes, struct fault *why)
{
	enum status	st;

	notes[0] = '\0';
	if ((st = document_load(path, base, why)) != ST_OK)
		return st;
	if ((st = document_resolve(*base, path, why)) != ST_OK)
		(void)fault_within(why, path);
	else if ((st = as_job(base, path, why)) == ST_OK)
		st = choose(json_object_get(*base, "spec"), c, notes, bytes, why);
	option_visibility(*base, c->readers);
	(void)json_object_del(*base, "key");	/* a new time is wanted, not an old result */
	if (st != ST_OK) {
		json_decref(*base);
		*base = NULL;
	}
	return st;
}

void
time_job_renew(const struct time_choice *c, json_t *base)
{
	if (c->stored)
		(void)json_object_del(base, "fresh");
	else if (base != NULL)
		(void)json_object_set_new(base, "fresh", json_true());
}

static enum status
put_flags(json_t *variant, const struct cli_list *words, struct fault *why)
{
	const json_t	*old = json_object_get(variant, "flags"), *flag;
	json_t		*flags = json_array();
	bool		 fixed_form = false;
	size_t		 i;

	json_array_foreach(old, i, flag)
		if (json_is_string(flag) &&
		    strcmp(json_string_value(flag), DOCUMENT_FIXED_FORM) == 0)
			fixed_form = true;
	for (i = 0; i < words->n; i++) {
		if (option_flags(flags, words->items[i]) != 0) {
			json_decref(flags);
			return fault_at(why, ST_BAD_REQUEST, "--flags", "is not UTF-8");
		}
	}
	if (fixed_form)
		(void)json_array_append_new(flags, json_string(DOCUMENT_FIXED_FORM));
	(void)json_object_set_new(variant, "flags", flags);
	return ST_OK;
}

static enum status
put_libraries(json_t *variant, const struct cli_list *names, struct fault *why)
{
	json_t	*list = json_object_get(variant, "libraries");

	if (names->n == 0)
		return ST_OK;
	list = json_is_array(list) ? json_incref(list) : json_array();
	for (size_t i = 0; i < names->n; i++)
		if (json_array_append_new(list, json_string(names->items[i])) != 0) {
			json_decref(list);
			return fault_at(why, ST_BAD_REQUEST, "--library", "is not UTF-8");
		}
	(void)json_object_set_new(variant, "libraries", list);
	return ST_OK;
}

static enum status
finish_variant(const struct time_choice *c, json_t *variant, struct fault *why)
{
	enum status	 st = ST_OK;
	json_t		*defines;

	if (c->name != NULL && json_object_set_new(variant, "name", json_string(c->name)) != 0)
		return fault_at(why, ST_BAD_REQUEST, "--name", "is not UTF-8");
	if (c->compiler != NULL)
		(void)json_object_set_new(variant, "compiler", json_string(c->compiler));
	if (c->flags.n > 0)
		st = put_flags(variant, &c->flags, why);
	if (st == ST_OK)
		st = put_libraries(variant, &c->libraries, why);
	if (st == ST_OK)
		st = source_files_with(variant, &c->with, why);
	if (st == ST_OK)
		st = source_files_include(variant, &c->includes, why);
	if (st != ST_OK || c->defines.n == 0)
		return st;
	if ((defines = object_in(variant, "defines")) == NULL)
		return not_an_object("variant.defines", why);
	return put_pairs(defines, &c->defines, true, "-D", why);
}

/*
 * Options of the job's own variant hold for a file's variant, unless the command line overrides
 * them.
 */
static void
inherit(json_t *variant, const json_t *own)
{
	static const char *const	members[] = { "compiler", "flags", "defines", "files",
					    "libraries" };

	for (unsigned i = 0; i < sizeof members / sizeof members[0]; i++) {
		json_t	*value = json_object_get(own, members[i]);

		if (value != NULL && json_object_get(variant, members[i]) == NULL)
			(void)json_object_set_new(variant, members[i], json_deep_copy(value));
	}
}

enum status
time_job_make(const struct time_choice *c, const json_t *base,
    const char *variant_path, json_t **job, struct fault *why)
{
	json_t		*variant = NULL;
	enum status	 st = ST_OK;

	if (variant_path != NULL)
		st = document_variant(variant_path, &variant, why);
	else if ((variant = json_deep_copy(json_object_get(base, "variant"))) == NULL ||
	    !json_is_object(variant))
		st = fault_set(why, ST_BAD_REQUEST,
		    "there is no variant: give the file that has the routine's source");
	if (st == ST_OK && variant_path != NULL)
		inherit(variant, json_object_get(base, "variant"));
	if (st == ST_OK)
		st = finish_variant(c, variant, why);
	*job = st == ST_OK ? json_copy((json_t *)(uintptr_t)base) : NULL;
	if (*job != NULL)
		(void)json_object_set(*job, "variant", variant);
	json_decref(variant);
	return st;
}

enum status
time_job_check(const struct time_choice *c, const json_t *base, const json_t *variants,
    struct fault *why)
{
	const json_t	*spec = json_object_get(base, "spec");
	enum status	 st = known_names_params(&c->new_params, spec, variants, why);

	return st != ST_OK ? st : known_names_defines(&c->defines, spec, variants, why);
}

/* ---- options ---- */

void
time_job_build_options(struct time_choice *c, struct cli_option *to)
{
	const struct cli_option	build[TIME_BUILD_OPTIONS] = {
		{ 'D', "define", CLI_LIST, &c->defines, "NAME[=VALUE]",
		  "a macro for the variant", 0, 0 },
		{ 'p', "param", CLI_LIST, &c->params, "NAME=VALUE", "a param of the spec", 0, 0 },
		{ 'O', "flags", CLI_LIST, &c->flags, "FLAGS",
		  "compiler flags: -O3, -O \"-O3 -mavx2\"", 0, 0 },
		{ '\0', "compiler", CLI_TEXT, &c->compiler, "NAME",
		  "gcc, clang, g++, gfortran, ...", 0, 0 },
		{ '\0', "with", CLI_LIST, &c->with, "FILE",
		  "a file beside the source; sources are linked with it", 0, 0 },
		{ 'I', "include", CLI_LIST, &c->includes, "DIR",
		  "hand in what the source includes of this directory", 0, 0 },
		{ '\0', "library", CLI_LIST, &c->libraries, "NAME",
		  "link with a library of the server's list", 0, 0 },
	};

	memcpy(to, build, sizeof build);
}

void
time_job_options(struct time_choice *c, struct cli_option *to)
{
	const struct cli_option	timing[TIME_SHARED_OPTIONS - TIME_BUILD_OPTIONS] = {
		{ '\0', "context", CLI_TEXT, &c->context, "WHERE",
		  "cold, warm, or bytes to flush", 0, 0 },
		{ '\0', "flush", CLI_TEXT, &c->flush, "METHOD",
		  "auto, OneCallFlushLRU, OneCallFlushX86, MultiCallFlushLRU", 0, 0 },
		{ '\0', "clock", CLI_TEXT, &c->clock, "CLOCK", "auto, wall, cycle or cpu", 0, 0 },
		{ '\0', "calls", CLI_INT, &c->calls, "N", "calls in one sample", 1, INT32_MAX },
		{ '\0', "reference", CLI_TEXT, &c->reference, "FILE",
		  "check the answers against this routine's", 0, 0 },
	};

	time_job_build_options(c, to);
	memcpy(to + TIME_BUILD_OPTIONS, timing, sizeof timing);
}

void
time_job_release(struct time_choice *c)
{
	cli_list_release(&c->defines);
	cli_list_release(&c->params);
	cli_list_release(&c->new_params);
	cli_list_release(&c->flags);
	cli_list_release(&c->with);
	cli_list_release(&c->includes);
	cli_list_release(&c->libraries);
}
