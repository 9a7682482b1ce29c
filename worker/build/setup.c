/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/base/name.h"
#include "proto/driver/driver.h"
#include "worker/build/setup.h"

/* The bytes of fill.h, as they are in the tree. */
__asm__(
    "	.section .rodata\n"
    "	.global fill_header\n"
    "	.type fill_header, %object\n"
    "fill_header:\n"
    "	.incbin \"worker/build/fill.h\"\n"
    "	.byte 0\n"
    "	.size fill_header, . - fill_header\n"
    "	.previous\n");

/* ---- the program ---- */

static void
put_functions(FILE *to, const struct spec *s)
{
	for (size_t i = 0; i < s->routine.nparams; i++)
		if (spec_is_filled(s, i))
			(void)fprintf(to, "extern void fill_%zu(void *, size_t) "
			    "__asm__(\"%s\");\n", i, s->args[i].operand.init.function);
}

static void
put_table(FILE *to, const struct spec *s)
{
	(void)fprintf(to, "\nstatic const struct fill fills[] = {\n");
	for (size_t i = 0; i < s->routine.nparams; i++)
		if (spec_is_filled(s, i))
			(void)fprintf(to, "\t{ fill_%zu, %zuu, %zuu, \"%s, the init of args.%s,\" "
			    "},\n", i, s->args[i].operand.elements, spec_filled_bytes(s, i),
			    s->args[i].operand.init.function, s->routine.params[i].name);
	(void)fprintf(to, "};\n\n");
}

