/* SPDX-License-Identifier: Apache-2.0 */
/* The Makefile: each variant is compiled as Assay does (worker/build/recipe/recipe.c). */
#include <string.h>

#include "client/driver/package.h"
#include "client/driver/texts.h"

/* A word for the shell, in a recipe or in a variable of make. */
static void
put_word(struct draft *t, const char *prefix, const char *name, const char *text)
{
	draft(t, " '%s%s", prefix, name);
	for (; *text != '\0'; text++)
		switch (*text) {
		case '$': draft(t, "$$"); break;
		case '#': draft(t, "$(hash)"); break;
		case '\'': draft(t, "'\\''"); break;
		default: draft(t, "%c", *text); break;
		}
	draft(t, "'");
}

static void
put_define(struct draft *t, const char *name, const char *text)
{
	char	definition[SPEC_PARAM_TEXT + 1];

	(void)snprintf(definition, sizeof definition, "=%s", text);
	put_word(t, "-D", name, definition);
}

/* Those that are no argument's name. */
static void
put_macros(struct draft *t)
{
	const struct spec	*s = t->spec;

	draft(t, "# those that are no argument's name, which a macro would break\nMACROS =");
	for (size_t i = 0; i < s->nparams; i++)
		if (!spec_param_is_argument(s, &s->params[i]))
			draft(t, " $(call param,%s)", s->params[i].name);
	draft(t, " $(filter-out");
	for (size_t i = 0; i < s->nparams; i++)
		if (spec_param_is_argument(s, &s->params[i]))
			draft(t, " -D%s=%%", s->params[i].name);
	draft(t, ",$(DEFS))\n\n");
}

static void
put_params(struct draft *t)
{
	const struct spec	*s = t->spec;
	char			 text[SPEC_PARAM_TEXT];

	draft(t, "# A param is as in the spec unless DEFS has another: make DEFS=-DNAME=VALUE run\n"
	    "DEFS =\nparam = $(if $(filter -D$(1)=%%,$(DEFS)),,$(param_$(1)))\n");
	for (size_t i = 0; i < s->nparams; i++) {
		(void)param_put_text(&s->params[i], text, sizeof text);
		draft(t, "param_%s =", s->params[i].name);
		put_define(t, s->params[i].name, text);
		draft(t, "\n");
	}
	draft(t, "PARAMS =");
	for (size_t i = 0; i < s->nparams; i++)
		draft(t, " $(call param,%s)", s->params[i].name);
	draft(t, " $(DEFS)\n");
	put_macros(t);
}

static bool
has_ending(const char *name, const char *ending)
{
	const size_t	n = strlen(name), m = strlen(ending);

	return n > m && strcmp(name + n - m, ending) == 0;
}

static void
put_files(struct draft *t, const struct variant *v)
{
	for (size_t i = 0; i < v->nfiles; i++) {
		const bool	as_c = v->language == LANG_CXX &&
				    has_ending(v->files[i].name, ".c");

		if (!v->files[i].compile)
			continue;
		draft(t, "%s", as_c ? " -x c" : "");
		put_word(t, "", "", v->files[i].name);
		draft(t, "%s", as_c ? " -x none" : "");
	}
}

static void
put_inputs(struct draft *t, const struct variant *v)
{
	char	source[PACKAGE_FOLDER_BYTES];

	package_source_name(v, source, sizeof source);
	if (v->language == LANG_FORTRAN)	/* it may use their modules */
		put_files(t, v);
	draft(t, " %s", source);
	if (v->language != LANG_FORTRAN)
		put_files(t, v);
	for (size_t i = 0; i < v->nlibraries; i++)
		put_word(t, "-l", "", v->libraries[i]);
	draft(t, " -lm -Wl,-z,now -Wl,-z,noexecstack");
}

