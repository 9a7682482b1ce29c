/* SPDX-License-Identifier: Apache-2.0 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/name.h"
#include "proto/driver/driver.h"
#include "worker/build/recipe/executable.h"
#include "worker/build/recipe/mentions.h"
#include "worker/build/recipe/plain.h"
#include "worker/build/recipe/recipe.h"
#include "worker/cache/cache.h"
#include "worker/cache/digest.h"
#include "worker/plan/layout.h"

#define PAD_NAME	"pad.s"
#define RECIPE_FORMAT	"assay object 4"	/* bump it when recipes change */

/* ---- words ---- */

void
recipe_release(struct recipe *r)
{
	for (size_t i = 0; i < r->nmade; i++)
		free(r->made[i]);
}

static void
add(struct recipe *r, const char *word)
{
	if (r->nwords < RECIPE_MAX_WORDS)
		r->words[r->nwords++] = word;
	else
		r->no_memory = true;
}

/* A word of two texts that need not last. */
static void
add_made(struct recipe *r, const char *first, const char *second)
{
	char	*word;

	if (r->nmade == RECIPE_MAX_WORDS || asprintf(&word, "%s%s", first, second) == -1) {
		r->no_memory = true;
		return;
	}
	r->made[r->nmade++] = word;
	add(r, word);
}

static void
add_macro(struct recipe *r, const char *name, const char *text)
{
	char	definition[NAME_MAX_BYTES + 8];

	if (r->nmacros++ == 0)
		r->first_macro = r->nwords;
	(void)snprintf(definition, sizeof definition, "-D%s=", name);
	add_made(r, definition, text);
}

static void
add_param(struct recipe *r, const struct param *p)
{
	char	text[SPEC_PARAM_TEXT];

	(void)param_put_text(p, text, sizeof text);
	add_macro(r, p->name, text);
}

static void
add_output(struct recipe *r)
{
	add(r, "-o");
	add(r, RECIPE_OBJECT);
}

/* A program that is linked whole has an entry of its own, or that of libc. */
static void
add_program_output(struct recipe *r, enum link_kind link)
{
	if (link != LINK_DYNAMIC)
		add(r, "-static");
	if (link == LINK_BARE)
		add(r, "-nostdlib");
	add_output(r);
}

static void
add_shared_output(struct recipe *r)
{
	add(r, "-shared");
	add(r, "-fPIC");
	add_output(r);
}

static bool
has_ending(const char *name, const char *ending)
{
	const size_t	n = strlen(name), end = strlen(ending);

	return n > end && strcmp(name + n - end, ending) == 0;
}

/* As a source of this language; NULL: as its name says. */
static void
add_as(struct recipe *r, const char *name, const char *language)
{
	if (language != NULL) {
		add(r, "-x");
		add(r, language);
	}
	add(r, name);
	if (language != NULL) {
		add(r, "-x");
		add(r, "none");
	}
}

/* A compiler of C++ takes a .c for C++. */
static void
add_file(struct recipe *r, const struct source_file *f)
{
	const bool	as_c = r->beside->language == LANG_CXX && has_ending(f->name, ".c");

	add_as(r, f->name, as_c ? "c" : NULL);
}

static void
add_files(struct recipe *r)
{
	for (size_t i = 0; r->beside != NULL && i < r->beside->nfiles; i++)
		if (r->beside->files[i].compile)
			add_file(r, &r->beside->files[i]);
}

/* Files come before a source in Fortran, which may use their modules. */
static void
add_sources(struct recipe *r)
{
	const bool	files_first = r->beside != NULL && r->beside->language == LANG_FORTRAN;

	if (files_first)
		add_files(r);
	add_as(r, r->file, r->is_plain ? "assembler" : NULL);
	if (!files_first)
		add_files(r);
}

