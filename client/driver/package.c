/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "client/driver/directory.h"
#include "client/driver/package.h"
#include "client/driver/texts.h"
#include "proto/driver/driver.h"

typedef void	 text_fn(struct draft *, const struct package *);

void
package_source_name(const struct variant *v, char *buf, size_t bytes)
{
	static const char *const	suffixes[LANG_N] = {
		[LANG_C] = "c", [LANG_CXX] = "cc", [LANG_FORTRAN] = "F90", [LANG_ASM] = "S",
		[LANG_OBJECT] = "o", [LANG_SHARED] = "so", [LANG_PROGRAM] = "program",
	};

	(void)snprintf(buf, bytes, "routine.%s", suffixes[v->language]);
}

void
package_folder(size_t i, char buf[PACKAGE_FOLDER_BYTES])
{
	if (i == SIZE_MAX)
		(void)snprintf(buf, PACKAGE_FOLDER_BYTES, "reference");
	else
		(void)snprintf(buf, PACKAGE_FOLDER_BYTES, "variants/v%zu", i + 1);
}

/* ---- the runtime ---- */

/* All files are in one folder: an include has the name alone. */
static void
put_line(FILE *to, const char *line, size_t n)
{
	static const char	word[] = "#include \"";
	size_t			from = sizeof word - 1, name = from;

	if (n <= from || memcmp(line, word, from) != 0) {
		(void)fwrite(line, 1, n, to);
		return;
	}
	for (size_t i = from; i < n; i++)
		if (line[i] == '/')
			name = i + 1;
	(void)fprintf(to, "%s%.*s", word, (int)(n - name), line + name);
}

static enum status
put_runtime(const struct directory *d, const struct text *x, struct fault *why)
{
	char		 name[64], *text = NULL;
	size_t		 bytes = 0;
	FILE		*to = open_memstream(&text, &bytes);
	enum status	 st;

	if (to == NULL)
		return fault_set(why, ST_NOMEM, "driver");
	for (const char *line = x->text, *next; line < x->end; line = next) {
		next = memchr(line, '\n', (size_t)(x->end - line));
		next = next != NULL ? next + 1 : x->end;
		put_line(to, line, (size_t)(next - line));
	}
	(void)snprintf(name, sizeof name, "runtime/%s", x->name);
	st = fclose(to) == 0 ? directory_put(d, name, text, bytes, why) :
	    fault_set(why, ST_NOMEM, "driver");
	free(text);
	return st;
}

static enum status
put_runtimes(const struct directory *d, struct fault *why)
{
	enum status	st = ST_OK;

	for (const struct text *x = texts; x->name != NULL && st == ST_OK; x++)
		st = put_runtime(d, x, why);
	return st;
}

/* ---- what is of this spec ---- */

static void
readme_text(struct draft *t, const struct package *p)
{
	draft(t, "A timer of %s that needs a C compiler and make, and nothing of Assay.\n\n"
	    "    make run                    build, time and check all variants\n"
	    "    make DEFS=-DNAME=VALUE run  the same with another value of a param\n\n"
	    "Each variant has a line of JSON and a readable one.  Nanoseconds are of a call,\n"
	    "MFLOPS by the median.  The exit status is 1 if a variant is wrong or could not be\n"
	    "timed.  Operands have the same contents as in Assay.\n\n"
	    "Assay itself contains and limits what it runs, takes samples in several processes\n"
	    "on an isolated CPU, and repeats those that were disturbed or noisy.  It proves where\n"
	    "operands were, drives page tables out of the caches, varies inputs and audits\n"
	    "the times.\n",
	    t->spec->routine.name);
	if (p->remarks[0] != '\0')
		draft(t, "\nMembers of the job that this timer leaves out:\n\n%s", p->remarks);
}

static enum status
put_text(const struct package *p, const struct directory *d, const char *name, text_fn *put,
    struct fault *why)
{
	char		*text = NULL;
	size_t		 bytes = 0;
	struct draft	 t = { .out = open_memstream(&text, &bytes), .spec = &p->jobs[0].spec };
	enum status	 st;

	if (t.out == NULL)
		return fault_set(why, ST_NOMEM, "driver");
	put(&t, p);
	st = fclose(t.out) == 0 && !t.no_memory ? directory_put(d, name, text, bytes, why) :
	    fault_set(why, ST_NOMEM, "driver");
	free(text);
	return st;
}

static enum status
put_variant(const struct directory *d, const struct variant *v, size_t i, struct fault *why)
{
	char		folder[PACKAGE_FOLDER_BYTES], source[PACKAGE_FOLDER_BYTES];
	char		name[2 * PACKAGE_FOLDER_BYTES + SPEC_MAX_FILE_NAME];
	enum status	st;

	package_folder(i, folder);
	package_source_name(v, source, sizeof source);
	(void)snprintf(name, sizeof name, "%s/%s", folder, source);
	st = directory_put(d, name, v->source, v->source_bytes, why);
	for (size_t k = 0; k < v->nfiles && st == ST_OK; k++) {
		(void)snprintf(name, sizeof name, "%s/%s", folder, v->files[k].name);
		st = directory_put(d, name, v->files[k].bytes, v->files[k].nbytes, why);
	}
	return st;
}

static enum status
put_variants(const struct package *p, const struct directory *d, struct fault *why)
{
	const struct check	*c = &p->jobs[0].spec.check;
	enum status		 st = ST_OK;

	for (size_t i = 0; i < p->n && st == ST_OK; i++)
		st = put_variant(d, &p->jobs[i].variant, i, why);
	if (st == ST_OK && c->present)
		st = put_variant(d, &c->reference, SIZE_MAX, why);
	return st;
}

static enum status
put_all(const struct package *p, const struct directory *d, const char *driver,
    struct fault *why)
{
	static const struct {
		const char	*name;
		text_fn		*put;
	} own[] = { { "README", readme_text }, { "Makefile", makefile_text },
		    { "spec.c", spec_text } };
	enum status	st = put_runtimes(d, why);

	for (size_t i = 0; i < sizeof own / sizeof own[0] && st == ST_OK; i++)
		st = put_text(p, d, own[i].name, own[i].put, why);
	if (st == ST_OK)
		st = directory_put(d, "driver.c", driver, strlen(driver), why);
	return st == ST_OK ? put_variants(p, d, why) : st;
}

enum status
package_write(const struct package *p, const char *path, struct fault *why)
{
	struct directory	 d;
	char			*driver;
	enum status		 st;

	if ((st = driver_generate(&p->jobs[0].spec, &driver, why)) != ST_OK)
		return st;
	if ((st = directory_open(&d, path, why)) == ST_OK)
		st = put_all(p, &d, driver, why);
	directory_close(&d);
	free(driver);
	return st;
}
