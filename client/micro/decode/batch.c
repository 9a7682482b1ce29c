/* SPDX-License-Identifier: Apache-2.0 */
/* Programs → what is in their code, many at a time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/micro/decode/assemble.h"
#include "client/micro/decode/batch.h"
#include "client/micro/decode/blame.h"
#include "client/micro/decode/join.h"

enum { LOT = 1024, NAME_BYTES = 256 };

/* Programs that one run of the assembler gets. */
struct lot {
	enum machine			 machine;
	const struct source_text	*programs;	/* borrowed */
	size_t				 n;
	struct decoded			*to;		/* borrowed */
	size_t				 ndecoded;
	enum status			 st;
};

enum status
batch_decode_one(enum machine m, const struct source_text *program, struct decoded *to,
    struct fault *why)
{
	struct object	o;
	enum status	st = assemble(m, program->text, strlen(program->text), &o, why);

	if (st == ST_OK)
		st = decoded_of_object(o.at, o.bytes, program->function, to, why);
	object_release(&o);
	return st == ST_OK ? ST_OK : blame(program, why);
}

static enum status
check_one(enum machine m, const struct source_text *program, struct fault *why)
{
	struct object	o;
	enum status	st = assemble(m, program->text, strlen(program->text), &o, why);

	object_release(&o);
	return st == ST_OK ? ST_OK : blame(program, why);
}

/* "f_p12" is program 12's, if f is its function.  Helpers of a program are not wanted. */
static bool
decode_function(void *arg, const struct function *f)
{
	struct lot	*l = arg;
	const char	*suffix = strrchr(f->name, '_');
	char		 name[NAME_BYTES], end[JOIN_SUFFIX_BYTES];
	size_t		 i;

	if (suffix == NULL || suffix[1] != 'p')
		return true;
	i = strtoul(suffix + 2, NULL, 10);
	if (i >= l->n)
		return true;
	join_suffix(i, end);
	(void)snprintf(name, sizeof name, "%s%s", l->programs[i].function, end);
	if (strcmp(name, f->name) == 0) {
		l->st = decoded_of(l->machine, f, &l->to[i], NULL);
		l->ndecoded++;
	}
	return l->st == ST_OK;
}

static enum status
join(const struct lot *l, char **text, size_t *bytes)
{
	FILE		*to = open_memstream(text, bytes);
	enum status	 st = ST_OK;

	if (to == NULL)
		return ST_NOMEM;
	for (size_t i = 0; i < l->n && st == ST_OK; i++)
		st = join_program(l->machine, i, l->programs[i].name, l->programs[i].text, to);
	return fclose(to) == 0 ? st : ST_NOMEM;
}

static enum status
assemble_together(struct lot *l, struct object *o)
{
	char	*text = NULL;
	size_t	 bytes = 0;

	*o = (struct object){ NULL, 0 };
	l->st = join(l, &text, &bytes);
	if (l->st == ST_OK)
		l->st = assemble(l->machine, text, bytes, o, NULL);
	free(text);
	return l->st;
}

/* false: together they were not understood. */
static bool
decode_together(struct lot *l)
{
	struct object	 o;
	struct elf	 e;

	if (assemble_together(l, &o) == ST_OK)
		l->st = elf_open(&e, o.at, o.bytes, NULL);
	if (l->st == ST_OK)
		elf_each_function(&e, decode_function, l);
	object_release(&o);
	return l->st == ST_OK && l->ndecoded == l->n;
}

static enum status
check_lot(struct lot *l, struct fault *why)
{
	struct object	o;
	enum status	st = l->n > 1 ? assemble_together(l, &o) : ST_BUILD_FAILED;

	if (l->n > 1)
		object_release(&o);
	if (st == ST_OK)
		return ST_OK;
	st = ST_OK;
	for (size_t i = 0; i < l->n && st == ST_OK; i++)
		st = check_one(l->machine, &l->programs[i], why);
	return st;
}

static enum status
decode_lot(struct lot *l, struct fault *why)
{
	enum status	st = ST_OK;

	if (l->n > 1 && decode_together(l))
		return ST_OK;
	for (size_t i = 0; i < l->n && st == ST_OK; i++)
		st = batch_decode_one(l->machine, &l->programs[i], &l->to[i], why);
	return st;
}

/* NULL as `to`: they are not decoded. */
static enum status
each_lot(enum machine m, const struct source_text *programs, size_t n, struct decoded *to,
    struct fault *why)
{
	enum status	st = ST_OK;

	for (size_t from = 0; from < n && st == ST_OK; from += LOT) {
		struct lot	l = { .machine = m, .programs = programs + from,
				    .to = to != NULL ? to + from : NULL,
				    .n = n - from < LOT ? n - from : LOT };

		st = to != NULL ? decode_lot(&l, why) : check_lot(&l, why);
	}
	return st;
}

enum status
batch_decode(enum machine m, const struct source_text *programs, size_t n, struct decoded *to,
    struct fault *why)
{
	return each_lot(m, programs, n, to, why);
}

enum status
batch_check(enum machine m, const struct source_text *programs, size_t n, struct fault *why)
{
	return each_lot(m, programs, n, NULL, why);
}