/* Params are macros of the functions alone. */
static char *
main_text(const struct spec *s)
{
	char	*text = NULL;
	size_t	 bytes;
	FILE	*to = open_memstream(&text, &bytes);

	if (to == NULL)
		return NULL;
	for (size_t i = 0; i < s->nparams; i++)
		(void)fprintf(to, "#undef %s\n", s->params[i].name);
	(void)fprintf(to, "#define _GNU_SOURCE\n#include \"fill.h\"\n\n");
	put_functions(to, s);
	put_table(to, s);
	(void)fprintf(to, "int\nmain(void)\n{\n\treturn fill_all(fills, sizeof fills / sizeof "
	    "fills[0], \"" DRIVER_FILLED "\");\n}\n");
	if (fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}

static struct source_file
file_of(const char *name, const char *text, bool compile)
{
	return (struct source_file){ .name = (char *)(uintptr_t)name,
	    .bytes = (char *)(uintptr_t)text, .nbytes = strlen(text), .compile = compile };
}

enum status
setup_init(struct setup *s, const struct spec *spec, const struct recipe_means *means,
    struct fault *why)
{
	*s = (struct setup){ .spec = spec, .main_text = main_text(spec) };
	if (s->main_text == NULL)
		return fault_set(why, ST_NOMEM, "setup");
	s->files[0] = file_of("main.c", s->main_text, true);
	s->files[1] = file_of("fill.h", fill_header, false);
	s->program = (struct variant){ .language = LANG_C, .source = spec->setup,
	    .source_bytes = strlen(spec->setup), .files = s->files, .nfiles = 2 };
	return recipe_of_setup(&s->recipe, means, spec, &s->program, why);
}

void
setup_release(struct setup *s)
{
	recipe_release(&s->recipe);
	free(s->main_text);
}

/* ---- running it ---- */

static enum status
explain(enum status st, const char *text, char **detail)
{
	free(*detail);
	*detail = strdup(text);
	return st;
}

/* The whole of a file in memory; NULL: it is empty, or there is no memory. */
static void *
read_all(int fd, size_t *bytes)
{
	struct stat	 sb;
	void		*all;

	*bytes = 0;
	if (fstat(fd, &sb) == -1 || sb.st_size <= 0 || (all = malloc((size_t)sb.st_size)) == NULL)
		return NULL;
	if (pread(fd, all, (size_t)sb.st_size, 0) == sb.st_size) {
		*bytes = (size_t)sb.st_size;
		return all;
	}
	free(all);
	return NULL;
}

/* One jail: `argv` leaves the file `result`, whose bytes come back. */
static enum status
run_for(const struct compile *where, const char *const *argv, const char *result, void **bytes,
    size_t *n, char **detail)
{
	struct compile	order = *where;
	struct compiled	c;

	if ((order.result_fd = memfd_create("assay-setup", MFD_CLOEXEC)) == -1)
		return explain(ST_INTERNAL, strerror(errno), detail);
	order.argv = argv;
	order.result = result;
	compile_run(&order, &c);
	free(*detail);
	*detail = c.words;
	*bytes = c.status == ST_OK ? read_all(order.result_fd, n) : NULL;
	(void)close(order.result_fd);
	return c.status == ST_OK || c.status == ST_CANCELLED || c.status == ST_INTERNAL ? c.status :
	    ST_BAD_SPEC;
}

static enum status
compile_program(struct setup *s, const struct scratch *scratch, const struct compile *where,
    void **program, size_t *bytes, char **detail)
{
	struct fault	why;

	scratch_empty(scratch);
	if (recipe_put(&s->recipe, scratch, &why) != ST_OK)
		return explain(ST_INTERNAL, why.text, detail);
	s->recipe.words[s->recipe.nwords] = NULL;
	return run_for(where, s->recipe.words, RECIPE_PROGRAM, program, bytes, detail);
}

/* Where it ended although it returned success: a function has called exit. */
static enum status
refuse_short(const struct spec *s, size_t got, char **detail)
{
	char	text[2 * NAME_MAX_BYTES + 100];

	for (size_t i = 0; i < s->routine.nparams; i++) {
		if (!spec_is_filled(s, i))
			continue;
		if (got >= spec_filled_bytes(s, i)) {
			got -= spec_filled_bytes(s, i);
			continue;
		}
		(void)snprintf(text, sizeof text, "%s, the init of args.%s, ended the program: a "
		    "function that fills an operand returns\n", s->args[i].operand.init.function,
		    s->routine.params[i].name);
		return explain(ST_BAD_SPEC, text, detail);
	}
	return ST_OK;
}

static enum status
run_program(const struct setup *s, const struct scratch *scratch, const struct compile *where,
    const void *program, size_t bytes, void **filled, char **detail)
{
	static const char *const	argv[] = { "/bin/sh", "-c", "exec ./" RECIPE_PROGRAM,
					    NULL };
	struct compile			order = *where;
	struct fault			why;
	size_t				got = 0;
	enum status			st;

	order.program = "the program of spec.setup";
	scratch_empty(scratch);
	if (scratch_put(scratch, RECIPE_PROGRAM, program, bytes, &why) != ST_OK ||
	    scratch_let_run(scratch, RECIPE_PROGRAM, &why) != ST_OK)
		return explain(ST_INTERNAL, why.text, detail);
	st = run_for(&order, argv, DRIVER_FILLED, filled, &got, detail);
	return st == ST_OK ? refuse_short(s->spec, got, detail) : st;
}

static enum status
prefix(enum status st, const char *words, char **detail)
{
	char	*text;

	if (st == ST_OK || st == ST_CANCELLED ||
	    asprintf(&text, "%s%s", words, *detail != NULL ? *detail : "") == -1)
		return st;
	free(*detail);
	*detail = text;
	return st;
}

enum status
setup_run(struct setup *s, const struct scratch *scratch, const struct compile *where,
    void **filled, char **detail)
{
	void		*program = NULL;
	size_t		 bytes;
	enum status	 st;

	*filled = NULL;
	if (!jail_support()->mount && !jail_support()->landlock)
		return explain(ST_BAD_SPEC, "spec.setup: build jails of this host cannot keep a "
		    "program from files (no mount namespaces, no Landlock)", detail);
	st = compile_program(s, scratch, where, &program, &bytes, detail);
	if (st == ST_OK && program == NULL)
		st = explain(ST_INTERNAL, "the compiler left no program", detail);
	if (st != ST_OK)
		return prefix(st, "spec.setup does not build: ", detail);
	st = run_program(s, scratch, where, program, bytes, filled, detail);
	scratch_empty(scratch);
	free(program);
	if (st == ST_OK) {		/* warnings, and what the program printed */
		free(*detail);
		*detail = NULL;
		return ST_OK;
	}
	free(*filled);
	*filled = NULL;
	return prefix(st, "spec.setup: ", detail);
}
