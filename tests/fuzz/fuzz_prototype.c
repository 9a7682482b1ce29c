/* SPDX-License-Identifier: Apache-2.0 */
/* Prototypes.  What is read is written in canonical form and read again: both must be the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/text/prototype.h"
#include "tests/fuzz/fuzz.h"

static void
write_param(FILE *f, const struct proto_param *q)
{
	const char	*stars = q->is_rows ? "**" : q->is_pointer ? "*" : "";

	fprintf(f, "%s%s %s %s%s%s%s%s", q->is_const ? "const " : "", ctype_name(q->type), q->tag,
	    q->is_array ? "(" : "", stars, q->is_restrict ? "restrict " : "", q->name,
	    q->is_array ? ")[8]" : "");
}

static char *
write_prototype(const struct prototype *p)
{
	char	*text = NULL;
	size_t	 bytes;
	FILE	*f = open_memstream(&text, &bytes);

	must(f != NULL);
	fprintf(f, "%s %s(%s", ctype_name(p->result), p->name, p->nparams == 0 ? "void" : "");
	for (size_t i = 0; i < p->nparams; i++) {
		fputs(i > 0 ? ", " : "", f);
		write_param(f, &p->params[i]);
	}
	fprintf(f, ")");
	must(fclose(f) == 0);
	return text;
}

static void
must_be_equal(const struct prototype *a, const struct prototype *b)
{
	must(strcmp(a->name, b->name) == 0 && a->result == b->result && a->nparams == b->nparams);
	for (size_t i = 0; i < a->nparams; i++) {
		const struct proto_param	*x = &a->params[i], *y = &b->params[i];

		must(strcmp(x->name, y->name) == 0 && x->type == y->type &&
		    x->is_pointer == y->is_pointer && x->is_const == y->is_const &&
		    x->is_restrict == y->is_restrict && x->is_rows == y->is_rows &&
		    x->is_array == y->is_array && strcmp(x->tag, y->tag) == 0);
	}
}

static void
check_types(const char *text)
{
	enum ctype	t;
	struct fault	why;

	if (ctype_parse(&t, text, &why) == ST_OK)
		must((unsigned)t < CTYPE_N);
	else
		must(why.text[0] != '\0');
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct prototype	 p, again;
	char			*text = malloc(size + 1), *canonical;
	struct fault		 why;

	must(text != NULL);
	memcpy(text, data, size);
	text[size] = '\0';
	if (prototype_parse(&p, text, &why) == ST_OK) {
		canonical = write_prototype(&p);
		if (strlen(canonical) <= PROTOTYPE_MAX_BYTES) {
			must(prototype_parse(&again, canonical, &why) == ST_OK);
			must_be_equal(&p, &again);
		}
		free(canonical);
	} else {
		must(why.text[0] != '\0' && p.nparams <= PROTOTYPE_MAX_PARAMS);
	}
	check_types(text);
	free(text);
	return 0;
}
