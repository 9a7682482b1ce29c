/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "client/micro/assembler.h"
#include "client/micro/decode/batch.h"
#include "client/micro/pass/passes.h"

enum { PROGRAMS = 512 };

struct assembler {
	const struct micro	*micro;			/* borrowed */
	struct source_text	 programs[PROGRAMS];	/* names and texts are owned */
	size_t			 n;
};

enum status
assembler_open(struct assembler **to, struct micro *m, struct fault *why)
{
	struct assembler	*a;

	*to = NULL;
	if (m->as_c || pass_is_on(&pass_openmp, m)) {
		(void)fault_at(why, ST_BAD_REQUEST, "--check", "the programs are C, and it reads "
		    "assembly");
		fault_hint(why, "--joined FILE writes them for a compiler");
		return ST_BAD_REQUEST;
	}
	if ((a = calloc(1, sizeof *a)) == NULL)
		return fault_set(why, ST_NOMEM, "assembler");
	a->micro = m;
	*to = a;
	return ST_OK;
}

static void
empty(struct assembler *a)
{
	for (size_t i = 0; i < a->n; i++) {
		free((char *)a->programs[i].name);
		free((char *)a->programs[i].text);
	}
	a->n = 0;
}

enum status
assembler_flush(struct assembler *a, struct fault *why)
{
	enum status	st = batch_check(a->micro->target.machine, a->programs, a->n, why);

	empty(a);
	return st;
}

enum status
assembler_add(struct assembler *a, const struct made *p, struct fault *why)
{
	struct source_text	*to = &a->programs[a->n++];

	*to = (struct source_text){ .name = strdup(p->name), .text = strdup(p->text),
	    .file = a->micro->path };
	if (to->name == NULL || to->text == NULL)
		return fault_set(why, ST_NOMEM, "assembler");
	return a->n == PROGRAMS ? assembler_flush(a, why) : ST_OK;
}

void
assembler_free(struct assembler *a)
{
	if (a != NULL)
		empty(a);
	free(a);
}
