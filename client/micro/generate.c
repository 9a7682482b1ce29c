/* SPDX-License-Identifier: Apache-2.0 */
/* Where programs go, wherever they are made. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "client/micro/assembler.h"
#include "client/micro/generate.h"
#include "client/micro/lot.h"
#include "client/micro/marks.h"

enum { PATH_BYTES = 4096 };

struct run {
	struct micro		*micro;
	const struct generate	*how;
	FILE			*joined;	/* owned; or NULL */
	struct assembler	*assembler;	/* owned; or NULL */
	struct lot		*lot;		/* owned; or NULL */
};

static enum status
cannot(const char *path, struct fault *why)
{
	return fault_at(why, ST_IO, path, "%s", strerror(errno));
}

/* ---- where a program goes ---- */

static enum status
put_file(const struct run *r, const struct made *p, const char *text, struct fault *why)
{
	char	path[PATH_BYTES];
	FILE	*to;
	bool	is_whole;

	(void)snprintf(path, sizeof path, "%s/%s.%s", r->how->folder, p->name,
	    strcmp(p->language, "c") == 0 ? "c" : "s");
	if ((to = fopen(path, "we")) == NULL)
		return cannot(path, why);
	is_whole = fputs(text, to) >= 0;
	return fclose(to) == 0 && is_whole ? ST_OK : cannot(path, why);
}

/* What the user reads. */
static enum status
put_text(const struct run *r, const struct made *p, struct fault *why)
{
	char		*text;
	enum status	 st = ST_OK;

	if (!r->how->prints && r->joined == NULL && r->how->folder == NULL)
		return ST_OK;
	if ((text = marks_without(r->micro, p->text)) == NULL)
		return fault_set(why, ST_NOMEM, "a program");
	if (r->how->prints)
		(void)fputs(text, stdout);
	if (r->joined != NULL)
		(void)fputs(text, r->joined);
	if (r->how->folder != NULL)
		st = put_file(r, p, text, why);
	free(text);
	return st;
}

static enum status
put(void *arg, const struct made *p, struct fault *why)
{
	struct run	*r = arg;
	enum status	 st = put_text(r, p, why);

	if (st == ST_OK && r->lot != NULL)
		st = lot_add(r->lot, p, why);
	return st == ST_OK && r->assembler != NULL ? assembler_add(r->assembler, p, why) : st;
}

/* ---- the whole ---- */

static enum status
open_lot(struct run *r, struct fault *why)
{
	const struct lot_options	how = {
		.micro = r->micro, .decodes = r->how->decodes, .for_host = r->how->for_host,
		.function = r->micro->is_joined ? NULL : r->micro->function
	};

	if (how.decodes && r->micro->as_c)
		return fault_at(why, ST_BAD_REQUEST, "--decode", "assembly is decoded, not C");
	return lot_open(&r->lot, &how, why);
}

/* The description is good: now its programs need places. */
static enum status
open_all(void *arg, uint64_t programs, struct fault *why)
{
	struct run	*r = arg;
	enum status	 st = ST_OK;

	if (r->how->make.counts) {
		(void)printf("%" PRIu64 "\n", programs);
		return ST_OK;
	}
	if (r->how->folder != NULL && mkdir(r->how->folder, 0777) != 0 && errno != EEXIST)
		return cannot(r->how->folder, why);
	if (r->how->joined != NULL && (r->joined = fopen(r->how->joined, "we")) == NULL)
		return cannot(r->how->joined, why);
	if (r->how->as_lines)
		st = open_lot(r, why);
	return st == ST_OK && r->how->checks ? assembler_open(&r->assembler, r->micro, why) : st;
}

static enum status
close_all(struct run *r, enum status st, struct fault *why)
{
	if (r->joined != NULL && fclose(r->joined) != 0 && st == ST_OK)
		st = cannot(r->how->joined, why);
	if (st == ST_OK && r->lot != NULL)
		st = lot_flush(r->lot, why);
	if (st == ST_OK && r->assembler != NULL)
		st = assembler_flush(r->assembler, why);
	lot_free(r->lot);
	assembler_free(r->assembler);
	return st;
}

enum status
generate_programs(struct micro *m, const struct generate *how, struct fault *why)
{
	struct run		 r = { .micro = m, .how = how };
	const struct listener	 to = { open_all, put, &r };
	struct make		 make = how->make;
	enum status		 st;

	/* before a plugin's process has its copy */
	m->is_joined = m->is_joined || how->joined != NULL;
	m->has_marks = how->checks || how->decodes;
	make.with_meta = how->as_lines;
	st = how->plugins.n > 0 ? plugins_run(&how->plugins, m, make_programs, &make, &to, why) :
	    make_programs(&make, m, &to, why);
	return close_all(&r, st, why);
}