/* Behind what uses them. */
static enum status
add_libraries(struct recipe *r, const struct recipe_means *means, struct fault *why)
{
	const struct variant	*v = r->beside;
	struct library		 library;
	enum status		 st = ST_OK;

	for (size_t i = 0; v != NULL && i < v->nlibraries && st == ST_OK; i++) {
		st = libraries_find(means->libraries, v->libraries[i], &library, why);
		if (st != ST_OK)
			break;
		add_made(r, library.path, "");
		add_made(r, "-Wl,-rpath,", library.folder);
		r->library[r->nlibraries++] = library.hash;
	}
	return st;
}

static enum status
add_inputs(struct recipe *r, const struct recipe_means *means, struct fault *why)
{
	enum status	st;

	if (r->pad[0] != '\0')
		add(r, PAD_NAME);
	add_sources(r);
	if ((st = add_libraries(r, means, why)) != ST_OK)
		return st;
	add(r, "-lm");
	add(r, "-Wl,-z,now");
	add(r, "-Wl,-z,noexecstack");	/* else assembly without a note gets an executable stack */
	return ST_OK;
}

/*
 * Align functions to 64 bytes, so that fetching and decoding see all of them start alike.  Behind a
 * pad align them to 16, because a pad would move nothing otherwise.  The variant's own flags come
 * later and override it.
 */
static void
add_alignment(struct recipe *r, enum language language)
{
	if (language != LANG_ASM && language != LANG_OBJECT)
		add(r, r->pad[0] != '\0' ? "-falign-functions=16" : "-falign-functions=64");
}

/*
 * The pad is linked first.  It moves the code after it, hot functions too, to `pad` times 16 bytes
 * past a multiple of 64.
 */
static void
put_pad(struct recipe *r, unsigned pad)
{
	const unsigned	bytes = pad * LAYOUT_PAD_BYTES;

	if (pad != 0)
		(void)snprintf(r->pad, sizeof r->pad, "\t.text\n\t.p2align 6\n\t.skip %u\n"
		    "\t.section .text.hot,\"ax\",%%progbits\n\t.p2align 6\n\t.skip %u\n"
		    "\t.section .note.GNU-stack,\"\",%%progbits\n", bytes, bytes);
}

/* Params and the variant's defines as macros. */
static void
add_macros(struct recipe *r, const struct spec *spec, const struct variant *v)
{
	for (size_t i = 0; i < spec->nparams; i++)
		if (!spec_param_is_argument(spec, &spec->params[i]) &&
		    mentions_macro(v, spec->params[i].name))
			add_param(r, &spec->params[i]);
	for (size_t i = 0; i < v->ndefines; i++)
		add_macro(r, v->defines[i].name, v->defines[i].text);
}

/* A linker takes a file that is not an object for a script. */
static enum status
check_object(const char *bytes, size_t n, const char *name, struct fault *why)
{
	if (cache_is_object(bytes, n, n, ET_REL))
		return ST_OK;
	return fault_set(why, ST_LOAD_FAILED, "%s%snot an object file for this machine", name,
	    name[0] != '\0' ? ": " : "");
}

static enum status
check_objects(const struct variant *v, struct fault *why)
{
	enum status	st = ST_OK;

	if (v->language == LANG_OBJECT)
		st = check_object(v->source, v->source_bytes, "", why);
	for (size_t i = 0; i < v->nfiles && st == ST_OK; i++)
		if (v->files[i].compile && has_ending(v->files[i].name, ".o"))
			st = check_object(v->files[i].bytes, v->files[i].nbytes,
			    v->files[i].name, why);
	return st;
}

static bool
has_objects(const struct variant *v)
{
	for (size_t i = 0; i < v->nfiles; i++)
		if (v->files[i].compile && has_ending(v->files[i].name, ".o"))
			return true;
	return v->language == LANG_OBJECT;
}

static bool
wants_lto(const struct variant *v)
{
	for (size_t i = 0; i < v->nflags; i++)
		if (strncmp(v->flags[i], "-flto", 5) == 0)
			return true;
	return false;
}