static void
put_compilation(struct draft *t, const struct variant *v, const char *folder)
{
	const char	*up = strchr(folder, '/') != NULL ? "../.." : "..";

	draft(t, "\tcd %s && %s", folder, v->compiler[0] != '\0' ? v->compiler : "gcc");
	if (v->language != LANG_ASM && v->language != LANG_OBJECT)
		draft(t, " -falign-functions=64");
	for (size_t i = 0; i < v->nflags; i++)
		put_word(t, "", "", v->flags[i]);
	draft(t, " -shared -fPIC -o %s/$@ -I.", up);
	if (v->language != LANG_OBJECT)
		draft(t, " $(MACROS)");
	for (size_t i = 0; i < v->ndefines; i++)
		put_define(t, v->defines[i].name, v->defines[i].text);
	put_inputs(t, v);
	draft(t, "\n");
}

static void
put_variant(struct draft *t, const struct variant *v, size_t i)
{
	char	folder[PACKAGE_FOLDER_BYTES], source[PACKAGE_FOLDER_BYTES];

	package_folder(i, folder);
	package_source_name(v, source, sizeof source);
	draft(t, "%s.so: %s/%s defs", folder, folder, source);
	for (size_t k = 0; k < v->nfiles; k++)
		draft(t, " %s/%s", folder, v->files[k].name);
	draft(t, "\n");
	if (v->language == LANG_SHARED)
		draft(t, "\tcp %s/%s $@\n", folder, source);
	else
		put_compilation(t, v, folder);
}

static void
put_timer(struct draft *t)
{
	draft(t, "OBJECTS = driver.o spec.o");
	for (const struct text *x = texts; x->name != NULL; x++)
		if (has_ending(x->name, ".c"))
			draft(t, " runtime/%.*s.o", (int)(strlen(x->name) - 2), x->name);
	draft(t, "\nHEADERS = $(wildcard runtime/*.h)\n\n");
}

static void
put_objects(struct draft *t, const struct package *p)
{
	char	folder[PACKAGE_FOLDER_BYTES];

	draft(t, "VARIANTS =%s", t->spec->check.present ? " reference.so" : "");
	for (size_t i = 0; i < p->n; i++) {
		package_folder(i, folder);
		draft(t, " %s.so", folder);
	}
	draft(t, "\n\n");
}

void
makefile_text(struct draft *t, const struct package *p)
{
	draft(t, "# The timer of %s.  make · make run · make clean.  Written by Assay.\n"
	    "CC = gcc\nCFLAGS = -O2 -Wall -Wextra\nhash := \\#\n\n", t->spec->routine.name);
	put_params(t);
	put_timer(t);
	put_objects(t, p);
	draft(t, "all: timer $(VARIANTS)\nrun: all\n\t./timer\n"
	    "timer: $(OBJECTS)\n\t$(CC) $(LDFLAGS) -o $@ $(OBJECTS) -ldl -lm\n"
	    "runtime/%%.o: runtime/%%.c $(HEADERS)\n"
	    "\t$(CC) -std=gnu11 -D_GNU_SOURCE $(CFLAGS) -Iruntime -c -o $@ $<\n"
	    "driver.o spec.o: %%.o: %%.c $(HEADERS) defs\n"
	    "\t$(CC) -std=gnu11 $(CFLAGS) -Iruntime $(PARAMS) -c -o $@ $<\n\n");
	for (size_t i = 0; i < p->n; i++)
		put_variant(t, &p->jobs[i].variant, i);
	if (t->spec->check.present)
		put_variant(t, &t->spec->check.reference, SIZE_MAX);
	draft(t, "\n# it changes when DEFS does\ndefs: FORCE\n"
	    "\t@echo '$(subst ','\\'',$(DEFS))' | cmp -s - $@ || "
	    "echo '$(subst ','\\'',$(DEFS))' > $@\n"
	    "clean:\n\trm -f timer defs *.o runtime/*.o $(VARIANTS)\n"
	    "FORCE:\n.PHONY: all run clean FORCE\n");
}
