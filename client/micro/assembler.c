/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/micro/assembler.h"
#include "client/micro/decode/assemble.h"
#include "client/micro/pass/passes.h"

struct assembler {
	const struct micro	*micro;		/* borrowed */
	FILE			*source;	/* owned; grows in memory */
	char			*text;		/* owned */
	size_t			 bytes;
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
	if ((a = calloc(1, sizeof *a)) == NULL ||
	    (a->source = open_memstream(&a->text, &a->bytes)) == NULL) {
		free(a);
		return fault_set(why, ST_NOMEM, "assembler");
	}
	a->micro = m;
	*to = a;
	return ST_OK;
}

void
assembler_add(struct assembler *a, const char *text)
{
	(void)fputs(text, a->source);
}

/* "FILE.xml:12: Error: no such instruction: `movapz'" is a place and a text. */
static enum status
divide(struct fault *why)
{
	static const char	error[] = ": Error: ";
	const struct fault	found = *why;
	const char		*at = strstr(found.text, error);
	char			place[sizeof why->member];

	if (at == NULL)
		return found.status;
	(void)snprintf(place, sizeof place, "%.*s", (int)(at - found.text), found.text);
	return fault_at(why, found.status, place, "the assembler: %s", at + strlen(error));
}

enum status
assembler_close(struct assembler *a, struct fault *why)
{
	struct object	made = { NULL, 0 };
	enum status	st = ST_OK;

	if (fclose(a->source) != 0)
		st = fault_set(why, ST_NOMEM, "assembler");
	else if (why != NULL && assemble(a->micro->target.machine, a->text, a->bytes, &made, why)
	    != ST_OK)
		st = divide(why);
	object_release(&made);
	free(a->text);
	free(a);
	return st;
}