static enum status
put_variant_words(struct recipe *r, const struct recipe_means *means, const struct spec *spec,
    const struct variant *v, struct fault *why)
{
	r->needs_driver = has_objects(v) || wants_lto(v) || spec->program.present;
	r->is_plain = plain_is(spec, v);
	add(r, r->compiler->path);
	if (strncmp(r->compiler->name, "clang", 5) == 0)
		add(r, "-fno-crash-diagnostics");
	add_alignment(r, v->language);
	for (size_t i = 0; i < v->nflags; i++)
		add(r, v->flags[i]);
	if (spec->program.present)
		add_program_output(r, spec->program.link);
	else
		add_shared_output(r);
	if (v->nfiles > 0)
		add(r, "-I.");
	if (v->language != LANG_OBJECT && !r->is_plain)
		add_macros(r, spec, v);
	return add_inputs(r, means, why);
}

enum status
recipe_of_variant(struct recipe *r, const struct recipe_means *means, const struct spec *spec,
    const struct variant *v, const char *stem, unsigned pad, struct fault *why)
{
	static const char *const	suffixes[LANG_N] = {
		[LANG_C] = "c", [LANG_CXX] = "cc", [LANG_FORTRAN] = "F90", [LANG_ASM] = "S",
		[LANG_OBJECT] = "o", [LANG_SHARED] = "so", [LANG_PROGRAM] = "program",
	};
	enum status			st;

	*r = (struct recipe){ .source = v->source, .source_bytes = v->source_bytes, .beside = v };
	(void)snprintf(r->file, sizeof r->file, "%s.%s", stem, suffixes[v->language]);
	if (v->language == LANG_SHARED)
		return cache_is_object(v->source, v->source_bytes, v->source_bytes, ET_DYN) ?
		    ST_OK : fault_set(why, ST_LOAD_FAILED,
		    "not a shared object for this machine");
	if (v->language == LANG_PROGRAM)
		return executable_check(v->source, v->source_bytes, why);
	if ((st = check_objects(v, why)) != ST_OK)
		return st;
	st = compilers_find(means->compilers, v->compiler[0] != '\0' ? v->compiler : "gcc",
	    &r->compiler, why);
	if (st != ST_OK)
		return fault_within(why, "compiler");
	put_pad(r, pad);
	if ((st = put_variant_words(r, means, spec, v, why)) != ST_OK)
		return fault_within(why, "libraries");
	return ST_OK;
}

/*
 * A call whose target no core foresees.  Else it fetches the routine's first lines while the fence
 * before the clock's reading holds everything else back, and cold code is not as cold as it is.
 */
static void
add_unforeseen_calls(struct recipe *r)
{
#if defined(__x86_64__)
	if (strncmp(r->compiler->name, "clang", 5) == 0) {
		add(r, "-mretpoline");
		return;
	}
	add(r, "-fcf-protection=none");		/* gcc has not both */
	add(r, "-mindirect-branch=thunk");
#else
	(void)r;
#endif
}

/* Of what is not a variant's. */
static enum status
find_compiler(struct recipe *r, const struct recipe_means *means, struct fault *why)
{
	if (compilers_find(means->compilers, "gcc", &r->compiler, NULL) == ST_OK)
		return ST_OK;
	return compilers_find(means->compilers, "clang", &r->compiler, why);
}

enum status
recipe_of_setup(struct recipe *r, const struct recipe_means *means, const struct spec *spec,
    const struct variant *program, struct fault *why)
{
	enum status	st;

	*r = (struct recipe){ .file = "setup.c", .source = program->source,
	    .source_bytes = program->source_bytes, .beside = program, .needs_driver = true };
	if ((st = find_compiler(r, means, why)) != ST_OK)
		return st;
	add(r, r->compiler->path);
	add(r, "-O2");
	add(r, "-o");
	add(r, RECIPE_PROGRAM);
	add(r, "-include");			/* size_t */
	add(r, "stddef.h");
	for (size_t i = 0; i < spec->nparams; i++)
		add_param(r, &spec->params[i]);
	return add_inputs(r, means, why);
}

