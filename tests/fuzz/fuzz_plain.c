/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of plain members: what is read as one is what a full reader of JSON finds in it. */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "daemon/view/plain.h"
#include "tests/fuzz/fuzz.h"

static void
compare(const struct plain *p, const json_t *doc)
{
	json_t	*value;

	must(json_object_size(doc) == p->n);
	for (size_t i = 0; i < p->n; i++) {
		value = json_loads(p->member[i].value, JSON_DECODE_ANY, NULL);
		must(value != NULL);
		must(json_equal(value, json_object_get(doc, p->member[i].name)));
		json_decref(value);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct plain	 p;
	char			*text = malloc(size + 1);
	json_t			*doc;

	must(text != NULL);
	memcpy(text, data, size);
	text[size] = '\0';
	/* texts of the database are UTF-8, which only the full reader checks */
	if (plain_read(&p, text) && (doc = json_loads(text, 0, NULL)) != NULL) {
		compare(&p, doc);
		json_decref(doc);
	}
	free(text);
	return 0;
}
