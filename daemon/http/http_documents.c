/* SPDX-License-Identifier: Apache-2.0 */
/* What describes the door itself: its OpenAPI document, and the schemas that it points to. */
#include <string.h>

#include "daemon/http/http_impl.h"

#define EMBED(symbol, path)							\
	__asm__(".pushsection .rodata\n" #symbol ": .incbin \"" path "\"\n"	\
	    ".byte 0\n.popsection\n");						\
	extern const char symbol[] __attribute__((visibility("hidden")))

EMBED(document_openapi, "schema/openapi.json");
EMBED(document_compare, "schema/compare.schema.json");
EMBED(document_job, "schema/job.schema.json");
EMBED(document_result, "schema/result.schema.json");
EMBED(document_sweep, "schema/sweep.schema.json");
EMBED(document_variants, "schema/variants.schema.json");

static const struct {
	const char	*name, *text;
} schemas[] = {
	{ "compare.json", document_compare }, { "job.json", document_job },
	{ "result.json", document_result }, { "sweep.json", document_sweep },
	{ "variants.json", document_variants },
};

static void
send_text(struct exchange *ex, const char *type, const char *text)
{
	struct evbuffer	*body = evbuffer_new();
	struct fault	 why;

	if (body != NULL && evbuffer_add_reference(body, text, strlen(text), NULL, NULL) == 0) {
		http_send(ex, 200, type, body, 0);
	} else {
		(void)fault_set(&why, ST_NOMEM, "out of memory");
		http_problem(ex, 0, &why, NULL);
	}
	if (body != NULL)
		evbuffer_free(body);
}

void
http_run_openapi(struct exchange *ex)
{
	send_text(ex, "application/json", document_openapi);
}

void
http_run_schema(struct exchange *ex)
{
	struct fault	why;

	for (size_t i = 0; i < sizeof schemas / sizeof schemas[0]; i++) {
		if (strcmp(ex->subject, schemas[i].name) == 0) {
			send_text(ex, "application/schema+json", schemas[i].text);
			return;
		}
	}
	(void)fault_set(&why, ST_NOT_FOUND, "there is no schema \"%.100s\"", ex->subject);
	fault_hint(&why, "there are compare.json, job.json, result.json, sweep.json and "
	    "variants.json");
	http_problem(ex, 0, &why, NULL);
}