enum status
recipe_of_driver(struct recipe *r, const struct recipe_means *means, const struct spec *spec,
    const char *text, struct fault *why)
{
	enum status	st;

	*r = (struct recipe){ .file = "driver.c", .source = text, .source_bytes = strlen(text),
	    .header = rt_header };
	if ((st = find_compiler(r, means, why)) != ST_OK)
		return st;
	add(r, r->compiler->path);
	add(r, "-O2");
	/*
	 * An image calls it with its own thread-local variables, where a stack protector would
	 * look.
	 */
	if (spec->checkpoint != NULL)
		add(r, "-fno-stack-protector");
	if (spec->code == CODE_COLD)
		add_unforeseen_calls(r);
	add_shared_output(r);
	for (size_t i = 0; i < spec->nparams; i++)
		if (name_is_in(spec->params[i].name, text, r->source_bytes))
			add_param(r, &spec->params[i]);
	return add_inputs(r, means, why);
}

/* An object with nothing beside it has the hash that it had before there were such things. */
static void
digest_beside(struct digest *d, const struct recipe *r)
{
	const struct variant	*v = r->beside;

	for (size_t i = 0; v != NULL && i < v->nfiles; i++) {
		digest_text(d, v->files[i].name);
		digest_add(d, v->files[i].bytes, v->files[i].nbytes);
	}
	for (size_t i = 0; i < r->nlibraries; i++)
		digest_text(d, r->library[i].hex);
	if (r->filled_by.hex[0] != '\0')
		digest_text(d, r->filled_by.hex);
	if (r->steps != NULL)
		steps_digest(d, r->steps, r->dir);
}

enum status
recipe_hash(const struct recipe *r, struct hash *hash, struct fault *why)
{
	struct digest	*d;
	enum status	 st;

	if (r->no_memory)
		return fault_set(why, ST_NOMEM, "the compiler's command line");
	if ((st = digest_new(&d, why)) != ST_OK)
		return st;
	digest_text(d, RECIPE_FORMAT);
	digest_text(d, r->compiler != NULL ? r->compiler->id : "");
	for (size_t i = 1; i < r->nwords; i++)		/* the first is the compiler's path */
		digest_text(d, r->words[i]);
	digest_text(d, r->header != NULL ? r->header : "");
	digest_add(d, r->source, r->source_bytes);
	digest_beside(d, r);
	if ((st = digest_end(d, hash)) != ST_OK)
		(void)fault_set(why, st, "SHA-256 failed");
	return st;
}

/* ---- files ---- */

static enum status
put_beside(const struct recipe *r, const struct scratch *s, struct fault *why)
{
	const struct variant	*v = r->beside;
	enum status		 st = ST_OK;

	for (size_t i = 0; v != NULL && i < v->nfiles && st == ST_OK; i++)
		st = scratch_put(s, v->files[i].name, v->files[i].bytes, v->files[i].nbytes, why);
	return st;
}

enum status
recipe_put(const struct recipe *r, const struct scratch *s, struct fault *why)
{
	enum status	st = scratch_put(s, r->file, r->source, r->source_bytes, why);

	if (st == ST_OK && r->header != NULL)
		st = scratch_put(s, "rt.h", r->header, strlen(r->header), why);
	if (st == ST_OK && r->pad[0] != '\0')
		st = scratch_put(s, PAD_NAME, r->pad, strlen(r->pad), why);
	if (st == ST_OK && r->filled != NULL)
		st = scratch_put(s, DRIVER_FILLED, r->filled, r->filled_bytes, why);
	return st == ST_OK ? put_beside(r, s, why) : st;
}
